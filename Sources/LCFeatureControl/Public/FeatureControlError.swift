/// Why an evaluation or a call of the inbox failed.
///
/// The cases are the seed's. The safe `evaluate` never throws them; it degrades instead. Telemetry counts its failures
/// and throws none.
public enum FeatureControlError: Error, Sendable, Equatable {
  /// The service refused the context (400).
  case invalidContext(code: String)
  /// The service did not accept the credential (401), or there was none (`no_token`).
  case unauthorized(code: String)
  /// The credential does not allow this (403).
  case forbidden(code: String)
  /// Too many requests (429).
  case rateLimited(code: String)
  /// Any other refusal, or a 200 that carries an error.
  case server(code: String, status: Int)
  /// No usable answer: no connection, timeout, a body that does not decode, a client that was closed.
  case transport(message: String)

  /// The error of an answer whose status is not a success.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - code: The code in the body; `http_<status>` where there is none.
  init(status: Int, code: String?) {
    let code = code ?? "http_\(status)"
    switch status {
    case 400: self = .invalidContext(code: code)
    case 401: self = .unauthorized(code: code)
    case 403: self = .forbidden(code: code)
    case 429: self = .rateLimited(code: code)
    default: self = .server(code: code, status: status)
    }
  }
}
