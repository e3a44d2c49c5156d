/// Something that happens once, at a time of the run.
public struct TimelineEntry: Sendable, Equatable {
  /// When, after the start of the run.
  public let at: Duration
  /// Over how long it is spread: each app instance does it at an instant of its own, drawn from so long after `at`; nil
  /// if all do it at once.
  public let within: Duration?
  /// What.
  public let action: TimelineAction
}

/// What an entry of the timeline does.
public enum TimelineAction: Sendable, Equatable {
  /// The service publishes a new version of its definitions.
  case publish
  /// The project publishes a new version in which these flags have other values; nil for a choice of its own.
  case publishFlags(keys: [String]?)
  /// The project deletes a flag.
  case deleteFlag(String)
  /// The project defines a flag, anew if it has been deleted.
  case defineFlag(String)
  /// A server gives a user, counted from 0, or all if nil, a value of their own.
  case giveUser(key: String, user: Int?, value: GivenValue)
  /// A server takes the own value of a user, counted from 0, or of all if nil, away.
  case takeUser(key: String, user: Int?)
  /// An experiment begins on a flag.
  case startExperiment(String)
  /// The experiment on a flag ends.
  case stopExperiment(String)
  /// Readers come into other analytics audiences.
  case changeAudiences
  /// The project gives every snapshot another ETag, without a new version.
  case rotateETags
  /// The service goes back to the content before the last publish, under a new version.
  case rollBack
  /// So many new notifications arrive in every inbox.
  case notify(count: Int)
  /// Every client's cache is invalidated.
  case invalidate
  /// The next user signs in on every app instance; of `feature-control` the caches are invalidated.
  case switchUser
  /// The instance's user signs in on every app instance.
  case signIn
  /// Every app instance signs out.
  case signOut
  /// Whoever is signed in on an app instance signs out and in again, which is a new epoch (BEHAVIOUR rule 1.4).
  case sameUserAgain
  /// Every app goes into the background.
  case background
  /// Every app comes back to the front.
  case foreground
  /// Every app is killed and launched again.
  case relaunch(RelaunchSpec)
  /// Consent to analytics and personalization is given, or withdrawn, on every app instance.
  case consent(Bool)
  /// Every app calls `pb.flags.refresh()`.
  case refresh
  /// Every open socket breaks.
  case dropSockets
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
    case .publish, .publishFlags: "publish"
    case .deleteFlag: "delete"
    case .defineFlag: "define"
    case .giveUser: "give-user"
    case .takeUser: "take-user"
    case .startExperiment: "start-experiment"
    case .stopExperiment: "stop-experiment"
    case .changeAudiences: "change-audiences"
    case .rotateETags: "rotate-etags"
    case .rollBack: "roll-back"
    case .notify: "notify"
    case .invalidate: "invalidate"
    case .switchUser: "switch-user"
    case .signIn: "sign-in"
    case .signOut: "sign-out"
    case .sameUserAgain: "same-user-again"
    case .background: "background"
    case .foreground: "foreground"
    case .relaunch: "relaunch"
    case .consent: "consent"
    case .refresh: "refresh"
    case .dropSockets: "drop-sockets"
    case .flush: "flush"
    case .clockForward: "clock-forward"
    case .clockBack: "clock-back"
    case .close: "close"
    }
  }
}
