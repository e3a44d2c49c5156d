/// What is known of one metric, or of the part of it with certain tags: the figures that a kind has, nil elsewhere.
public struct MetricSummary: Sendable, Equatable {
  /// What the metric is made of.
  public let kind: MetricKind
  /// What one unit of its values is.
  public let unit: MetricUnit
  /// A counter's value; the number of a trend's values or a rate's samples; how often a gauge was set.
  public let count: Int64
  /// How often something was recorded; differs from `count` for counters only.
  public let recordings: Int64
  /// How many samples were refused because they make no sense: negative, or no number.
  public let invalid: Int64
  /// A gauge's value: the one that was set last.
  public let value: Double?
  /// How many samples of a rate were hits.
  let hits: Int64
  /// A trend's values.
  public let histogram: Histogram

  /// The exact sum of a trend's values; a counter's value; 0 for the others.
  public var sum: Int128 { kind == .counter ? Int128(count) : histogram.sum }
  /// A rate's share of hits, from 0 to 1.
  public var rate: Double? { kind == .rate && count > 0 ? Double(hits) / Double(count) : nil }
  /// A trend's least value, exactly up to 2⁵³.
  public var min: Double? { histogram.min.map(Double.init) }
  /// A trend's greatest value, exactly up to 2⁵³.
  public var max: Double? { histogram.max.map(Double.init) }
  /// A trend's mean.
  public var avg: Double? { histogram.average }
  /// A trend's median, as ``percentile(_:)``.
  public var med: Double? { percentile(50) }
  /// A trend's 90th percentile, as ``percentile(_:)``.
  public var p90: Double? { percentile(90) }
  /// A trend's 95th percentile, as ``percentile(_:)``.
  public var p95: Double? { percentile(95) }
  /// A trend's 99th percentile, as ``percentile(_:)``.
  public var p99: Double? { percentile(99) }

  /// Returns a percentile of a trend, by nearest rank and less than 1 % off.
  ///
  /// - Complexity: O(1) in the number of values.
  /// - Parameter percent: The share in percent, 0 to 100, with up to six decimals.
  /// - Returns: The value, or nil for other kinds, without values, or for a `percent` outside 0 to 100.
  public func percentile(_ percent: Double) -> Double? { histogram.percentile(percent).map(Double.init) }
}

/// One row of a report: a metric with one full set of tags, or the total of a metric.
///
/// Figures that the kind of metric does not have are nil.
public struct MetricRow: Sendable, Equatable {
  /// The name of the metric.
  public var name: String
  /// What the metric is made of.
  public var kind: MetricKind
  /// What one unit of its values is.
  public var unit: MetricUnit
  /// The tags of the samples; none for the total.
  public var tags: Tags
  /// A counter's value; the number of a trend's values or a rate's samples.
  public var count: Int64?
  /// A counter's growth per second of the measured window; a rate's share of hits.
  public var rate: Double?
  /// A gauge's value.
  public var value: Double?
  /// A trend's least value, exactly.
  public var min: Int64?
  /// A trend's mean.
  public var avg: Double?
  /// A trend's median, less than 1 % off like all percentiles.
  public var med: Int64?
  /// A trend's 90th percentile.
  public var p90: Int64?
  /// A trend's 95th percentile.
  public var p95: Int64?
  /// A trend's 99th percentile.
  public var p99: Int64?
  /// A trend's greatest value, exactly.
  public var max: Int64?
  /// How many samples were refused because they make no sense: negative, or no number.
  public var invalid: Int64

  /// Creates a row of given figures.
  public init(
    name: String,
    kind: MetricKind,
    unit: MetricUnit,
    tags: Tags = .none,
    count: Int64? = nil,
    rate: Double? = nil,
    value: Double? = nil,
    min: Int64? = nil,
    avg: Double? = nil,
    med: Int64? = nil,
    p90: Int64? = nil,
    p95: Int64? = nil,
    p99: Int64? = nil,
    max: Int64? = nil,
    invalid: Int64 = 0
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.tags = tags
    self.count = count
    self.rate = rate
    self.value = value
    self.min = min
    self.avg = avg
    self.med = med
    self.p90 = p90
    self.p95 = p95
    self.p99 = p99
    self.max = max
    self.invalid = invalid
  }

  /// Creates the row of a summary.
  init(metric: Metric, tags: Tags, summary: MetricSummary, windowNanoseconds: Int64?) {
    self.init(
      name: metric.name,
      kind: metric.kind,
      unit: metric.unit,
      tags: tags,
      count: metric.kind == .gauge ? nil : summary.count,
      rate: summary.rate,
      value: summary.value,
      min: summary.histogram.min,
      avg: summary.avg,
      med: summary.histogram.percentile(50),
      p90: summary.histogram.percentile(90),
      p95: summary.histogram.percentile(95),
      p99: summary.histogram.percentile(99),
      max: summary.histogram.max,
      invalid: summary.invalid
    )
    if metric.kind == .counter, let windowNanoseconds, windowNanoseconds > 0 {
      rate = Double(summary.count) / (Double(windowNanoseconds) / 1e9)
    }
  }
}
