import SimulatedService
import Testing

/// In which order a value is resolved, and what each condition asks (BEHAVIOUR §3, "Resolution").
@Suite struct FlagsResolutionTests {
  private static let user = FlagsReader.user("ada")
  private static let context = ReaderContext(
    platform: "ios", appVersion: "3.1", language: "de-AT", country: "DE")

  /// A project with one flag, `f`, whose default is `default`.
  private static func project(
    _ conditions: [FlagCondition] = [], _ experiment: FlagExperiment? = nil, _ plan: FlagsPlan = FlagsPlan()
  ) -> FlagsProject {
    var project = FlagsProject(plan)
    _ = project.define(
      FlagDefinition(
        key: "f", value: .string("default"), conditions: conditions, experiment: experiment))
    return project
  }

  private static func value(
    _ project: FlagsProject, _ reader: FlagsReader = user, _ context: ReaderContext = context,
    at now: Int64 = 0
  ) -> String {
    let entries = project.resolve(reader, context, at: now)
    guard entries.count == 1, case .string(let text) = entries[0].value else { return "?" }
    return "\(text) \(entries[0].source.rawValue)"
  }

  private static func matches(
    _ criterion: FlagCriterion, _ reader: FlagsReader = user, _ context: ReaderContext = context,
    plan: FlagsPlan = FlagsPlan()
  ) -> Bool {
    let project = project([FlagCondition([criterion], value: .string("matched"))], nil, plan)
    return value(project, reader, context) == "matched condition"
  }

  @Test func `the user's own value, then the experiment, then the condition, then the default`() {
    let everybody = FlagCondition([], value: .string("for all"))
    let experiment = FlagExperiment("x", variants: [.init("one", weight: 1, value: .string("tried"))])
    var project = Self.project([everybody], experiment)
    #expect(project.giveUser("ada", key: "f", value: .string("mine")).count == 1)
    #expect(Self.value(project) == "mine user")
    #expect(project.takeUser("ada", key: "f").count == 1)
    #expect(Self.value(project) == "tried experiment")
    #expect(project.resolve(Self.user, Self.context, at: 0)[0].experiment == "x")
    #expect(project.resolve(Self.user, Self.context, at: 0)[0].variant == "one")
    #expect(project.stopExperiment("f").count == 1)
    #expect(Self.value(project) == "for all condition")
    _ = project.define(FlagDefinition(key: "f", value: .string("default")))
    #expect(Self.value(project) == "default default")
  }

  @Test func `an install with the id of a user has not the user's own value`() {
    var project = Self.project()
    _ = project.giveUser("ada", key: "f", value: .string("mine"))
    #expect(Self.value(project, .install("ada")) == "default default")
    #expect(Self.value(project, .user("bob")) == "default default")
  }

  @Test func `the first condition that matches counts`() {
    let project = Self.project([
      FlagCondition([.platform("android")], value: .string("a")),
      FlagCondition([.platform("ios"), .country("FR")], value: .string("b")),
      FlagCondition([.platform("ios"), .country("DE")], value: .string("c")),
      FlagCondition([], value: .string("d")),
    ])
    #expect(Self.value(project) == "c condition")
  }

  @Test func `a platform is compared exactly`() {
    #expect(Self.matches(.platform("ios")))
    #expect(!Self.matches(.platform("iOS")))
  }

  @Test(arguments: [
    ("3.1", nil, "3.1", true), ("3.1", nil, "3.1.0", true), ("3.1", nil, "3.10", true),
    ("3.1", nil, "3.0.9", false), (nil, "4", "3.99", true), (nil, "4", "4.0", false),
    ("3.1", "4", "beta", false), (nil, nil, "", false), (nil, nil, "1", true), ("3.x", nil, "3.1", false),
  ])
  func `versions are compared part by part as numbers`(
    from: String?, below: String?, version: String, isIn: Bool
  ) {
    var context = Self.context
    context.appVersion = version
    #expect(Self.matches(.versions(from: from, below: below), Self.user, context) == isIn)
  }

  @Test(arguments: [("de", true), ("DE", true), ("de-CH", true), ("en", false), ("d", false)])
  func `a language takes its regional forms`(language: String, isIn: Bool) {
    #expect(Self.matches(.language(language)) == isIn)
  }

  @Test func `a percentile picks a stable share of readers, another one in each flag`() {
    let readers = (0..<2000).map { FlagsReader.user("user-\($0)") }
    func picked(_ share: Int, _ key: String = "f") -> [Bool] {
      var project = FlagsProject(FlagsPlan(seed: 4))
      _ = project.define(
        FlagDefinition(
          key: key, value: .bool(false),
          conditions: [FlagCondition([.percentile(below: share)], value: .bool(true))]))
      return readers.map { project.resolve($0, Self.context, at: 0)[0].value == .bool(true) }
    }
    #expect(picked(0).allSatisfy { !$0 })
    #expect(picked(100).allSatisfy { $0 })
    let thirty = picked(30)
    #expect((500...700).contains(thirty.count { $0 }))
    #expect(
      zip(thirty, picked(60)).allSatisfy { !$0 || $1 }, "a larger share keeps the readers of a smaller one")
    #expect(thirty != picked(30, "g"))
    #expect(thirty == picked(30))
  }

  @Test func `the country of the address comes from the request or else from where the reader lives`() {
    #expect(Self.matches(.country("DE")))
    #expect(!Self.matches(.country("FR")))
    var context = Self.context
    context.country = nil
    let countries = (0..<300).map { number in
      ["BR", "DE", "FR", "IN", "JP", "US"].filter {
        Self.matches(.country($0), .user("user-\(number)"), context)
      }
    }
    #expect(countries.allSatisfy { $0.count == 1 })
    #expect(Set(countries).count == 6)
  }

  @Test func `an audience needs consent`() {
    for (isMember, consents) in [(true, true), (true, false), (false, true), (false, false)] {
      var project = Self.project(
        [FlagCondition([.audience("fans")], value: .string("fan"))], nil,
        FlagsPlan(audiences: ["fans"], allowsPersonalization: false))
      _ = project.changeAudience("fans", of: Self.user, isMember: isMember)
      _ = project.setConsent(of: Self.user, personalization: consents)
      #expect((Self.value(project) == "fan condition") == (isMember && consents))
    }
  }

  @Test func `about half of the readers are in an audience from the start`() {
    let plan = FlagsPlan(seed: 9, audiences: ["fans"])
    let members = (0..<1000).count { Self.matches(.audience("fans"), .user("user-\($0)"), plan: plan) }
    #expect((400...600).contains(members))
    #expect(!Self.matches(.audience("others"), plan: plan))
  }

  @Test func `variants take the shares of their weights, and some readers are outside`() {
    let experiment = FlagExperiment(
      "x",
      variants: [
        .init("a", weight: 50, value: .string("a")), .init("none", weight: 0, value: .string("n")),
        .init("b", weight: 30, value: .string("b")),
      ], outside: 20)
    let project = Self.project([], experiment)
    var counts: [String: Int] = [:]
    for number in 0..<4000 { counts[Self.value(project, .install("i\(number)")), default: 0] += 1 }
    #expect((1850...2150).contains(counts["a experiment"] ?? 0))
    #expect((1050...1350).contains(counts["b experiment"] ?? 0))
    #expect((650...950).contains(counts["default default"] ?? 0))
    #expect(counts.count == 3)
    let empty = Self.project([], FlagExperiment("x", variants: []))
    #expect(Self.value(empty) == "default default")
  }

  @Test func `a window of the clock is open at its end`() {
    let window = ClockWindow(from: 10, until: 20)
    let project = Self.project([FlagCondition([.clock(window)], value: .string("open"))])
    let seen = [9, 10, 19, 20].map { Self.value(project, at: $0) }
    #expect(seen == ["default default", "open condition", "open condition", "default default"])
  }

  @Test func `a plan defines its keys, then generated ones, and everything is drawn by its seed`() {
    let plan = FlagsPlan(
      seed: 7, flags: 40, keys: ["z", "a"], experiments: ["e"],
      userValues: [.init(user: "ada", key: "own", value: .number(4))], audiences: ["fans"],
      windows: [ClockWindow(from: 5, until: 6)])
    let project = FlagsProject(plan)
    #expect(project.keys.count == 40)
    #expect(project.keys == project.keys.sorted())
    for key in ["z", "a", "e", "own", "flag_0001", "flag_0036"] { #expect(project.keys.contains(key)) }
    let entries = project.resolve(Self.user, Self.context, at: 0)
    #expect(entries == FlagsProject(plan).resolve(Self.user, Self.context, at: 0))
    #expect(entries.first { $0.key == "own" }?.source == .user)
    var types: Set<String> = []
    var sources: Set<FlagSource> = []
    for number in 0..<50 {
      for entry in project.resolve(.user("user-\(number)"), Self.context, at: 0) {
        sources.insert(entry.source)
        switch entry.value {
        case .bool: types.insert("bool")
        case .string: types.insert("text")
        case .number(let number): types.insert(number == number.rounded() ? "whole" : "fraction")
        case .object: types.insert("object")
        case .array, .null: types.insert("other")
        }
      }
    }
    #expect(types == ["bool", "text", "whole", "fraction", "object"])
    #expect(sources == [.experiment, .condition, .default])
    var other = plan
    other.seed = 8
    #expect(FlagsProject(other).resolve(Self.user, Self.context, at: 0) != entries)
  }

  @Test func `the flag of the debug console is off for everybody until a user is given it`() {
    let key = "palbase.debug_console"
    var project = FlagsProject(FlagsPlan(seed: 3, flags: 5, keys: [key]))
    let isOff = (0..<100).allSatisfy { number in
      let entry = project.resolve(.user("u\(number)"), Self.context, at: 0).first { $0.key == key }
      return entry?.value == .bool(false) && entry?.source == .default
    }
    #expect(isOff)
    _ = project.giveUser("u1", key: key, value: .bool(true))
    let entry = project.resolve(.user("u1"), Self.context, at: 0).first { $0.key == key }
    #expect(entry?.value == .bool(true) && entry?.source == .user)
  }
}
