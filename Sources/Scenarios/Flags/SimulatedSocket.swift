import ClientCore
import Events
import SimulatedService
import Synchronization

/// One open socket between a process of the app and the project.
///
/// Frames take one network latency in either direction and never overtake each other. A socket that a fault has silenced
/// stays open and carries nothing more to the client.
final class SimulatedSocket: RealtimeConnection {
  private struct State {
    var isOpen = true
    var isSilent = false
    /// The topics that the client has joined, in the order of joining.
    var topics: [String] = []
    /// Frames on their way, oldest first, and when the last of them is due.
    var toService: [String] = []
    var toServiceDue = Int64.min
    var toClient: [(frame: RealtimeFrame, notice: FlagsNotice?)] = []
    var toClientDue = Int64.min
  }

  let number: UInt64
  private let world: FlagsWorld
  private let device: Device
  private let gate: ProcessGate
  private let state = Mutex(State())
  private let received = Handover<Result<String, TransportError>>()

  init(_ number: UInt64, _ device: Device, _ gate: ProcessGate, in world: FlagsWorld) {
    self.number = number
    self.device = device
    self.gate = gate
    self.world = world
  }

  // MARK: The client's end

  func send(_ text: String) async throws {
    let isOpen = state.withLock { state in
      if state.isOpen { state.toService.append(text) }
      return state.isOpen
    }
    guard isOpen, gate.isAlive else { throw Self.broken }
    let due = due(\.toServiceDue)
    _ = world.stage.spawn { [self] in
      try? await world.stage.sleep(until: due)
      // The oldest frame, whichever task comes first.
      let text = state.withLock { $0.isOpen && !$0.toService.isEmpty ? $0.toService.removeFirst() : nil }
      if let text, let frame = try? RealtimeFrame(text: text) { arrive(frame) }
    }
  }

  func receive() async throws -> String {
    guard state.withLock({ $0.isOpen }) else { throw Self.broken }
    return try await received.next().get()
  }

  func close() { _ = shut() }

  /// Breaks the connection, as a network does.
  func drop() {
    if shut() { world.ledger.socket("dropped", at: world.stage.now) }
  }

  /// Ends the connection; returns whether it was open.
  private func shut() -> Bool {
    let wasOpen = state.withLock { state in
      defer { state.isOpen = false }
      return state.isOpen
    }
    guard wasOpen else { return false }
    world.sockets.remove(self)
    if gate.isAlive { world.witness.note(.device(.socketChanged(device.id, isOpen: false))) }
    received.put(.failure(Self.broken))
    return true
  }

  // MARK: The project's end

  /// Sends a notice to the client if it has joined the notice's topic.
  func announce(_ notice: FlagsNotice) {
    guard state.withLock({ $0.isOpen && $0.topics.contains(notice.topic) }) else { return }
    device.mayBeAheadOfData(in: world)
    deliver(RealtimeFrame(notice), notice)
  }

  private func arrive(_ frame: RealtimeFrame) {
    guard gate.isAlive else { return }
    let isRefused =
      frame.event == "join" && world.faults.strikes(.refused, device.faultSubject, world.basis)
    let (action, reply) =
      isRefused
      ? (RealtimeAction.refused(reason: "unavailable"), frame.reply(refusal: "unavailable"))
      : world.project.withLock { $0.receive(frame) }
    switch action {
    case .joined:
      state.withLock { $0.topics.append(frame.topic) }
      tellJoin(frame, isAccepted: true)
    case .left: state.withLock { state in state.topics.removeAll { $0 == frame.topic } }
    case .refused: if frame.event == "join" { tellJoin(frame, isAccepted: false) }
    case .alive: break
    }
    deliver(reply, nil)
  }

  private func tellJoin(_ frame: RealtimeFrame, isAccepted: Bool) {
    world.witness.note(
      .device(
        .joinAsked(
          device.id, topic(frame.topic), credential: credential(in: frame.payload), isAccepted: isAccepted)))
    world.ledger.socket(isAccepted ? "joined" : "refused", at: world.stage.now)
  }

  private func deliver(_ frame: RealtimeFrame, _ notice: FlagsNotice?) {
    let subject = device.faultSubject
    if world.faults.strikes(.dropped, subject, world.basis) {
      drop()
      return
    }
    let becomesSilent = world.faults.strikes(.silent, subject, world.basis)
    let (isCarried, lastFrame) = state.withLock { state -> (Bool, Int64?) in
      guard state.isOpen, !state.isSilent else { return (false, nil) }
      if becomesSilent {
        state.isSilent = true
        return (false, state.toClientDue)
      }
      state.toClient.append((frame, notice))
      return (true, nil)
    }
    if let lastFrame { tellSilent(lastFrame) }
    guard isCarried else { return }
    let due = due(\.toClientDue)
    _ = world.stage.spawn { [self] in
      try? await world.stage.sleep(until: due)
      let next = state.withLock { $0.isOpen && !$0.toClient.isEmpty ? $0.toClient.removeFirst() : nil }
      guard let next, gate.isAlive else { return }
      if let notice = next.notice {
        world.ledger.notice(at: world.stage.now)
        world.witness.note(
          .device(
            .noticed(device.id, version: notice.version, isProjectWide: notice.topic == "flags:project")))
      }
      received.put(.success(next.frame.text))
    }
  }

  private func tellSilent(_ lastFrame: Int64) {
    guard gate.isAlive else { return }
    let now = world.stage.now
    world.ledger.socket("silenced", at: now)
    world.witness.note(.device(.socketSilenced(device.id, lastFrame: max(now, lastFrame))))
  }

  /// When a frame that sets out now arrives: never before the one ahead of it.
  private func due(_ last: WritableKeyPath<State, Int64>) -> Int64 {
    let latency = world.scenario.network.latency
    let delay = latency.isZero ? 0 : world.sampler.sample(latency, on: world.stage)
    let arrival = world.stage.now + delay
    return state.withLock { state in
      state[keyPath: last] = max(state[keyPath: last], arrival)
      return state[keyPath: last]
    }
  }

  private func topic(_ text: String) -> ChannelTopic {
    if text == "flags:project" { return .project }
    guard text.hasPrefix("flags:reader:") else { return .unknown }
    return world.vocabulary.subject(ofID: String(text.dropFirst("flags:reader:".count))).map { .reader($0) }
      ?? .unknown
  }

  private func credential(in payload: AttributeValue) -> Subject? {
    guard case .object(let members) = payload else { return nil }
    if case .string(let token)? = members["token"] {
      return UserName(token: token[...]).map { .user($0.number) }
    }
    guard case .string(let install)? = members["install"] else { return nil }
    return world.vocabulary.install(install, seenOn: device.id)
  }

  private static let broken = TransportError(.connectionFailed, "the socket is closed")
}

/// The open sockets of a run, in the order in which they opened.
final class SocketHub: Sendable {
  private struct State {
    var sockets: [SimulatedSocket] = []
    var count: UInt64 = 0
  }

  private let state = Mutex(State())

  /// A number for one more socket.
  func makeNumber() -> UInt64 {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  func add(_ socket: SimulatedSocket) { state.withLock { $0.sockets.append(socket) } }

  func remove(_ socket: SimulatedSocket) {
    state.withLock { state in state.sockets.removeAll { $0.number == socket.number } }
  }

  /// Every open socket, in the order in which they opened.
  var all: [SimulatedSocket] { state.withLock { $0.sockets } }
}

/// The realtime of one process of the app: each socket opens with a request that takes the way of all requests.
struct DeviceRealtime: Realtime {
  let world: FlagsWorld
  let device: Device
  let transport: DeviceTransport
  let gate: ProcessGate

  func connect(_ request: TransportRequest) async throws -> any RealtimeConnection {
    let response = try await transport.send(request)
    guard response.status == 101 else {
      world.ledger.socket("failed", at: world.stage.now)
      throw RealtimeRefusal(response)
    }
    let socket = SimulatedSocket(world.sockets.makeNumber(), device, gate, in: world)
    world.sockets.add(socket)
    world.ledger.socket("opened", at: world.stage.now)
    world.witness.note(.device(.socketChanged(device.id, isOpen: true)))
    return socket
  }
}
