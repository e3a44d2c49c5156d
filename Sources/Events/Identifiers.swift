/// A reader of flags: one simulated person or thread of an app, numbered from 0 in the order of creation.
public struct ReaderID: Hashable, Sendable, Comparable {
  /// The number of the reader, from 0.
  public let rawValue: Int32

  /// Creates the identifier of the reader with the given number.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Returns whether the left reader was created before the right one.
  public static func < (left: ReaderID, right: ReaderID) -> Bool { left.rawValue < right.rawValue }
}

/// An app instance: one process of the app with a client of its own, numbered from 0.
public struct InstanceID: Hashable, Sendable, Comparable {
  /// The number of the instance, from 0.
  public let rawValue: Int32

  /// Creates the identifier of the instance with the given number.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Returns whether the left instance was created before the right one.
  public static func < (left: InstanceID, right: InstanceID) -> Bool { left.rawValue < right.rawValue }
}

/// One call of a reader into a client, numbered in the order in which the calls began.
public struct CallID: Hashable, Sendable, Comparable {
  /// The number of the call.
  public let rawValue: UInt64

  /// Creates the identifier of the call with the given number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Returns whether the left call began before the right one.
  public static func < (left: CallID, right: CallID) -> Bool { left.rawValue < right.rawValue }
}

/// One request that a client handed to its transport, numbered in the order in which the requests started.
public struct RequestID: Hashable, Sendable, Comparable {
  /// The number of the request.
  public let rawValue: UInt64

  /// Creates the identifier of the request with the given number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Returns whether the left request started before the right one.
  public static func < (left: RequestID, right: RequestID) -> Bool { left.rawValue < right.rawValue }
}

/// The number that the simulated service stamps on every answer, so that each value a reader is given can be
/// traced to the request that fetched it (BEHAVIOUR §4, "How judges work").
public struct Serial: Hashable, Sendable, Comparable {
  /// The number of the answer, from 1.
  public let rawValue: UInt64

  /// Creates the serial with the given number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Returns whether the left answer was produced before the right one.
  public static func < (left: Serial, right: Serial) -> Bool { left.rawValue < right.rawValue }
}

/// A whole request and the cache key it maps to, both interned to small numbers by whoever drives the run.
///
/// Two calls are equal in the sense of BEHAVIOUR rule 1.3 exactly if their `request` numbers are equal; they
/// share a cache entry exactly if their `cacheKey` numbers are equal.
public struct RequestKey: Hashable, Sendable {
  /// The number of the whole request: environment, keys, every context field.
  public let request: Int32
  /// The number of the documented cache key, which leaves out store and attributes.
  public let cacheKey: Int32

  /// Creates a key of two interned numbers.
  public init(request: Int32, cacheKey: Int32) {
    self.request = request
    self.cacheKey = cacheKey
  }
}

/// A point of a run: virtual (or wall-clock) time since its start, and the number of the scheduler's step.
public struct Stamp: Hashable, Sendable, Comparable {
  /// Nanoseconds since the start of the run.
  public let nanoseconds: Int64
  /// The number of scheduler steps begun so far; 0 on the wall clock.
  public let step: UInt64

  /// Creates a stamp.
  public init(nanoseconds: Int64, step: UInt64) {
    self.nanoseconds = nanoseconds
    self.step = step
  }

  /// Returns whether the left stamp lies before the right one: by time, then by step.
  public static func < (left: Stamp, right: Stamp) -> Bool {
    left.nanoseconds != right.nanoseconds ? left.nanoseconds < right.nanoseconds : left.step < right.step
  }
}
