/// What a flags project holds at first, and what it keeps.
///
/// Equal plans give equal projects in every process.
public struct FlagsPlan: Hashable, Sendable {
  /// A value of one user's own.
  public struct UserValue: Hashable, Sendable {
    /// The user.
    public var user: String
    /// The key of the flag.
    public var key: String
    /// The value.
    public var value: AttributeValue

    /// Creates a user's own value.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - key: The key of the flag.
    ///   - value: The value.
    public init(user: String, key: String, value: AttributeValue) {
      self.user = user
      self.key = key
      self.value = value
    }
  }

  /// Decides types, values, conditions, experiments and every share of readers.
  public var seed: UInt64
  /// How many flags are defined, at least as many as there are keys.
  public var flags: Int
  /// The keys of the first flags; the others are generated: `flag_0001` and so on.
  public var keys: [String]
  /// The flags on which an experiment runs from the start; they are defined if they are not among the keys.
  public var experiments: [String]
  /// The users' own values, the later one of two for the same user and flag; their flags are defined.
  public var userValues: [UserValue]
  /// Whether flags get conditions; experiments are independent of it.
  public var hasConditions: Bool
  /// The audiences that conditions may ask for; none for no such condition.
  public var audiences: [String]
  /// Whether readers allow personalization until they are said not to.
  public var allowsPersonalization: Bool
  /// The spans of time that conditions may ask for; none for no such condition.
  public var windows: [ClockWindow]
  /// The service's clock when version 1 begins, in nanoseconds since 1970.
  public var startsAt: Int64
  /// For how many versions a deletion is remembered; a delta that would need an older one is answered 410.
  public var deletionsKept: Int
  /// How many earlier versions are kept for deltas and for replicas that lag.
  public var historyLimit: Int
  /// The key that every request must carry as `apikey`.
  public var apiKey: String

  /// Creates a plan; without arguments, that of an empty project.
  ///
  /// - Parameters:
  ///   - seed: Decides types, values, conditions, experiments and every share of readers.
  ///   - flags: How many flags are defined, at least as many as there are keys.
  ///   - keys: The keys of the first flags.
  ///   - experiments: The flags on which an experiment runs from the start.
  ///   - userValues: The users' own values.
  ///   - hasConditions: Whether flags get conditions.
  ///   - audiences: The audiences that conditions may ask for.
  ///   - allowsPersonalization: Whether readers allow personalization until they are said not to.
  ///   - windows: The spans of time that conditions may ask for.
  ///   - startsAt: The service's clock when version 1 begins, in nanoseconds since 1970.
  ///   - deletionsKept: For how many versions a deletion is remembered; negative counts as 0.
  ///   - historyLimit: How many earlier versions are kept; fewer than 64 count as 64.
  ///   - apiKey: The key that every request must carry.
  public init(
    seed: UInt64 = 0,
    flags: Int = 0,
    keys: [String] = [],
    experiments: [String] = [],
    userValues: [UserValue] = [],
    hasConditions: Bool = true,
    audiences: [String] = [],
    allowsPersonalization: Bool = true,
    windows: [ClockWindow] = [],
    startsAt: Int64 = 0,
    deletionsKept: Int = 16,
    historyLimit: Int = 64,
    apiKey: String = "key"
  ) {
    self.seed = seed
    self.flags = flags
    self.keys = keys
    self.experiments = experiments
    self.userValues = userValues
    self.hasConditions = hasConditions
    self.audiences = audiences
    self.allowsPersonalization = allowsPersonalization
    self.windows = windows
    self.startsAt = startsAt
    self.deletionsKept = max(0, deletionsKept)
    self.historyLimit = max(64, historyLimit)
    self.apiKey = apiKey
  }
}
