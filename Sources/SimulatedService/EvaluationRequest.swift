import Foundation

/// For whom flags are resolved: the fields of a context that a client sends.
public struct EvaluationContext: Hashable, Sendable {
  /// The kind of the subject, such as `customer`.
  public var subjectType: String
  /// Who the subject is.
  public var subjectId: String
  /// The store, if the client says one.
  public var storeId: String?
  /// The platform, such as `ios`, if the client says one.
  public var platform: String?
  /// The version of the app, if the client says one.
  public var appVersion: String?
  /// Everything else that the client says; the order of names means nothing.
  public var attributes: [String: AttributeValue]

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - subjectType: The kind of the subject.
  ///   - subjectId: Who the subject is.
  ///   - storeId: The store.
  ///   - platform: The platform.
  ///   - appVersion: The version of the app.
  ///   - attributes: Everything else.
  public init(
    subjectType: String,
    subjectId: String,
    storeId: String? = nil,
    platform: String? = nil,
    appVersion: String? = nil,
    attributes: [String: AttributeValue] = [:]
  ) {
    self.subjectType = subjectType
    self.subjectId = subjectId
    self.storeId = storeId
    self.platform = platform
    self.appVersion = appVersion
    self.attributes = attributes
  }
}

/// The body of an evaluate request, read strictly: what is not exactly right is refused with a code that says
/// what: `invalid_json` for a body that is not JSON in UTF-8, `invalid_body` for one that is no object, lacks a member
/// or has one too many, `invalid_environment`, `invalid_keys` for keys that are no texts, none, empty, not sorted or given
/// twice, `invalid_context`.
///
/// Real services let more pass; this one judges clients, and a client that leans on leniency has a bug
/// (invariant `well-formed`). Not judged: names given twice in one object, of which the last counts.
struct EvaluationRequest {
  let environment: String
  let keys: [String]
  let context: EvaluationContext

  init(body: [UInt8]) throws(RequestFlaw) {
    guard let parsed = try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) else {
      throw RequestFlaw(.content, "invalid_json")
    }
    guard let members = parsed as? [String: Any], members.count == 3,
      let environment = members["environment"],
      let keys = members["keys"], let context = members["context"]
    else { throw RequestFlaw(.content, "invalid_body") }
    guard let environment = environment as? String, !environment.isEmpty else {
      throw RequestFlaw(.content, "invalid_environment")
    }
    self.environment = environment
    self.keys = try Self.keys(keys)
    self.context = try Self.context(context)
  }

  private static func keys(_ value: Any) throws(RequestFlaw) -> [String] {
    guard let values = value as? [Any], !values.isEmpty else { throw RequestFlaw(.content, "invalid_keys") }
    var keys: [String] = []
    keys.reserveCapacity(values.count)
    for value in values {
      // Sorted by Unicode scalars, as `sorted()` of Swift does for texts in normal form; nothing is below the
      // empty text, so this refuses empty keys as well.
      guard let key = value as? String, keys.last ?? "" < key else {
        throw RequestFlaw(.content, "invalid_keys")
      }
      keys.append(key)
    }
    return keys
  }

  private static func context(_ value: Any) throws(RequestFlaw) -> EvaluationContext {
    guard let members = value as? [String: Any] else { throw RequestFlaw(.content, "invalid_context") }
    var known = 0
    func text(_ name: String) throws(RequestFlaw) -> String? {
      guard let value = members[name] else { return nil }
      guard let text = value as? String else { throw RequestFlaw(.content, "invalid_context") }
      known += 1
      return text
    }
    guard let subjectType = try text("subjectType"), !subjectType.isEmpty,
      let subjectId = try text("subjectId"), !subjectId.isEmpty
    else { throw RequestFlaw(.content, "invalid_context") }
    var context = EvaluationContext(
      subjectType: subjectType,
      subjectId: subjectId,
      storeId: try text("storeId"),
      platform: try text("platform"),
      appVersion: try text("appVersion")
    )
    if let attributes = members["attributes"] {
      guard case .object(let attributes)? = AttributeValue(parsed: attributes) else {
        throw RequestFlaw(.content, "invalid_context")
      }
      context.attributes = attributes
      known += 1
    }
    guard known == members.count else { throw RequestFlaw(.content, "invalid_context") }
    return context
  }
}
