/// The kind of client that a run drives.
public enum ClientKind: String, Sendable, Equatable, CaseIterable {
  /// `LCFeatureControl`.
  case featureControl = "feature-control"
  /// `Palbase` with `PalbaseFlags`.
  case flags
}

/// What the judges must know about a run besides its events.
public struct RunFacts: Sendable, Equatable {
  /// The kind of client that is driven; judges of the other kind are not applicable.
  public var clientKind: ClientKind

  /// The configured cache TTL, in nanoseconds.
  public var cacheTTL: Int64

  /// The configured time from a flight's start to its deadline, in nanoseconds.
  public var requestTimeout: Int64

  /// Whether every good answer carries every key that was asked for, in a form that decodes.
  ///
  /// Where it does not (a key that the service does not define, a fault that garbles one flag) a call may be given
  /// only defaults although its request succeeded; the judges then accept that.
  public var answersNameEveryKey: Bool

  /// Whether the service may answer with a `Retry-After`, while which calls degrade without a request
  /// (BEHAVIOUR rule 1.6).
  public var sendsRetryAfter: Bool

  /// How many events a batch of telemetry may carry.
  public var batchLimit = 100

  /// How many cache entries a client keeps; past it the least recently used may be gone.
  public var cacheCapacity = 128

  /// The bounds of `fleet`; nil where it is not to be judged.
  public var fleet: FleetBounds?

  /// Creates the facts of a run.
  ///
  /// - Parameters:
  ///   - clientKind: The kind of client that is driven.
  ///   - cacheTTL: The configured cache TTL, in nanoseconds.
  ///   - requestTimeout: The configured deadline of a flight, in nanoseconds.
  ///   - answersNameEveryKey: Whether every good answer carries every key that was asked for.
  ///   - sendsRetryAfter: Whether the service may answer with a `Retry-After`.
  public init(
    clientKind: ClientKind = .featureControl,
    cacheTTL: Int64,
    requestTimeout: Int64,
    answersNameEveryKey: Bool = true,
    sendsRetryAfter: Bool = false
  ) {
    self.clientKind = clientKind
    self.cacheTTL = cacheTTL
    self.requestTimeout = requestTimeout
    self.answersNameEveryKey = answersNameEveryKey
    self.sendsRetryAfter = sendsRetryAfter
  }
}

/// How hard a fleet may hit its service.
public struct FleetBounds: Sendable, Equatable {
  /// How many times the mean rate the peak may be (α).
  public var alpha: Double
  /// How many requests there may be for each need (β).
  public var beta: Double
  /// Over how long the fleet's timers are spread, in nanoseconds.
  public var jitterWindow: Int64
  /// How many readers there are.
  public var readers: Int

  /// Creates bounds.
  ///
  /// - Parameters:
  ///   - alpha: How many times the mean rate of arrivals per second the peak second after a mark may be.
  ///   - beta: How many requests there may be for each need.
  ///   - jitterWindow: Over how long the fleet's timers are spread, in nanoseconds.
  ///   - readers: How many readers there are.
  public init(alpha: Double, beta: Double, jitterWindow: Int64, readers: Int) {
    self.alpha = alpha
    self.beta = beta
    self.jitterWindow = jitterWindow
    self.readers = readers
  }
}
