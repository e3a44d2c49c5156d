import Events
import Metrics
import ScenarioFormat
import Synchronization

/// Keeps the metrics of a run.
///
/// Samples of the warm-up go to books of their own. On the wall clock readers write to a few shards, so that two cores
/// seldom meet at one lock; the shards are added up at the end, which for counts and histograms is exact.
final class Ledger: Sendable {
  struct GroupHandles {
    let tags: Tags
    let evaluations: MetricHandle
    let evaluationDuration: MetricHandle
    let timeToFirstValue: MetricHandle
    let coalesced: MetricHandle
    let fresh: MetricHandle
    let stale: MetricHandle
    let standIn: MetricHandle
    let interrupted: MetricHandle

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
    }

    /// Says that these were watched, so that nothing of a kind is a count of zero and not a lack of data.
    func watch(_ store: inout MetricStore, _ kind: ClientSpec.Kind, from time: Int64) {
      let ofEvaluations = kind == .featureControl ? [evaluations, coalesced, fresh, stale, standIn] : []
      for handle in ofEvaluations + [interrupted] { store.add(0, to: handle, at: time) }
    }
  }

  struct RequestTags: Hashable {
    let group: Int
    let endpoint: Endpoint
    let status: String
    let isInjected: Bool
  }

  struct ArrivalTags: Hashable {
    let group: Int
    let endpoint: Endpoint
  }

  /// What becomes of exposures.
  struct ExposureHandles {
    let recorded: MetricHandle
    let sent: MetricHandle
    let dropped: MetricHandle
    let batches: MetricHandle
    let batchSize: MetricHandle

    init(_ group: Tags, in store: inout MetricStore) {
      func handle(_ outcome: String) -> MetricHandle {
        store.handle(
          .exposures,
          Tags(group.pairs.map { (name: $0.name, value: $0.value) } + [(name: "outcome", value: outcome)]))
      }
      recorded = handle("recorded")
      sent = handle("sent")
      dropped = handle("dropped")
      batches = store.handle(.batches, group)
      batchSize = store.handle(.batchSize, group)
    }
  }

  /// One store with the handles into it.
  struct Books {
    var store = MetricStore()
    var groups: [GroupHandles] = []
    /// The first call and the last return of each group that evaluated anything.
    var spans: [(first: Int64, last: Int64)?]
    var requests: [RequestTags: (count: MetricHandle, duration: MetricHandle)] = [:]
    var arrivals: [ArrivalTags: MetricHandle] = [:]
    /// Only for groups that have to do with exposures, by their number.
    var exposures: [Int: ExposureHandles] = [:]
    /// The requests that have started and not ended.
    var outstanding: [ArrivalTags: Int] = [:]

    /// The groups in the scenario's order, and last the stand-in for what belongs to none.
    ///
    /// - Parameters:
    ///   - groups: The names of the groups.
    ///   - kind: The kind of client, which decides what is counted.
    ///   - start: When the books begin to count, in nanoseconds of the run.
    init(_ groups: [String], _ kind: ClientSpec.Kind, from start: Int64) {
      spans = groups.map { _ in nil }
      for group in groups { self.groups.append(GroupHandles(group, in: &store)) }
      for handles in self.groups.dropLast() { handles.watch(&store, kind, from: start) }
    }

    /// The store with the requests that are still out, which only a run that was cut off has.
    var closed: MetricStore {
      var copy = self
      let open = outstanding.filter { $0.value > 0 }.sorted {
        ($0.key.group, $0.key.endpoint.rawValue) < ($1.key.group, $1.key.endpoint.rawValue)
      }
      for (tags, count) in open {
        let handles = copy.requestHandles(
          RequestTags(group: tags.group, endpoint: tags.endpoint, status: "outstanding", isInjected: false))
        copy.store.add(Int64(count), to: handles.count, at: 0)
      }
      return copy.store
    }

    mutating func requestHandles(_ tags: RequestTags) -> (count: MetricHandle, duration: MetricHandle) {
      if let known = requests[tags] { return known }
      let all = Tags(
        groups[tags.group].tags.pairs.map { (name: $0.name, value: $0.value) } + [
          (name: "endpoint", value: tags.endpoint.word.rawValue), (name: "status", value: tags.status),
          (name: "injected", value: tags.isInjected ? "true" : "false"),
        ])
      let handles = (count: store.handle(.requests, all), duration: store.handle(.requestDuration, all))
      requests[tags] = handles
      return handles
    }

    mutating func arrivalHandle(_ tags: ArrivalTags) -> MetricHandle {
      if let known = arrivals[tags] { return known }
      let all = Tags(
        groups[tags.group].tags.pairs.map { (name: $0.name, value: $0.value) }
          + [(name: "endpoint", value: tags.endpoint.word.rawValue)])
      let handle = store.handle(.arrivals, all)
      arrivals[tags] = handle
      return handle
    }

    /// The tags of a group with others before them.
    func tags(_ pairs: [(String, String)], _ group: Int) -> Tags {
      Tags(
        pairs.map { (name: $0.0, value: $0.1) }
          + groups[group].tags.pairs.map { (name: $0.name, value: $0.value) })
    }

    mutating func exposureHandles(_ group: Int) -> ExposureHandles {
      if let known = exposures[group] { return known }
      let handles = ExposureHandles(groups[group].tags, in: &store)
      exposures[group] = handles
      return handles
    }
  }

  private final class Shard: Sendable {
    let measured: Mutex<Books>
    let warmup: Mutex<Books>

    init(_ groups: [String], _ kind: ClientSpec.Kind, warmupEnd: Int64) {
      measured = Mutex(Books(groups, kind, from: warmupEnd))
      warmup = Mutex(Books(groups, kind, from: 0))
    }
  }

  private let shards: [Shard]
  private let warmupEnd: Int64
  private let groupCount: Int
  private let isFrozen = Atomic<Bool>(false)
  private let peak = Mutex(PeakCounter())
  /// What begins later is not counted.
  private let end = Atomic<Int64>(.max)
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
    self.shards = (0..<shards).map { _ in Shard(groups, scenario.client.kind, warmupEnd: warmupEnd) }
  }

  func write(_ group: Int, at time: Int64, lane: Int = 0, _ body: (inout Books, Int) -> Void) {
    if isFrozen.load(ordering: .relaxed) || time > end.load(ordering: .relaxed) { return }
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

  /// Counts nothing that begins later, and draws up what can only be told of the whole.
  ///
  /// - Parameters:
  ///   - time: The end, in nanoseconds of the run.
  ///   - requests: How many requests all clients have made.
  ///   - instances: How many app instances there are.
  func end(at time: Int64, requests: Int, instances: Int) {
    end.store(time, ordering: .relaxed)
    guard instances > 1, !isFrozen.load(ordering: .relaxed) else { return }
    let hours = Double(time - warmupEnd) / 3.6e12
    let peak = peak.withLock { $0.peak }
    shards[0].measured.withLock { books in
      // An hourly figure of a run of seconds says nothing.
      if hours >= 1 {
        let perHour = books.store.handle(.requestsPerDeviceHour, Tags([]))
        books.store.set(Double(requests) / Double(instances) / hours, of: perHour)
      }
      let arrivals = books.store.handle(.peakArrivals, Tags([]))
      books.store.set(Double(peak), of: arrivals)
    }
  }

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

  /// Counts iterations for which no reader was free; a group of arrivals counts none of them at its start, so that it is
  /// known to have watched.
  func droppedArrivals(_ count: Int, _ group: Int, at time: Int64) {
    write(group, at: time) { books, index in
      let handle = books.store.handle(.droppedArrivals, books.groups[index].tags)
      books.store.add(Int64(count), to: handle, at: time)
    }
  }

  /// Notes that a request started; it is counted as outstanding until its outcome is known.
  func requestStarted(_ line: RequestLine) {
    write(line.group, at: line.started) { books, index in
      books.outstanding[ArrivalTags(group: index, endpoint: line.endpoint), default: 0] += 1
    }
  }

  /// Counts a request, when its outcome is known.
  ///
  /// The status is a code, or `timeout`, `cancelled` or `lost`.
  func request(_ line: RequestLine, status: String, to end: Int64) {
    write(line.group, at: line.started) { books, index in
      let handles = books.requestHandles(
        RequestTags(
          group: index, endpoint: line.endpoint, status: status, isInjected: line.isInjected))
      books.outstanding[ArrivalTags(group: index, endpoint: line.endpoint), default: 0] -= 1
      books.store.add(1, to: handles.count, at: line.started)
      books.store.record(end - line.started, in: handles.duration, at: end)
    }
  }

  /// Counts a request that reached the service.
  func arrival(_ endpoint: Endpoint, _ group: Int, at time: Int64) {
    if time >= warmupEnd, time <= end.load(ordering: .relaxed) { peak.withLock { $0.count(at: time) } }
    write(group, at: time) { books, index in
      books.store.add(1, to: books.arrivalHandle(ArrivalTags(group: index, endpoint: endpoint)), at: time)
    }
  }

  /// Notes how long an answer asks to be left alone, in nanoseconds.
  func retryDelay(_ delay: Int64, _ group: Int, at time: Int64) {
    write(group, at: time) { books, index in
      books.store.record(delay, in: books.store.handle(.retryDelay, books.groups[index].tags), at: time)
    }
  }

  /// Notes that readers begin to be active, or with a negative number cease to be; the warm-up is no exception.
  func active(_ change: Int64, at time: Int64) {
    if isFrozen.load(ordering: .relaxed) { return }
    shards[0].measured.withLock { $0.store.changeLevel(by: change, at: time) }
  }

  // MARK: Anything else

  /// The last time that is measured, for what is only told after it.
  func whatCounts(at time: Int64) -> Int64 { max(min(time, end.load(ordering: .relaxed)), warmupEnd) }

  /// Counts something that has no handle of its own.
  func count(_ metric: Metric, _ tags: [(String, String)], _ group: Int, at time: Int64, by amount: Int = 1) {
    write(group, at: time) { books, index in
      books.store.add(Int64(amount), to: books.store.handle(metric, books.tags(tags, index)), at: time)
    }
  }

  /// Measures something that has no handle of its own.
  func measure(_ metric: Metric, _ value: Int64, _ group: Int, at time: Int64) {
    write(group, at: time) { books, index in
      books.store.record(value, in: books.store.handle(metric, books.tags([], index)), at: time)
    }
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
