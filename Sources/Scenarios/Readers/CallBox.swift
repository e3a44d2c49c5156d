import Synchronization

/// The call that a reader has under way in a child task, so that the reader can say it cancelled it.
final class CallBox: Sendable {
  private struct State {
    var call: OpenCall?
    var isCancelled = false
    var isOver = false
  }

  private let state = Mutex(State())

  /// Notes that the call began.
  ///
  /// - Returns: Whether it was cancelled before.
  func begin(_ call: OpenCall) -> Bool {
    state.withLock { state in
      state.call = call
      return state.isCancelled
    }
  }

  /// Notes that the call returned.
  func end() { state.withLock { $0.isOver = true } }

  /// Notes that the reader cancels the call.
  ///
  /// - Returns: The call, if it is under way.
  func cancel() -> OpenCall? {
    state.withLock { state in
      state.isCancelled = true
      return state.isOver ? nil : state.call
    }
  }
}
