import Events

/// What the shadow remembers of an app instance.
struct InstanceRecord: Sendable {
  /// How many `invalidateCache()` calls are open, and the instant in which the last one returned.
  var openInvalidations: Int32 = 0
  var lastInvalidated = Int64.min
  /// The number of the event that began the latest-begun of those that returned; 0 when none has.
  var fence: Int64 = 0
  /// The instant in which an answer that may have carried a Retry-After last arrived.
  var lastRefused = Int64.min
  /// Whose call of an evaluation began last: whom a violation of the instance's names.
  var latestCaller: ReaderID?
  /// The number of the event that closed the client; `Int64.max` before.
  var closed = Int64.max

  /// Whether the client was closed.
  var isClosed: Bool { closed < .max }

  /// Returns whether an invalidation may have come between a flight begun in an instant and now.
  func mayHaveMovedEpoch(since instant: Int64) -> Bool { openInvalidations > 0 || lastInvalidated >= instant }
}

/// What the shadow remembers of a cache entry, (instance, cache key).
struct EntryRecord: Sendable {
  /// The instant in which the last good answer arrived that may have filled it.
  var lastReceived = Int64.min
  /// The number of the latest start event among requests whose good answers may have filled it.
  var latestStart = Int64.min
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
