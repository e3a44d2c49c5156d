/// What an exploration of many seeds came to.
public struct ExplorationResult: Sendable, Equatable {
  /// What all seeds together exercised of one invariant.
  public struct Invariant: Sendable, Equatable {
    /// The invariant's id.
    public var id: String
    /// Its checks in all seeds.
    public var checks: Int64
    /// How many seeds made any.
    public var seeds: UInt64

    /// Creates a row.
    public init(id: String, checks: Int64, seeds: UInt64) {
      self.id = id
      self.checks = checks
      self.seeds = seeds
    }
  }

  /// Something that a seed showed.
  public struct Finding: Sendable, Equatable {
    /// `violation`, `crash`, `hang` or `stuck`.
    public var kind: String
    /// The seed.
    public var seed: UInt64
    /// The invariant, of a violation.
    public var invariant: String?
    /// What happened, one line.
    public var message: String
    /// The command that shows it again.
    public var command: String

    /// Creates a finding.
    public init(kind: String, seed: UInt64, invariant: String?, message: String, command: String) {
      self.kind = kind
      self.seed = seed
      self.invariant = invariant
      self.message = message
      self.command = command
    }
  }

  /// The version of the format.
  public static let currentSchemaVersion = 1

  /// The program that explored.
  public var tool: RunResult.Tool
  /// The name of the scenario.
  public var scenario: String
  /// The hash of the effective scenario, its seed left out.
  public var hash: String
  /// What the command line changed.
  public var overrides: [String]
  /// The first seed.
  public var firstSeed: UInt64
  /// How many were asked for.
  public var seeds: UInt64
  /// How many were run.
  public var seedsRun: UInt64
  /// Whether somebody interrupted it.
  public var isInterrupted: Bool
  /// The scheduler's steps of all seeds.
  public var steps: UInt64
  /// What was exercised, in the order of reports.
  public var invariants: [Invariant]
  /// What was found, in the order of seeds.
  public var findings: [Finding]
  /// What no seed exercised, each a sentence.
  public var notExercised: [String]
  /// How long it took, in nanoseconds.
  public var wallNanoseconds: Int64
  /// How many processes worked.
  public var jobs: Int

  /// Creates a result.
  public init(
    tool: RunResult.Tool, scenario: String, hash: String, overrides: [String], firstSeed: UInt64,
    seeds: UInt64,
    seedsRun: UInt64, isInterrupted: Bool, steps: UInt64, invariants: [Invariant], findings: [Finding],
    notExercised: [String], wallNanoseconds: Int64, jobs: Int
  ) {
    self.tool = tool
    self.scenario = scenario
    self.hash = hash
    self.overrides = overrides
    self.firstSeed = firstSeed
    self.seeds = seeds
    self.seedsRun = seedsRun
    self.isInterrupted = isInterrupted
    self.steps = steps
    self.invariants = invariants
    self.findings = findings
    self.notExercised = notExercised
    self.wallNanoseconds = wallNanoseconds
    self.jobs = jobs
  }

  /// How many seeds were run in a second.
  public var seedsPerSecond: Double {
    wallNanoseconds > 0 ? Double(seedsRun) / (Double(wallNanoseconds) / 1e9) : 0
  }

  /// Returns the text of `explore.json`; everything that two explorations of the same seeds may differ in is below
  /// `machine`.
  ///
  /// - Complexity: O(n) in the size of the content.
  /// - Returns: The text, ending in a line break.
  public func jsonText() -> String {
    JSONValue.object([
      .init("schemaVersion", .integer(Int64(Self.currentSchemaVersion))),
      .init("tool", tool.json),
      .init(
        "scenario",
        .object([
          .init("name", .string(scenario)), .init("hash", .string(hash)),
          .init("overrides", .strings(overrides)),
        ])),
      .init("firstSeed", .integer(Int64(clamping: firstSeed))),
      .init("seeds", .integer(Int64(clamping: seeds))),
      .init("seedsRun", .integer(Int64(clamping: seedsRun))),
      .init("interrupted", .bool(isInterrupted)),
      .init("steps", .integer(Int64(clamping: steps))),
      .init(
        "invariants",
        .array(
          invariants.map { row in
            .object([
              .init("id", .string(row.id)), .init("checks", .integer(row.checks)),
              .init("seeds", .integer(Int64(clamping: row.seeds))),
            ])
          })),
      .init(
        "findings",
        .array(
          findings.map { finding in
            .object([
              .init("kind", .string(finding.kind)), .init("seed", .integer(Int64(clamping: finding.seed))),
              .init("invariant", .string(finding.invariant)), .init("message", .string(finding.message)),
              .init("command", .string(finding.command)),
            ])
          })),
      .init("notExercised", .strings(notExercised)),
      .init(
        "machine",
        .object([
          .init("wall_ns", .integer(wallNanoseconds)), .init("jobs", .integer(Int64(jobs))),
          .init("seedsPerSecond", .number((seedsPerSecond * 10).rounded() / 10)),
        ])),
    ]).fileText()
  }

  /// Returns the summary for a terminal.
  ///
  /// - Parameters:
  ///   - columns: How wide the text may be.
  ///   - file: Where `explore.json` was written.
  /// - Returns: The text, ending in a line break.
  public func summaryText(columns: Int, file: String) -> String {
    var lines: [String] = []
    let mark =
      findings.isEmpty ? (isInterrupted ? "○ INTERRUPTED" : "✓ NOTHING FOUND") : "✗ FOUND \(findings.count)"
    lines.append("\(mark) · \(scenario) · seeds \(firstSeed) to \(firstSeed + max(1, seeds) - 1)")
    lines.append("")
    let time = Figures.duration(nanoseconds: Double(wallNanoseconds))
    lines += TextLayout.wrapped(
      "\(Figures.count(seedsRun, "seed")) in \(time) with \(Figures.count(jobs, "process", plural: "processes")): "
        + "\(Figures.whole(Int64(seedsPerSecond.rounded()))) seeds a second, "
        + "\(Figures.whole(steps)) steps.",
      columns: columns - 2
    ).map { "  " + $0 }
    for finding in shownFindings { lines += text(of: finding, columns: columns) }
    let exercised = invariants.filter { $0.checks > 0 }
    if !exercised.isEmpty { lines += ["", "Invariants"] }
    let width = exercised.map(\.id.count).max() ?? 0
    for row in exercised {
      let name = row.id + String(repeating: " ", count: width - row.id.count)
      lines.append(
        "  \(name)  \(Figures.whole(row.checks)) checks in \(Figures.count(row.seeds, "seed"))")
    }
    let rest = invariants.filter { $0.checks == 0 }.map(\.id) + notExercised
    if !rest.isEmpty {
      lines += TextLayout.wrapped(
        "not exercised by any seed: " + rest.joined(separator: "; "), columns: columns - 4
      )
      .enumerated().map { ($0.offset == 0 ? "  ○ " : "    ") + $0.element }
    }
    lines += ["", "Report", "  " + file]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The first finding of each kind and invariant.
  private var shownFindings: [Finding] {
    var seen: Set<String> = []
    return findings.filter { seen.insert($0.kind + ($0.invariant ?? "")).inserted }
  }

  private func text(of finding: Finding, columns: Int) -> [String] {
    let alike = findings.count { $0.kind == finding.kind && $0.invariant == finding.invariant }
    let name = finding.invariant.map { "\($0) violated" } ?? finding.kind
    let times = alike > 1 ? ", and by \(alike - 1) more" : ""
    return ["", "✗ \(name) by seed \(finding.seed)\(times)"]
      + TextLayout.wrapped(finding.message, columns: columns - 2).map { "  " + $0 }
      + ["  To see it again:", "    \(finding.command)"]
  }
}
