/// What a client of the kind `flags` is configured with besides what both kinds have (BEHAVIOUR §3).
public struct FlagsClientSpec: Sendable, Equatable {
  /// The language of the context, sent with every read.
  public let language: String
  /// Whether each app instance starts with its user signed in; otherwise it starts as this install.
  public let startsSignedIn: Bool
  /// Whether analytics and personalization are allowed from the start, and `pb.analytics` is used at launch.
  public let consents: Bool
  /// Whether the app has a realtime transport; without one only `refresh()` brings values up to date.
  public let usesRealtime: Bool
  /// How long the launches of the instances are spread over; zero launches all at once.
  public let launchWithin: Duration

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - language: The language of the context.
  ///   - startsSignedIn: Whether each app instance starts with its user signed in.
  ///   - consents: Whether analytics and personalization are allowed from the start.
  ///   - usesRealtime: Whether the app has a realtime transport.
  ///   - launchWithin: How long the launches of the instances are spread over.
  public init(
    language: String = "en", startsSignedIn: Bool = true, consents: Bool = true, usesRealtime: Bool = true,
    launchWithin: Duration = .zero
  ) {
    self.language = language
    self.startsSignedIn = startsSignedIn
    self.consents = consents
    self.usesRealtime = usesRealtime
    self.launchWithin = launchWithin
  }
}

/// The project whose flags clients of the kind `flags` hold.
public struct ProjectSpec: Sendable, Equatable {
  /// The flags with a running experiment at the start: some of the client's keys, in the order of the file.
  public let experiments: [String]
  /// How many deletions the project remembers, from 0; a delta that would need an older one is answered 410.
  public let deletionLog: Int
  /// Whether some flags have conditions on analytics audiences.
  public let audiences: Bool
  /// Whether some flags have conditions on context, percentile, country and clock.
  public let conditions: Bool

  /// Creates a project.
  ///
  /// - Parameters:
  ///   - experiments: The flags with a running experiment at the start.
  ///   - deletionLog: How many deletions the project remembers.
  ///   - audiences: Whether some flags have conditions on audiences.
  ///   - conditions: Whether some flags have conditions on context, percentile, country and clock.
  public init(
    experiments: [String] = [], deletionLog: Int = 100, audiences: Bool = true, conditions: Bool = true
  ) {
    self.experiments = experiments
    self.deletionLog = deletionLog
    self.audiences = audiences
    self.conditions = conditions
  }
}
