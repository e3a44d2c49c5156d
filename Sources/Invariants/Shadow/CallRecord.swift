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
  /// Whether an answer younger than the TTL may have been held for the cache key when the call began.
  var mayHaveFoundFresh = false
  /// Whether its own reader cancelled it.
  var isCancelled = false
  /// Whether a judge has already found it stuck.
  var isGivenUp = false

  /// Whether the call still counts as a waiter.
  var isLive: Bool { !isCancelled && !isGivenUp }
}
