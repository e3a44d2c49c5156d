import Synchronization

/// An unbounded queue with waiting takers: what is put is taken once, in order, by the longest waiting taker.
///
/// The doubles hand what they see to a test through it. Cancelling a taker ends its wait only; nothing that
/// was put is lost by it. A taker that is cancelled before it waits sees that in the step that would enlist
/// it: a task is marked cancelled before its handler runs, so either the check or the handler finds the
/// other.
package final class Handover<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var takers: [(number: UInt64, continuation: CheckedContinuation<Element, any Error>)] = []
    var nextNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Creates an empty queue.
  package init() {}

  /// Gives an element to the longest waiting taker, or keeps it for the next one.
  ///
  /// - Parameter element: The element to hand over.
  package func put(_ element: Element) {
    let taker: CheckedContinuation<Element, any Error>? = state.withLock { state in
      guard !state.takers.isEmpty else {
        state.elements.append(element)
        return nil
      }
      return state.takers.removeFirst().continuation
    }
    taker?.resume(returning: element)
  }

  /// Takes the oldest element, waiting for one if there is none.
  ///
  /// - Complexity: O(*n*) in the number of elements kept.
  /// - Returns: The oldest element that nobody has taken.
  /// - Throws: `CancellationError` if the calling task is cancelled while there is no element.
  package func next() async throws -> Element {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Element, any Error>? = state.withLock { state in
          if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.takers.append((number, continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let taker = state.withLock { state in
        state.takers.firstIndex { $0.number == number }.map { state.takers.remove(at: $0).continuation }
      }
      taker?.resume(throwing: CancellationError())
    }
  }
}
