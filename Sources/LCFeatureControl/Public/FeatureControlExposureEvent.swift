import ClientCore

/// That a subject has come across a feature, as telemetry counts it.
public struct FeatureControlExposureEvent: Hashable, Sendable {
  /// The key of the feature.
  public var featureKey: String
  /// The variant that the subject was shown; nil for a feature without variants.
  public var variant: String?
  /// What kind of subject it is.
  public var subjectType: FeatureControlSubjectType
  /// The store the subject was in.
  public var storeId: String?
  /// Anything else worth counting by.
  ///
  /// Numbers must be finite: an event that JSON cannot hold is dropped and counted when it is recorded.
  public var attributes: [String: FeatureControlValue]

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - featureKey: The key of the feature.
  ///   - variant: The variant that the subject was shown.
  ///   - subjectType: What kind of subject it is.
  ///   - storeId: The store the subject was in.
  ///   - attributes: Anything else worth counting by.
  public init(
    featureKey: String, variant: String?, subjectType: FeatureControlSubjectType, storeId: String? = nil,
    attributes: [String: FeatureControlValue] = [:]
  ) {
    self.featureKey = featureKey
    self.variant = variant
    self.subjectType = subjectType
    self.storeId = storeId
    self.attributes = attributes
  }
}

/// What became of the exposures that a manager was given.
///
/// At every moment `recorded` is the sum of the others.
public struct FeatureControlExposureCounts: Hashable, Sendable {
  /// All that were given to `recordExposure(_:)`.
  public var recorded: Int
  /// In a batch that the service acknowledged.
  public var sent: Int
  /// In a batch whose request failed; never sent again.
  public var failed: Int
  /// Never in a request: the oldest of more than 1,000, those that JSON cannot hold, those for which there was no
  /// authorization, and what waited when the manager was closed or came after.
  public var dropped: Int
  /// Waiting for a flush.
  public var pending: Int
  /// In the batch that is under way.
  public var underWay: Int

  /// Creates counts.
  ///
  /// - Parameters:
  ///   - recorded: All events.
  ///   - sent: Acknowledged ones.
  ///   - failed: Those of failed requests.
  ///   - dropped: Those that were never in a request.
  ///   - pending: Those that wait.
  ///   - underWay: Those of the request under way.
  public init(recorded: Int, sent: Int, failed: Int, dropped: Int, pending: Int, underWay: Int) {
    self.recorded = recorded
    self.sent = sent
    self.failed = failed
    self.dropped = dropped
    self.pending = pending
    self.underWay = underWay
  }
}
