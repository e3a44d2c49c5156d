import Events

/// What must have become of the analytics events of one process, by what crossed its transport: the memory of
/// `FlagsNoEventLostJudge`.
///
/// How many exposures were recorded is not told, so the account is of two kinds: events that were in a request, by id,
/// and events of the workload, by number, which must all be accounted for.
struct AnalyticsAccount: Sendable {
  private enum State {
    case open, accepted, doubtful
  }

  private struct Batch {
    let count: Int
    let captured: [UInt64]
    var state = State.open
    /// When the state was last settled by an answer.
    var settled = Int64.min
  }

  let process: Int
  /// How many events of the workload were captured while consent was given.
  private(set) var captured = 0
  /// Events in batches that were certainly, or only possibly, acknowledged.
  private(set) var acknowledged = 0
  private(set) var doubtful = 0
  /// The events of the workload that were in no batch that was acknowledged, nor possibly so.
  private(set) var missing: Set<UInt64> = []
  /// Exposures, and others that are not the workload's, that were in a request.
  private(set) var others = 0
  /// Whether something has happened that allows the client to give events up.
  var mayDrop = false
  /// The tally was taken.
  var isSettled = false

  private var batches: [UInt64: Batch] = [:]
  private var requests: [RequestID: UInt64] = [:]
  private var sent: Set<UInt64> = []
  /// Whether the latest attempt was certainly acknowledged; true before the first.
  private var isLatestAccepted = true
  private var latest: UInt64?

  /// How many events may wait in the client before the oldest are given up; with room for exposures, which are not told.
  private static var capacity: Int { 800 }

  init(process: Int) { self.process = process }

  /// Whether every event must have been acknowledged by now.
  var mustBeClean: Bool { !mayDrop && isLatestAccepted && doubtful == 0 }

  mutating func capture(_ number: UInt64) {
    captured += 1
    missing.insert(number)
    if missing.count > Self.capacity { mayDrop = true }
  }

  mutating func send(_ batch: AnalyticsBatch, in request: RequestID) {
    isLatestAccepted = false
    latest = batch.id
    requests[request] = batch.id
    for event in batch.events where sent.insert(event.id).inserted {
      if case .captured = event.kind { continue }
      others += 1
    }
    // A repeat of what may have been acknowledged leaves it so.
    guard batches[batch.id] == nil else { return }
    let numbers = batch.events.compactMap { event -> UInt64? in
      if case .captured(let number) = event.kind { number } else { nil }
    }
    batches[batch.id] = Batch(count: batch.events.count, captured: numbers)
  }

  mutating func end(
    _ request: RequestID, _ completion: RequestCompletion, _ reception: Reception, at now: Int64
  ) {
    guard let id = requests.removeValue(forKey: request), var batch = batches[id] else { return }
    switch (completion, reception) {
    case (_, .none): return
    case (.answered(202, _), .certain):
      if batch.state == .doubtful { doubtful -= batch.count }
      if batch.state != .accepted { acknowledged += batch.count }
      batch.state = .accepted
      batch.settled = now
      isLatestAccepted = id == latest
      missing.subtract(batch.captured)
    case (.answered(200...299, _), _):
      if batch.state == .open {
        doubtful += batch.count
        batch.state = .doubtful
      }
      missing.subtract(batch.captured)
    case (.answered(let status, _), _):
      if Self.allowsDropping(status, batch.count) { mayDrop = true }
    case (.lost, _), (.cancelled, _): break
    }
    batches[id] = batch
  }

  /// Takes in that what was acknowledged in this instant may have come too late.
  mutating func doubt(at now: Int64) {
    guard let latest, let batch = batches[latest], batch.settled == now, batch.state == .accepted else {
      return
    }
    acknowledged -= batch.count
    doubtful += batch.count
    batches[latest]?.state = .doubtful
    isLatestAccepted = false
  }

  /// Whether an answer may end what a batch waits for (BEHAVIOUR rule 1.6).
  private static func allowsDropping(_ status: Int, _ count: Int) -> Bool {
    switch status {
    case 408, 410, 429: false
    case 413: count <= 1
    case 400..<500: true
    default: false
    }
  }
}
