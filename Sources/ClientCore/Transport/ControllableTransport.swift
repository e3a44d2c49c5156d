import Synchronization

/// A transport that a test answers by hand, in any order and at any moment.
///
/// ```swift
/// let transport = ControllableTransport()
/// async let answer = transport.send(request)
/// let pending = try await transport.nextRequest()
/// transport.respond(to: pending, with: TransportResponse(status: 200))
/// ```
///
/// A request is outstanding from `send` until it is answered, failed or cancelled; the first of the three
/// wins and the others then do nothing and say so. Nothing is answered by itself.
public final class ControllableTransport: Transport {
  /// A request that was sent through the transport.
  public struct PendingRequest: Identifiable, Hashable, Sendable, CustomStringConvertible {
    /// The number of the request, from 1 in the order of sending.
    public let id: UInt64
    /// What was sent.
    public let request: TransportRequest

    /// Number, method and path.
    public var description: String { "request \(id), \(request)" }
  }

  private struct Entry {
    let pending: PendingRequest
    let continuation: CheckedContinuation<TransportResponse, any Error>
  }

  private struct State {
    var sent: UInt64 = 0
    var outstanding: [Entry] = []
    var cancelled: [PendingRequest] = []

    mutating func end(_ id: UInt64) -> Entry? {
      outstanding.firstIndex { $0.pending.id == id }.map { outstanding.remove(at: $0) }
    }
  }

  private let state = Mutex(State())
  private let arrivals = Handover<PendingRequest>()
  private let cancellations = Handover<PendingRequest>()

  /// Creates a transport without requests.
  public init() {}

  /// Sends a request and waits until a test answers it.
  ///
  /// - Parameter request: What to send.
  /// - Returns: The answer that a test gave.
  /// - Throws: `CancellationError` if the calling task was cancelled first, else the error that a test gave.
  ///   A task that is cancelled already sends nothing.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = Mutex<UInt64?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let pending: PendingRequest? = state.withLock { state in
          if Task.isCancelled { return nil }
          state.sent += 1
          let pending = PendingRequest(id: state.sent, request: request)
          state.outstanding.append(Entry(pending: pending, continuation: continuation))
          number.withLock { $0 = pending.id }
          return pending
        }
        if let pending {
          arrivals.put(pending)
        } else {
          continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      // Before the request is enlisted there is nothing to end: `send` then sees the cancelled task itself.
      let entry: Entry? = state.withLock { state in
        guard let id = number.withLock({ $0 }), let entry = state.end(id) else { return nil }
        state.cancelled.append(entry.pending)
        return entry
      }
      guard let entry else { return }
      entry.continuation.resume(throwing: CancellationError())
      cancellations.put(entry.pending)
    }
  }

  /// The requests that are neither answered, failed nor cancelled, in the order of sending.
  ///
  /// - Complexity: O(*n*) in their number.
  public var pending: [PendingRequest] { state.withLock { $0.outstanding.map(\.pending) } }

  /// The requests that their senders cancelled, in the order of cancelling.
  public var cancelled: [PendingRequest] { state.withLock { $0.cancelled } }

  /// How many requests were sent so far.
  public var sentCount: Int { state.withLock { Int($0.sent) } }

  /// Takes the oldest request that no call has taken yet, waiting for one if there is none.
  ///
  /// - Returns: The request, which its sender may have cancelled by now.
  /// - Throws: `CancellationError` if the calling task is cancelled while there is none.
  public func nextRequest() async throws -> PendingRequest { try await arrivals.next() }

  /// Takes the oldest cancellation that no call has taken yet, waiting for one if there is none.
  ///
  /// - Returns: The request that its sender cancelled.
  /// - Throws: `CancellationError` if the calling task is cancelled while there is none.
  public func nextCancellation() async throws -> PendingRequest { try await cancellations.next() }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - pending: The request to answer.
  ///   - response: The answer that its sender gets.
  /// - Returns: Whether the sender gets it: false if the request had ended before.
  @discardableResult
  public func respond(to pending: PendingRequest, with response: TransportResponse) -> Bool {
    end(pending, with: .success(response))
  }

  /// Fails a request.
  ///
  /// - Parameters:
  ///   - pending: The request to fail.
  ///   - error: The error that its sender gets.
  /// - Returns: Whether the sender gets it: false if the request had ended before.
  @discardableResult
  public func fail(
    _ pending: PendingRequest,
    with error: TransportError = TransportError(.connectionFailed, "the test failed this request")
  ) -> Bool {
    end(pending, with: .failure(error))
  }

  private func end(_ pending: PendingRequest, with outcome: Result<TransportResponse, any Error>) -> Bool {
    guard let entry = state.withLock({ $0.end(pending.id) }) else { return false }
    entry.continuation.resume(with: outcome)
    return true
  }
}
