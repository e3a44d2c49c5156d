/// A condition that a metric of a run must meet, in k6's words: `evaluation_duration` `p(95)<100ms`.
public struct Threshold: Sendable, Hashable {
  /// What is made of a metric's samples to get the one number that is compared.
  public enum Aggregation: Sendable, Hashable {
    /// A counter's value, or how many values a trend has.
    case count
    /// A counter's growth per second of the measured window, or a rate's share of hits.
    case rate
    /// A trend's mean.
    case avg
    /// A trend's least value.
    case min
    /// A trend's median.
    case med
    /// A trend's greatest value.
    case max
    /// A trend's percentile; the number is in percent, 0 to 100.
    case percentile(Double)
    /// A gauge's value.
    case value
  }

  /// How the number is compared with the limit.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// Less than the limit.
    case less = "<"
    /// The limit or less.
    case lessOrEqual = "<="
    /// More than the limit.
    case greater = ">"
    /// The limit or more.
    case greaterOrEqual = ">="
    /// Exactly the limit.
    case equal = "=="
    /// Anything but the limit.
    case notEqual = "!="
  }

  /// The metric, or the part of it, that is judged.
  public let selector: MetricSelector
  /// The expression as it was written, without white space at its ends.
  public let expression: String
  /// What is made of the samples.
  public let aggregation: Aggregation
  /// How the number is compared.
  public let comparison: Comparison
  /// What the number is compared with, in ``unit``.
  let exactLimit: ExactNumber
  /// Whether a metric without samples is no failure.
  public let allowsEmpty: Bool

  /// What the number is compared with, in ``unit``.
  public var limit: Double { exactLimit.approximation }

  /// The unit of the number and of the limit; a counter's rate is a count per second.
  public var unit: MetricUnit { aggregation == .count ? .count : selector.metric.unit }

  /// Judges what a store holds.
  ///
  /// Durations, counts, means and shares are compared exactly, not as binary fractions.
  /// - Complexity: O(r) in the rows of the store; trends merge a histogram for each row that matches.
  /// - Parameters:
  ///   - store: The samples.
  ///   - windowNanoseconds: The length of the measured window, by which a counter's rate is computed.
  /// - Returns: What was observed and whether it is good enough. Without samples the status is `noData`, which is a
  ///   failure unless the threshold allows an empty metric; so it is for a counter's rate in an empty window.
  public func evaluate(in store: MetricStore, windowNanoseconds: Int64) -> ThresholdResult {
    let summary = store.query(selector.metric, selector.tags)
    let observed = summary.flatMap { self.observed(in: $0, windowNanoseconds: windowNanoseconds) }
    let status: ThresholdResult.Status
    if let observed { status = isMet(by: observed) ? .passed : .failed } else { status = .noData }
    return ThresholdResult(
      metric: selector.description,
      expression: expression,
      observed: observed?.approximation,
      limit: limit,
      unit: unit,
      status: status,
      samples: summary?.recordings ?? 0,
      isFailure: status == .failed || status == .noData && !allowsEmpty
    )
  }

  /// The number that is compared.
  private enum Observation {
    case exact(ExactNumber)
    case fraction(Double)

    var approximation: Double {
      switch self {
      case .exact(let number): number.approximation
      case .fraction(let number): number
      }
    }
  }

  private func observed(in summary: MetricSummary, windowNanoseconds: Int64) -> Observation? {
    guard summary.recordings > 0 else { return nil }
    let histogram = summary.histogram
    func whole(_ number: Int64?) -> Observation? { number.map { .exact(ExactNumber(Int128($0))) } }
    switch aggregation {
    case .count: return whole(summary.count)
    case .rate where summary.kind == .rate:
      return .exact(ExactNumber(Int128(summary.hits), over: Int128(summary.count)))
    case .rate:
      guard windowNanoseconds > 0 else { return nil }
      return .exact(ExactNumber(Int128(summary.count) * 1_000_000_000, over: Int128(windowNanoseconds)))
    case .avg: return .exact(ExactNumber(histogram.sum, over: Int128(histogram.count)))
    case .min: return whole(histogram.min)
    case .med: return whole(histogram.percentile(50))
    case .max: return whole(histogram.max)
    case .percentile(let percent): return whole(histogram.percentile(percent))
    case .value: return summary.value.map { .fraction($0) }
    }
  }

  private func isMet(by observed: Observation) -> Bool {
    let order: Int
    switch observed {
    case .exact(let number): order = ExactNumber.order(number, exactLimit)
    case .fraction(let number): order = number < limit ? -1 : number == limit ? 0 : 1
    }
    switch comparison {
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    case .equal: return order == 0
    case .notEqual: return order != 0
    }
  }
}

/// What became of a threshold in a run.
public struct ThresholdResult: Sendable, Equatable {
  /// Whether a threshold was met.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// The number observed meets the condition.
    case passed
    /// The number observed does not meet the condition.
    case failed
    /// There was nothing to judge.
    case noData = "no-data"
  }

  /// The metric with its tags, as `requests{endpoint:evaluate}`.
  public var metric: String
  /// The expression as it was written.
  public var expression: String
  /// The number that was compared, in `unit`; nil without data.
  public var observed: Double?
  /// The number it was compared with, in `unit`.
  public var limit: Double
  /// The unit of both numbers; a counter's rate is a count per second.
  public var unit: MetricUnit
  /// Whether the threshold was met.
  public var status: Status
  /// How many samples were recorded of what was judged.
  public var samples: Int64
  /// Whether the threshold makes the run fail: not met, or without data where an empty metric is not allowed.
  public var isFailure: Bool

  /// Creates a result of given figures.
  public init(
    metric: String,
    expression: String,
    observed: Double?,
    limit: Double,
    unit: MetricUnit,
    status: Status,
    samples: Int64,
    isFailure: Bool
  ) {
    self.metric = metric
    self.expression = expression
    self.observed = observed
    self.limit = limit
    self.unit = unit
    self.status = status
    self.samples = samples
    self.isFailure = isFailure
  }
}
