/// One thing a reader does in an iteration.
public struct ReaderStep: Sendable, Equatable {
  /// What it does.
  public let action: StepAction
  /// How often it is picked in proportion to the weights of its siblings; nil if the steps are done in order.
  public let weight: Int?
  /// The pause after the step.
  public let think: Latency
}

/// What a step does.
public enum StepAction: Sendable, Equatable {
  /// Calls `evaluate(keys:context:)`.
  case evaluate(StepEvaluation)
  /// Calls `evaluateOrThrow(keys:context:)`.
  case evaluateOrThrow(StepEvaluation)
  /// Calls `invalidateCache()`.
  case invalidate
  /// Begins an `evaluate(keys:context:)` and cancels its waiter after this long, if it has not returned by
  /// then.
  case cancel(StepEvaluation, after: Latency)
  /// Pauses for this long.
  case sleep(Latency)
  /// Records so many exposures, each unique in the run.
  case recordExposure(count: Int)
  /// Calls `flushExposures()`, or `pb.analytics.flush()`.
  case flush
  /// Walks over the pages of the inbox: all of them, or so many notifications.
  case listNotifications(unreadOnly: Bool, limit: Int, atMost: Int?)
  /// Marks one notification of the inbox as read, the newest that the reader has seen and not marked yet.
  case markRead
  /// Marks all notifications as read.
  case markAllRead
  /// Signs the next user in on the reader's app instance. Of `feature-control` the cache is invalidated, and the reader
  /// asks for the next subject.
  case switchUser
  /// Reads flags without waiting.
  case read(ReadStep)
  /// Calls `pb.flags.refresh()`.
  case refresh
  /// Begins a `pb.flags.refresh()` and cancels its waiter after this long, if it has not returned by then.
  case cancelRefresh(after: Latency)
  /// Signs the instance's user in.
  case signIn
  /// Signs out.
  case signOut
  /// Puts the app into the background.
  case background
  /// Brings the app back to the front.
  case foreground
  /// Kills the app and launches it again.
  case relaunch(RelaunchSpec)
  /// Gives consent to analytics and personalization, or withdraws it.
  case consent(Bool)
  /// Captures so many analytics events, each unique in the run.
  case capture(count: Int)

  /// The word the file names it by.
  public var word: String {
    switch self {
    case .evaluate: "evaluate"
    case .evaluateOrThrow: "evaluate-or-throw"
    case .invalidate: "invalidate"
    case .cancel: "cancel"
    case .sleep: "sleep"
    case .recordExposure: "record-exposure"
    case .flush: "flush"
    case .listNotifications: "list-notifications"
    case .markRead: "mark-read"
    case .markAllRead: "mark-all-read"
    case .switchUser: "switch-user"
    case .read: "read"
    case .refresh: "refresh"
    case .cancelRefresh: "cancel"
    case .signIn: "sign-in"
    case .signOut: "sign-out"
    case .background: "background"
    case .foreground: "foreground"
    case .relaunch: "relaunch"
    case .consent: "consent"
    case .capture: "capture"
    }
  }
}

/// What an evaluation asks for.
public struct StepEvaluation: Sendable, Equatable {
  /// The flag keys: those of the step, else all of the client's, in the order of the file, at least one,
  /// unique.
  public let keys: [String]
  /// Whether the reader moves on to the next store before it asks, from the last one to the first.
  public let switchesStore: Bool

  /// Creates an evaluation.
  ///
  /// - Parameters:
  ///   - keys: The flag keys, at least one, unique.
  ///   - switchesStore: Whether the reader moves on to the next store before it asks.
  public init(keys: [String], switchesStore: Bool) {
    self.keys = keys
    self.switchesStore = switchesStore
  }
}
