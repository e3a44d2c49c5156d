import ClientCore
import Events

/// What a run stands on: time, chance and tasks, virtual or real.
///
/// Readers, clients, network and service are the same code on either stage; only this differs. Times are nanoseconds
/// since the start of the run.
protocol Stage: Sendable {
  /// The present time.
  var now: Int64 { get }

  /// Suspends until a time; a time that is not in the future only gives others a turn.
  func sleep(until time: Int64) async throws

  /// Draws one of `bound` possibilities, 0 being the simplest.
  func draw(upTo bound: UInt64, _ label: ChoiceLabel) -> UInt64

  /// Suspends until nothing else can run at this time, or until a closed client seems to have come to rest.
  func settle(_ probes: [InstanceProbe]) async

  /// Starts a task of a client's.
  func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask
}

extension Stage {
  /// Suspends for a stretch of time.
  func sleep(_ nanoseconds: Int64) async throws { try await sleep(until: now &+ nanoseconds) }
}
