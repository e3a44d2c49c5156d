/// What a reader of flags reads, and how.
public struct ReadStep: Sendable, Equatable {
  /// The flag keys: those of the step, else all of the client's, in the order of the file, at least one,
  /// unique.
  public let keys: [String]
  /// By which of the reads.
  public let how: ReadHow
  /// How many times it reads them one after another, at least once.
  public let count: Int

  /// Creates a read.
  ///
  /// - Parameters:
  ///   - keys: The flag keys, at least one, unique.
  ///   - how: By which of the reads.
  ///   - count: How many times, at least once.
  public init(keys: [String], how: ReadHow = .typed, count: Int = 1) {
    self.keys = keys
    self.how = how
    self.count = count
  }
}

/// The reads of `pb.flags` (BEHAVIOUR §3, "Reads").
public enum ReadHow: String, Sendable, CaseIterable {
  /// `value(_:)` for each key.
  case value
  /// For each key the read of its type: `bool`, `string`, `number`, `int` or `decode`.
  case typed
  /// `all`, once for all keys.
  case all
  /// `source(_:)` for each key.
  case source
  /// The read of its type for each key, on `pb.flags.state`.
  case state
}

/// An app instance that is killed and launched again.
public struct RelaunchSpec: Sendable, Equatable {
  /// What the next launch finds on disk.
  public let record: RecordState
  /// The version of the app that is launched, as after an update; nil for the one that was killed.
  public let version: String?

  /// Creates a relaunch.
  ///
  /// - Parameters:
  ///   - record: What the next launch finds on disk.
  ///   - version: The version of the app that is launched; nil for the one that was killed.
  public init(record: RecordState = .intact, version: String? = nil) {
    self.record = record
    self.version = version
  }
}

/// What becomes of the record of values between two launches (BEHAVIOUR §5, "Device").
public enum RecordState: String, Sendable, CaseIterable {
  /// As the last launch left it.
  case intact
  /// Its beginning only, as after a write that was cut off.
  case torn
  /// One that an earlier write left, as a restored backup gives.
  case stale
  /// One with a schema that this version does not know.
  case foreign
  /// None.
  case missing
}

/// A value that a server gives a user as their own: a scalar of JSON.
public enum GivenValue: Sendable, Equatable {
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number that is not whole, or too large for one; finite.
  case number(Double)
  /// A text, which may be empty.
  case text(String)
}
