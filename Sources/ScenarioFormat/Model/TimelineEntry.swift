/// Something that happens once, at a time of the run.
public struct TimelineEntry: Sendable, Equatable {
  /// When, after the start of the run.
  public let at: Duration
  /// What.
  public let action: TimelineAction
}

/// What an entry of the timeline does.
public enum TimelineAction: Sendable, Equatable {
  /// The service publishes a new version of its definitions.
  case publish
  /// The service goes back to the content before the last publish, under a new version.
  case rollBack
  /// So many new notifications arrive in every inbox.
  case notify(count: Int)
  /// Every client's cache is invalidated.
  case invalidate
  /// The next user signs in on every app instance, whose caches are invalidated.
  case switchUser
  /// Every client is told to flush its exposures, as an app does that goes into the background.
  case flush
  /// The wall clock of every device jumps forward.
  case clockForward(by: Duration)
  /// The wall clock of every device jumps back.
  case clockBack(by: Duration)
  /// Every client is closed, with whatever it has under way; later calls get what it holds.
  case close

  /// The word the file names it by.
  public var word: String {
    switch self {
    case .publish: "publish"
    case .rollBack: "roll-back"
    case .notify: "notify"
    case .invalidate: "invalidate"
    case .switchUser: "switch-user"
    case .flush: "flush"
    case .clockForward: "clock-forward"
    case .clockBack: "clock-back"
    case .close: "close"
    }
  }
}
