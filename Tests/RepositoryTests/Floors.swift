/// The house of DESIGN §2: what each target may import.
///
/// `imports` names targets of the package and system modules alike. A module that is not listed is refused, so a new
/// dependency is a decision that shows in this table.
struct Floor: Sendable {
  let target: String
  let number: Int
  let imports: Set<String>

  /// What the compiler brings along on every platform.
  static let everywhere: Set = ["Synchronization"]
  /// The C libraries of the platforms.
  static let platformC: Set = ["Darwin", "Glibc", "Musl"]

  static let all: [Floor] = [
    Floor(target: "CTaskHooks", number: 0, imports: []),
    Floor(target: "CJemalloc", number: 0, imports: []),
    Floor(target: "CLockAnnotations", number: 0, imports: []),
    Floor(target: "CThreadSlot", number: 0, imports: []),
    Floor(target: "Events", number: 0, imports: []),
    Floor(target: "Metrics", number: 0, imports: []),
    // UIKit and AppKit tell of background and foreground, Dispatch brings work to the main queue: live effects only.
    Floor(target: "ClientCore", number: 0, imports: ["Foundation", "Dispatch", "UIKit", "AppKit"]),
    Floor(target: "Simulation", number: 1, imports: platformC.union(["CTaskHooks", "Events"])),
    Floor(
      target: "URLSessionTransport", number: 1, imports: ["ClientCore", "Foundation", "FoundationNetworking"]),
    Floor(
      target: "LCFeatureControl", number: 1, imports: ["ClientCore", "Foundation", "URLSessionTransport"]),
    Floor(target: "Palbase", number: 1, imports: ["ClientCore", "Foundation", "URLSessionTransport"]),
    // The two modules do not know each other: Palbase holds the slot between them.
    Floor(target: "PalbaseAnalytics", number: 1, imports: ["ClientCore", "Palbase"]),
    Floor(
      target: "PalbaseFlags", number: 1,
      imports: ["CThreadSlot", "ClientCore", "Foundation", "Observation", "Palbase"]),
    Floor(target: "SimulatedService", number: 1, imports: ["Foundation"]),
    // A scenario names metrics and invariants, and an unknown one is refused with the nearest name.
    Floor(target: "ScenarioFormat", number: 2, imports: ["Foundation", "Invariants", "Metrics"]),
    Floor(target: "Invariants", number: 2, imports: ["Events"]),
    Floor(
      target: "Scenarios", number: 2,
      imports: platformC.union([
        "ClientCore", "Events", "Foundation", "Invariants", "LCFeatureControl", "Metrics", "Observation",
        "Palbase", "PalbaseAnalytics", "PalbaseFlags", "ScenarioFormat", "SimulatedService", "Simulation",
      ])),
    Floor(target: "Reporting", number: 3, imports: platformC.union(["Foundation", "Metrics"])),
    Floor(
      target: "Command", number: 4,
      imports: platformC.union([
        "Events", "Foundation", "Invariants", "Metrics", "Reporting", "ScenarioFormat", "Scenarios",
      ])),
    Floor(
      target: "simulate", number: 4,
      imports: platformC.union(["CJemalloc", "Command", "Foundation", "Metrics"])),
  ]

  /// The modules that a source imports, each with its line, whatever access, attribute or kind stands around the word.
  static func imports(of source: String) -> [(module: String, line: Int)] {
    let tokens = SwiftTokens.of(source)
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index + 1 < tokens.count else { return nil }
      // A member or an argument of that name is no statement.
      if index > 0, [".", "`"].contains(tokens[index - 1].text) { return nil }
      var next = index + 1
      if kinds.contains(tokens[next].text), next + 1 < tokens.count { next += 1 }
      return (tokens[next].text, tokens[index].line)
    }
  }
}
