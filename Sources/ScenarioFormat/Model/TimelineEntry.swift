/// Something that happens once, at a time of the run.
public struct TimelineEntry: Sendable, Equatable {
  /// When, after the start of the run.
  public let at: Duration
  /// What.
  public let action: TimelineAction
}

/// What an entry of the timeline can do in this version.
public enum TimelineAction: String, Sendable, CaseIterable {
  /// The service publishes a new version of its definitions.
  case publish
  /// Every client's cache is invalidated.
  case invalidate
  /// Every client is closed, with whatever it has under way; later calls get what it holds.
  case close
}
