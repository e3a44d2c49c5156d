/// A flag as the project defines it: a default, and what comes before it.
///
/// A reader gets, in this order (BEHAVIOUR §3, "Resolution"): the user's own value, which is no part of the
/// definition; the variant of the running experiment, if the reader is in it; the value of the first
/// condition that matches; the default.
public struct FlagDefinition: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The value of everybody for whom nothing else holds; publishing renews it within its type.
  public var value: AttributeValue
  /// The conditions, of which the first that matches counts.
  public var conditions: [FlagCondition]
  /// The experiment, whether it runs or not.
  public var experiment: FlagExperiment?

  /// Creates a definition.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value of everybody for whom nothing else holds.
  ///   - conditions: The conditions, of which the first that matches counts.
  ///   - experiment: The experiment.
  public init(
    key: String, value: AttributeValue, conditions: [FlagCondition] = [], experiment: FlagExperiment? = nil
  ) {
    self.key = key
    self.value = value
    self.conditions = conditions
    self.experiment = experiment
  }
}

/// A value for the readers of whom everything that is asked for is true.
public struct FlagCondition: Hashable, Sendable {
  /// What must be true of a reader, all of it; an empty condition matches everybody.
  public var criteria: [FlagCriterion]
  /// What such a reader gets.
  public var value: AttributeValue

  /// Creates a condition.
  ///
  /// - Parameters:
  ///   - criteria: What must be true of a reader, all of it.
  ///   - value: What such a reader gets.
  public init(_ criteria: [FlagCriterion], value: AttributeValue) {
    self.criteria = criteria
    self.value = value
  }
}

/// One thing that a condition asks of a reader, the app or the time.
public enum FlagCriterion: Hashable, Sendable {
  /// The app says that it runs on this platform; compared exactly.
  case platform(String)
  /// The app's version is at least `from` and below `below`, part by part as numbers; nil leaves an end open.
  ///
  /// A version that is no row of numbers is in no range.
  case versions(from: String?, below: String?)
  /// The app's language is this one or a regional form of it: `de` takes `de-AT`; in any case.
  case language(String)
  /// The reader is among this many percent of all, by a stable hash of the reader and the flag.
  case percentile(below: Int)
  /// The request came from this country.
  case country(String)
  /// The service's clock is in the window.
  case clock(ClockWindow)
  /// The reader allows personalization and is in the audience.
  case audience(String)
}

/// A span of the service's clock, open at its end.
public struct ClockWindow: Hashable, Sendable {
  /// The first instant in it, in nanoseconds since 1970.
  public var from: Int64
  /// The first instant behind it, in nanoseconds since 1970; `Int64.max` for a window that stays open.
  public var until: Int64

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - from: The first instant in it, in nanoseconds since 1970.
  ///   - until: The first instant behind it, in nanoseconds since 1970; not after `from` for an empty window.
  public init(from: Int64, until: Int64) {
    self.from = from
    self.until = until
  }

  func contains(_ instant: Int64) -> Bool { from <= instant && instant < until }

  /// The first instant after the given one at which it opens or closes; nil if there is none.
  func boundary(after instant: Int64) -> Int64? {
    guard from < until else { return nil }
    if instant < from { return from }
    return instant < until && until < .max ? until : nil
  }
}

/// An experiment on a flag: a variant for each reader who is in it.
public struct FlagExperiment: Hashable, Sendable {
  /// One of its variants.
  public struct Variant: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The share of readers who get it, relative to the other variants and those outside.
    public var weight: Int
    /// What they get.
    public var value: AttributeValue

    /// Creates a variant.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - weight: The share of readers who get it; negative counts as 0.
    ///   - value: What they get.
    public init(_ name: String, weight: Int, value: AttributeValue) {
      self.name = name
      self.weight = max(0, weight)
      self.value = value
    }
  }

  /// The name.
  public var name: String
  /// The variants.
  public var variants: [Variant]
  /// The share of readers who are not in it, relative to the weights of the variants.
  public var outside: Int
  /// Whether it runs.
  public var isRunning: Bool

  /// Creates an experiment.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - variants: The variants.
  ///   - outside: The share of readers who are not in it; negative counts as 0.
  ///   - isRunning: Whether it runs.
  public init(_ name: String, variants: [Variant], outside: Int = 0, isRunning: Bool = true) {
    self.name = name
    self.variants = variants
    self.outside = max(0, outside)
    self.isRunning = isRunning
  }

  /// The variant of the reader with this hash; nil for one who is outside.
  func variant(of hash: UInt64) -> Variant? {
    let total = variants.reduce(outside) { $0 + $1.weight }
    guard total > 0 else { return nil }
    var place = Int(hash % UInt64(total))
    for variant in variants {
      if place < variant.weight { return variant }
      place -= variant.weight
    }
    return nil
  }
}
