import ClientCore
import Events
import Synchronization

/// The stage of a wall-clock run: the system's continuous clock and the cooperative pool.
final class WallStage: Stage {
  private let clock: MonotonicClock = .live
  private let origin: Int64
  private let spawner = LiveSpawner()
  private let choices: Mutex<ChoiceSource>

  init(seed: UInt64) {
    origin = clock.now.nanoseconds
    choices = Mutex(ChoiceSource(seed: seed))
  }

  var now: Int64 { clock.now.nanoseconds - origin }

  func sleep(until time: Int64) async throws {
    try await clock.sleep(until: MonotonicInstant(nanoseconds: origin &+ time))
  }

  func draw(upTo bound: UInt64, _ label: ChoiceLabel) -> UInt64 {
    choices.withLock { $0.choose(upTo: bound, label: label) }
  }

  func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask { spawner.spawn(operation) }
}
