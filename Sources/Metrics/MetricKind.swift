/// What a metric is made of, in the words of k6.
public enum MetricKind: String, Sendable, Hashable, CaseIterable {
  /// A number that only grows.
  case counter
  /// A number that is set; the last one counts.
  case gauge
  /// A share: how many of all samples were hits.
  case rate
  /// A distribution of values.
  case trend
}

/// What one unit of a metric's values is.
public enum MetricUnit: String, Sendable, Hashable, CaseIterable {
  /// Things that are counted.
  case count
  /// Durations, in whole nanoseconds.
  case nanoseconds
  /// A share between 0 and 1.
  case ratio
  /// Memory, in bytes.
  case bytes
}
