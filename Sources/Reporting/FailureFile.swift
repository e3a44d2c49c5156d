/// What `failure.json` holds: everything needed to see a violation again, without the scenario's file.
///
/// The recorded choices replay the run in any build that asks for them in the same order; the seed is enough within
/// one build.
public struct FailureFile: Sendable, Equatable {
  /// The version of the format that this version writes and reads.
  public static let currentSchemaVersion = 1

  /// The program that made the run.
  public var tool: RunResult.Tool
  /// The canonical effective scenario: the text of a JSON object, whose members keep their order.
  public var scenarioJSON: String
  /// The seed of the run, at most 2⁵³−1.
  public var seed: UInt64
  /// What the command line changed, already part of the scenario, in the order given.
  public var overrides: [String]
  /// The command that shows the violation again.
  public var command: String
  /// The invariant that was violated.
  public var invariant: String
  /// What was wrong, and where.
  public var violation: InvariantResult.Violation
  /// 16 hexadecimal digits over what happened up to the violation.
  public var digest: String
  /// The last events before the violation, oldest first.
  public var events: [String]
  /// The choices of the run up to the violation, as Base64.
  public var choices: String

  /// Creates the content of a file.
  ///
  /// - Parameters:
  ///   - tool: The program that made the run.
  ///   - scenarioJSON: The canonical effective scenario: the text of a JSON object.
  ///   - seed: The seed of the run, at most 2⁵³−1.
  ///   - overrides: What the command line changed, in the order given.
  ///   - command: The command that shows the violation again.
  ///   - invariant: The invariant that was violated.
  ///   - violation: What was wrong, and where.
  ///   - digest: 16 hexadecimal digits over what happened up to the violation.
  ///   - events: The last events before the violation, oldest first.
  ///   - choices: The choices of the run up to the violation, as Base64.
  public init(
    tool: RunResult.Tool,
    scenarioJSON: String,
    seed: UInt64,
    overrides: [String],
    command: String,
    invariant: String,
    violation: InvariantResult.Violation,
    digest: String,
    events: [String],
    choices: String
  ) {
    self.tool = tool
    self.scenarioJSON = scenarioJSON
    self.seed = seed
    self.overrides = overrides
    self.command = command
    self.invariant = invariant
    self.violation = violation
    self.digest = digest
    self.events = events
    self.choices = choices
  }

  /// Returns the text of the file.
  ///
  /// Equal contents have equal texts.
  /// - Complexity: O(n) in the size of the content.
  /// - Returns: The text, ending in a line break.
  /// - Throws: An error if `scenarioJSON` is not the text of a JSON object, for the file could not be read back.
  public func jsonText() throws(FailureFileError) -> String {
    try FailureFile.checkIsObject(scenarioJSON)
    let json = JSONValue.object([
      .init("schemaVersion", .integer(Int64(FailureFile.currentSchemaVersion))),
      .init("tool", tool.json),
      .init("command", .string(command)),
      .init("violation", .object([.init("id", .string(invariant))] + violation.members)),
      .init("seed", .integer(Int64(clamping: seed))),
      .init("overrides", .strings(overrides)),
      .init("digest", .string(digest)),
      .init("scenario", .verbatim(scenarioJSON)),
      .init("events", .strings(events)),
      .init("choices", .string(choices)),
    ])
    return json.fileText()
  }
}

/// Why a failure file cannot be used.
public struct FailureFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, a line for each problem, with the remedy.
  public let problems: [String]

  /// Creates an error.
  ///
  /// - Parameter problems: What is wrong, a line for each problem, with the remedy.
  public init(problems: [String]) { self.problems = problems }

  /// The problems, a line each.
  ///
  /// - Complexity: O(n) in the number of problems.
  public var description: String { problems.joined(separator: "\n") }
}
