import Foundation
import Reporting
import ScenarioFormat
import Scenarios

// `simulate explore FILE`: one scenario under many seeds. The children only run and tell; what was found is run again
// here, by the very code that `run` uses, so its reports and its recorded choices are those of any other run.

/// The command `explore`.
struct ExploreAction {
  let surroundings: Surroundings
  let console: Console

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    let settings = RunSettings(arguments)
    let explore = ExploreSettings(arguments)
    var problems: [any CustomStringConvertible] = arguments.problems + settings.problems + explore.problems
    if arguments.operands.count != 1 {
      problems.append(
        UsageProblem("explore takes one FILE, as simulate explore scenarios/cold-cache.json --seeds 1000"))
    }
    var loaded: LoadedScenario?
    if let path = arguments.operands.first {
      loaded = ScenarioFile.load(path: path, overrides: settings.overrides, files: surroundings.files)
      problems += loaded?.problems ?? []
    }
    let first = explore.firstSeed ?? loaded?.scenario?.seed ?? 0
    if loaded?.scenario?.clock == .wall {
      problems.append(
        UsageProblem(
          "explore runs in virtual time only; add --set clock=virtual, or run the scenario by itself"))
    } else if first > RunSettings.largestSeed - explore.seeds {
      problems.append(
        UsageProblem("the seeds would pass \(RunSettings.largestSeed); give fewer, or a lower --first-seed"))
    }
    guard problems.isEmpty, let loaded, let scenario = loaded.scenario else {
      for problem in problems { console.tell(problem: problem) }
      return .usage
    }
    let folder = ReportFolder(
      of: scenario.name, in: settings.reportsFolder ?? RunSettings.defaultFolder,
      files: surroundings.reportFiles)
    do throws(AtomicFileError) { try folder.prepare() } catch {
      console.tell("simulate: error: \(error)\n")
      return .internalError
    }
    return exploreSeeds(
      Mission(file: loaded.file, scenario: scenario, folder: folder, first: first, settings, explore))
  }

  /// What is to be explored.
  private struct Mission {
    let file: String
    let scenario: Scenario
    let folder: ReportFolder
    let first: UInt64
    let settings: RunSettings
    let explore: ExploreSettings
    let jobs: Int

    init(
      file: String, scenario: Scenario, folder: ReportFolder, first: UInt64, _ settings: RunSettings,
      _ explore: ExploreSettings
    ) {
      self.file = file
      self.scenario = scenario
      self.folder = folder
      self.first = first
      self.settings = settings
      self.explore = explore
      let wanted = explore.jobs ?? ProcessInfo.processInfo.activeProcessorCount
      jobs = max(1, Int(min(UInt64(wanted), explore.seeds)))
    }
  }

  private func exploreSeeds(_ mission: Mission) -> ExitCode {
    guard let executable = surroundings.executable else {
      console.tell(
        "simulate: error: the path of this program is not known, so it cannot start itself again\n")
      return .internalError
    }
    let interruption = surroundings.interruption
    let start = surroundings.now()
    let crew = WorkerCrew(
      Exploration(
        first: mission.first, count: mission.explore.seeds, jobs: mission.jobs,
        keepsGoing: mission.settings.keepsGoing),
      executable: executable, arguments: workerArguments(mission), jobs: mission.jobs,
      timeout: mission.explore.timeout,
      now: surroundings.now, isInterrupted: { interruption() != nil })
    let display = display(of: mission)
    var problem: String?
    do { try crew.run { display?.show($0, of: mission.explore.seeds) } } catch {
      problem = "a child process could not be started: \(error.localizedDescription)"
    }
    display?.erase()
    return conclude(mission, crew, took: surroundings.now() - start, problem)
  }

  private func workerArguments(_ mission: Mission) -> [String] {
    ["explore-worker"] + mission.settings.overrides.flatMap(\.words) + ["--", mission.file]
  }

  private func display(of mission: Mission) -> ExploreDisplay? {
    guard !mission.settings.isQuiet, !mission.settings.hidesProgress,
      surroundings.errorTerminal.allowsRedrawing
    else {
      return nil
    }
    return ExploreDisplay(
      console: console, columns: surroundings.errorTerminal.columns, label: mission.scenario.name,
      now: surroundings.now)
  }

  // MARK: The end

  private func conclude(_ mission: Mission, _ crew: WorkerCrew, took nanoseconds: Int64, _ problem: String?)
    -> ExitCode
  {
    let signal = surroundings.interruption()
    let result = result(mission, crew.exploration, nanoseconds, isInterrupted: signal != nil)
    var codes: [ExitCode] = result.findings.map { $0.kind == "violation" ? .violation : .internalError }
    if let signal { codes.append(signal == .terminate ? .terminated : .interrupted) }
    if let problem {
      console.tell("simulate: error: \(problem)\n")
      codes.append(.internalError)
    }
    if let stray = crew.strayLine {
      console.tell(
        "simulate: a client wrote to standard output while it was explored: \(ShownText.line(stray))\n")
    }
    do throws(AtomicFileError) {
      try surroundings.reportFiles.write(result.jsonText(), "\(mission.folder.path)/explore.json")
    } catch {
      console.tell("simulate: error: \(error)\n")
      codes.append(.internalError)
    }
    if !mission.settings.isQuiet {
      console.print(
        result.summaryText(
          columns: surroundings.outputTerminal.columns, file: "\(mission.folder.path)/explore.json"))
    }
    if signal == nil { codes += findingsToShow(of: crew.exploration).map { show($0, mission) } }
    return ExitCode.worst(of: codes.isEmpty ? [.passed] : codes)
  }

  /// The first finding, and the first violation where that is another: it has more to show.
  private func findingsToShow(of exploration: Exploration) -> [Finding] {
    let findings = exploration.findings
    guard let first = findings.first else { return [] }
    let violation = findings.first { $0.kind == .violation }
    return [first] + (violation.map { $0 == first ? [] : [$0] } ?? [])
  }

  /// Runs the seed of a violation again, with its reports; says how another finding is seen again.
  private func show(_ finding: Finding, _ mission: Mission) -> ExitCode {
    guard finding.kind == .violation else {
      for line in finding.lastWords { console.tell("  \(ShownText.line(line))\n") }
      return .internalError
    }
    var scenario = mission.scenario
    scenario.seed = finding.seed
    var settings = mission.settings
    settings.keepsGoing = false
    let session = SessionRun(
      surroundings: surroundings, console: console, settings: settings, summaryGoesToErrors: false)
    if !settings.isQuiet { console.print("\n") }
    let code = ReportedRun(session: session, folder: mission.folder).perform(scenario, from: mission.file)
    if code != .violation, code != .internalError {
      console.tell(
        "simulate: error: seed \(finding.seed) violated \(finding.invariant ?? "an invariant") in a child process and not "
          + "here: something outside the simulation has a say\n")
      return .internalError
    }
    return code
  }

  private func result(
    _ mission: Mission, _ exploration: Exploration, _ nanoseconds: Int64, isInterrupted: Bool
  ) -> ExplorationResult {
    let findings = exploration.findings.sorted { $0.seed < $1.seed }
    return ExplorationResult(
      tool: surroundings.tool(), scenario: mission.scenario.name, hash: mission.scenario.hash,
      overrides: mission.scenario.overrides, firstSeed: mission.first, seeds: mission.explore.seeds,
      seedsRun: exploration.seedsRun, isInterrupted: isInterrupted, steps: exploration.steps,
      invariants: exploration.invariants.indices.map { index in
        ExplorationResult.Invariant(
          id: exploration.invariants[index], checks: Int64(exploration.checks[index]),
          seeds: UInt64(exploration.exercised[index]))
      },
      findings: findings.prefix(1000).map { finding in
        let command = ShellCommand(
          running: mission.file, by: surroundings.program, seed: finding.seed,
          overrides: mission.settings.overrides)
        return ExplorationResult.Finding(
          kind: finding.kind.rawValue, seed: finding.seed, invariant: finding.invariant,
          message: finding.message,
          command: command.description)
      },
      notExercised: exploration.neverExercised, wallNanoseconds: nanoseconds, jobs: mission.jobs)
  }
}
