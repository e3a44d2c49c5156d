import ClientCore
import Events
import PalbaseAnalytics
import PalbaseFlags
import ScenarioFormat
import SimulatedService

// The last phase but one of a run with faults: nothing goes wrong any more, and every device has to get well.
//
// Each is asked for current values until the project answers it, then told to flush until nothing waits. How long that may
// take, and whether what it then holds is right, is for the judge of `liveness` to say; this only does and tells.

/// Asks every device, after the faults are over, until it is well.
enum FleetRecovery {
  /// When to give a device up; far beyond what any judge allows.
  private static let patience: Int64 = 3 * 3_600_000_000_000

  /// Waits until every device of a healed world is well, or given up.
  static func run(_ world: FlagsWorld) async {
    // A closed client stays closed: there is nobody who could get well.
    if world.isClosed { return }
    let devices = world.devices
    await ReaderTree.run(0..<devices.count) { await recover(devices[$0], world) }
  }

  private static func recover(_ device: Device, _ world: FlagsWorld) async {
    guard device.process != nil else { return }
    world.witness.note(.recoveryAwaited(device.id))
    let limit = world.stage.now + patience
    let nobody = Nobody(device, world)
    // What is out now may have met a fault, and a refresh joins it: its answer says nothing of the time after the faults.
    if device.probe.count(of: .request) > 0 { _ = await nobody.refresh() }
    await untilWell(limit, world) {
      guard await nobody.refresh() else { return false }
      world.witness.note(.recovered(device.id, differing: differences(device, world)))
      return true
    }
    await untilWell(limit, world) {
      await nobody.flush()
      return device.tally.pending == 0
    }
    world.witness.note(.device(.tallied(device.id, device.tally)))
  }

  /// Tries again after 1, 2, 4, 8, 16, 16, … seconds.
  private static func untilWell(_ limit: Int64, _ world: FlagsWorld, _ attempt: () async -> Bool) async {
    var gap: Int64 = 1_000_000_000
    while !Task.isCancelled, await !attempt(), world.stage.now < limit {
      guard (try? await world.stage.sleep(gap)) != nil else { return }
      gap = min(gap * 2, 16_000_000_000)
    }
  }

  /// How many flags differ from what the project resolves now.
  private static func differences(_ device: Device, _ world: FlagsWorld) -> Int {
    guard let process = device.process, let reader = world.reader(device.subject) else { return 0 }
    let client = world.scenario.client
    let context = ReaderContext(
      platform: client.platform, appVersion: device.appVersion, language: client.flags?.language ?? "en")
    let truth = world.project.withLock { project in
      project.resolve(reader, context, at: world.times.serviceNanoseconds)
    }
    let held = process.client.flags.all
    var differing = Set(held.keys).subtracting(truth.map(\.key)).count
    for entry in truth {
      if held[entry.key].map({ ValueDigest.of($0) }) != ValueDigest.of(entry.value) { differing += 1 }
    }
    return differing
  }
}
