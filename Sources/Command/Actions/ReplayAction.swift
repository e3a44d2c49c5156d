import Events
import Foundation
import Reporting
import ScenarioFormat
import Scenarios

// `simulate replay FAILURE.json`: the scenario and every choice of a failed run are in the file, so the run goes the
// same way again, unless the program has changed; whether it did is what this command tells.

/// The command `replay`.
struct ReplayAction {
  /// The largest failure file that is read, in bytes: a million readers leave some ten million choices.
  private static let largestFile = 1 << 29

  let surroundings: Surroundings
  let console: Console

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    let settings = RunSettings(arguments)
    var problems: [any CustomStringConvertible] = arguments.problems + settings.problems
    if arguments.operands.count != 1 {
      problems.append(
        UsageProblem("replay takes one FAILURE.json, as a run that found a violation has written it")
      )
    }
    var recording: Recording?
    if let path = arguments.operands.first {
      do throws(ReadError) { recording = try read(path) } catch { problems += error.problems }
    }
    for problem in problems { console.tell(problem: problem) }
    guard problems.isEmpty, let recording else { return .usage }
    return replay(recording, settings)
  }

  /// What a failure file holds, ready to be run.
  private struct Recording {
    let path: String
    let failure: FailureFile
    let scenario: Scenario
    let choices: ChoiceLog
  }

  private struct ReadError: Error {
    let problems: [any CustomStringConvertible & Sendable]
  }

  // MARK: Reading

  private func read(_ path: String) throws(ReadError) -> Recording {
    let shown = ShownText.line(path)
    func refuse(_ message: String) -> ReadError { ReadError(problems: ["\(shown): error: \(message)"]) }

    switch surroundings.files.kind(path) {
    case .file: break
    case .folder: throw refuse("it is a folder; name the failure.json in it")
    case nil: throw refuse("there is no such file")
    }
    let bytes: [UInt8]
    switch surroundings.files.read(path, Self.largestFile + 1) {
    case .success(let content): bytes = content
    case .failure(let failure): throw refuse("it cannot be read: \(failure.reason)")
    }
    guard bytes.count <= Self.largestFile else { throw refuse("it is larger than any failure.json") }
    let failure: FailureFile
    do throws(FailureFileError) { failure = try FailureFile(bytes: bytes) } catch {
      throw ReadError(problems: error.problems.map { "\(shown): error: \($0)" })
    }
    // From the text of the scenario alone: a file with many choices is too long for a scenario.
    let loaded = ScenarioFile.load(failure.scenarioJSON, file: "\(path) (scenario)")
    guard let scenario = loaded.scenario else { throw ReadError(problems: loaded.problems) }
    guard scenario.clock == .virtual else {
      throw refuse(
        "the run was on the wall clock, which cannot be replayed; run it again: \(failure.command)"
      )
    }
    guard scenario.seed == failure.seed else {
      throw refuse("its seed and that of its scenario differ; give a failure.json as simulate has written it")
    }
    guard let data = Data(base64Encoded: failure.choices), let choices = ChoiceLog(bytes: Array(data)) else {
      throw refuse("its choices are damaged; run it again: \(failure.command)")
    }
    return Recording(path: path, failure: failure, scenario: scenario, choices: choices)
  }

  // MARK: Running

  private func replay(_ recording: Recording, _ settings: RunSettings) -> ExitCode {
    let session = SessionRun(
      surroundings: surroundings,
      console: console,
      settings: settings,
      summaryGoesToErrors: false
    )
    let folder = settings.reportsFolder.map {
      ReportFolder(of: recording.scenario.name, in: $0, files: surroundings.reportFiles)
    }
    do throws(AtomicFileError) { try folder?.prepare() } catch {
      console.tell("simulate: error: \(error)\n")
      return .internalError
    }
    let command = ShellCommand(replaying: recording.path, by: surroundings.program)
    let report = session.run(
      recording.scenario, shownBy: command, replay: RunOptions(replay: recording.choices))
    let assembly = session.assembly(command: command)
    var result = assembly.result(of: report)
    var failure = assembly.failure(of: report)
    // They are part of the recorded scenario already; here they only tell how it came about.
    result.scenario.overrides = recording.failure.overrides
    failure?.overrides = recording.failure.overrides
    let (written, errors) = folder?.write(result, assembly.pictures(of: report), failure: failure) ?? ([], [])
    let comparison = Self.comparison(of: recording.failure, with: failure, endReason: result.endReason)
    session.printSummary(of: result, reports: written, closing: [""] + wrapped(comparison))
    session.tellErrors(of: report, errors)
    return ExitCode.worst(of: [result.exitCode] + (errors.isEmpty ? [] : [.internalError]))
  }

  /// Says whether a recorded violation came back.
  private static func comparison(
    of recorded: FailureFile,
    with seen: FailureFile?,
    endReason: RunResult.EndReason
  ) -> String {
    guard let seen else {
      return endReason == .signal
        ? "The replay was interrupted before \(recorded.invariant) was violated."
        : "The violation did not come back: \(recorded.invariant) held this time. The program, or what it runs on, "
          + "has changed since it was recorded."
    }
    var (before, now) = (recorded.violation, seen.violation)
    // The commands differ by nature: one names the scenario's file, the other the failure's.
    (before.replay, now.replay) = (nil, nil)
    if seen.invariant == recorded.invariant, before == now {
      return "The same violation came back: \(recorded.invariant), at the same time and step."
    }
    return seen.invariant == recorded.invariant
      ? "\(recorded.invariant) was violated again, but not in the same way: the program, or what it runs on, has "
        + "changed since it was recorded."
      : "Another violation came: \(seen.invariant). Recorded was \(recorded.invariant)."
  }

  private func wrapped(_ text: String) -> [String] {
    TextPage.wrapped(text, columns: max(surroundings.outputTerminal.columns, 24))
  }
}
