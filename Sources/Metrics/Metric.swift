/// The name of something that a run measures, with what is needed to record, to explain and to judge it.
///
/// The metrics of this project are the static members, collected in ``catalogue``. A metric is its name: two
/// metrics with equal names are equal.
public struct Metric: Sendable {
  /// A tag that the samples of a metric carry.
  public struct Tag: Sendable, Hashable {
    /// The name of the tag, as in `requests{endpoint:evaluate}`.
    public let name: String
    /// What the tag says, in one line.
    public let summary: String
    /// Every value the tag can have; nil if the set is open.
    public let values: [String]?

    /// Creates a tag.
    ///
    /// - Parameters:
    ///   - name: The name of the tag.
    ///   - summary: What the tag says, in one line.
    ///   - values: Every value the tag can have; nil if the set is open.
    public init(name: String, summary: String, values: [String]? = nil) {
      self.name = name
      self.summary = summary
      self.values = values
    }
  }

  /// The name that reports and thresholds use, in lower case with underscores.
  public let name: String
  /// What the metric is made of.
  public let kind: MetricKind
  /// What one unit of its values is.
  public let unit: MetricUnit
  /// What is measured, in one line.
  public let summary: String
  /// The tags that its samples may carry besides `group`, which every metric may carry.
  public let tags: [Tag]
  /// Whether one thing may be counted under several tag sets, so that adding them up would count it twice.
  ///
  /// Such a metric has no total row and no series.
  public let hasOverlappingParts: Bool
  /// The tag by whose values the metric's course over time is kept apart, as `status` of `requests`; nil if it is not.
  public let courseTag: Tag?

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - name: The name that reports and thresholds use, in lower case with underscores.
  ///   - kind: What the metric is made of.
  ///   - unit: What one unit of its values is.
  ///   - summary: What is measured, in one line.
  ///   - tags: The tags that its samples may carry besides `group`.
  ///   - hasOverlappingParts: Whether one thing may be counted under several tag sets.
  ///   - courseTag: The tag by whose values the course over time is kept apart.
  public init(
    name: String,
    kind: MetricKind,
    unit: MetricUnit,
    summary: String,
    tags: [Tag] = [],
    hasOverlappingParts: Bool = false,
    courseTag: Tag? = nil
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.summary = summary
    self.tags = tags
    self.hasOverlappingParts = hasOverlappingParts
    self.courseTag = courseTag
  }

  /// The tag that every metric may carry: the readers' group in the scenario (DESIGN §4).
  public static let groupTag = Tag(name: "group", summary: "The group of readers in the scenario.")

  /// Returns the tag with the given name that samples of this metric may carry.
  ///
  /// - Complexity: O(n) in the number of the metric's tags.
  /// - Parameter name: The name of the tag.
  /// - Returns: The tag, `group` included, or nil if the metric carries no such tag.
  public func tag(named name: String) -> Tag? {
    name == Metric.groupTag.name ? Metric.groupTag : tags.first { $0.name == name }
  }
}

extension Metric: Hashable {
  /// Returns whether two metrics have the same name.
  public static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

  /// Mixes in the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
