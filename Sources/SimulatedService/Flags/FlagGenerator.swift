/// Makes definitions from the seed of a plan, and new values for them.
///
/// A flag's type goes by its number: truth value, text, whole number, fraction, object, in turn. Texts and
/// objects carry `<key>@<revision>`, numbers grow with the revision, truth values turn, so that a value tells
/// which publish it is of. The branch tells a flag's values of one revision apart: 0 is the default, then
/// come the conditions, then the variants.
struct FlagGenerator: Sendable {
  private let seed: UInt64
  private let hasConditions: Bool
  private let audiences: [String]
  private let windows: [ClockWindow]

  init(_ plan: FlagsPlan) {
    seed = plan.seed
    hasConditions = plan.hasConditions
    audiences = plan.audiences
    windows = plan.windows
  }

  /// The definitions of a plan, in no particular order.
  func definitions(_ plan: FlagsPlan) -> [FlagDefinition] {
    var keys: [String] = []
    var known: Set<String> = []
    for key in plan.keys + plan.experiments + plan.userValues.map(\.key) where known.insert(key).inserted {
      keys.append(key)
    }
    var number = 0
    while keys.count < plan.flags {
      number += 1
      let digits = "\(number)"
      let key = "flag_" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      if known.insert(key).inserted { keys.append(key) }
    }
    let experiments = Set(plan.experiments)
    return keys.enumerated().map { number, key in
      var definition = definition(key, number: number)
      if experiments.contains(key) { definition.experiment = experiment(on: definition, revision: 1) }
      return definition
    }
  }

  /// The key that opens a reader's debug console, which a project gives to single users only (seed).
  static let consoleKey = "palbase.debug_console"

  private func definition(_ key: String, number: Int) -> FlagDefinition {
    guard key != Self.consoleKey else { return FlagDefinition(key: key, value: .bool(false)) }
    var draw = Draw(seed, key)
    let value: AttributeValue =
      switch number % 5 {
      case 0: .bool(draw.next(2) == 0)
      case 1: Self.text(key, 1, 0)
      case 2: Self.whole(1, 0)
      case 3: Self.fraction(1, 0)
      default: Self.object(key, 1, 0)
      }
    var definition = FlagDefinition(key: key, value: value)
    guard hasConditions else { return definition }
    for branch in 0..<Int(draw.next(4)) {
      var criteria = [criterion(&draw)]
      if draw.next(4) == 0 { criteria.append(criterion(&draw)) }
      definition.conditions.append(
        FlagCondition(criteria, value: Self.value(like: value, key, revision: 1, branch: branch + 1)))
    }
    return definition
  }

  private func criterion(_ draw: inout Draw) -> FlagCriterion {
    switch draw.next(7) {
    case 0: .platform(["android", "ios"][Int(draw.next(2))])
    case 1: .versions(from: "\(1 + draw.next(3)).\(draw.next(3))", below: draw.next(2) == 0 ? nil : "5.0")
    case 2: .language(["de", "en", "tr"][Int(draw.next(3))])
    case 3: .country(ReaderContext.countries[Int(draw.next(UInt64(ReaderContext.countries.count)))])
    case 4 where !windows.isEmpty: .clock(windows[Int(draw.next(UInt64(windows.count)))])
    case 5 where !audiences.isEmpty: .audience(audiences[Int(draw.next(UInt64(audiences.count)))])
    default: .percentile(below: 5 + Int(draw.next(91)))
    }
  }

  /// An experiment on a flag, with two or three variants and up to a third of the readers outside.
  func experiment(on flag: FlagDefinition, revision: Int64) -> FlagExperiment {
    var draw = Draw(seed, "experiment on \(flag.key)")
    let names = ["control", "one", "two"].prefix(2 + Int(draw.next(2)))
    let variants = names.enumerated().map { place, name in
      FlagExperiment.Variant(
        name, weight: 20 + Int(draw.next(40)),
        value: Self.value(like: flag.value, flag.key, revision: revision, branch: 10 + place))
    }
    return FlagExperiment("experiment-\(flag.key)", variants: variants, outside: Int(draw.next(40)))
  }

  /// A number below `count`, other ones for other versions.
  func place(below count: Int, version: Int64) -> Int {
    var draw = Draw(seed, "version \(version)")
    return Int(draw.next(UInt64(count)))
  }

  /// The default that follows a default: of its type, and unlike every earlier one except for truth values.
  static func renewed(_ value: AttributeValue, _ key: String, revision: Int64) -> AttributeValue {
    guard case .bool(let isOn) = value else {
      return self.value(like: value, key, revision: revision, branch: 0)
    }
    return .bool(!isOn)
  }

  private static func value(
    like value: AttributeValue, _ key: String, revision: Int64, branch: Int
  ) -> AttributeValue {
    switch value {
    case .bool(let isOn): .bool(branch % 2 == 0 ? isOn : !isOn)
    case .null, .string: text(key, revision, branch)
    case .number(let number):
      number == number.rounded() ? whole(revision, branch) : fraction(revision, branch)
    case .array: .array([text(key, revision, branch)])
    case .object: object(key, revision, branch)
    }
  }

  private static func text(_ key: String, _ revision: Int64, _ branch: Int) -> AttributeValue {
    .string(branch == 0 ? "\(key)@\(revision)" : "\(key)@\(revision).\(branch)")
  }

  private static func whole(_ revision: Int64, _ branch: Int) -> AttributeValue {
    .number(Double(revision * 100 + Int64(branch)))
  }

  private static func fraction(_ revision: Int64, _ branch: Int) -> AttributeValue {
    .number(Double(revision * 100 + Int64(branch)) + 0.25)
  }

  private static func object(_ key: String, _ revision: Int64, _ branch: Int) -> AttributeValue {
    .object([
      "list": .array([.null, .bool(true), .number(Double(branch))]), "text": text(key, revision, branch),
    ])
  }
}

/// A row of drawn numbers that depends on a seed and a text.
private struct Draw {
  private let hash: StableHash
  private var count: UInt64 = 0

  init(_ seed: UInt64, _ text: String) {
    var hash = StableHash(seed: seed)
    hash.mix(text)
    self.hash = hash
  }

  /// The next number from 0 up to but not including `bound`.
  mutating func next(_ bound: UInt64) -> UInt64 {
    var hash = hash
    hash.mix(count)
    count += 1
    return hash.value % bound
  }
}
