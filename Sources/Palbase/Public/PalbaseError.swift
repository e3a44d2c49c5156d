import ClientCore
import Foundation

/// Why something that was asked of the project did not come about.
public enum PalbaseError: Error, Sendable, Hashable {
  /// The client has no configuration yet: call `configure` when the app starts.
  case notConfigured
  /// Somebody signed in or out meanwhile; ask again for the new reader.
  case readerChanged
  /// The client was closed.
  case closed
  /// The project did not accept the credential (401).
  case unauthorized(code: String)
  /// The credential does not allow this (403).
  case forbidden(code: String)
  /// Too many requests (429).
  case rateLimited(code: String)
  /// Any other refusal.
  case server(code: String, status: Int)
  /// No usable answer: no connection, timeout, a body that does not decode.
  case transport(message: String)

  /// Creates the error that an answer means, whose status is not the one that was hoped for.
  ///
  /// The code is the body's `code`, else its `error`, else `http_<status>`; of the body only a text is taken.
  /// - Complexity: O(*n*) in the size of the body.
  /// - Parameter response: The answer.
  package init(_ response: TransportResponse) {
    let body = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    let named = [body?["code"], body?["error"]].lazy.compactMap { $0 as? String }.first { !$0.isEmpty }
    let code = named ?? "http_\(response.status)"
    switch response.status {
    case 401: self = .unauthorized(code: code)
    case 403: self = .forbidden(code: code)
    case 429: self = .rateLimited(code: code)
    default: self = .server(code: code, status: response.status)
    }
  }
}
