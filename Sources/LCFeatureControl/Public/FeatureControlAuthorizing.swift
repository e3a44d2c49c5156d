import ClientCore

/// How the requests of a client prove who sends them.
///
/// There is deliberately no strategy for a module token: that token must never be part of an app that customers hold.
public protocol FeatureControlAuthorizing: Sendable {
  /// Gives the headers that authorize one request. Asked once for every request, within its timeout.
  ///
  /// - Returns: The headers to add.
  /// - Throws: Any error; the request is then not sent and ends as `.unauthorized(code: "no_token")`.
  func authorizationHeaders() async throws -> [(name: String, value: String)]
}

/// Authorizes with the JWT of a panel user, for internal apps that reach the module directly.
public struct FeatureControlBearerAuth: FeatureControlAuthorizing {
  private let token: @Sendable () async throws -> String?

  /// Creates the strategy.
  ///
  /// - Parameter token: Gives the present JWT; asked once for every request, on no particular thread. With nil or an
  ///   error no request is sent.
  public init(_ token: @escaping @Sendable () async throws -> String?) { self.token = token }

  /// Asks for the present token.
  ///
  /// - Returns: The `Authorization` header.
  /// - Throws: `FeatureControlError.unauthorized(code: "no_token")` without a token, or the closure's own error.
  public func authorizationHeaders() async throws -> [(name: String, value: String)] {
    guard let token = try await token() else { throw FeatureControlError.unauthorized(code: "no_token") }
    return [(name: "Authorization", value: "Bearer \(token)")]
  }
}

/// Adds fixed headers, for apps that call a BFF of their own which enforces its own authorization.
public struct FeatureControlHeaderAuth: FeatureControlAuthorizing {
  private let headers: [(name: String, value: String)]

  /// Creates the strategy.
  ///
  /// - Parameter headers: The headers to add, exactly these and never an `Authorization` of the client's making; sent
  ///   in the order of their names.
  public init(headers: [String: String]) {
    self.headers = headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// Gives the headers of the strategy.
  ///
  /// - Returns: The headers, in the order of their names.
  public func authorizationHeaders() async throws -> [(name: String, value: String)] { headers }
}
