import Synchronization

/// A connection whose other end a test holds.
///
/// What the client sends is kept for the test to read; what the test delivers is received in order, also what was delivered
/// before somebody received. Safe from any thread.
public final class ControllableRealtimeConnection: RealtimeConnection {
  private typealias Waiter = CheckedContinuation<String, any Error>

  private struct State {
    var sent: [String] = []
    var delivered: [String] = []
    var receiver: Waiter?
    var end: TransportError?
  }

  private let state = Mutex(State())
  private let frames = Handover<String>()

  /// Creates an open connection.
  public init() {}

  /// Whether neither side has ended the connection.
  public var isOpen: Bool { state.withLock { $0.end == nil } }

  /// Every frame that the client has sent, in order.
  public var sent: [String] { state.withLock { $0.sent } }

  /// Takes the oldest sent frame that no call has taken yet, waiting for one if there is none.
  ///
  /// - Returns: The frame.
  /// - Throws: `CancellationError` if the calling task is cancelled while there is none.
  public func nextSent() async throws -> String { try await frames.next() }

  /// Gives the client a frame.
  ///
  /// - Parameter text: The frame; it is lost if the connection is over.
  public func deliver(_ text: String) {
    let receiver = state.withLock { state -> Waiter? in
      guard state.end == nil else { return nil }
      guard let receiver = state.receiver.take() else {
        state.delivered.append(text)
        return nil
      }
      return receiver
    }
    receiver?.resume(returning: text)
  }

  /// Breaks the connection from the service's side.
  ///
  /// What was delivered before is still received.
  /// - Parameter error: What the client gets afterwards.
  public func fail(
    with error: TransportError = TransportError(.connectionFailed, "the test broke this connection")
  ) {
    end(with: error)
  }

  /// Keeps a frame for the test.
  ///
  /// - Parameter text: The frame.
  /// - Throws: `TransportError` when the connection is over.
  public func send(_ text: String) async throws {
    let end = state.withLock { state in
      if state.end == nil { state.sent.append(text) }
      return state.end
    }
    if let end { throw end }
    frames.put(text)
  }

  /// Waits until a test delivers a frame or breaks the connection.
  ///
  /// - Returns: The frame.
  /// - Throws: `TransportError` when the connection is over; `CancellationError` when the calling task is cancelled.
  public func receive() async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        let outcome = state.withLock { state -> Result<String, any Error>? in
          // Marked before the handler below runs: either this sees the mark or the handler finds the waiter.
          if Task.isCancelled { return .failure(CancellationError()) }
          if !state.delivered.isEmpty { return .success(state.delivered.removeFirst()) }
          if let end = state.end { return .failure(end) }
          state.receiver = waiter
          return nil
        }
        if let outcome { waiter.resume(with: outcome) }
      }
    } onCancel: {
      state.withLock { $0.receiver.take() }?.resume(throwing: CancellationError())
    }
  }

  /// Ends the connection from the client's side; what was delivered and not received is lost.
  public func close() {
    state.withLock { $0.delivered = [] }
    end(with: TransportError(.closed, "the connection was closed"))
  }

  private func end(with error: TransportError) {
    let receiver = state.withLock { state -> Waiter? in
      guard state.end == nil else { return nil }
      state.end = error
      return state.receiver.take()
    }
    receiver?.resume(throwing: error)
  }
}
