import Events

/// What the shadow remembers of an app instance.
struct InstanceRecord: Sendable {
  /// How many `invalidateCache()` calls are open, and the instants in which one last began and last returned.
  var openInvalidations: Int32 = 0
  var lastInvalidationBegan = Int64.min
  var lastInvalidated = Int64.min
  /// The number of the event that began the latest-begun of those that returned; 0 when none has.
  var fence: Int64 = 0
  /// The same as of the instant before the last of them returned.
  var earlierFence: Int64 = 0
  /// The number of the event by which the last of them returned; 0 when none has.
  var fenceEnd: Int64 = 0
  /// What the service has asked it to leave alone.
  var gates = RetryGates()
  /// The instant in which a caller was last cancelled.
  var lastCancellation = Int64.min
  /// How many cache keys it was asked for.
  var entryCount = 0
  /// Whose call of an evaluation began last: whom a violation of the instance's names.
  var latestCaller: ReaderID?
  /// The number of the event that closed the client; `Int64.max` before.
  var closed = Int64.max

  /// Whether the client was closed.
  var isClosed: Bool { closed < .max }

  /// The number of the event before which a flight must have begun for its answer to be certainly dropped by an instant:
  /// what an invalidation drops in it a call may have been given before.
  func dropFence(at now: Int64) -> Int64 { lastInvalidated == now ? earlierFence : fence }

  /// Returns whether an invalidation may have come between a flight begun in an instant and now.
  func mayHaveMovedEpoch(since instant: Int64) -> Bool { openInvalidations > 0 || lastInvalidated >= instant }
}

/// What the shadow remembers of a cache entry, (instance, cache key).
struct EntryRecord: Sendable {
  /// The instant in which the last good answer arrived that may have filled it.
  var lastReceived = Int64.min
  /// The number of the latest start event among requests whose good answers may have filled it.
  var latestStart = Int64.min
  /// The answers that it may hold.
  var held: [HeldAnswer] = []
}

/// What the shadow remembers of a good answer that reached a client in time: enough to judge any later claim.
struct AnswerRecord: Sendable {
  let request: RequestID
  let instance: InstanceID
  let key: RequestKey
  /// When the request started, and the number of that event.
  let started: Int64
  let startOrder: Int64
  /// When the answer was received.
  let received: Int64
}

/// A call that waits although every request that it may have waited for is over.
struct Sleeper: Sendable {
  let id: CallID
  let call: CallRecord
  /// The last of these requests, and whether another call that may have waited for it was cancelled.
  let request: RequestID
  let besideCancelled: Bool
}
