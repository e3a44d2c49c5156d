import Synchronization

/// A monotonic clock that stands still until a test moves it.
///
/// Safe from any thread. `advance(by:)` wakes the sleepers that are due, earliest deadline first, ties in the order in
/// which they began to sleep; it does not wait for what they do next.
public final class ControllableClock: Sendable {
  private struct Sleeper {
    let id: UInt64
    let deadline: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Int64 = 0
    var nextID: UInt64 = 0
    var sleepers: [Sleeper] = []
  }

  private let state = Mutex(State())
  private let arrivals = Handover<MonotonicInstant>()

  /// Creates a clock that shows zero.
  public init() {}

  /// The clock as an effect of a `ClientEnvironment`.
  public var clock: MonotonicClock {
    MonotonicClock(now: { self.state.withLock { $0.now } }, sleepUntil: { try await self.sleep(until: $0) })
  }

  /// The deadlines of those who sleep now, earliest first.
  public var deadlines: [MonotonicInstant] {
    state.withLock { $0.sleepers.map { MonotonicInstant(nanoseconds: $0.deadline) } }.sorted()
  }

  /// Suspends until somebody has begun to sleep who was not returned before.
  ///
  /// - Returns: The deadline of that sleep.
  /// - Throws: `CancellationError` if the calling task is cancelled first.
  public func nextSleeper() async throws -> MonotonicInstant { try await arrivals.next() }

  /// Moves the clock on and wakes every sleeper whose deadline has come.
  ///
  /// - Complexity: O(n log n) in the number of sleepers.
  /// - Parameter duration: How far, not negative.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = MonotonicInstant(nanoseconds: state.now).advanced(by: duration).nanoseconds
      let due = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due
    }
    for sleeper in due.sorted(by: { ($0.deadline, $0.id) < ($1.deadline, $1.id) }) {
      sleeper.continuation.resume()
    }
  }

  private func sleep(until deadline: Int64) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Start { case cancelled, due, asleep }
        let start: Start = state.withLock { state in
          // The flag is set before the handler below runs: either the handler finds the sleeper or this sees the flag.
          if Task.isCancelled { return .cancelled }
          if deadline <= state.now { return .due }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          return .asleep
        }
        switch start {
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .due: continuation.resume()
        case .asleep: arrivals.put(MonotonicInstant(nanoseconds: deadline))
        }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}

extension MonotonicClock {
  /// Creates a clock that must not be used; it shows zero and every sleep on it is cancelled.
  ///
  /// - Parameter onUse: Told of each use; traps unless replaced.
  /// - Returns: The clock.
  public static func unimplemented(
    onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap
  ) -> MonotonicClock {
    MonotonicClock(
      now: {
        onUse(UnimplementedUse(effect: "MonotonicClock", operation: "now"))
        return 0
      },
      sleepUntil: { _ in
        onUse(UnimplementedUse(effect: "MonotonicClock", operation: "sleep(until:)"))
        throw CancellationError()
      })
  }
}
