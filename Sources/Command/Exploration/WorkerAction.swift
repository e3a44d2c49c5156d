import Foundation
import Invariants
import Reporting
import ScenarioFormat
import Scenarios
import Synchronization

// `simulate explore-worker FILE`: a child process of an exploration. It reads blocks of seeds, `FIRST COUNT` a line, runs
// them and says on standard output what came of each; see `WorkerLine`. It ends when its input does.

/// The hidden command `explore-worker`.
struct WorkerAction {
  let surroundings: Surroundings
  let console: Console

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    let settings = RunSettings(arguments)
    guard arguments.problems.isEmpty, settings.problems.isEmpty, let path = arguments.operands.first else {
      return .usage
    }
    let loaded = ScenarioFile.load(path: path, overrides: settings.overrides, files: surroundings.files)
    guard let scenario = loaded.scenario else { return .usage }
    var reporter = SeedReporter(console)
    while let line = readLine() {
      let parts = line.split(separator: " ").compactMap { UInt64($0) }
      guard parts.count == 2 else { return .usage }
      for seed in parts[0]..<parts[0] + parts[1] {
        if surroundings.interruption() != nil { return .interrupted }
        run(seed, of: scenario, shownAs: path, settings, &reporter)
      }
    }
    return .passed
  }

  private func run(
    _ seed: UInt64, of scenario: Scenario, shownAs path: String, _ settings: RunSettings,
    _ reporter: inout SeedReporter
  ) {
    var scenario = scenario
    scenario.seed = seed
    reporter.say(.begun(seed))
    let command = ShellCommand(
      running: path, by: surroundings.program, seed: seed, overrides: settings.overrides)
    surroundings.noteForCrash(
      "simulate: the process crashed with seed \(seed); show it again with\n  \(command)\n")
    defer { surroundings.noteForCrash(nil) }
    let interruption = surroundings.interruption
    // A second run of each seed would double the time and is what `run` does for the seed that was found.
    var options = RunOptions(rerunStepLimit: 0)
    let (console, now) = (console, surroundings.now)
    let lastSaid = Mutex(now())
    // Asked every 256 steps: as long as it is, the run goes on, however long it takes.
    options.isInterrupted = {
      let isDue = lastSaid.withLock { last in
        guard now() - last > 1_000_000_000 else { return false }
        last = now()
        return true
      }
      if isDue { console.print(WorkerLine.alive(seed).text) }
      return interruption() != nil
    }
    let report = surroundings.run(scenario, options)
    reporter.tell(report, of: seed)
  }
}

/// Says what came of each seed, every sentence in full only once.
private struct SeedReporter {
  private let console: Console
  private var sentences: [String: Int] = [:]
  private var hasNamedInvariants = false

  init(_ console: Console) { self.console = console }

  func say(_ line: WorkerLine) { console.print(line.text) }

  mutating func tell(_ report: RunReport, of seed: UInt64) {
    if report.endReason == .signal { return }
    if !hasNamedInvariants {
      say(.invariants(applicable(report).map(\.invariant.id)))
      hasNamedInvariants = true
    }
    let missed = report.notExercised.map { number(of: $0) }
    let tally = WorkerLine.SeedTally(
      seed: seed, steps: report.steps, checks: applicable(report).map(\.checks), missed: missed)
    if let first = report.verdicts.compactMap(\.firstViolation).min(by: { $0.stamp < $1.stamp }) {
      say(
        .violated(
          tally,
          WorkerLine.SeedViolation(
            invariant: first.invariant.id, nanoseconds: first.stamp.nanoseconds, step: first.stamp.step,
            message: first.message)))
    } else if report.endReason == .internal {
      say(.stuck(seed, report.problem ?? "the run could not go on"))
    } else {
      say(.passed(tally))
    }
  }

  /// The verdicts on invariants that are about the scenario at all.
  private func applicable(_ report: RunReport) -> [InvariantVerdict] {
    report.verdicts.filter { $0.status != .notApplicable }
  }

  private mutating func number(of sentence: String) -> Int {
    if let known = sentences[sentence] { return known }
    let number = sentences.count
    sentences[sentence] = number
    say(.sentence(number, sentence))
    return number
  }
}
