import ClientCore
import Events
import Simulation

/// The stage of a virtual run: a simulator.
struct VirtualStage: Stage {
  let simulator: Simulator
  private let clock: VirtualClock

  init(_ simulator: Simulator) {
    self.simulator = simulator
    clock = simulator.clock
  }

  var now: Int64 { clock.now.nanoseconds }

  func sleep(until time: Int64) async throws { try await clock.sleep(until: .init(nanoseconds: time)) }

  func draw(upTo bound: UInt64, _ label: ChoiceLabel) -> UInt64 {
    simulator.choose(upTo: bound, label: label)
  }

  func settle(_ probes: [InstanceProbe]) async { await simulator.idle() }

  func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
    let task = simulator.spawn(operation)
    return SpawnedTask { task.cancel() }
  }
}
