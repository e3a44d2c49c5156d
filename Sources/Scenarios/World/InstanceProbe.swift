import ClientCore
import Events
import Synchronization

/// Counts, from outside, what the client of one app instance has running: tasks, timers and requests.
final class InstanceProbe: Sendable {
  let tasks = Atomic<Int>(0)
  let timers = Atomic<Int>(0)
  let requests = Atomic<Int>(0)
  /// Calls of readers that have not returned.
  let calls = Atomic<Int>(0)
  /// Every request that was ever started.
  let totalRequests = Atomic<Int>(0)

  /// How much of a kind the client has.
  func count(of kind: Leftover) -> Int {
    switch kind {
    case .task: tasks.load(ordering: .relaxed)
    case .timer: timers.load(ordering: .relaxed)
    case .request: requests.load(ordering: .relaxed)
    case .continuation: calls.load(ordering: .relaxed)
    case .memory: 0
    }
  }

  /// Whether the client has no task, timer or request.
  var hasNothingRunning: Bool { [.task, .timer, .request].allSatisfy { count(of: $0) == 0 } }

  /// Whether nothing of the client is left.
  var isQuiet: Bool { hasNothingRunning && count(of: .continuation) == 0 }
}

/// Starts a client's tasks on a stage and counts them.
///
/// Where authorization takes part, each task has a slot that links the asking for a token to the request (`FlightSlot`),
/// and a task that is cancelled between the two is told to the judges, who could not see it otherwise.
struct CountingSpawner: Spawner {
  let stage: any Stage
  let probe: InstanceProbe
  let witness: (any Witness)?

  func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
    probe.tasks.add(1, ordering: .relaxed)
    let probe = probe
    guard let witness else {
      return stage.spawn {
        await operation()
        probe.tasks.subtract(1, ordering: .relaxed)
      }
    }
    let slot = FlightSlot()
    let task = stage.spawn {
      await FlightSlot.$current.withValue(slot) { await operation() }
      probe.tasks.subtract(1, ordering: .relaxed)
    }
    return SpawnedTask {
      if let flight = slot.take() { witness.requestCancelled(flight.id) }
      task.cancel()
    }
  }
}

extension MonotonicClock {
  /// The clock of a stage, which counts its sleepers.
  init(_ stage: any Stage, counting probe: InstanceProbe) {
    self.init(
      now: { stage.now },
      sleepUntil: { time in
        probe.timers.add(1, ordering: .relaxed)
        defer { probe.timers.subtract(1, ordering: .relaxed) }
        try await stage.sleep(until: time)
      })
  }
}
