// Everything a run measures, as one plain value.
//
// The idea: whoever records asks once for a handle of a metric with a full set of tags; the handle holds positions
// in flat arrays, so that recording through it looks nothing up. A sample is recorded under one full tag set only;
// less specific questions merge the rows that match, so parts never have to be recorded twice.
//
// A store has no lock. In virtual time one owner has it; on many threads each has its own, and `merge` adds them.

/// A metric with a full set of tags, ready for recording into the store that made it and into copies of that store.
public struct MetricHandle: Sendable, Hashable {
  fileprivate let kind: MetricKind
  /// Where the cell is, among the cells of its kind.
  fileprivate let cell: Int32
  /// Where the series of the metric, or of its part, is, or −1.
  fileprivate let series: Int32
  /// Where the metric's heat map is, or −1.
  fileprivate let heat: Int32
}

/// What a run measures: counters, gauges, rates and trends by metric and tags, and their course over time.
public struct MetricStore: Sendable {
  private struct Key: Hashable {
    let metric: Metric
    let tags: Tags
  }

  /// A counter's or a rate's figures.
  private struct Tally {
    /// How much a counter grew; how many samples a rate has.
    var count: Int64 = 0
    var recordings: Int64 = 0
    var hits: Int64 = 0
    var invalid: Int64 = 0

    mutating func add(_ growth: Int64, hits newHits: Int64 = 0) {
      count += growth
      recordings += 1
      hits += newHits
    }

    mutating func merge(_ other: Tally) {
      count += other.count
      recordings += other.recordings
      hits += other.hits
      invalid += other.invalid
    }
  }

  private struct Gauge {
    var value: Double?
    /// The store's number of this setting, by which the last one of several is known.
    var setting: Int64 = 0
    var count: Int64 = 0
    var invalid: Int64 = 0
  }

  private var keys: [Key] = []
  private var handles: [MetricHandle] = []
  private var handleOfKey: [Key: MetricHandle] = [:]
  private var tallies: [Tally] = []
  private var gauges: [Gauge] = []
  private var trends: [Histogram] = []
  private var settings: Int64 = 0
  private var axis = TimeAxis()
  private var seriesCells: [SeriesCell] = []
  private var heatCells: [HeatCell] = []
  private var levelCell = LevelCell()

  /// Creates a store without samples.
  public init() {}

  // MARK: Recording

  /// Returns the handle through which samples of a metric with exactly these tags are recorded.
  ///
  /// A handle alone is no sample: a metric that was only asked for stays empty.
  /// - Complexity: O(1) on average when asked again, O(m) in the number of metrics the first time.
  /// - Parameters:
  ///   - metric: The metric.
  ///   - tags: The full set of tags.
  /// - Returns: The handle, the same one for equal arguments.
  public mutating func handle(_ metric: Metric, _ tags: Tags) -> MetricHandle {
    let key = Key(metric: metric, tags: tags)
    if let known = handleOfKey[key] {
      guard known.kind == metric.kind else { mismatch("\(metric.name) is a \(known.kind)", metric.kind) }
      return known
    }
    let cell: Int
    switch metric.kind {
    case .counter, .rate:
      cell = tallies.count
      tallies.append(Tally())
    case .gauge:
      cell = gauges.count
      gauges.append(Gauge())
    case .trend:
      cell = trends.count
      trends.append(Histogram())
    }
    let part = metric.courseTag.flatMap { tag in tags.pairs.first { $0.name == tag.name }?.value }
    let made = MetricHandle(
      kind: metric.kind, cell: Int32(cell), series: Int32(seriesPosition(of: metric, part)),
      heat: Int32(heatPosition(of: metric)))
    keys.append(key)
    handles.append(made)
    handleOfKey[key] = made
    return made
  }

  /// Adds to a counter.
  ///
  /// Adding 0 is a sample too: it says that the thing was watched and did not happen.
  /// - Complexity: O(1) amortised.
  /// - Parameters:
  ///   - count: How much to add; a negative number is counted as invalid and not added.
  ///   - handle: A handle of a counter.
  ///   - nanoseconds: The time, in nanoseconds since the origin of the recorded times.
  public mutating func add(_ count: Int64 = 1, to handle: MetricHandle, at nanoseconds: Int64) {
    guard handle.kind == .counter else { mismatch("add(_:to:at:) needs a counter", handle.kind) }
    guard count >= 0 else {
      tallies[Int(handle.cell)].invalid += 1
      return
    }
    tallies[Int(handle.cell)].add(count)
    extend(handle.series, count: count, sum: Int128(count), max: 0, at: nanoseconds)
  }

  /// Records a value of a trend.
  ///
  /// - Complexity: O(1) amortised.
  /// - Parameters:
  ///   - value: The value in the metric's unit; a negative one is counted as invalid and not recorded.
  ///   - handle: A handle of a trend.
  ///   - nanoseconds: The time, in nanoseconds since the origin of the recorded times.
  public mutating func record(_ value: Int64, in handle: MetricHandle, at nanoseconds: Int64) {
    guard handle.kind == .trend else { mismatch("record(_:in:at:) needs a trend", handle.kind) }
    trends[Int(handle.cell)].record(value)
    guard value >= 0, handle.series >= 0 else { return }
    let bucket = bucket(of: nanoseconds)
    seriesCells[Int(handle.series)].record(count: 1, sum: Int128(value), max: value, inBucket: bucket)
    if handle.heat >= 0 { heatCells[Int(handle.heat)].record(value, inBucket: bucket) }
  }

  /// Sets a gauge.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - value: The value in the metric's unit; one that is not finite is counted as invalid and not set.
  ///   - handle: A handle of a gauge.
  public mutating func set(_ value: Double, of handle: MetricHandle) {
    guard handle.kind == .gauge else { mismatch("set(_:of:) needs a gauge", handle.kind) }
    guard value.isFinite else {
      gauges[Int(handle.cell)].invalid += 1
      return
    }
    settings += 1
    gauges[Int(handle.cell)].value = value
    gauges[Int(handle.cell)].setting = settings
    gauges[Int(handle.cell)].count += 1
  }

  /// Records a sample of a rate.
  ///
  /// - Complexity: O(1) amortised.
  /// - Parameters:
  ///   - hit: Whether the sample is one of those whose share is asked for.
  ///   - handle: A handle of a rate.
  ///   - nanoseconds: The time, in nanoseconds since the origin of the recorded times.
  public mutating func rate(_ hit: Bool, in handle: MetricHandle, at nanoseconds: Int64) {
    guard handle.kind == .rate else { mismatch("rate(_:in:at:) needs a rate", handle.kind) }
    tallies[Int(handle.cell)].add(1, hits: hit ? 1 : 0)
    extend(handle.series, count: 1, sum: hit ? 1 : 0, max: 0, at: nanoseconds)
  }

  /// Notes that the level, as the number of active readers, rises or falls.
  ///
  /// - Complexity: O(1) amortised.
  /// - Parameters:
  ///   - change: By how much.
  ///   - nanoseconds: The time, in nanoseconds since the origin of the recorded times.
  public mutating func changeLevel(by change: Int64, at nanoseconds: Int64) {
    levelCell.record(change, inBucket: bucket(of: nanoseconds))
  }

  /// Adds all samples of another store, as if they had been recorded here after the ones here.
  ///
  /// Handles of this store stay good. The order of merging matters to gauges only: the last setting counts.
  /// - Complexity: O(r + s) in the other store's rows and series points.
  /// - Parameter other: The store to add.
  public mutating func merge(_ other: MetricStore) {
    let settingsBefore = settings
    for (key, from) in zip(other.keys, other.handles) {
      let into = Int(handle(key.metric, key.tags).cell)
      switch from.kind {
      case .counter, .rate:
        tallies[into].merge(other.tallies[Int(from.cell)])
      case .gauge:
        let gauge = other.gauges[Int(from.cell)]
        if let value = gauge.value {
          gauges[into].value = value
          gauges[into].setting = settingsBefore + gauge.setting
        }
        gauges[into].count += gauge.count
        gauges[into].invalid += gauge.invalid
      case .trend:
        trends[into].merge(other.trends[Int(from.cell)])
      }
    }
    settings += other.settings
    mergeSeries(of: other)
  }

  // MARK: Asking

  /// Returns one row for each metric and full tag set that has samples, and one total for each metric.
  ///
  /// The total has no tags and comes first. It is left out where adding up makes no sense: for gauges, and where
  /// parts overlap. Samples recorded without tags have no row of their own beside a total.
  /// - Complexity: O(r log r) in the number of rows.
  /// - Parameter windowNanoseconds: The length of the measured window, by which a counter's rate is computed; nil
  ///   or 0 for no such rates.
  /// - Returns: The rows, sorted by name, then by tags.
  public func rows(windowNanoseconds: Int64? = nil) -> [MetricRow] {
    var rows: [MetricRow] = []
    for metric in Set(keys.map(\.metric)).sorted(by: { $0.name < $1.name }) {
      let tagSets = keys.filter { $0.metric == metric }.map(\.tags).sorted()
      let isSummable = metric.kind != .gauge && !metric.hasOverlappingParts
      if isSummable, let total = query(metric, .none) {
        rows.append(
          MetricRow(metric: metric, tags: .none, summary: total, windowNanoseconds: windowNanoseconds)
        )
      }
      for tags in tagSets where !(isSummable && tags.isEmpty) {
        if let part = summary(of: metric, where: { $0 == tags }) {
          rows.append(
            MetricRow(metric: metric, tags: tags, summary: part, windowNanoseconds: windowNanoseconds)
          )
        }
      }
    }
    return rows
  }

  /// Returns the course over time of each counter, rate and trend that has samples and no overlapping parts.
  ///
  /// - Complexity: O(m·600) for m metrics.
  /// - Returns: The series, sorted by name, all with equally long stretches.
  public func series() -> [MetricSeries] {
    var whole: [SeriesCell] = []
    for cell in seriesCells where !cell.points.isEmpty {
      if let position = whole.firstIndex(where: { $0.metric == cell.metric }) {
        whole[position].merge(cell.points)
      } else {
        whole.append(cell)
      }
    }
    return whole.sorted { $0.metric.name < $1.metric.name }.map {
      MetricSeries(metric: $0.metric, bucketNanoseconds: axis.nanosecondsPerBucket, points: $0.points)
    }
  }

  /// Returns how the run went in time, for pictures: what ``series()`` tells, by parts, with heat maps and the level.
  ///
  /// - Complexity: O(m·600) for m metrics and parts.
  public func course() -> MetricCourse {
    let parts = seriesCells.filter { $0.part != nil && !$0.points.isEmpty }.sorted {
      ($0.metric.name, $0.part ?? "") < ($1.metric.name, $1.part ?? "")
    }
    let maps = heatCells.filter { !$0.columns.isEmpty }.sorted { $0.metric.name < $1.metric.name }
    let columnWidth = axis.nanosecondsPerBucket * Int64(HeatCell.stretchesPerColumn)
    return MetricCourse(
      bucketNanoseconds: axis.nanosecondsPerBucket,
      parts: parts.map { MetricCourse.Part(metric: $0.metric, value: $0.part ?? "", points: $0.points) },
      maps: maps.map { HeatMap(metric: $0.metric, columnNanoseconds: columnWidth, columns: $0.columns) },
      levels: levelCell.levels)
  }

  /// Returns what is known of a metric where its tags contain the given ones.
  ///
  /// - Complexity: O(r) in the number of rows; trends merge a histogram for each row that matches.
  /// - Parameters:
  ///   - metric: The metric.
  ///   - tags: The tags that a row must contain; none for all rows.
  /// - Returns: The figures, or nil if nothing was recorded there, not even something invalid.
  public func query(_ metric: Metric, _ tags: Tags = .none) -> MetricSummary? {
    summary(of: metric, where: { $0.contains(tags) })
  }

  private func summary(of metric: Metric, where isWanted: (Tags) -> Bool) -> MetricSummary? {
    var tally = Tally()
    var gauge = Gauge()
    var histogram = Histogram()
    for (key, handle) in zip(keys, handles) where key.metric == metric && isWanted(key.tags) {
      switch handle.kind {
      case .counter, .rate:
        tally.merge(tallies[Int(handle.cell)])
      case .gauge:
        let part = gauges[Int(handle.cell)]
        if part.setting > gauge.setting { (gauge.value, gauge.setting) = (part.value, part.setting) }
        gauge.count += part.count
        gauge.invalid += part.invalid
      case .trend:
        histogram.merge(trends[Int(handle.cell)])
      }
    }
    let recordings = tally.recordings + gauge.count + histogram.count
    let invalid = tally.invalid + gauge.invalid + histogram.invalid
    guard recordings + invalid > 0 else { return nil }
    return MetricSummary(
      kind: metric.kind,
      unit: metric.unit,
      count: tally.count + gauge.count + histogram.count,
      recordings: recordings,
      invalid: invalid,
      value: gauge.value,
      hits: tally.hits,
      histogram: histogram
    )
  }

  // MARK: Series

  /// Returns where the series of a metric, or of a part of it, is, made if need be; −1 for a metric that has none.
  private mutating func seriesPosition(of metric: Metric, _ part: String?) -> Int {
    guard metric.kind != .gauge, !metric.hasOverlappingParts else { return -1 }
    if let position = seriesCells.firstIndex(where: { $0.metric == metric && $0.part == part }) {
      return position
    }
    seriesCells.append(SeriesCell(metric: metric, part: part))
    return seriesCells.count - 1
  }

  /// Returns where the heat map of a metric is, made if need be; −1 for a metric that has none.
  private mutating func heatPosition(of metric: Metric) -> Int {
    guard metric.kind == .trend, metric.unit == .nanoseconds, !metric.hasOverlappingParts else { return -1 }
    if let position = heatCells.firstIndex(where: { $0.metric == metric }) { return position }
    heatCells.append(HeatCell(metric: metric))
    return heatCells.count - 1
  }

  /// Returns the bucket of a time, after making the axis coarser if need be.
  private mutating func bucket(of nanoseconds: Int64) -> Int {
    while true {
      if let bucket = axis.bucket(of: nanoseconds) { return bucket }
      coarsen()
    }
  }

  private mutating func extend(
    _ series: Int32,
    count: Int64,
    sum: Int128,
    max: Int64,
    at nanoseconds: Int64
  ) {
    guard series >= 0 else { return }
    let bucket = bucket(of: nanoseconds)
    seriesCells[Int(series)].record(count: count, sum: sum, max: max, inBucket: bucket)
  }

  private mutating func coarsen() {
    axis.coarsen()
    for position in seriesCells.indices { seriesCells[position].coarsen() }
    for position in heatCells.indices { heatCells[position].coarsen() }
    levelCell.coarsen()
  }

  private mutating func mergeSeries(of other: MetricStore) {
    while axis.nanosecondsPerBucket < other.axis.nanosecondsPerBucket { coarsen() }
    var other = other
    while other.axis.nanosecondsPerBucket < axis.nanosecondsPerBucket { other.coarsen() }
    for cell in other.seriesCells {
      let into = seriesPosition(of: cell.metric, cell.part)
      if into >= 0 { seriesCells[into].merge(cell.points) }
    }
    for cell in other.heatCells {
      let into = heatPosition(of: cell.metric)
      if into >= 0 { heatCells[into].merge(cell.columns) }
    }
    levelCell.merge(other.levelCell)
  }
}

/// Ends the process: a handle of one kind was used for another, which only a bug can do.
private func mismatch(_ what: String, _ kind: MetricKind) -> Never {
  fatalError("Metrics: \(what), not a \(kind)")
}
