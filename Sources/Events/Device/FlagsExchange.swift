/// What a sync request of the flags client says, as its bytes say it.
public struct FlagsQuery: Sendable, Equatable {
  /// Whose credential it carries; nil for none, or one that cannot be read.
  public let subject: Subject?
  /// The number of the context in its query; nil if a field is missing.
  public let context: Int32?
  /// The version that a delta is asked onto; nil for a snapshot.
  public let since: Int64?
  /// The entity tag of `If-None-Match`, as a number that equal texts share; nil without one.
  public let etag: UInt64?

  /// Creates a query.
  public init(subject: Subject?, context: Int32?, since: Int64? = nil, etag: UInt64? = nil) {
    self.subject = subject
    self.context = context
    self.since = since
    self.etag = etag
  }
}

/// Why the service says that a delta can no longer be had.
public enum GoneReason: UInt8, Sendable, Equatable {
  /// The reader's context has changed.
  case contextChanged
  /// The reader's audiences have changed.
  case audiencesChanged
  /// The deletions that the delta would need are older than the project keeps.
  case deletionsExpired
}

/// What an answer of the service to a sync request says, before anything goes wrong with it.
public struct ServedFlags: Sendable, Equatable {
  /// The kinds of answer.
  public enum Kind: Sendable, Equatable {
    /// All values of the reader.
    case snapshot([FlagValue])
    /// What has changed since a version, and which flags are gone.
    case delta(since: Int64, changed: [FlagValue], deleted: [Int32])
    /// A 304.
    case notModified
    /// A 410.
    case gone(GoneReason)
    /// A refusal, or anything else that carries no values.
    case refused
  }

  /// Whose values they are; nil where the credential was refused.
  public let subject: Subject?
  /// What the answer says.
  public let kind: Kind
  /// The version that the answer brings its reader to; 0 where it brings none.
  public let version: Int64
  /// The entity tag that it names, as a number that equal texts share.
  public let etag: UInt64?
  /// All that the service resolves for this reader and context at this version, whatever part of it the answer carries.
  public let whole: ContentDigest

  /// Creates an answer.
  public init(subject: Subject?, kind: Kind, version: Int64, etag: UInt64?, whole: ContentDigest) {
    self.subject = subject
    self.kind = kind
    self.version = version
    self.etag = etag
    self.whole = whole
  }
}

/// What has gone wrong with the body of an answer on its way.
public enum AnswerDamage: Sendable, Equatable {
  /// Nothing that matters to a reader.
  case none
  /// The body is no use any more.
  case unusable
  /// These flags do not decode.
  case undecodable([Int32])
}

/// A topic of the realtime socket.
public enum ChannelTopic: Sendable, Equatable {
  /// What concerns everybody.
  case project
  /// What concerns one reader.
  case reader(Subject)
  /// A topic that the service does not know.
  case unknown
}
