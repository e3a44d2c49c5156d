import Synchronization

/// A spawner for tests that counts the tasks it started and can wait for the end of all of them.
///
/// The tasks run on the pool. Safe from any thread.
public final class ControllableSpawner: Spawner {
  private struct State {
    var started = 0
    var live = 0
    var nextWaiter: UInt64 = 0
    var waiters: [(id: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
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
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled first, so that a leaked task fails a test by its
  ///   time limit and does not hang it.
  public func allEnded() async throws {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver: Bool? = state.withLock { state in
          // Marked before the handler below runs: either this sees the mark or the handler finds the waiter.
          if Task.isCancelled { return nil }
          if state.live > 0 { state.waiters.append((id, continuation)) }
          return state.live == 0
        }
        switch isOver {
        case nil: continuation.resume(throwing: CancellationError())
        case true?: continuation.resume()
        case false?: break
        }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  private func endOne() {
    let waiters = state.withLock { state in
      state.live -= 1
      guard state.live == 0 else {
        return [] as [(id: UInt64, continuation: CheckedContinuation<Void, any Error>)]
      }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
  }
}
