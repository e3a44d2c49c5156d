/// Carries requests of a client to its service: the only way by which a client reaches the network.
///
/// Three doubles come with it: `URLSessionTransport` (its own module) is the real one,
/// `ControllableTransport` is answered by hand, `UnimplementedTransport` proves that nothing was asked.
///
/// What every transport keeps:
/// - one call, one request: nothing is retried, cached, redirected or given cookies behind the client's back;
/// - each call ends exactly once;
/// - cancelling the calling task, before the call or during it, cancels the request, and the call then throws
///   `CancellationError` without waiting for the service;
/// - it has no deadline that could come before the client's own (BEHAVIOUR rule 1.7: the client races
///   `requestTimeout` on its clock and cancels).
public protocol Transport: Sendable {
  /// Sends one request and waits for its whole answer.
  ///
  /// May be called from any isolation and by many tasks at once. The call suspends; it blocks no thread.
  ///
  /// - Parameter request: What to send.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `CancellationError` if the calling task was cancelled, else a `TransportError`.
  func send(_ request: TransportRequest) async throws -> TransportResponse
}
