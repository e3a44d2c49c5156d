import Reporting
import ScenarioFormat

/// The command `validate`.
struct ValidateAction {
  let surroundings: Surroundings
  let console: Console

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    var problems = arguments.problems
    if arguments.operands.isEmpty {
      problems.append(
        UsageProblem("validate needs a FILE; write for example simulate validate scenarios/cold-cache.json")
      )
    }
    for problem in problems { console.tell(problem: problem) }
    let loaded = arguments.operands.map { ScenarioFile.load(path: $0, files: surroundings.files) }
    for file in loaded {
      for problem in file.problems { console.tell(problem: problem) }
      guard let scenario = file.scenario else {
        console.print("\(ShownText.line(file.file)): \(Figures.count(file.problems.count, "problem"))\n")
        continue
      }
      let readers = Figures.count(scenario.readerCount, "reader")
      console.print(
        "\(ShownText.line(file.file)): valid: \(scenario.name), \(readers), \(scenario.clock.rawValue) clock\n"
      )
    }
    let clashes = ScenarioFile.nameClashes(among: loaded)
    for clash in clashes { console.tell(problem: clash) }
    return problems.isEmpty && clashes.isEmpty && loaded.allSatisfy { $0.scenario != nil } ? .passed : .usage
  }
}
