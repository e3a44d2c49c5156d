import Metrics
import Reporting
import ScenarioFormat

/// The command `schema`.
struct SchemaAction {
  let console: Console

  /// The schemas by the names that they are asked by, the first one unless asked.
  private static let schemas: [(name: String, text: String)] = [
    ("scenario", ScenarioSchema.text), ("result", RunResult.resultSchema),
  ]

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    var problems = arguments.problems
    let names = Self.schemas.map(\.name)
    let wanted = arguments.operands.first ?? names[0]
    if arguments.operands.count > 1 {
      problems.append(UsageProblem("schema takes one name; ask for each in turn"))
    }
    let schema = Self.schemas.first { $0.name == wanted }
    if schema == nil {
      let remedy =
        Spelling.nearest(to: wanted, among: names).map { "did you mean \($0)?" }
        ?? "there is \(names.joined(separator: " and "))"
      problems.append(UsageProblem("there is no schema \(ShownText.quoted(wanted)); \(remedy)"))
    }
    for problem in problems { console.tell(problem: problem) }
    guard problems.isEmpty, let schema else { return .usage }
    console.print(schema.text.hasSuffix("\n") ? schema.text : schema.text + "\n")
    return .passed
  }
}
