/// A transport that must not be asked: a test that passes with it proves that no request was made.
///
/// ```swift
/// let transport = UnimplementedTransport { use in Issue.record("\(use)") }
/// ```
public struct UnimplementedTransport: Transport {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a transport that reports each request.
  ///
  /// - Parameter onUse: Called once for each request, before it fails; by default the process ends with a
  ///   message.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the request and fails it.
  ///
  /// - Parameter request: The request that must not have been made.
  /// - Returns: Never.
  /// - Throws: A `TransportError` with the code `unimplemented`.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let use = UnimplementedUse(effect: "Transport", operation: "\(request)")
    onUse(use)
    throw TransportError(.unimplemented, use.description)
  }
}
