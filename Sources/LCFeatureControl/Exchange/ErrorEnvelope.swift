import ClientCore
import Foundation

/// An answer's body, read as far as the error table of BEHAVIOUR §2 needs it.
struct ErrorEnvelope {
  /// The members of the body; nil if it is no JSON object.
  let members: [String: Any]?
  /// The error that the answer means; nil for a success.
  let error: FeatureControlError?

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - successes: The statuses that are no error.
  init(_ response: TransportResponse, successes: ClosedRange<Int>) {
    members = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    let code = (members?["code"] as? String).flatMap { $0.isEmpty ? nil : $0 }
    if !successes.contains(response.status) {
      error = FeatureControlError(status: response.status, code: code)
    } else if case .bool(true)? = members?["error"].flatMap(JSONValue.init(foundation:)) {
      error = .server(code: code ?? "http_\(response.status)", status: response.status)
    } else {
      error = nil
    }
  }

  /// Reads the answer to a request that asks for nothing but to be taken.
  ///
  /// Any status of success will do, and a body need not be there. But what answers in the service's stead, as the page
  /// of a captive portal does, has taken nothing.
  ///
  /// - Parameter response: The answer.
  /// - Throws: `FeatureControlError` for an error status, a success that carries an error, and a body that is there and
  ///   no JSON object.
  static func acknowledge(_ response: TransportResponse) throws(FeatureControlError) {
    let envelope = ErrorEnvelope(response, successes: 200...299)
    if let error = envelope.error { throw error }
    guard envelope.members != nil || response.body.isEmpty else {
      throw .transport(message: "the body of the answer is not a JSON object")
    }
  }
}
