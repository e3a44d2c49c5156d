import Events
import Invariants
import Synchronization

/// The witness of a wall-clock run: writes intervals down, to be judged when the run is over.
///
/// Readers write to a few shards by their number, so that two cores seldom meet at one lock. Fresh hits, of which there
/// may be millions, are kept as a count and the latest begin for each answer they were served from: for every rule
/// about fresh hits the latest one is the strictest case.
final class WallWitness: Witness {
  private struct FreshKey: Hashable {
    let instance: InstanceID
    let serial: Serial
  }

  private struct ReaderBooks {
    var begun = 0
    var returned = 0
    var calls: [IntervalLog.Call] = []
    var fresh: [FreshKey: IntervalLog.FreshHits] = [:]
    var invalidations: [IntervalLog.Invalidation] = []
    /// The open call of each reader of this shard, 0 for none.
    var open: [UInt64]
    /// When the open call of each reader began.
    var openSince: [Int64]
    /// When an open call was cancelled.
    var cancelled: [UInt64: Int64] = [:]

    /// Creates empty books for so many readers.
    init(readers: Int) {
      open = Array(repeating: 0, count: readers)
      openSince = Array(repeating: 0, count: readers)
    }
  }

  private struct NetworkBooks {
    var requests: [IntervalLog.Request] = []
    var closed: [InstanceID: Int64] = [:]
    var leftovers: [IntervalLog.Remainder] = []
  }

  /// One lock on cache lines of its own.
  private final class Shard: Sendable {
    let books: Mutex<ReaderBooks>

    init(readers: Int) { books = Mutex(ReaderBooks(readers: readers)) }
  }

  private let stage: WallStage
  private let requestTimeout: Int64
  private static let shardCount = 16
  private let shards: [Shard]
  private let network = Mutex(NetworkBooks())
  private let calls = Atomic<UInt64>(0)

  init(_ stage: WallStage, readers: Int, requestTimeout: Int64) {
    self.requestTimeout = requestTimeout
    self.stage = stage
    // One more than there are, for what the timeline does.
    shards = (0..<Self.shardCount).map { _ in Shard(readers: readers / Self.shardCount + 1) }
  }

  private func shard(of reader: ReaderID) -> Shard { shards[Int(reader.rawValue) % Self.shardCount] }

  private func place(of reader: ReaderID) -> Int { Int(reader.rawValue) / Self.shardCount }

  // MARK: Witness

  func callBegan(
    _ reader: ReaderID, _ instance: InstanceID, _ operation: Operation, _ key: RequestKey?
  ) -> OpenCall {
    let number = calls.add(1, ordering: .relaxed).newValue
    let now = stage.now
    shard(of: reader).books.withLock { books in
      books.begun += 1
      books.open[place(of: reader)] = number
      books.openSince[place(of: reader)] = now
    }
    return OpenCall(
      id: CallID(number), reader: reader, instance: instance, operation: operation, key: key, began: now)
  }

  func callCancelled(_ call: OpenCall) {
    let now = stage.now
    shard(of: call.reader).books.withLock { $0.cancelled[call.id.rawValue] = now }
  }

  func readersInterrupted(_ readers: Range<Int>) {
    let now = stage.now
    for reader in readers.map({ ReaderID(Int32($0)) }) {
      shard(of: reader).books.withLock { books in
        let call = books.open[place(of: reader)]
        if call != 0 { books.cancelled[call] = now }
      }
    }
  }

  func callReturned(_ call: OpenCall, _ outcome: CallOutcome) {
    let end = stage.now
    shard(of: call.reader).books.withLock { books in
      books.returned += 1
      books.open[place(of: call.reader)] = 0
      let cancelled = books.cancelled.isEmpty ? nil : books.cancelled.removeValue(forKey: call.id.rawValue)
      if call.operation == .invalidate {
        books.invalidations.append(.init(instance: call.instance, begin: call.began, end: end))
      } else if cancelled == nil, end - call.began < requestTimeout,
        let serials = Self.serialsOfFreshHit(outcome)
      {
        // A call that took longer may have led a flight that timed out, so the judges want to see it alone.
        for serial in serials {
          let key = FreshKey(instance: call.instance, serial: serial)
          let known = books.fresh[key]
          books.fresh[key] = .init(
            instance: call.instance, serial: serial, count: (known?.count ?? 0) + 1,
            latestBegin: max(known?.latestBegin ?? .min, call.began))
        }
        return
      }
      books.calls.append(
        .init(
          reader: call.reader, instance: call.instance, operation: call.operation, key: call.key,
          begin: call.began, end: end, outcome: outcome, cancelled: cancelled))
    }
  }

  func flightBegan(_ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?) -> RequestID {
    network.withLock { books in
      let id = RequestID(UInt64(books.requests.count) + 1)
      books.requests.append(.init(id: id, instance: instance, key: key, started: stage.now))
      return id
    }
  }

  func requestStarted(
    _ id: RequestID?, _ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?
  ) -> RequestID {
    // What matters to intervals is when the flight began.
    id ?? flightBegan(instance, endpoint, key)
  }

  func requestArrived(_ request: RequestID) {}

  func answerProduced(_ request: RequestID, _ serial: Serial, status: Int) {}

  func requestCancelled(_ request: RequestID) {
    network.withLock { $0.requests[Int(request.rawValue) - 1].cancelRequested = stage.now }
  }

  func requestCompleted(_ request: RequestID, _ completion: RequestCompletion) {
    network.withLock { books in
      books.requests[Int(request.rawValue) - 1].ended = stage.now
      books.requests[Int(request.rawValue) - 1].completion = completion
    }
  }

  func published(_ version: Int64) {}

  func instanceClosed(_ instance: InstanceID) {
    network.withLock { $0.closed[instance] = stage.now }
  }

  func leftover(_ instance: InstanceID?, _ kind: Leftover, _ count: Int) {
    network.withLock { $0.leftovers.append(.init(instance: instance, kind: kind, count: count)) }
  }

  func note(_ event: Event) {
    // A flight that got no token is over; everything else is for judges of virtual runs.
    guard case .authorized(let request, nil) = event else { return }
    network.withLock { $0.requests[Int(request.rawValue) - 1].lacksToken = true }
    requestCompleted(request, .lost)
  }

  // MARK: At the end

  /// When the longest of the open calls began; nil if none is open.
  var oldestOpenCall: Int64? {
    shards.compactMap { shard in
      shard.books.withLock { books in
        zip(books.open, books.openSince).filter { $0.0 != 0 }.map(\.1).min()
      }
    }.min()
  }

  /// How many requests have started.
  var requestCount: Int { network.withLock { $0.requests.count } }

  /// Everything written down, in an order that does not depend on dictionaries.
  func log() -> IntervalLog {
    var log = IntervalLog()
    for shard in shards {
      shard.books.withLock { books in
        log.begun += books.begun
        log.returned += books.returned
        log.calls += books.calls
        log.invalidations += books.invalidations
        log.freshHits += books.fresh.values
      }
    }
    network.withLock { books in
      log.requests = books.requests
      log.closed = books.closed
      log.leftovers = books.leftovers
    }
    log.calls.sort { ($0.begin, $0.reader) < ($1.begin, $1.reader) }
    log.invalidations.sort { ($0.begin, $0.instance) < ($1.begin, $1.instance) }
    log.freshHits.sort { ($0.instance, $0.serial) < ($1.instance, $1.serial) }
    return log
  }

  /// The answers that a call was served from, if every value it got was fresh.
  private static func serialsOfFreshHit(_ outcome: CallOutcome) -> Set<Serial>? {
    guard case .answered(let answers) = outcome, !answers.isEmpty else { return nil }
    var serials: Set<Serial> = []
    for answer in answers {
      guard answer.origin == .fresh, let serial = answer.serial else { return nil }
      serials.insert(serial)
    }
    return serials
  }
}
