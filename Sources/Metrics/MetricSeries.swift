// Metrics over time in bounded memory.
//
// The idea: all series of a store share one time axis, cut into at most 600 buckets that begin at time 0. When a
// sample lies behind the last bucket, neighbours are added together and the width doubles, as often as needed.
// The outcome depends on the samples alone, not on their order, so two runs of one seed have the same series,
// and the series of many parts can be merged.
//
// Not modelled: percentiles over time. A bucket keeps count, sum and maximum.

/// A metric over time: what was recorded in each of up to 600 equally long stretches of a run.
public struct MetricSeries: Sendable, Equatable {
  /// One stretch of time.
  public struct Point: Sendable, Equatable {
    // The sum first: a 16-byte number in the middle would cost a third of the memory in gaps.
    /// The sum of a trend's values; the hits of a rate; for a counter equal to `count`.
    public var sum: Int128 = 0
    /// How much a counter grew; how many samples of a trend or a rate were recorded.
    public var count: Int64 = 0
    /// The greatest value of a trend; 0 for the others and for a stretch without samples.
    public var max: Int64 = 0

    /// Creates a stretch.
    public init(count: Int64 = 0, sum: Int128 = 0, max: Int64 = 0) {
      self.count = count
      self.sum = sum
      self.max = max
    }

    mutating func merge(_ other: Point) {
      sum += other.sum
      count += other.count
      if other.max > max { max = other.max }
    }
  }

  /// The metric.
  public let metric: Metric
  /// How long each stretch is, in nanoseconds; the first begins at time 0 of the recorded times.
  public let bucketNanoseconds: Int64
  /// The stretches in the order of time, up to the last one that has a sample.
  public let points: [Point]
}

/// The time axis that all series of a store share.
struct TimeAxis: Sendable {
  static let bucketLimit: Int64 = 600
  /// The width of the buckets at the start: a millisecond, so that short runs show their shape.
  static let finestNanoseconds: Int64 = 1_000_000

  private(set) var nanosecondsPerBucket = TimeAxis.finestNanoseconds
  // Samples come in the order of time, mostly in the bucket of the one before: this saves the division.
  private var lastBucket = 0
  private var lastBegin: Int64 = 0

  /// Returns the bucket of a time, or nil if the axis must become coarser first.
  ///
  /// A time before 0 belongs to the first bucket: what came before the origin is no reason to lose a sample.
  mutating func bucket(of nanoseconds: Int64) -> Int? {
    let time = Swift.max(nanoseconds, 0)
    let sinceLast = time - lastBegin
    if sinceLast >= 0, sinceLast < nanosecondsPerBucket { return lastBucket }
    let bucket = time / nanosecondsPerBucket
    guard bucket < TimeAxis.bucketLimit else { return nil }
    lastBucket = Int(bucket)
    lastBegin = bucket * nanosecondsPerBucket
    return lastBucket
  }

  /// Doubles the width of the buckets.
  mutating func coarsen() {
    nanosecondsPerBucket *= 2
    lastBucket = 0
    lastBegin = 0
  }
}

/// The samples of one metric, or of one part of it, on the store's time axis.
struct SeriesCell: Sendable {
  let metric: Metric
  /// The value of the metric's course tag; nil for the whole, and for samples without that tag.
  let part: String?
  private(set) var points: [MetricSeries.Point] = []

  init(metric: Metric, part: String? = nil) {
    self.metric = metric
    self.part = part
  }

  mutating func record(count: Int64, sum: Int128, max: Int64, inBucket bucket: Int) {
    if bucket >= points.count {
      points.append(contentsOf: repeatElement(.init(), count: bucket + 1 - points.count))
    }
    points[bucket].merge(.init(count: count, sum: sum, max: max))
  }

  /// Adds each bucket to its neighbour, for an axis twice as coarse.
  mutating func coarsen() {
    var halved: [MetricSeries.Point] = []
    halved.reserveCapacity((points.count + 1) / 2)
    for (bucket, point) in points.enumerated() {
      if bucket.isMultiple(of: 2) {
        halved.append(point)
      } else {
        halved[halved.count - 1].merge(point)
      }
    }
    points = halved
  }

  /// Adds the samples of another series whose buckets are as wide.
  mutating func merge(_ other: [MetricSeries.Point]) {
    for (bucket, point) in other.enumerated() {
      record(count: point.count, sum: point.sum, max: point.max, inBucket: bucket)
    }
  }
}
