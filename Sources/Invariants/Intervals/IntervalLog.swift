import Events

/// What happened in a run on the wall clock, where only intervals are known.
///
/// All times are nanoseconds of one monotonic clock. A caller's `begin` is read before the call and its `end` after
/// it; the transport reads its times under its own lock. Nothing else is ordered, so the judges read equal or
/// overlapping intervals in the client's favour.
public struct IntervalLog: Sendable {
  /// A call that is not summed up in `FreshHits`.
  public struct Call: Sendable, Equatable {
    /// The reader that called.
    public var reader: ReaderID
    /// The app instance called.
    public var instance: InstanceID
    /// What was asked for.
    public var operation: Operation
    /// The request asked for; nil when no key was.
    public var key: RequestKey?
    /// When the reader was about to call.
    public var begin: Int64
    /// When the reader had its answer; nil if it never got one.
    public var end: Int64?
    /// How the call ended; nil if it never did.
    public var outcome: CallOutcome?
    /// When the reader was about to cancel its own call, if it did.
    public var cancelled: Int64?

    /// Creates the record of a call.
    public init(
      reader: ReaderID,
      instance: InstanceID,
      operation: Operation,
      key: RequestKey?,
      begin: Int64,
      end: Int64?,
      outcome: CallOutcome?,
      cancelled: Int64? = nil
    ) {
      self.reader = reader
      self.instance = instance
      self.operation = operation
      self.key = key
      self.begin = begin
      self.end = end
      self.outcome = outcome
      self.cancelled = cancelled
    }
  }

  /// The calls of one instance that were answered purely fresh from one answer, were not cancelled and took less
  /// than the request timeout.
  ///
  /// A longer or cancelled one may have begun a flight and been given a value that came in meanwhile, so it must
  /// be recorded as a `Call`.
  public struct FreshHits: Sendable, Equatable {
    /// The app instance called.
    public var instance: InstanceID
    /// The answer that all keys came from.
    public var serial: Serial
    /// How many calls these were.
    public var count: Int
    /// The latest time at which one of them was about to begin.
    public var latestBegin: Int64

    /// Creates the record of a number of fresh hits.
    public init(instance: InstanceID, serial: Serial, count: Int, latestBegin: Int64) {
      self.instance = instance
      self.serial = serial
      self.count = count
      self.latestBegin = latestBegin
    }
  }

  /// A request, as the transport saw it.
  public struct Request: Sendable, Equatable {
    /// The number of the request.
    public var id: RequestID
    /// The app instance that made it.
    public var instance: InstanceID
    /// What it asked for.
    public var key: RequestKey?
    /// When the client handed it over.
    public var started: Int64
    /// When the transport was about to give the client its outcome, if it did.
    public var ended: Int64?
    /// When the client asked for its cancellation, if it did.
    public var cancelRequested: Int64?
    /// The outcome given to the client, if one was.
    public var completion: RequestCompletion?

    /// Whether it was never sent, because the app gave no token.
    public var lacksToken = false

    /// Creates the record of a request.
    public init(
      id: RequestID,
      instance: InstanceID,
      key: RequestKey?,
      started: Int64,
      ended: Int64? = nil,
      cancelRequested: Int64? = nil,
      completion: RequestCompletion? = nil
    ) {
      self.id = id
      self.instance = instance
      self.key = key
      self.started = started
      self.ended = ended
      self.cancelRequested = cancelRequested
      self.completion = completion
    }

    /// The stamp of the answer that the client was given; nil when it was given none.
    public var serial: Serial? {
      if case .answered(_, let serial)? = completion { serial } else { nil }
    }
  }

  /// One call of `invalidateCache()`.
  public struct Invalidation: Sendable, Equatable {
    /// The app instance called.
    public var instance: InstanceID
    /// When the reader was about to call.
    public var begin: Int64
    /// When the call had returned; nil if it never did.
    public var end: Int64?

    /// Creates the record of an invalidation.
    public init(instance: InstanceID, begin: Int64, end: Int64?) {
      self.instance = instance
      self.begin = begin
      self.end = end
    }
  }

  /// What one closed instance, or the whole run, left behind.
  public struct Remainder: Sendable, Equatable {
    /// The app instance closed; nil for the whole run.
    public var instance: InstanceID?
    /// What was looked for.
    public var kind: Leftover
    /// How much of it was found; 0 when clean.
    public var count: Int

    /// Creates the record of what was left.
    public init(instance: InstanceID?, kind: Leftover, count: Int) {
      self.instance = instance
      self.kind = kind
      self.count = count
    }
  }

  /// The calls that are not summed up in `freshHits`, in any order; `invalidateCache()` is not among them.
  public var calls: [Call] = []
  /// The fresh hits, summed up.
  public var freshHits: [FreshHits] = []
  /// The requests, in any order.
  public var requests: [Request] = []
  /// The calls of `invalidateCache()`, in any order.
  public var invalidations: [Invalidation] = []
  /// How many calls began, of every kind.
  public var begun = 0
  /// How many calls returned, of every kind.
  public var returned = 0
  /// When each instance was about to be closed, if it was.
  public var closed: [InstanceID: Int64] = [:]
  /// What was left after close.
  public var leftovers: [Remainder] = []

  /// Creates the log of a run in which nothing has happened yet.
  public init() {}
}
