import Events
import Metrics
import ScenarioFormat
import Synchronization

/// Keeps the metrics of a run.
///
/// Samples of the warm-up go to books of their own. On the wall clock readers write to a few shards, so that two cores
/// seldom meet at one lock; the shards are added up at the end, which for counts and histograms is exact.
final class Ledger: Sendable {
  private struct GroupHandles {
    let tags: Tags
    let evaluations: MetricHandle
    let evaluationDuration: MetricHandle
    let timeToFirstValue: MetricHandle
    let coalesced: MetricHandle
    let fresh: MetricHandle
    let stale: MetricHandle
    let standIn: MetricHandle
    let interrupted: MetricHandle
    let arrivals: MetricHandle

    init(_ group: String, in store: inout MetricStore) {
      tags = group.isEmpty ? Tags([]) : ["group": group]
      func tagged(_ pairs: (String, String)...) -> Tags {
        Tags(pairs.map { (name: $0.0, value: $0.1) } + (group.isEmpty ? [] : [(name: "group", value: group)]))
      }
      evaluations = store.handle(.evaluations, tags)
      evaluationDuration = store.handle(.evaluationDuration, tags)
      timeToFirstValue = store.handle(.timeToFirstValue, tags)
      coalesced = store.handle(.coalesced, tags)
      fresh = store.handle(.cacheHits, tagged(("state", "fresh")))
      stale = store.handle(.cacheHits, tagged(("state", "stale")))
      standIn = store.handle(.cacheHits, tagged(("state", "default")))
      interrupted = store.handle(.interrupted, tags)
      arrivals = store.handle(.arrivals, tagged(("endpoint", "evaluate")))
    }

    /// Says that these were watched, so that nothing of a kind is a count of zero and not a lack of data.
    func watch(_ store: inout MetricStore, from time: Int64) {
      for handle in [evaluations, coalesced, fresh, stale, standIn, interrupted] {
        store.add(0, to: handle, at: time)
      }
    }
  }

  private struct RequestTags: Hashable {
    let group: Int
    let status: String
  }

  /// One store with the handles into it.
  private struct Books {
    var store = MetricStore()
    var groups: [GroupHandles] = []
    /// The first call and the last return of each group that evaluated anything.
    var spans: [(first: Int64, last: Int64)?]
    var requests: [RequestTags: (count: MetricHandle, duration: MetricHandle)] = [:]
    /// The requests of each group that have started and not ended.
    var outstanding: [Int]

    /// The groups in the scenario's order, and last the stand-in for what belongs to none.
    ///
    /// - Parameters:
    ///   - groups: The names of the groups.
    ///   - start: When the books begin to count, in nanoseconds of the run.
    init(_ groups: [String], from start: Int64) {
      spans = groups.map { _ in nil }
      outstanding = groups.map { _ in 0 }
      for group in groups { self.groups.append(GroupHandles(group, in: &store)) }
      for handles in self.groups.dropLast() { handles.watch(&store, from: start) }
    }

    /// The store with the requests that are still out, which only a run that was cut off has.
    var closed: MetricStore {
      var copy = self
      for (group, count) in outstanding.enumerated() where count > 0 {
        let handles = copy.requestHandles(RequestTags(group: group, status: "outstanding"))
        copy.store.add(Int64(count), to: handles.count, at: 0)
      }
      return copy.store
    }

    mutating func requestHandles(_ tags: RequestTags) -> (count: MetricHandle, duration: MetricHandle) {
      if let known = requests[tags] { return known }
      let all = Tags(
        groups[tags.group].tags.pairs.map { (name: $0.name, value: $0.value) } + [
          (name: "endpoint", value: "evaluate"), (name: "status", value: tags.status),
          (name: "injected", value: "false"),
        ])
      let handles = (count: store.handle(.requests, all), duration: store.handle(.requestDuration, all))
      requests[tags] = handles
      return handles
    }
  }

  private final class Shard: Sendable {
    let measured: Mutex<Books>
    let warmup: Mutex<Books>

    init(_ groups: [String], warmupEnd: Int64) {
      measured = Mutex(Books(groups, from: warmupEnd))
      warmup = Mutex(Books(groups, from: 0))
    }
  }

  private let shards: [Shard]
  private let warmupEnd: Int64
  private let groupCount: Int
  private let isFrozen = Atomic<Bool>(false)
  /// Evaluations that have returned, for the progress line.
  let evaluations = Atomic<Int64>(0)

  /// Creates the books of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: Gives the groups and the length of the warm-up.
  ///   - shards: How many threads are expected to write at once.
  init(_ scenario: Scenario, shards: Int) {
    let groups = scenario.groups.map(\.name) + [""]
    groupCount = groups.count
    let warmupEnd = scenario.warmup.nanoseconds
    self.warmupEnd = warmupEnd
    self.shards = (0..<shards).map { _ in Shard(groups, warmupEnd: warmupEnd) }
  }

  private func write(_ group: Int, at time: Int64, lane: Int = 0, _ body: (inout Books, Int) -> Void) {
    if isFrozen.load(ordering: .relaxed) { return }
    let shard = shards[lane % shards.count]
    let index = group < 0 ? groupCount - 1 : group
    if time < warmupEnd {
      shard.warmup.withLock { body(&$0, index) }
    } else {
      shard.measured.withLock { body(&$0, index) }
    }
  }

  /// Counts nothing from now on: the run is over, and what is then cancelled is nobody's doing.
  func freeze() { isFrozen.store(true, ordering: .relaxed) }

  // MARK: Samples

  /// Counts an evaluation that returned.
  ///
  /// - Returns: Whether it brought a value of the service's.
  func evaluation(
    _ group: Int, _ outcome: CallOutcome, from begin: Int64, to end: Int64, firstValueSince start: Int64?,
    lane: Int = 0
  ) -> Bool {
    var origins = (fresh: 0, flight: 0, stale: 0, standIn: 0)
    if case .answered(let answers) = outcome {
      for answer in answers {
        switch answer.origin {
        case .fresh: origins.fresh += 1
        case .flight: origins.flight += 1
        case .stale: origins.stale += 1
        case .default: origins.standIn += 1
        }
      }
    }
    let hasValue = origins.fresh + origins.flight + origins.stale > 0
    write(group, at: end, lane: lane) { books, index in
      let handles = books.groups[index]
      books.store.add(1, to: handles.evaluations, at: end)
      books.store.record(end - begin, in: handles.evaluationDuration, at: end)
      let span = books.spans[index] ?? (begin, end)
      books.spans[index] = (min(span.first, begin), max(span.last, end))
      // A call counts once, by the least of what its keys were answered from; one that waited for a flight and got
      // everything from it is no cache hit.
      if origins.standIn > 0 {
        books.store.add(1, to: handles.standIn, at: end)
      } else if origins.stale > 0 {
        books.store.add(1, to: handles.stale, at: end)
      } else if origins.fresh > 0, origins.flight == 0 {
        books.store.add(1, to: handles.fresh, at: end)
      }
      if hasValue, let start { books.store.record(end - start, in: handles.timeToFirstValue, at: end) }
    }
    if !isFrozen.load(ordering: .relaxed) { evaluations.add(1, ordering: .relaxed) }
    return hasValue
  }

  /// Counts a call that joined a flight.
  func coalesced(_ group: Int, at time: Int64) {
    write(group, at: time) { books, index in books.store.add(1, to: books.groups[index].coalesced, at: time) }
  }

  /// Counts a reader that was interrupted in an iteration.
  func interrupted(_ group: Int, at time: Int64) {
    write(group, at: time) { books, index in books.store.add(1, to: books.groups[index].interrupted, at: time)
    }
  }

  /// Notes that a request started; it is counted as outstanding until its outcome is known.
  func requestStarted(_ group: Int, at time: Int64) {
    write(group, at: time) { books, index in books.outstanding[index] += 1 }
  }

  /// Counts a request, when its outcome is known.
  ///
  /// The status is a code, or `timeout` or `cancelled`.
  func request(_ group: Int, status: String, from begin: Int64, to end: Int64) {
    write(group, at: begin) { books, index in
      let handles = books.requestHandles(RequestTags(group: index, status: status))
      books.outstanding[index] -= 1
      books.store.add(1, to: handles.count, at: begin)
      books.store.record(end - begin, in: handles.duration, at: end)
    }
  }

  /// Counts a request that reached the service.
  func arrival(_ group: Int, at time: Int64) {
    write(group, at: time) { books, index in books.store.add(1, to: books.groups[index].arrivals, at: time) }
  }

  /// Notes how many requests one client made in the whole run.
  func requestsPerClient(_ count: Int, at time: Int64) {
    write(-1, at: max(time, warmupEnd)) { books, index in
      let handle = books.store.handle(.requestsPerClient, Tags([]))
      books.store.record(Int64(count), in: handle, at: time)
    }
  }

  /// Notes how many allocations the process made for each evaluation.
  func allocationsPerEvaluation(_ value: Double) {
    shards[0].measured.withLock { books in
      let handle = books.store.handle(.allocationsPerEvaluation, Tags([]))
      books.store.set(value, of: handle)
    }
  }

  // MARK: Results

  /// What was measured, the warm-up left out.
  func measured() -> MetricStore { merged { $0.measured.withLock { $0.closed } } }

  /// What was measured during the warm-up.
  func warmup() -> MetricStore { merged { $0.warmup.withLock { $0.closed } } }

  /// When each group that evaluated anything did so; the counts are those of what was measured.
  func activity(of scenario: Scenario, in measured: MetricStore) -> [GroupActivity] {
    return scenario.groups.enumerated().compactMap { index, group in
      let spans = shards.compactMap { $0.measured.withLock { $0.spans[index] } }
      guard let first = spans.map(\.first).min(), let last = spans.map(\.last).max() else { return nil }
      let count = measured.query(.evaluations, ["group": group.name])?.count ?? 0
      return GroupActivity(group: group.name, evaluations: count, firstCall: first, lastReturn: last)
    }
  }

  private func merged(_ store: (Shard) -> MetricStore) -> MetricStore {
    var result = store(shards[0])
    for shard in shards.dropFirst() { result.merge(store(shard)) }
    return result
  }
}
