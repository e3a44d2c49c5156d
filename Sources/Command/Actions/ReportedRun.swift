import Reporting
import ScenarioFormat
import Scenarios

/// One run of a scenario with its reports and its summary; what `run` and `explore` have in common.
struct ReportedRun {
  let session: SessionRun
  let folder: ReportFolder

  /// Runs a scenario, writes its reports and prints its summary.
  ///
  /// - Parameters:
  ///   - scenario: What to run.
  ///   - file: The file it is from, for the command that shows the run again.
  /// - Returns: The worst of what the run and the writing came to.
  func perform(_ scenario: Scenario, from file: String) -> ExitCode {
    let command = ShellCommand(
      running: file,
      by: session.surroundings.program,
      seed: scenario.seed,
      overrides: session.settings.overrides,
      keepsGoing: session.settings.keepsGoing
    )
    let report = session.run(scenario, shownBy: command)
    let assembly = session.assembly(command: command)
    let result = assembly.result(of: report)
    let failure = assembly.failure(of: report)
    let pictures = assembly.pictures(of: report)
    var (written, errors) = folder.write(result, pictures, failure: failure)
    for request in session.settings.extraReports {
      let text =
        switch request.format {
        case .json: result.jsonText()
        case .html: result.htmlText(pictures)
        case .md: result.markdownText()
        case .bench: result.benchmarkText()
        case .hdr: pictures.telling.first?.hdrText() ?? "# no duration was measured\n"
        case .junit: result.junitText()
        }
      if request.isForOutput {
        session.console.printReport(text)
        continue
      }
      do throws(AtomicFileError) {
        try session.surroundings.reportFiles.write(text, request.path)
        written.append(request.path)
      } catch {
        errors.append(error)
      }
    }
    if let job = session.surroundings.gitHubJob {
      do throws(AtomicFileError) {
        try session.surroundings.reportFiles.append(result.markdownText() + "\n", job.summaryPath)
      } catch {
        errors.append(error)
      }
    }
    var closing: [String] = []
    if failure != nil, report.scenario.clock == .virtual, written.contains(folder.failurePath) {
      let replay = ShellCommand(replaying: folder.failurePath, by: session.surroundings.program)
      closing = ["", "The recorded choices show it again, also without the scenario file:", "    \(replay)"]
    }
    session.printSummary(of: result, reports: written, closing: closing)
    session.tellErrors(of: report, errors)
    if session.surroundings.gitHubJob != nil {
      for line in GitHubJob.annotations(of: result) { session.console.tell(line + "\n") }
    }
    return ExitCode.worst(of: [result.exitCode, errors.isEmpty ? .passed : .internalError])
  }
}
