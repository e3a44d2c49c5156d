/// A rule that a client must keep in every run, named as BEHAVIOUR §4 names it.
///
/// Two invariants are equal if their ids are; they are ordered as the table of BEHAVIOUR §4 lists them.
public struct Invariant: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The name that scenario files, reports and exit messages use, for example `single-flight`.
  public let id: String

  /// The statement that must hold, in one or two sentences.
  public let summary: String

  /// What one check of the judge is; nil for an invariant that has no judge yet.
  public let unit: String?

  /// The position in the table of BEHAVIOUR §4, which is also the order of reports.
  let rank: Int

  /// The id.
  public var description: String { id }

  init(_ rank: Int, _ id: String, _ summary: String, unit: String? = nil) {
    self.rank = rank
    self.id = id
    self.summary = summary
    self.unit = unit
  }

  /// Returns whether the two are the same invariant.
  public static func == (left: Invariant, right: Invariant) -> Bool { left.rank == right.rank }

  /// Returns whether the left invariant stands before the right one in BEHAVIOUR §4.
  public static func < (left: Invariant, right: Invariant) -> Bool { left.rank < right.rank }

  /// Mixes the identity of the invariant into a hash.
  ///
  /// - Parameter hasher: The hasher to feed.
  public func hash(into hasher: inout Hasher) { hasher.combine(rank) }
}

extension Invariant {
  /// At most one outstanding request for each (epoch, full request); equal callers share it.
  public static let singleFlight = Invariant(
    0, "single-flight",
    "At most one request is outstanding for each instance, epoch and full request; equal callers share it, and "
      + "a finished flight takes no new waiter.",
    unit:
      "a call that overlapped an outstanding request equal to its own, other than the one call which that "
      + "request was made for")

  /// Every call returns once, with its own flight's value or error.
  public static let answersOnce = Invariant(
    1, "answers-once",
    "Every call returns exactly once; a waiter that was not cancelled gets its flight's value or its flight's "
      + "own error.",
    unit: "a call that returned, or that never did")

  /// One caller's cancellation ends that caller's wait only.
  public static let cancelIsolated = Invariant(
    2, "cancel-isolated",
    "A cancelled caller ends its own wait only: every other waiter returns when the answer arrives or the "
      + "deadline passes; a request that has no waiter left is cancelled before time moves.",
    unit: "a caller that was not cancelled and shared its request with one that was, or a request whose last "
      + "waiter was cancelled")

  /// Fresh means younger than the TTL.
  public static let ttl = Invariant(
    3, "ttl",
    "What is called fresh is younger than the TTL and made no request; at or past the TTL a call makes or joins "
      + "a request.",
    unit: "a key answered as fresh, or a call that found nothing younger than the TTL")

  /// Fresh, else the flight's, else stale, else the default.
  public static let degradeOrder = Invariant(
    4, "degrade-order",
    "Each key is answered fresh, else from the flight, else stale, else by default, and the claimed origin is "
      + "true.",
    unit: "a key that was not answered fresh, or a call that found a certainly fresh entry")

  /// Nothing asked for before `invalidateCache()` reaches a call begun after it.
  public static let invalidation = Invariant(
    5, "invalidation",
    "No call begun after invalidateCache() returned gets an answer that was requested before it was called.",
    unit: "a call begun after an invalidateCache() of its instance returned, that got at least one value")

  /// No more requests than calls that missed the cache.
  public static let requestEconomy = Invariant(
    6, "request-economy",
    "An instance makes no more evaluate requests than it had evaluate calls that were not fresh hits.",
    unit: "an evaluate request that started")

  /// What is held never gets older.
  public static let monotonicVersion = Invariant(
    7, "monotonic-version",
    "Within an epoch the applied version never falls; an older answer changes nothing.",
    unit:
      "a look at a device that had a version in the same epoch before, or that an older answer had reached")

  /// What readers are given is what the service said.
  public static let stateMatchesService = Invariant(
    8, "state-matches-service",
    "What a reader is given, or a device holds, equals what the service said to it: every value unaltered and under its "
      + "own key, deletions included, every notification of the pages once and none left out.",
    unit:
      "a key answered with a value of the service's, a walk over the inbox that returned, or a look at a device"
  )

  /// Deltas fit what they are applied to.
  public static let deltaBase = Invariant(
    9, "delta-base", "A delta is applied only onto its own base, whole or not at all.",
    unit: "a delta that was asked for, or a look at a device that one had reached")

  /// A version that was taken back is no base any more.
  public static let goneRecovers = Invariant(
    10, "gone-recovers",
    "After a 410 the next sync request is a snapshot, and no delta is sent before one is applied.",
    unit: "a sync request of a device whose version a 410 had taken back")

  /// An ETag names what is held.
  public static let etagHonest = Invariant(
    11, "etag-honest",
    "If-None-Match carries only an ETag received for this reader and context and still held; a 304 alters no "
      + "value.",
    unit: "a request with an ETag, or a look at a device that a 304 had reached")

  /// One reader's values are never another's.
  public static let gateClosed = Invariant(
    12, "gate-closed",
    "From the step of a reader change on nothing carries the old reader's data or credential.",
    unit: "a read, a look, a request, a join, a batch or a write of a device whose reader has changed")

  /// A read sees one record.
  public static let oneSnapshotPerRead = Invariant(
    13, "one-snapshot-per-read", "A read sees one record, never a mix and never an empty window.",
    unit: "a read of a running client")

  /// What is on the device is what was held, whole and of its reader.
  public static let diskHonest = Invariant(
    14, "disk-honest",
    "What is loaded was written whole for the same reader and schema; the persisted version never falls within an "
      + "epoch, and at a change of reader the old reader's record goes.",
    unit: "a record that a client wrote or found, or that has to go at a change of reader")

  /// An exposure is recorded once in a session.
  public static let exposureOnce = Invariant(
    15, "exposure-once",
    "An exposure is recorded once for each session, flag and experiment; a session is one reader's and ends only by "
      + "thirty minutes without activity.",
    unit: "an exposure that was sent for the first time")

  /// An exposure tells of a value that somebody was really given.
  public static let exposureTrue = Invariant(
    16, "exposure-true",
    "An exposure is recorded only for a value that a read by key really returned from an experiment, with consent.",
    unit: "an exposure that was sent for the first time")

  /// Batches keep their limit and their order.
  public static let batchBounds = Invariant(
    17, "batch-bounds",
    "A batch holds between one event and its limit, of one reader and in the order of recording, and one batch is out "
      + "at a time.",
    unit: "a batch that was sent")

  /// Every event is accounted for.
  public static let noEventLost = Invariant(
    18, "no-event-lost",
    "After the last flush and close each event is acknowledged, in a failed request, or in the public count of "
      + "drops, and these partition what was recorded; none is given up without a reason.",
    unit: "an event that was recorded and accounted for at the close")

  /// No event is sent twice.
  public static let noEventTwice = Invariant(
    19, "no-event-twice",
    "Each exposure is in at most one request; a batch of analytics is repeated unchanged, only after an attempt whose "
      + "acknowledgement the client did not get, and the service counts each event once.",
    unit: "an event in a request")

  /// Every request is as documented.
  public static let wellFormed = Invariant(
    26, "well-formed",
    "Every request that the service receives is valid: path, method, headers, body, limits, and the credential that "
      + "belongs to this very request.",
    unit: "a request that arrived at the service")

  /// Everybody gets well after the last fault.
  public static let liveness = Invariant(
    27, "liveness",
    "After the last fault heals every pending call returns, state equals the service's and queues drain within "
      + "requestTimeout + remaining Retry-After + 60 s + 2 times the largest latency; nothing repeats without a delay.",
    unit:
      "an app instance that was asked until it was well, or a call that was pending when the last fault healed"
  )

  /// A fleet does not stampede.
  public static let fleet = Invariant(
    28, "fleet",
    "After a mark the peak of arrivals per second stays within alpha times the mean, and requests within beta times "
      + "the needs.",
    unit:
      "a mark after which requests arrived, or a need: a cache key or a version that became due for an instance"
  )

  /// Nobody asks an endpoint that wants to be left alone.
  public static let retryAfter = Invariant(
    20, "retry-after",
    "While a Retry-After runs no request of that endpoint starts, and a call that would need one is answered at once.",
    unit: "a call that began while a Retry-After of its endpoint ran, or a request that started after one")

  /// Whoever has failed waits, and longer each time.
  public static let backoff = Invariant(
    21, "backoff", "Gaps of background work grow as rule 1.6 says, and only success resets them.",
    unit: "a request in the background that followed a failure")

  /// Nobody asks without a reason.
  public static let requestBudget = Invariant(
    22, "request-budget",
    "A client's background requests stay within one for each interval, forced refresh, epoch and announcement.",
    unit: "a sync request that started")

  /// Who listens hears of changes, and of nothing else.
  public static let observers = Invariant(
    25, "observers",
    "Observers hear of strictly newer content, after it is readable, and never after close; at a change of reader of the "
      + "old keys, once.",
    unit: "a notice to a subscriber, or an observer that was woken")

  /// A closed client leaves nothing behind.
  public static let nothingLeft = Invariant(
    23, "nothing-left",
    "After close and drain no task, timer, request or continuation of the client is left, and a second "
      + "identical run grows memory by less than 1 %.",
    unit: "a kind of leftover looked for at a closed instance")

  /// Nothing runs outside the simulation.
  public static let noEscape = Invariant(
    24, "no-escape",
    "No step of the simulation puts work outside it, and a second run of the same seed has the same digest.",
    unit: "an instance that ran inside the simulation until it was closed, or a second run of the same seed")

  /// The invariants that this build has a judge for, in the order of BEHAVIOUR §4.
  public static let judged: [Invariant] = known.filter { $0.unit != nil }

  /// All invariants of BEHAVIOUR §4, in its order.
  public static let known: [Invariant] = [
    singleFlight, answersOnce, cancelIsolated, ttl,
    degradeOrder, invalidation, requestEconomy,
    monotonicVersion,
    stateMatchesService,
    deltaBase, goneRecovers, etagHonest, gateClosed, oneSnapshotPerRead,
    diskHonest, exposureOnce, exposureTrue,
    batchBounds, noEventLost, noEventTwice,
    retryAfter,
    backoff, requestBudget,
    nothingLeft, noEscape,
    observers, wellFormed, liveness, fleet,
  ].sorted()

  /// Returns whether the rule is about a run, as far as this build can see.
  func isApplicable(to facts: RunFacts) -> Bool {
    isApplicable(to: facts.clientKind) && (self != .fleet || facts.fleet != nil)
  }

  /// Returns whether the rule is about a kind of client, as far as this build can see.
  package func isApplicable(to kind: ClientKind) -> Bool {
    switch kind {
    case .featureControl: Court.judgesFeatureControl(self)
    case .flags: FlagsCourt.judges(self)
    }
  }

  /// Returns the invariant with an id.
  ///
  /// - Complexity: O(n) in the number of known invariants.
  /// - Parameter id: An id of BEHAVIOUR §4, spelled exactly.
  /// - Returns: The invariant, or nil when there is none with this id.
  public static func named(_ id: String) -> Invariant? { known.first { $0.id == id } }

  /// Returns the invariant whose id is most like a text, for "did you mean".
  ///
  /// - Complexity: O(n · m) edit distances of short texts.
  /// - Parameter text: What somebody wrote.
  /// - Returns: The invariant, or nil when no id is anywhere near.
  public static func nearest(to text: String) -> Invariant? {
    let typed = Array(text.lowercased().utf8)
    let ranked = known.map { (invariant: $0, distance: editDistance(typed, Array($0.id.utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.invariant.id.utf8.count / 3) ? best.invariant : nil
  }

  /// The number of inserted, deleted or replaced bytes that turn one text into the other (Levenshtein).
  private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (byte == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
