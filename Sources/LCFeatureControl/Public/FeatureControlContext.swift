import ClientCore

/// A JSON value, as payloads and attributes carry it.
public typealias FeatureControlValue = JSONValue

/// What kind of subject flags are evaluated for.
public struct FeatureControlSubjectType: RawRepresentable, Hashable, Sendable {
  /// The name of the kind, as it is sent.
  public let rawValue: String

  /// Creates a kind of a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A customer of a store.
  public static let customer = FeatureControlSubjectType(rawValue: "customer")
}

/// For whom and where flags are evaluated.
public struct FeatureControlContext: Hashable, Sendable {
  /// What kind of subject it is.
  public var subjectType: FeatureControlSubjectType
  /// The identifier of the subject.
  public var subjectId: String
  /// The store the subject is in.
  ///
  /// Not part of the cache key: call `invalidateCache()` on a store switch if flags may differ by store.
  public var storeId: String?
  /// The platform of the app, such as `ios`.
  public var platform: String?
  /// The version of the app.
  public var appVersion: String?
  /// Anything else that conditions read.
  ///
  /// Not part of the cache key.
  public var attributes: [String: FeatureControlValue]

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - subjectType: What kind of subject it is.
  ///   - subjectId: The identifier of the subject.
  ///   - storeId: The store the subject is in.
  ///   - platform: The platform of the app.
  ///   - appVersion: The version of the app.
  ///   - attributes: Anything else that conditions read.
  public init(
    subjectType: FeatureControlSubjectType, subjectId: String, storeId: String? = nil,
    platform: String? = nil,
    appVersion: String? = nil, attributes: [String: FeatureControlValue] = [:]
  ) {
    self.subjectType = subjectType
    self.subjectId = subjectId
    self.storeId = storeId
    self.platform = platform
    self.appVersion = appVersion
    self.attributes = attributes
  }
}
