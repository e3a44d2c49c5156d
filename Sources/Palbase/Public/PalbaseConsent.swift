/// What the person who holds the device allows.
public struct PalbaseConsent: Sendable, Hashable {
  /// Whether events may be recorded and sent.
  public var analytics: Bool
  /// Whether the person's analytics audiences may decide what they see.
  public var personalization: Bool

  /// Creates a consent.
  ///
  /// - Parameters:
  ///   - analytics: Whether events may be recorded and sent.
  ///   - personalization: Whether the person's analytics audiences may decide what they see.
  public init(analytics: Bool, personalization: Bool) {
    self.analytics = analytics
    self.personalization = personalization
  }

  /// Nothing is allowed.
  public static let none = PalbaseConsent(analytics: false, personalization: false)
  /// Everything is allowed.
  public static let all = PalbaseConsent(analytics: true, personalization: true)
}
