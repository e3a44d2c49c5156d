/// An answer of a flags project, with what it means.
public struct FlagsAnswer: Sendable {
  /// What goes over the wire.
  public var response: ServiceResponse
  /// What the service meant by it, for judges.
  public var truth: FlagsTruth
}

/// What the service meant by an answer: whom it took the reader for, and what it resolved.
///
/// The "service's own truth" of BEHAVIOUR §4.
public struct FlagsTruth: Hashable, Sendable {
  /// What kind of answer it is.
  public enum Kind: Hashable, Sendable {
    /// All flags of the reader, sorted by key.
    case snapshot([FlagEntry])
    /// What changed since a version, both lists sorted by key.
    case delta(since: Int64, changed: [FlagEntry], deleted: [String])
    /// What the ETag names is still what the reader gets.
    case notModifiedSnapshot(etag: String)
    /// Nothing is newer than the version that was asked about.
    case notModifiedDelta
    /// A 304 that a fault gave to a request which holds nothing.
    case unaskedNotModified
    /// No delta can bring the reader up to date.
    case gone(FlagsGoneReason)
    /// A batch of events was taken.
    case events(ServedEvents)
    /// The way to the socket is open.
    case upgrade
    /// The request was refused; the status and the body say why.
    case refused
  }

  /// The reader, if the request names one; in a refusal the claim may be false.
  public var reader: FlagsReader?
  /// The context, if the request carries one.
  public var context: ReaderContext?
  /// The version of the answer, which is that of the replica if it lags.
  public var version: Int64
  /// What kind of answer it is.
  public var kind: Kind
  /// The ETag of all the reader's values, if this answers a snapshot.
  public var etag: String?
  /// All that the reader gets in this version, sorted by key; empty unless it answers a snapshot or a delta.
  public var whole: [FlagEntry]

  init(
    reader: FlagsReader?, context: ReaderContext? = nil, version: Int64, kind: Kind, etag: String? = nil,
    whole: [FlagEntry] = []
  ) {
    self.reader = reader
    self.context = context
    self.version = version
    self.kind = kind
    self.etag = etag
    self.whole = whole
  }
}

/// Why a delta can no longer bring a reader up to date (BEHAVIOUR §3, row "delta").
public enum FlagsGoneReason: String, Hashable, Sendable, CaseIterable {
  /// The app says something else about itself than in the reader's last snapshot.
  case contextChanged = "context_changed"
  /// The reader is in other audiences than in the version that was asked about.
  case audiencesChanged = "audiences_changed"
  /// The version that was asked about is too old, or is none.
  case deletionsExpired = "deletions_expired"
}

/// A batch of events that was taken.
public struct ServedEvents: Hashable, Sendable {
  /// The id of the batch.
  public var batchID: String
  /// All its events, in its order.
  public var events: [ServedEvent]
  /// The ids that were not counted before, in the batch's order.
  public var fresh: [String]
  /// The ids that had been counted before, in the batch's order.
  public var repeated: [String]
  /// Whether the same batch was taken before.
  public var isRepeat: Bool
}

/// An event as the service got it.
public struct ServedEvent: Hashable, Sendable {
  /// The id, unique among all events.
  public var id: String
  /// The name, such as `$flag_exposure`.
  public var name: String
  /// The id of the session it happened in.
  public var session: String
  /// When it happened, in RFC 3339.
  public var at: String
  /// Everything else about it.
  public var properties: [String: AttributeValue]
}
