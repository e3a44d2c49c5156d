import ClientCore
import Foundation

/// What a good answer of the evaluate endpoint carries.
struct EvaluateAnswer: Sendable, Equatable {
  /// The flags that were asked for and could be decoded.
  var flags: [String: FeatureControlFlag] = [:]
  /// The keys that were asked for and are in the answer, but not as a flag.
  ///
  /// They keep their stale values.
  var undecodable: Set<String> = []

  /// Reads an answer (BEHAVIOUR rule 1.8 and the table of §2).
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - keys: The keys that were asked for; others in the answer are ignored.
  /// - Throws: `FeatureControlError` for an error status, a 200 that carries an error, and a body that does not decode.
  init(_ response: TransportResponse, keys: [String]) throws(FeatureControlError) {
    let envelope = ErrorEnvelope(response, successes: 200...200)
    if let error = envelope.error { throw error }
    guard let body = envelope.members else {
      throw .transport(message: "the body of the answer is not a JSON object")
    }
    guard let members = body["flags"] as? [String: Any] else {
      throw .transport(message: "the answer has no object \"flags\"")
    }
    for key in keys {
      guard let member = members[key] else { continue }
      if let flag = FeatureControlFlag(foundation: member) {
        flags[key] = flag
      } else {
        undecodable.insert(key)
      }
    }
  }
}

extension FeatureControlFlag {
  /// Reads one flag; unknown fields are ignored, a field of a wrong type makes the whole flag undecodable.
  fileprivate init?(foundation value: Any) {
    guard let members = value as? [String: Any],
      case .bool(let enabled)? = members["enabled"].flatMap(JSONValue.init(foundation:)),
      let variant = FeatureControlFlag.optionalText(members["variant"]),
      let reason = FeatureControlFlag.optionalText(members["reason"])
    else { return nil }
    let payload = members["payload"].flatMap(JSONValue.init(foundation:))
    self.init(enabled: enabled, variant: variant, payload: payload == .null ? nil : payload, reason: reason)
  }

  /// A text that may be missing or null: nil means a wrong type, `.some(nil)` that there is none.
  private static func optionalText(_ value: Any?) -> String?? {
    switch value {
    case nil, is NSNull: .some(nil)
    case let text as String: .some(text)
    default: nil
    }
  }
}
