/// By which method a reader reads.
public enum ReadMethod: UInt8, Sendable, Equatable {
  /// `bool(_:default:)`.
  case bool
  /// `string(_:default:)`.
  case string
  /// `number(_:default:)`.
  case number
  /// `int(_:default:)`.
  case int
  /// `decode(_:as:)`, as any JSON.
  case decode
  /// `value(_:)`.
  case value
  /// `all`.
  case all
  /// `source(_:)`.
  case source
}

/// What a read gave.
public enum ReadResult: Sendable, Equatable {
  /// The default that the reader gave, or nothing.
  case absent
  /// A value, as a digest of its canonical JSON.
  case value(UInt64)
  /// Where a value comes from.
  case source(ValueSource)
  /// All values.
  case all(ContentDigest)
}

/// One read of flags, which takes no time.
public struct FlagRead: Sendable, Equatable {
  /// Where it was read.
  public let instance: InstanceID
  /// Who read.
  public let reader: ReaderID
  /// By which method.
  public let method: ReadMethod
  /// Whether it was on `state`, on the main actor.
  public let isOnState: Bool
  /// The number of the flag's key; −1 for `all`.
  public let flag: Int32
  /// What it gave.
  public let result: ReadResult

  /// Creates a read.
  public init(
    instance: InstanceID, reader: ReaderID, method: ReadMethod, isOnState: Bool = false, flag: Int32,
    result: ReadResult
  ) {
    self.instance = instance
    self.reader = reader
    self.method = method
    self.isOnState = isOnState
    self.flag = flag
    self.result = result
  }
}

/// What a client shows when it is looked at: its values and what it says of them.
public struct HeldFlags: Sendable, Equatable {
  /// The version that it says it holds; nil for none.
  public let version: Int64?
  /// All values that it gives.
  public let content: ContentDigest

  /// Creates what a client shows.
  public init(version: Int64?, content: ContentDigest) {
    self.version = version
    self.content = content
  }
}

/// What a record on the device says.
public struct StoredFlags: Sendable, Equatable {
  /// Whose values they are; nil where the record does not say it in a way that can be read.
  public let subject: Subject?
  /// The number of the context that they were resolved for.
  public let context: Int32?
  /// The version that the record names.
  public let version: Int64
  /// Its values.
  public let content: ContentDigest

  /// Creates the content of a record.
  public init(subject: Subject?, context: Int32?, version: Int64, content: ContentDigest) {
    self.subject = subject
    self.context = context
    self.version = version
    self.content = content
  }
}

/// What a client finds when it reads its record.
public enum RecordFinding: Sendable, Equatable {
  /// No record.
  case missing
  /// A record as it was once written.
  case whole(StoredFlags)
  /// A record that was damaged, or that the storage could not read.
  case damaged
  /// A record of a schema that no client of today knows.
  case unknownSchema
}

/// One event of a batch of analytics.
public struct AnalyticsEvent: Sendable, Equatable {
  /// What an event tells.
  public enum Kind: Sendable, Equatable {
    /// `$flag_exposure` of a flag, with the number of its (experiment, variant); nil if the run knows no such pair.
    case exposure(flag: Int32, assignment: Int32?)
    /// An event of the workload, by its number.
    case captured(UInt64)
    /// Anything else.
    case other
  }

  /// The event's id, as a number that equal texts share.
  public let id: UInt64
  /// The id of its session, as a number that equal texts share.
  public let session: UInt64
  /// What it tells.
  public let kind: Kind

  /// Creates an event.
  public init(id: UInt64, session: UInt64, kind: Kind) {
    self.id = id
    self.session = session
    self.kind = kind
  }
}

/// A batch of analytics as its bytes say it.
public struct AnalyticsBatch: Sendable, Equatable {
  /// Under whose credential it goes; nil for none, or one that cannot be read.
  public let subject: Subject?
  /// The batch's id, as a number that equal texts share.
  public let id: UInt64
  /// A digest of the body's bytes.
  public let bytes: UInt64
  /// Its events in order.
  public let events: [AnalyticsEvent]

  /// Creates a batch.
  public init(subject: Subject?, id: UInt64, bytes: UInt64, events: [AnalyticsEvent]) {
    self.subject = subject
    self.id = id
    self.bytes = bytes
    self.events = events
  }
}

/// What a client says of its analytics events.
public struct AnalyticsTally: Sendable, Equatable {
  /// All that were recorded, exposures included.
  public let recorded: Int
  /// Acknowledged by the service.
  public let sent: Int
  /// Given up.
  public let dropped: Int
  /// Still waiting or under way.
  public let pending: Int

  /// Creates a tally.
  public init(recorded: Int, sent: Int, dropped: Int, pending: Int) {
    self.recorded = recorded
    self.sent = sent
    self.dropped = dropped
    self.pending = pending
  }
}
