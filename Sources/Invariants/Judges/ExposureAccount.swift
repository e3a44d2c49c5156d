import Events

/// What must have become of the exposures of one app instance, by what crossed its transport.
///
/// **Idea.** An event is recorded, then in a request or not; a request is acknowledged in time or has failed.
/// The client's own counts have to agree. Whether an event that is in no request still waits or was dropped
/// cannot be seen, only how many *may* have been dropped: those that a full buffer has pushed out, and the
/// batches of flights that never sent anything.
///
/// **An upper bound of the pushed out.** The buffer is taken for full when, of the events recorded and not
/// sent, less those pushed out so far, more than its capacity are left. A client takes a batch out of its
/// buffer before it sends it, and records after it is told to, so its buffer is never fuller than this.
struct ExposureAccount: Sendable {
  /// How many events may wait in a client.
  private static var capacity: Int { 1_000 }

  private(set) var recorded = 0
  private(set) var acknowledged = 0
  /// Events in requests that have failed.
  var failed = 0
  /// How many events the judge has counted as checks.
  var checked = 0
  /// Flights that have asked for authorization and sent nothing so far.
  var unsentFlights = 0
  private var sent = 0
  /// Events whose acknowledgement the client may have taken in or not.
  private var doubtful = 0
  /// Events acknowledged in the instant of the latest acknowledgement, without doubt so far.
  private var latest = (at: Int64.min, count: 0)
  /// The latest instant in which a flush was cancelled or the client closed.
  private var doubted = Int64.min
  private var pushedOut = 0
  private var openRecordings = 0
  /// The events that were in no request, each with the number of the event by which its recording returned.
  private var unsent: [UInt64: Int64] = [:]

  /// How many events were in no request.
  var neverSent: Int { recorded - sent }

  // MARK: Taking in

  mutating func record(_ number: UInt64) {
    recorded += 1
    openRecordings += 1
    unsent[number] = .max
    if unsent.count - pushedOut > Self.capacity { pushedOut += 1 }
  }

  mutating func finishRecording(_ number: UInt64, at order: Int64) {
    openRecordings -= 1
    unsent[number]? = order
  }

  mutating func send(_ numbers: [UInt64]) {
    for number in numbers where unsent.removeValue(forKey: number) != nil { sent += 1 }
  }

  mutating func acknowledge(_ count: Int, at now: Int64, isDoubtful: Bool) {
    if isDoubtful || doubted == now {
      doubtful += count
    } else {
      acknowledged += count
      latest = (now, count + (latest.at == now ? latest.count : 0))
    }
  }

  /// Takes in that what is acknowledged in an instant may not have been taken in.
  mutating func doubt(at now: Int64) {
    doubted = now
    guard latest.at == now else { return }
    acknowledged -= latest.count
    doubtful += latest.count
    latest.count = 0
  }

  // MARK: Judging

  /// Whether the counts of a closed client can be true.
  ///
  /// An event whose recording never returned may have reached the client or not.
  func admits(_ tally: ExposureTally) -> Bool {
    (failed...failed + doubtful).contains(tally.failed)
      && (neverSent - openRecordings...neverSent).contains(tally.dropped) && tally.pending == 0
  }

  /// How many of the events that were in no request may have been dropped.
  func lossLimit(_ facts: RunFacts) -> Int { pushedOut + unsentFlights * facts.batchLimit }

  /// How many events whose recording had returned before an event of the run were in no request, beyond a
  /// number of them.
  ///
  /// - Complexity: O(1) if nothing waits, else O(n) in the number of events that were in no request.
  func waiting(before order: Int64, beyond limit: Int) -> Int {
    guard unsent.count > limit else { return 0 }
    return max(0, unsent.values.count { $0 < order } - limit)
  }
}
