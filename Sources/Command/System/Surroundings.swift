import Foundation
import Metrics
import Reporting
import ScenarioFormat
import Scenarios

/// Everything outside that the command reads, asks or writes to, so that a test can give it a world of its own.
package struct Surroundings: Sendable {
  /// The program as it was typed, for commands that are shown.
  package var program: String
  /// Where summaries go.
  package var output: TextSink
  /// Where problems and progress go.
  package var errors: TextSink
  /// What the standard output ends in.
  package var outputTerminal: Terminal
  /// What the standard error ends in.
  package var errorTerminal: Terminal
  /// The files that are read.
  package var files: FileTree
  /// The files that are written.
  package var reportFiles: ReportFiles
  /// The path of the executable, beside which shipped scenarios are looked for; nil if unknown.
  package var executable: String?
  /// The signal that has arrived, nil if none has; asked often.
  package var interruption: @Sendable () -> Verdict.Signal?
  /// The nanoseconds of a clock that never goes back, for progress.
  package var now: @Sendable () -> Int64
  /// Returns the program for reports; asked once in a run.
  package var tool: @Sendable () -> RunResult.Tool
  /// Returns the machine for reports; asked once in a run.
  package var machine: @Sendable () -> Machine.Environment
  /// The job of GitHub Actions that this is part of; nil if it is part of none.
  package var gitHubJob: GitHubJob?
  /// The counter of allocations.
  package var allocations: AllocationCounter
  /// Has a text written if the process crashes; nil takes it back.
  package var noteForCrash: @Sendable (String?) -> Void
  /// Runs a scenario; blocks until it has ended.
  package var run: @Sendable (_ scenario: Scenario, _ options: RunOptions) -> RunReport

  package init(
    program: String,
    output: TextSink,
    errors: TextSink,
    outputTerminal: Terminal,
    errorTerminal: Terminal,
    files: FileTree,
    reportFiles: ReportFiles,
    executable: String?,
    interruption: @escaping @Sendable () -> Verdict.Signal?,
    now: @escaping @Sendable () -> Int64,
    tool: @escaping @Sendable () -> RunResult.Tool,
    machine: @escaping @Sendable () -> Machine.Environment,
    gitHubJob: GitHubJob? = nil,
    allocations: AllocationCounter,
    noteForCrash: @escaping @Sendable (String?) -> Void = { _ in },
    run: @escaping @Sendable (_ scenario: Scenario, _ options: RunOptions) -> RunReport
  ) {
    self.program = program
    self.output = output
    self.errors = errors
    self.outputTerminal = outputTerminal
    self.errorTerminal = errorTerminal
    self.files = files
    self.reportFiles = reportFiles
    self.executable = executable
    self.interruption = interruption
    self.now = now
    self.tool = tool
    self.machine = machine
    self.gitHubJob = gitHubJob
    self.allocations = allocations
    self.noteForCrash = noteForCrash
    self.run = run
  }

  /// Returns the surroundings of this process, whose signals must have been installed.
  static func current(allocations: AllocationCounter) -> Surroundings {
    let variables = ProcessInfo.processInfo.environment
    let executable = Bundle.main.executablePath
    let start = ContinuousClock.now
    return Surroundings(
      program: CommandLine.arguments.first ?? "simulate",
      output: .standardOutput,
      errors: .standardError,
      outputTerminal: .current(descriptor: STDOUT_FILENO, variables: variables),
      errorTerminal: .current(descriptor: STDERR_FILENO, variables: variables),
      files: .current,
      reportFiles: .system,
      executable: executable,
      interruption: { Interruption.current },
      now: {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
      },
      tool: { ProgramIdentity.tool(executable: executable) },
      machine: { .current(allocator: allocations.name) },
      gitHubJob: GitHubJob(variables: variables),
      allocations: allocations,
      noteForCrash: { text in
        if let text { CrashNote.arm(text) } else { CrashNote.disarm() }
      },
      run: { scenario, options in ScenarioRunner.run(scenario, options: options) }
    )
  }
}
