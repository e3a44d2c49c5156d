/// Where the value of a flag comes from, as the service names it.
public enum FlagSource: String, Hashable, Sendable, CaseIterable {
  /// The user's own value.
  case user
  /// The variant of a running experiment.
  case experiment
  /// The first condition that matched.
  case condition
  /// The default.
  case `default`
}

/// What one reader gets for one flag.
public struct FlagEntry: Hashable, Sendable {
  /// The key of the flag.
  public var key: String
  /// The value.
  public var value: AttributeValue
  /// Where it comes from.
  public var source: FlagSource
  /// The experiment, if it comes from one.
  public var experiment: String?
  /// The variant, if it comes from an experiment.
  public var variant: String?

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - value: The value.
  ///   - source: Where it comes from.
  ///   - experiment: The experiment, if it comes from one.
  ///   - variant: The variant, if it comes from an experiment.
  public init(
    key: String, value: AttributeValue, source: FlagSource, experiment: String? = nil, variant: String? = nil
  ) {
    self.key = key
    self.value = value
    self.source = source
    self.experiment = experiment
    self.variant = variant
  }
}

/// A reader with everything that resolution asks of one, made once for all flags of an answer.
struct ResolvingReader {
  let hash: UInt64
  let platform: String
  let appVersion: AppVersion?
  let language: String
  let country: String
  /// The audiences that may be used: none without consent.
  let audiences: [String]
  /// The user's own values; none for an install.
  let ownValues: [String: AttributeValue]

  init(
    _ reader: FlagsReader, _ context: ReaderContext, audiences: [String], ownValues: [String: AttributeValue]
  ) {
    hash = reader.hash
    platform = context.platform
    appVersion = AppVersion(context.appVersion)
    language = ReaderContext.language(context.language)
    country = context.country(of: reader)
    self.audiences = audiences
    self.ownValues = ownValues
  }
}

/// A definition with what resolution needs of it.
struct StoredFlag: Hashable, Sendable {
  var definition: FlagDefinition
  /// Makes a reader's place in this flag independent of the place in others.
  private let salt: UInt64

  init(_ definition: FlagDefinition, seed: UInt64) {
    self.definition = definition
    var hash = StableHash(seed: seed)
    hash.mix(definition.key)
    salt = hash.value
  }

  var key: String { definition.key }

  /// What a reader gets, in the order of BEHAVIOUR §3.
  func resolve(_ reader: ResolvingReader, clock: Int64) -> FlagEntry {
    if let value = reader.ownValues[key] { return FlagEntry(key: key, value: value, source: .user) }
    if let experiment = definition.experiment, experiment.isRunning,
      let variant = experiment.variant(of: place(of: reader, purpose: 0))
    {
      return FlagEntry(
        key: key, value: variant.value, source: .experiment, experiment: experiment.name,
        variant: variant.name)
    }
    for condition in definition.conditions
    where condition.criteria.allSatisfy({ isTrue($0, of: reader, clock) }) {
      return FlagEntry(key: key, value: condition.value, source: .condition)
    }
    return FlagEntry(key: key, value: definition.value, source: .default)
  }

  private func isTrue(_ criterion: FlagCriterion, of reader: ResolvingReader, _ clock: Int64) -> Bool {
    switch criterion {
    case .platform(let platform): return platform == reader.platform
    case .versions(let from, let below):
      guard let version = reader.appVersion else { return false }
      if let from {
        guard let from = AppVersion(from), from <= version else { return false }
      }
      if let below {
        guard let below = AppVersion(below), version < below else { return false }
      }
      return true
    case .language(let language): return ReaderContext.language(language) == reader.language
    case .percentile(let share): return Int(place(of: reader, purpose: 1) % 100) < share
    case .country(let country): return country == reader.country
    case .clock(let window): return window.contains(clock)
    case .audience(let name): return reader.audiences.contains(name)
    }
  }

  /// The first instant after the given one at which one of its conditions may turn.
  func boundary(after instant: Int64) -> Int64? {
    var first: Int64?
    for case .clock(let window) in definition.conditions.lazy.flatMap(\.criteria) {
      guard let boundary = window.boundary(after: instant) else { continue }
      first = min(first ?? boundary, boundary)
    }
    return first
  }

  /// A stable number for a reader in this flag, another one for each purpose.
  private func place(of reader: ResolvingReader, purpose: UInt64) -> UInt64 {
    var hash = StableHash(seed: salt)
    hash.mix(purpose)
    hash.mix(reader.hash)
    return hash.value
  }
}
