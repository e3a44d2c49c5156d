import Synchronization

/// A realtime whose connections a test accepts, refuses, feeds and breaks by hand.
///
/// ```swift
/// let realtime = ControllableRealtime()
/// async let connection = realtime.connect(request)
/// let attempt = try await realtime.nextAttempt()
/// let socket = realtime.accept(attempt)
/// socket?.deliver("{}")
/// ```
///
/// An attempt is outstanding from `connect` until it is accepted, refused or cancelled; the first of the three wins. Safe
/// from any thread.
public final class ControllableRealtime: Realtime {
  /// An attempt to open a connection.
  public struct Attempt: Identifiable, Hashable, Sendable, CustomStringConvertible {
    /// The number of the attempt, from 1 in the order of trying.
    public let id: UInt64
    /// The upgrade that was asked for.
    public let request: TransportRequest

    /// Number, method and path.
    public var description: String { "attempt \(id), \(request)" }
  }

  private typealias Waiter = CheckedContinuation<any RealtimeConnection, any Error>

  private struct State {
    var tried: UInt64 = 0
    var outstanding: [(attempt: Attempt, waiter: Waiter)] = []
    var accepted: [ControllableRealtimeConnection] = []

    mutating func end(_ id: UInt64) -> Waiter? {
      outstanding.firstIndex { $0.attempt.id == id }.map { outstanding.remove(at: $0).waiter }
    }
  }

  private let state = Mutex(State())
  private let arrivals = Handover<Attempt>()

  /// Creates a realtime without connections.
  public init() {}

  /// The attempts that are neither accepted, refused nor cancelled, in the order of trying.
  ///
  /// - Complexity: O(*n*) in their number.
  public var pending: [Attempt] { state.withLock { $0.outstanding.map(\.attempt) } }

  /// How many attempts there were so far.
  public var attemptCount: Int { state.withLock { Int($0.tried) } }

  /// The accepted connections that neither side has ended, in the order of accepting.
  ///
  /// - Complexity: O(*n*) in the number of all that were accepted.
  public var open: [ControllableRealtimeConnection] {
    let accepted = state.withLock { $0.accepted }
    return accepted.filter(\.isOpen)
  }

  /// Waits until a test accepts or refuses the attempt.
  ///
  /// - Parameter request: The upgrade to ask for.
  /// - Returns: The connection that a test has accepted.
  /// - Throws: `CancellationError` if the calling task was cancelled first, else the error that a test gave.
  public func connect(_ request: TransportRequest) async throws -> any RealtimeConnection {
    let number = Mutex<UInt64?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        let attempt: Attempt? = state.withLock { state in
          // Marked before the handler below runs: either this sees the mark or the handler finds the attempt.
          if Task.isCancelled { return nil }
          state.tried += 1
          let attempt = Attempt(id: state.tried, request: request)
          state.outstanding.append((attempt, waiter))
          number.withLock { $0 = attempt.id }
          return attempt
        }
        if let attempt { arrivals.put(attempt) } else { waiter.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let waiter = state.withLock { state in number.withLock { $0 }.flatMap { state.end($0) } }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Takes the oldest attempt that no call has taken yet, waiting for one if there is none.
  ///
  /// - Returns: The attempt, which may have been cancelled by now.
  /// - Throws: `CancellationError` if the calling task is cancelled while there is none.
  public func nextAttempt() async throws -> Attempt { try await arrivals.next() }

  /// Opens the connection that an attempt asked for.
  ///
  /// - Parameter attempt: The attempt.
  /// - Returns: The service's end of it; nil if the attempt had ended before.
  @discardableResult
  public func accept(_ attempt: Attempt) -> ControllableRealtimeConnection? {
    let connection = ControllableRealtimeConnection()
    let waiter = state.withLock { state in
      let waiter = state.end(attempt.id)
      if waiter != nil { state.accepted.append(connection) }
      return waiter
    }
    waiter?.resume(returning: connection)
    return waiter == nil ? nil : connection
  }

  /// Refuses an attempt.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - error: The error that who tried gets.
  /// - Returns: Whether it gets it: false if the attempt had ended before.
  @discardableResult
  public func refuse(
    _ attempt: Attempt,
    with error: TransportError = TransportError(.connectionFailed, "the test refused this connection")
  ) -> Bool {
    end(attempt, with: error)
  }

  /// Answers an attempt with something else than a connection, as a service does that is overloaded.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - response: The answer.
  /// - Returns: Whether who tried gets it: false if the attempt had ended before.
  @discardableResult
  public func refuse(_ attempt: Attempt, answering response: TransportResponse) -> Bool {
    end(attempt, with: RealtimeRefusal(response))
  }

  private func end(_ attempt: Attempt, with error: any Error) -> Bool {
    let waiter = state.withLock { $0.end(attempt.id) }
    waiter?.resume(throwing: error)
    return waiter != nil
  }
}
