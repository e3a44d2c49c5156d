import Reporting
import ScenarioFormat
import Scenarios

// `simulate run FILE…`: everything is checked before anything is run, and everything that can be written is written,
// whatever else goes wrong.

/// The command `run`.
struct RunAction {
  let surroundings: Surroundings
  let console: Console

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    let settings = RunSettings(arguments)
    // A word that was meant as a command is one problem, and not a missing file as well.
    let misplaced = arguments.isNamed ? [:] : misplacedCommands(arguments.operands)
    let loaded = arguments.operands.indices.filter { misplaced[$0] == nil }.map {
      ScenarioFile.load(
        path: arguments.operands[$0],
        overrides: settings.overrides,
        files: surroundings.files
      )
    }
    let problems =
      arguments.problems + settings.problems + usageProblems(arguments, settings)
      + arguments.operands.indices.compactMap { misplaced[$0] }
    let fileProblems = loaded.flatMap(\.problems) + ScenarioFile.nameClashes(among: loaded)
    for problem in problems { console.tell(problem: problem) }
    for problem in fileProblems { console.tell(problem: problem) }
    guard problems.isEmpty, fileProblems.isEmpty else { return .usage }

    let session = SessionRun(
      surroundings: surroundings,
      console: console,
      settings: settings,
      summaryGoesToErrors: settings.extraReports.contains(where: \.isForOutput)
    )
    let folder = settings.reportsFolder ?? RunSettings.defaultFolder
    let jobs = loaded.compactMap { loaded in
      loaded.scenario.map { scenario in
        Job(
          file: loaded.file,
          scenario: scenario,
          folder: ReportFolder(of: scenario.name, in: folder, files: surroundings.reportFiles)
        )
      }
    }
    guard prepare(jobs, settings) else { return .internalError }
    return run(jobs, session)
  }

  /// One scenario to run.
  private struct Job {
    let file: String
    let scenario: Scenario
    let folder: ReportFolder
  }

  // MARK: Before anything is run

  private func usageProblems(_ arguments: ParsedArguments, _ settings: RunSettings) -> [UsageProblem] {
    var problems: [UsageProblem] = []
    if arguments.operands.isEmpty {
      problems.append(
        UsageProblem(
          "no FILE is given; write for example simulate scenarios/cold-cache.json, or see simulate --help"
        )
      )
    }
    for request in settings.extraReports where surroundings.files.kind(request.path) == .folder {
      let report = "--report \(request.format.rawValue)=\(ShownText.line(request.path))"
      problems.append(UsageProblem("\(report): it is a folder; name a file in it"))
    }
    if arguments.operands.count > 1 {
      for request in settings.extraReports where !request.isForOutput {
        problems.append(
          UsageProblem(
            "--report \(request.format.rawValue)=\(ShownText.line(request.path)): every scenario would overwrite it; "
              + "give one FILE, or take the reports below --reports"
          )
        )
      }
    }
    return problems
  }

  /// Returns a problem for each operand that is no file and looks like a command, by its position.
  private func misplacedCommands(_ operands: [String]) -> [Int: UsageProblem] {
    let words = CommandTable.all.map(\.word.rawValue)
    var problems: [Int: UsageProblem] = [:]
    for (position, operand) in operands.enumerated() where surroundings.files.kind(operand) == nil {
      if words.contains(operand) || CommandTable.later.contains(operand) {
        problems[position] = UsageProblem(
          "the command comes first; write simulate \(operand) and then the rest"
        )
      } else if position == 0, let meant = UsageProblem.command(like: operand) {
        problems[position] = UsageProblem(
          "there is no command \(ShownText.line(operand)); did you mean \(meant)?"
        )
      }
    }
    return problems
  }

  /// Sees that all reports can be written.
  private func prepare(_ jobs: [Job], _ settings: RunSettings) -> Bool {
    var errors: [String] = []
    func check(_ step: () throws(AtomicFileError) -> Void) {
      do throws(AtomicFileError) { try step() } catch {
        // Several scenarios may meet the same wall.
        if !errors.contains(error.description) { errors.append(error.description) }
      }
    }
    for job in jobs { check { () throws(AtomicFileError) in try job.folder.prepare() } }
    for request in settings.extraReports where !request.isForOutput {
      check { () throws(AtomicFileError) in
        try ReportFolder.prepareFolder(of: request.path, files: surroundings.reportFiles)
      }
    }
    for error in errors { console.tell("simulate: error: \(error)\n") }
    return errors.isEmpty
  }

  // MARK: Running

  private func run(_ jobs: [Job], _ session: SessionRun) -> ExitCode {
    var outcomes: [(name: String, code: ExitCode)] = []
    for (position, job) in jobs.enumerated() {
      if let signal = surroundings.interruption() {
        let code: ExitCode = signal == .terminate ? .terminated : .interrupted
        outcomes += jobs[position...].map { ($0.scenario.name, code) }
        let names = jobs[position...].map(\.scenario.name).joined(separator: ", ")
        console.tell("simulate: interrupted by \(signal.rawValue); not run: \(names)\n")
        break
      }
      if position > 0, !session.settings.isQuiet { session.printText("\n") }
      outcomes.append((job.scenario.name, run(job, session)))
    }
    if jobs.count > 1 { session.printOverview(of: outcomes) }
    return ExitCode.worst(of: outcomes.map(\.code))
  }

  private func run(_ job: Job, _ session: SessionRun) -> ExitCode {
    ReportedRun(session: session, folder: job.folder).perform(job.scenario, from: job.file)
  }
}
