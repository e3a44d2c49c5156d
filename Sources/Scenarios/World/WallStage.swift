import ClientCore
import Events
import Synchronization

/// The stage of a wall-clock run: the system's continuous clock and the cooperative pool.
final class WallStage: Stage {
  /// How long a closed client may take to come to rest before what it has counts as left behind, in nanoseconds.
  static let restLimit: Int64 = 10_000_000_000

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

  func settle(_ probes: [InstanceProbe]) async {
    let limit = now + Self.restLimit
    while !probes.allSatisfy(\.hasNothingRunning), now < limit, !Task.isCancelled {
      try? await sleep(1_000_000)
    }
  }

  func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask { spawner.spawn(operation) }
}
