/// Why a version is no base for a delta (BEHAVIOUR §3, "delta").
public enum GoneReason: String, Sendable, CaseIterable {
  /// The reader's context is another one.
  case contextChanged = "context_changed"
  /// The reader's audiences are others.
  case audiencesChanged = "audiences_changed"
  /// The project has forgotten deletions that the delta would need.
  case deletionsExpired = "deletions_expired"
}

/// What goes wrong with the project's socket (BEHAVIOUR §5, "Service").
public enum RealtimeFault: String, Sendable, CaseIterable {
  /// Joins are answered "error".
  case refused
  /// The connection breaks.
  case dropped
  /// Nothing is delivered any more, replies to heartbeats included.
  case silent
}

/// What goes wrong with the device's storage (BEHAVIOUR §5, "Device").
public enum DiskFault: Sendable, Equatable {
  /// Writes fail: there is no room.
  case full
  /// A write leaves the beginning of its record only.
  case torn
  /// Reads fail.
  case unreadable
  /// Reads and writes take so much longer.
  case slow(Latency)
}
