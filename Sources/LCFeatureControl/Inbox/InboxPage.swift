import ClientCore
import Foundation

/// What one answer of the inbox carries.
struct InboxPage: Sendable {
  /// The notifications that could be decoded, in the order of the answer.
  var items: [FeatureControlNotification] = []
  /// The cursor of the next page; nil if the answer has none or says null.
  let nextCursor: String?
  /// How many items could not be decoded.
  var skippedItems = 0

  /// Reads an answer (BEHAVIOUR rule 1.8 and the table of §2).
  ///
  /// - Parameter response: The answer.
  /// - Throws: `FeatureControlError` for an error status, a 200 that carries an error, and a body that does not decode; a
  ///   cursor of a wrong type is such a body, since to go on from it or to end at it would both be wrong.
  init(_ response: TransportResponse) throws(FeatureControlError) {
    let envelope = ErrorEnvelope(response, successes: 200...200)
    if let error = envelope.error { throw error }
    guard let members = envelope.members, let elements = members["items"] as? [Any] else {
      throw .transport(message: "the answer has no list \"items\"")
    }
    switch members["nextCursor"] {
    case nil, is NSNull: nextCursor = nil
    case let text as String: nextCursor = text
    default: throw .transport(message: "\"nextCursor\" of the answer is neither a text nor null")
    }
    for element in elements {
      if let item = FeatureControlNotification(foundation: element) {
        items.append(item)
      } else {
        skippedItems += 1
      }
    }
  }
}

extension FeatureControlNotification {
  /// Reads one notification; only an identifier is needed, anything else of a wrong type counts as missing.
  fileprivate init?(foundation value: Any) {
    guard let members = value as? [String: Any], let id = members["id"] as? String, !id.isEmpty else {
      return nil
    }
    let payload = members["payload"].flatMap(JSONValue.init(foundation:))
    self.init(
      id: id, title: members["title"] as? String ?? "", body: members["body"] as? String ?? "",
      status: (members["status"] as? String).map(Status.init(rawValue:)) ?? .unread,
      createdAt: members["createdAt"] as? String, payload: payload == .null ? nil : payload)
  }
}
