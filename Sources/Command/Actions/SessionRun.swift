import Reporting
import ScenarioFormat
import Scenarios

/// One run with all that is seen of it on the terminal; what `run` and `replay` have in common.
struct SessionRun {
  let surroundings: Surroundings
  let console: Console
  let settings: RunSettings
  /// Whether the summary goes to standard error, because a report has the standard output.
  let summaryGoesToErrors: Bool

  /// Runs a scenario, with progress on the terminal, and leaves word if it takes the process with it.
  func run(_ scenario: Scenario, shownBy command: ShellCommand, replay: RunOptions? = nil) -> RunReport {
    surroundings.noteForCrash(
      "\nsimulate: the process crashed in scenario \(scenario.name) with seed \(scenario.seed), most likely in the code "
        + "under test; no report was written. Show it again with\n  \(command)\n")
    defer { surroundings.noteForCrash(nil) }
    let interruption = surroundings.interruption
    var options = replay ?? RunOptions(keepsGoing: settings.keepsGoing)
    options.allocations = surroundings.allocations
    options.isInterrupted = { interruption() != nil }
    let showsProgress =
      !settings.isQuiet && !settings.hidesProgress && surroundings.errorTerminal.allowsRedrawing
    let display = ProgressDisplay(
      console: console,
      columns: surroundings.errorTerminal.columns,
      label: scenario.name,
      now: surroundings.now
    )
    if showsProgress { options.progress = { display.show($0) } }
    let report = surroundings.run(scenario, options)
    display.erase()
    return report
  }

  /// Returns what makes results of the reports of this session.
  func assembly(command: ShellCommand) -> ResultAssembly {
    ResultAssembly(
      tool: surroundings.tool(),
      environment: surroundings.machine(),
      command: command,
      signal: surroundings.interruption()
    )
  }

  /// Prints the summary of a run, unless told to be quiet.
  func printSummary(of result: RunResult, reports: [String], closing: [String] = []) {
    guard !settings.isQuiet else { return }
    let terminal = summaryGoesToErrors ? surroundings.errorTerminal : surroundings.outputTerminal
    let style = SummaryStyle(
      columns: terminal.columns,
      isColored: terminal.allowsColor && !settings.forbidsColor
    )
    printText(result.summaryText(style: style, reports: reports) + closing.map { $0 + "\n" }.joined())
  }

  /// Prints how each of several scenarios ended.
  func printOverview(of outcomes: [(name: String, code: ExitCode)]) {
    guard !settings.isQuiet else { return }
    let terminal = summaryGoesToErrors ? surroundings.errorTerminal : surroundings.outputTerminal
    var page = TextPage(columns: terminal.columns)
    page.heading(Figures.count(outcomes.count, "scenario"))
    page.definitions(outcomes.map { ($0.name, CommandTable.meaning(of: $0.code)) })
    printText(page.text)
  }

  /// Tells why a run could not go on, and what could not be written; said also where the summary is not.
  func tellErrors(of report: RunReport, _ errors: [any Error]) {
    if report.endReason == .internal {
      let reason = report.problem ?? "no reason is known"
      console.tell("simulate: error: \(report.scenario.name): the run could not go on: \(reason)\n")
    }
    for error in errors { console.tell("simulate: error: \(error)\n") }
  }

  /// Prints a text where the summary goes.
  func printText(_ text: String) { summaryGoesToErrors ? console.tell(text) : console.print(text) }
}
