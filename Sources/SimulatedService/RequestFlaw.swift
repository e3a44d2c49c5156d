/// What is wrong with a request: why it is refused, and with what code.
public struct RequestFlaw: Hashable, Sendable, Error {
  /// The part of the request that is wrong.
  public enum Kind: String, Sendable, CaseIterable {
    /// No endpoint has this path.
    case path
    /// The endpoint does not take this method.
    case method
    /// The media type is not JSON.
    case contentType
    /// The body or the query is not as documented.
    case content
    /// It carries more, or fewer, than the endpoint's limits allow.
    case limits
    /// The credential is missing, malformed, or one that must not be sent.
    case authorization
  }

  /// The part that is wrong.
  public let kind: Kind
  /// The code of the refusal.
  public let code: String

  /// Creates a flaw.
  ///
  /// - Parameters:
  ///   - kind: The part that is wrong.
  ///   - code: The code of the refusal.
  public init(_ kind: Kind, _ code: String) {
    self.kind = kind
    self.code = code
  }

  /// The status of the refusal.
  var status: Int {
    switch kind {
    case .path: 404
    case .method: 405
    case .contentType, .content, .limits: 400
    case .authorization: 401
    }
  }
}
