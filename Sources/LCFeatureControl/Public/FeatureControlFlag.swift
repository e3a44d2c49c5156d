import ClientCore

/// What one flag is for one subject.
public struct FeatureControlFlag: Hashable, Sendable {
  /// Whether the flag is on.
  public var enabled: Bool
  /// The variant the subject is given; nil for a flag without variants.
  public var variant: String?
  /// The data that comes with the flag.
  public var payload: FeatureControlValue?
  /// Why the flag has this value, such as `rule` or `default`.
  public var reason: String?

  /// Creates a flag.
  ///
  /// - Parameters:
  ///   - enabled: Whether the flag is on.
  ///   - variant: The variant the subject is given.
  ///   - payload: The data that comes with the flag.
  ///   - reason: Why the flag has this value.
  public init(enabled: Bool, variant: String?, payload: FeatureControlValue?, reason: String?) {
    self.enabled = enabled
    self.variant = variant
    self.payload = payload
    self.reason = reason
  }
}
