import Palbase
import PalbaseFlags
import Simulation
import Stagecraft
import Synchronization

extension Asked {
  /// The error that the call threw, if it is one of the client's.
  var error: PalbaseError? { thrown as? PalbaseError }
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
