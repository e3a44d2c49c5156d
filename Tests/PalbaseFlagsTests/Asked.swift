import Palbase
import PalbaseFlags
import Simulation
import Synchronization

/// One call on a client, in a task of its own, and what came of it.
final class Asked<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var answers = 0
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  func start(on simulator: Simulator, _ body: @escaping @Sendable () async throws -> Value) {
    let task = simulator.spawn {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      self.state.withLock { state in
        state.answers += 1
        state.result = result
      }
    }
    state.withLock { $0.task = task }
  }

  /// Cancels the caller's task.
  func cancel() { state.withLock { $0.task }?.cancel() }

  var isAnswered: Bool { state.withLock { $0.answers == 1 } }

  /// Whether the call returned without an error.
  var isDone: Bool { if case .success? = state.withLock({ $0.result }) { true } else { false } }

  /// The error that the call threw, if it is one of the client's.
  var error: PalbaseError? { thrown as? PalbaseError }

  /// Whether the call threw a `CancellationError`.
  var threwCancellation: Bool { thrown is CancellationError }

  private var thrown: (any Error)? {
    if case .failure(let error)? = state.withLock({ $0.result }) { error } else { nil }
  }
}

/// One listener for changed keys, in a task of its own, and what it heard.
final class Listening: Sendable {
  private struct State {
    var heard: [[String]] = []
    var hasEnded = false
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  func start(
    on simulator: Simulator, _ changes: FlagChanges,
    whenHeard: @escaping @Sendable (Set<String>) async -> Void = { _ in }
  ) {
    let task = simulator.spawn { [self] in
      for await keys in changes {
        state.withLock { $0.heard.append(keys.sorted()) }
        await whenHeard(keys)
      }
      state.withLock { $0.hasEnded = true }
    }
    state.withLock { $0.task = task }
  }

  /// Cancels the listener's task.
  func cancel() { state.withLock { $0.task }?.cancel() }

  /// The sets of keys, each in order.
  var heard: [[String]] { state.withLock { $0.heard } }
  var hasEnded: Bool { state.withLock { $0.hasEnded } }
}
