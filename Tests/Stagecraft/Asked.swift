import Simulation
import Synchronization

/// One call on a client, in a task of its own, and what came of it.
public final class Asked<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var answers = 0
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Creates a call that has not begun.
  public init() {}

  /// Starts the call in a task of its own.
  ///
  /// - Parameters:
  ///   - simulator: Runs the task.
  ///   - body: The call.
  public func start(on simulator: Simulator, _ body: @escaping @Sendable () async throws -> Value) {
    let task = simulator.spawn { await self.record(body) }
    state.withLock { $0.task = task }
  }

  func record(_ body: @Sendable () async throws -> Value) async {
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    state.withLock { state in
      state.answers += 1
      state.result = result
    }
  }

  /// Cancels the caller's task.
  public func cancel() { state.withLock { $0.task }?.cancel() }

  /// Whether the call has returned or thrown, once.
  public var isAnswered: Bool { state.withLock { $0.answers == 1 } }

  /// Whether the call returned without an error.
  public var isDone: Bool { if case .success? = state.withLock({ $0.result }) { true } else { false } }

  /// What the call returned; nil if it waits or failed.
  public var value: Value? { try? state.withLock { $0.result }?.get() }

  /// What the call threw; nil if it waits or returned.
  public var thrown: (any Error)? {
    if case .failure(let error)? = state.withLock({ $0.result }) { error } else { nil }
  }

  /// Whether the call threw a `CancellationError`.
  public var threwCancellation: Bool { thrown is CancellationError }
}
