/// How a deployment wants its requests to be authorized.
public enum AuthorizationRule: Hashable, Sendable {
  /// By anything or nothing.
  case open
  /// By a header of the app's own backend, and by no `Authorization`.
  case session(header: String)
  /// By exactly one `Authorization: Bearer …`.
  case bearer

  /// Reads the credential of a request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The user whom the credential names: its text up to the last dot, behind which a generation may stand.
  /// - Throws: `RequestFlaw` where the credential is missing, malformed, or one that must not be sent.
  func user(of request: ServiceRequest) throws(RequestFlaw) -> String {
    switch self {
    case .open: return "anybody"
    case .session(let header):
      guard request.values(of: "Authorization").isEmpty else {
        throw RequestFlaw(.authorization, "unexpected_authorization")
      }
      return try Self.user(in: request.values(of: header)[...])
    case .bearer:
      let values = request.values(of: "Authorization")
      guard values.allSatisfy({ $0.hasPrefix("Bearer ") }) else {
        throw RequestFlaw(.authorization, "malformed_authorization")
      }
      return try Self.user(in: values.map { String($0.dropFirst("Bearer ".count)) }[...])
    }
  }

  private static func user(in credentials: ArraySlice<String>) throws(RequestFlaw) -> String {
    guard let credential = credentials.first, !credential.isEmpty else {
      throw RequestFlaw(.authorization, "missing_token")
    }
    guard credentials.count == 1 else { throw RequestFlaw(.authorization, "repeated_token") }
    guard let dot = credential.lastIndex(of: "."), dot > credential.startIndex else { return credential }
    return String(credential[..<dot])
  }
}

extension ServiceRequest {
  /// The values of all header fields of a name, in any case.
  func values(of name: String) -> [String] {
    headers.filter {
      $0.name.utf8.count == name.utf8.count && ($0.name == name || $0.name.lowercased() == name.lowercased())
    }.map(\.value)
  }
}
