/// How a run went in time, for pictures: what `result.json` gives as series, kept apart by part, with heat maps and levels.
public struct MetricCourse: Sendable, Equatable {
  /// The course of the samples of one metric that have one value of its course tag.
  public struct Part: Sendable, Equatable {
    /// The metric.
    public let metric: Metric
    /// The value of the metric's course tag.
    public let value: String
    /// The stretches in the order of time, up to the last one that has a sample.
    public let points: [MetricSeries.Point]

    /// Creates a part.
    public init(metric: Metric, value: String, points: [MetricSeries.Point]) {
      self.metric = metric
      self.value = value
      self.points = points
    }
  }

  /// How long each stretch is, in nanoseconds; the first begins at time 0 of the recorded times.
  public let bucketNanoseconds: Int64
  /// The parts, sorted by metric and value.
  public let parts: [Part]
  /// A map for each trend of durations that has samples, sorted by metric.
  public let maps: [HeatMap]
  /// The level, as the number of active readers, at the end of each stretch; empty if it never changed.
  public let levels: [Int64]

  /// Creates a course.
  ///
  /// - Parameters:
  ///   - bucketNanoseconds: How long each stretch is, in nanoseconds.
  ///   - parts: The parts, sorted by metric and value.
  ///   - maps: The heat maps, sorted by metric.
  ///   - levels: The level at the end of each stretch.
  public init(bucketNanoseconds: Int64, parts: [Part] = [], maps: [HeatMap] = [], levels: [Int64] = []) {
    self.bucketNanoseconds = bucketNanoseconds
    self.parts = parts
    self.maps = maps
    self.levels = levels
  }
}

/// The changes of a level on the store's time axis.
struct LevelCell: Sendable {
  private var changes: [Int64] = []

  mutating func record(_ change: Int64, inBucket bucket: Int) {
    if bucket >= changes.count {
      changes.append(contentsOf: repeatElement(0, count: bucket + 1 - changes.count))
    }
    changes[bucket] += change
  }

  /// The level at the end of each bucket.
  var levels: [Int64] {
    var level: Int64 = 0
    return changes.map { change in
      level += change
      return level
    }
  }

  /// Adds each bucket to its neighbour, for an axis twice as coarse.
  mutating func coarsen() {
    changes = stride(from: 0, to: changes.count, by: 2).map { bucket in
      changes[bucket] + (bucket + 1 < changes.count ? changes[bucket + 1] : 0)
    }
  }

  /// Adds the changes of another level whose buckets are as wide.
  mutating func merge(_ other: LevelCell) {
    for (bucket, change) in other.changes.enumerated() { record(change, inBucket: bucket) }
  }
}
