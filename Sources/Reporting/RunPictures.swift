import Metrics

/// What the pictures of a report show beside the numbers of a ``RunResult``; no part of `result.json`.
public struct RunPictures: Sendable, Equatable {
  /// A stretch of the run in which a fault may strike, or that is no part of what is measured.
  public struct Window: Sendable, Equatable {
    /// What it is, as the name of the fault.
    public var name: String
    /// When it begins, in nanoseconds of the run.
    public var from: Int64
    /// When it ends; nil if it lasts to the end.
    public var until: Int64?

    /// Creates a window.
    public init(name: String, from: Int64, until: Int64?) {
      self.name = name
      self.from = from
      self.until = until
    }
  }

  /// Something that happens at a time, as an entry of the timeline.
  public struct Mark: Sendable, Equatable {
    /// What happens.
    public var words: String
    /// When, in nanoseconds of the run.
    public var at: Int64

    /// Creates a mark.
    public init(words: String, at: Int64) {
      self.words = words
      self.at = at
    }
  }

  /// The distribution of a trend.
  public struct Distribution: Sendable, Equatable {
    /// The trend.
    public var metric: Metric
    /// Its values.
    public var histogram: Histogram

    /// Creates a distribution.
    public init(metric: Metric, histogram: Histogram) {
      self.metric = metric
      self.histogram = histogram
    }
  }

  /// What the scenario says of itself.
  public var description: String
  /// How the run went in time.
  public var course: MetricCourse
  /// The distributions of durations, sorted by metric.
  public var distributions: [Distribution]
  /// The faults that last for a while, in the order of the scenario.
  public var windows: [Window]
  /// The entries of the timeline, in the order of time.
  public var marks: [Mark]
  /// The last steps before the first violation, oldest first.
  public var trail: [String]

  /// The distributions that have values, first the one that tells most of the run.
  public var telling: [Distribution] {
    let order = RunResult.tellingMetrics.map(\.name)
    return distributions.filter { $0.histogram.count > 0 }.enumerated().sorted {
      (order.firstIndex(of: $0.element.metric.name) ?? order.count, $0.offset)
        < (order.firstIndex(of: $1.element.metric.name) ?? order.count, $1.offset)
    }.map(\.element)
  }

  /// Creates pictures; of what is left out there is none.
  public init(
    description: String = "", course: MetricCourse = MetricCourse(bucketNanoseconds: 1_000_000),
    distributions: [Distribution] = [], windows: [Window] = [], marks: [Mark] = [], trail: [String] = []
  ) {
    self.description = description
    self.course = course
    self.distributions = distributions
    self.windows = windows
    self.marks = marks
    self.trail = trail
  }
}
