import Events

/// What the shadow remembers of a call until it returns: 48 bytes.
struct CallRecord: Sendable {
  /// When it began, in nanoseconds.
  let began: Int64
  /// The number of the event that began it.
  let order: Int64
  /// The number of the event that began the latest-begun `invalidateCache()` of the instance which had returned
  /// when this call began; 0 when none had.
  let fence: Int64
  /// The number of the instant in which it began.
  let instant: UInt32
  /// The index of its group; -1 for a call that asks for no keys.
  let group: Int32
  /// The reader that called.
  let reader: ReaderID
  /// The app instance called.
  let instance: InstanceID
  /// The sequence number, in its group, of the first request that this call may wait for.
  var first: UInt32 = 0
  /// What was asked for.
  let operation: Operation
  private var flags = Flags()

  init(
    began: Int64, order: Int64, fence: Int64, instant: UInt32, group: Int32, reader: ReaderID,
    instance: InstanceID, operation: Operation
  ) {
    self.began = began
    self.order = order
    self.fence = fence
    self.instant = instant
    self.group = group
    self.reader = reader
    self.instance = instance
    self.operation = operation
  }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let mayHaveFoundFresh = Flags(rawValue: 1)
    static let mustFindFresh = Flags(rawValue: 2)
    static let mustBeHeldBack = Flags(rawValue: 4)
    static let isCancelled = Flags(rawValue: 8)
    static let isGivenUp = Flags(rawValue: 16)
  }

  private subscript(flag: Flags) -> Bool {
    get { flags.contains(flag) }
    set { if newValue { flags.insert(flag) } else { flags.remove(flag) } }
  }

  /// Whether an answer younger than the TTL may have been held for the cache key when the call began.
  var mayHaveFoundFresh: Bool {
    get { self[.mayHaveFoundFresh] }
    set { self[.mayHaveFoundFresh] = newValue }
  }
  /// Whether an answer younger than the TTL was certainly held for the cache key when the call began.
  var mustFindFresh: Bool {
    get { self[.mustFindFresh] }
    set { self[.mustFindFresh] = newValue }
  }
  /// Whether a Retry-After was certainly running when the call began.
  var mustBeHeldBack: Bool {
    get { self[.mustBeHeldBack] }
    set { self[.mustBeHeldBack] = newValue }
  }
  /// Whether its own reader cancelled it.
  var isCancelled: Bool {
    get { self[.isCancelled] }
    set { self[.isCancelled] = newValue }
  }
  /// Whether a judge has already found it stuck.
  var isGivenUp: Bool {
    get { self[.isGivenUp] }
    set { self[.isGivenUp] = newValue }
  }

  /// Whether the call still counts as a waiter.
  var isLive: Bool { !isCancelled && !isGivenUp }
}
