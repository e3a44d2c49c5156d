import ClientCore
import Events
import Palbase
import PalbaseAnalytics
import PalbaseFlags
import ScenarioFormat
import SimulatedService
import Synchronization

/// What all readers of a group on devices share.
final class DeviceGroupPlan: Sendable {
  let group: ReaderGroup
  /// The number of the group in the scenario.
  let number: Int
  let devices: [Device]
  let totalWeight: Int

  init(_ group: ReaderGroup, number: Int, in world: FlagsWorld) {
    self.group = group
    self.number = number
    devices = world.devices
    totalWeight = group.steps.reduce(0) { $0 + ($1.weight ?? 0) }
  }
}

/// The unchanging part of a reader on a device, and what it calls.
final class FlagsCaller: Sendable {
  /// The name of the events that readers capture.
  static let capturedEvent = "reader_event"

  let world: FlagsWorld
  let plan: DeviceGroupPlan
  let id: ReaderID
  let device: Device

  init(_ number: Int, of plan: DeviceGroupPlan, in world: FlagsWorld) {
    self.world = world
    self.plan = plan
    id = ReaderID(Int32(number))
    device = plan.devices[number % plan.devices.count]
  }

  /// Makes a call that is told to the witness; a device without a process answers nobody.
  ///
  /// - Returns: How it ended; nil if it could not be made.
  @discardableResult
  func call(
    _ operation: Operation, box: CallBox? = nil, _ body: (PalbaseClient, OpenCall) async -> CallOutcome
  ) async -> CallOutcome? {
    guard let process = device.process else { return nil }
    return await device.call(operation, process, by: id, in: world, box: box) {
      await body(process.client, $0)
    }
  }

  /// Waits for current values.
  func refresh(box: CallBox? = nil) async {
    let began = world.stage.now
    let outcome = await call(.refresh, box: box) { client, _ in
      do {
        try await client.flags.refresh()
        return .finished
      } catch {
        return .failure(error)
      }
    }
    if outcome == .finished { world.ledger.refresh(from: began, to: world.stage.now, plan.number) }
  }

  /// Captures one event, which no other of the run equals.
  func capture() async {
    let number = world.basis.recordings.add(1, ordering: .relaxed).newValue
    await call(.capture) { client, call in
      world.witness.note(.exposureRecorded(call.id, device.id, number))
      client.analytics.capture(Self.capturedEvent, properties: ["number": .number(Double(number))])
      world.ledger.exposureRecorded(plan.number, at: call.began)
      return .finished
    }
  }

  /// Flushes the analytics of the device.
  func flush() async {
    await call(.flush) { client, _ in
      await client.analytics.flush()
      return .finished
    }
  }
}

extension Device {
  /// Makes a call that is told to the witness as a reader's.
  func call(
    _ operation: Operation, _ process: AppProcess, by reader: ReaderID, in world: FlagsWorld,
    box: CallBox? = nil, _ body: (OpenCall) async -> CallOutcome
  ) async -> CallOutcome {
    probe.calls.add(1, ordering: .relaxed)
    let call = world.witness.callBegan(reader, id, operation, nil)
    if let box, box.begin(call) { world.witness.callCancelled(call) }
    let outcome = await body(call)
    box?.end()
    probe.calls.subtract(1, ordering: .relaxed)
    world.witness.callReturned(call, outcome)
    return outcome
  }
}

extension CallOutcome {
  /// The error that a call of the flags client ended with.
  static func failure(_ error: any Error) -> CallOutcome {
    guard let error = error as? PalbaseError else {
      return error is CancellationError ? .cancelled : .failed(.other, status: 0)
    }
    return switch error {
    case .notConfigured, .closed: .failed(.closed, status: 0)
    case .readerChanged: .failed(.readerChanged, status: 0)
    case .unauthorized: .failed(.unauthorized, status: 401)
    case .forbidden: .failed(.forbidden, status: 403)
    case .rateLimited: .failed(.rateLimited, status: 429)
    case .server(_, let status): .failed(.server, status: status)
    case .transport: .failed(.transport, status: 0)
    }
  }
}

/// Calls one device on behalf of nobody in particular: it is told as a reader after the last.
struct Nobody {
  let device: Device
  let world: FlagsWorld

  init(_ device: Device, _ world: FlagsWorld) {
    self.device = device
    self.world = world
  }

  private var reader: ReaderID { ReaderID(Int32(world.scenario.readerCount)) }

  /// Waits for current values.
  ///
  /// - Returns: Whether they came.
  @discardableResult
  func refresh() async -> Bool {
    guard let process = device.process else { return false }
    let outcome = await device.call(.refresh, process, by: reader, in: world) { _ in
      do {
        try await process.client.flags.refresh()
        return .finished
      } catch {
        return .failure(error)
      }
    }
    return outcome == .finished
  }

  /// Flushes the device's analytics.
  func flush() async {
    guard let process = device.process else { return }
    _ = await device.call(.flush, process, by: reader, in: world) { _ in
      await process.client.analytics.flush()
      return .finished
    }
  }
}
