import Metrics

/// One condition on a metric: a run whose metrics do not meet it fails.
public struct ThresholdSpec: Sendable, Equatable {
  /// The condition.
  public let threshold: Threshold
  /// Whether the run ends as soon as the condition fails.
  public let abortsOnFailure: Bool
  /// How long after the start of the run a failure may first end it.
  public let abortDelay: Duration

  /// The metric with its tags, such as `requests{endpoint:evaluate}`.
  ///
  /// - Complexity: O(n) in the number of tags.
  public var metric: String { threshold.selector.description }

  /// The condition as the file spells it, such as `count==1`.
  public var expression: String { threshold.expression }

  /// Whether a metric without samples passes.
  public var allowsEmpty: Bool { threshold.allowsEmpty }
}
