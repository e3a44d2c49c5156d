import Synchronization

/// A spawner for tests that counts the tasks it started and can wait for the end of all of them.
///
/// The tasks run on the pool. Safe from any thread.
public final class ControllableSpawner: Spawner {
  private struct State {
    var started = 0
    var live = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let base = LiveSpawner()

  /// Creates a spawner that has started nothing.
  public init() {}

  /// How many tasks were started.
  public var startedCount: Int { state.withLock { $0.started } }

  /// How many of them have not ended.
  public var liveCount: Int { state.withLock { $0.live } }

  /// Starts a task and counts it.
  ///
  /// - Parameter operation: What the task does.
  /// - Returns: The handle to cancel it by.
  public func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
    state.withLock { state in
      state.started += 1
      state.live += 1
    }
    return base.spawn {
      await operation()
      self.endOne()
    }
  }

  /// Suspends until every task that was started has ended.
  public func allEnded() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.live > 0 { state.waiting.append(continuation) }
        return state.live == 0
      }
      if isIdle { continuation.resume() }
    }
  }

  private func endOne() {
    let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.live -= 1
      guard state.live == 0 else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
