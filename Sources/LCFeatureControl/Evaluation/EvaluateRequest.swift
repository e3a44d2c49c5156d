import ClientCore

/// The documented cache key of an evaluation, which leaves out store and attributes.
///
/// A struct, so that no two keys can run together as concatenated texts can. Texts are compared byte by byte: Swift's
/// `==` takes the composed and the decomposed é for one text, while the service is sent different bytes and may know
/// two subjects by them. Hashing may stay Swift's own, since equal bytes are equal texts.
struct EvaluateCacheKey: Hashable, Sendable {
  let environment: String
  let subjectId: String
  /// Sorted, each key once.
  let keys: [String]
  let platform: String?
  let appVersion: String?

  init(environment: String, keys: [String], context: FeatureControlContext) {
    self.environment = environment
    self.keys = keys.count > 1 ? Set(keys).sorted() : keys
    subjectId = context.subjectId
    platform = context.platform
    appVersion = context.appVersion
  }

  static func == (left: EvaluateCacheKey, right: EvaluateCacheKey) -> Bool {
    left.subjectId.isSameBytes(as: right.subjectId) && left.environment.isSameBytes(as: right.environment)
      && left.platform.isSameBytes(as: right.platform) && left.appVersion.isSameBytes(as: right.appVersion)
      && left.keys.count == right.keys.count
      && zip(left.keys, right.keys).allSatisfy { $0.isSameBytes(as: $1) }
  }
}

/// Everything that an evaluation depends on: callers share a flight exactly if these are equal (BEHAVIOUR rule 1.3).
///
/// Made only for calls that find no fresh entry. A class, so that a waiting call holds one reference to it and not the
/// ten texts it is made of.
final class EvaluateRequest: Hashable, Sendable {
  let cacheKey: EvaluateCacheKey
  let context: FeatureControlContext

  init(cacheKey: EvaluateCacheKey, context: FeatureControlContext) {
    self.cacheKey = cacheKey
    self.context = context
  }

  /// Sorted, each key once.
  var keys: [String] { cacheKey.keys }

  /// The attributes as they are sent.
  private var attributeBytes: [UInt8] {
    if context.attributes.isEmpty { return [] }
    var writer = JSONWriter()
    writer.write(.object(context.attributes))
    return writer.bytes
  }

  static func == (left: EvaluateRequest, right: EvaluateRequest) -> Bool {
    left === right
      || (left.cacheKey == right.cacheKey && left.context == right.context
        && left.context.storeId.isSameBytes(as: right.context.storeId)
        && left.context.subjectType.rawValue.isSameBytes(as: right.context.subjectType.rawValue)
        && left.attributeBytes == right.attributeBytes)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(cacheKey)
    hasher.combine(context)
  }

  /// The body of the request, byte for byte the same for equal requests.
  ///
  /// - Throws: `FeatureControlError.transport` for an attribute that JSON cannot hold.
  func body() throws -> [UInt8] {
    guard context.attributes.values.allSatisfy(\.isWritable) else {
      throw FeatureControlError.transport(
        message: "an attribute of the context is not a finite number, which JSON cannot carry; leave it out")
    }
    var members: [String: JSONValue] = [
      "subjectType": .string(context.subjectType.rawValue), "subjectId": .string(context.subjectId),
    ]
    members["storeId"] = context.storeId.map { .string($0) }
    members["platform"] = context.platform.map { .string($0) }
    members["appVersion"] = context.appVersion.map { .string($0) }
    if !context.attributes.isEmpty { members["attributes"] = .object(context.attributes) }
    var writer = JSONWriter()
    writer.write(
      .object([
        "environment": .string(cacheKey.environment), "keys": .array(keys.map { .string($0) }),
        "context": .object(members),
      ]))
    return writer.bytes
  }
}

extension String {
  /// Whether the texts are the same in UTF-8.
  ///
  /// Comparing bytes is four times slower than Swift's `==`, so it is left to texts for which that may mislead: a text
  /// has as many bytes as UTF-16 units exactly if it is ASCII, and whatever else means the same takes more bytes.
  fileprivate func isSameBytes(as other: String) -> Bool {
    self == other && utf8.count == other.utf8.count
      && (utf8.count == utf16.count || utf8.elementsEqual(other.utf8))
  }
}

extension String? {
  /// Whether both are missing, or the texts are the same in UTF-8.
  fileprivate func isSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isSameBytes(as: other)
  }
}
