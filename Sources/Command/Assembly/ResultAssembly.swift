import Events
import Foundation
import Invariants
import Metrics
import Reporting
import ScenarioFormat
import Scenarios

// From what a run gave to what its reports say. The numbers are fixed here once; every format prints the same
// `RunResult`.

/// Makes the result of a run.
package struct ResultAssembly: Sendable {
  /// The program.
  package var tool: RunResult.Tool
  /// The machine.
  package var environment: Machine.Environment
  /// The command that runs the same again.
  package var command: ShellCommand
  /// The signal that has arrived; nil if none has.
  package var signal: Verdict.Signal?

  package init(
    tool: RunResult.Tool,
    environment: Machine.Environment,
    command: ShellCommand,
    signal: Verdict.Signal?
  ) {
    self.tool = tool
    self.environment = environment
    self.command = command
    self.signal = signal
  }

  /// Returns the result of a run.
  ///
  /// - Complexity: O(r·s) in the rows and tag sets of the metrics.
  /// - Parameter report: What the run gave.
  /// - Returns: The result, with verdicts and exit code.
  package func result(of report: RunReport) -> RunResult {
    let scenario = report.scenario
    let isVirtual = scenario.clock == .virtual
    let invariants = report.verdicts.map { invariantResult(of: $0, isVirtual: isVirtual) }
    let endReason = endReason(of: report.endReason)
    let verdicts = Verdict.judge(
      endReason: endReason,
      invariants: invariants,
      requirements: scenario.applicableRequirements.map {
        .init(id: $0.invariant.id, minChecks: Int64($0.minChecks))
      },
      thresholds: report.thresholds,
      signal: signal
    )
    let story = RunStory(
      report: report,
      invariants: invariants,
      cores: environment.cores,
      signal: signal ?? .interrupt
    )
    return RunResult(
      tool: tool,
      scenario: RunResult.ScenarioIdentity(
        name: scenario.name,
        hash: scenario.hash,
        seed: scenario.seed,
        clock: isVirtual ? .virtual : .wall,
        overrides: scenario.overrides
      ),
      endReason: endReason,
      digest: isVirtual ? report.digest?.hexadecimal : nil,
      window: RunResult.Window(
        warmupNanoseconds: report.window.warmup,
        measuredNanoseconds: report.window.measured,
        drainNanoseconds: report.window.drain
      ),
      simulatedNanoseconds: isVirtual ? report.simulatedNanoseconds : nil,
      steps: isVirtual ? report.steps : nil,
      machine: machine(of: report.cost),
      metrics: report.metrics.rows(windowNanoseconds: report.window.measured),
      series: report.metrics.series(),
      invariants: invariants,
      thresholds: report.thresholds,
      notExercised: report.notExercised + scenario.inapplicableRequirements,
      verdicts: verdicts,
      story: story.lines
    )
  }

  /// Returns what `failure.json` holds of a run.
  ///
  /// A run on the wall clock has neither digest nor choices: both are empty texts there.
  /// - Complexity: O(n) in the number of choices.
  /// - Parameter report: What the run gave.
  /// - Returns: The content; nil if no invariant was violated.
  package func failure(of report: RunReport) -> FailureFile? {
    let isVirtual = report.scenario.clock == .virtual
    // The earliest, which is what the choices lead to; of one instant the one that is first in the reports.
    let violations = report.verdicts.compactMap(\.firstViolation)
    guard let first = violations.min(by: { $0.stamp < $1.stamp }) else { return nil }
    return FailureFile(
      tool: tool,
      scenarioJSON: report.scenario.canonicalJSON(includingSeed: true),
      seed: report.scenario.seed,
      overrides: report.scenario.overrides,
      command: command.description,
      invariant: first.invariant.id,
      violation: violation(of: first, isVirtual: isVirtual),
      digest: isVirtual ? report.digest?.hexadecimal ?? "" : "",
      events: report.trail,
      choices: report.choices.map { Data($0.bytes).base64EncodedString() } ?? ""
    )
  }

  private func endReason(of reason: Scenarios.EndReason) -> RunResult.EndReason {
    switch reason {
    case .completed: .completed
    case .threshold: .threshold
    case .violation: .violation
    case .signal: .signal
    case .internal: .internal
    }
  }

  private func machine(of cost: RunCost) -> Machine {
    let perReader = cost.bytesPerReader.rounded()
    return Machine(
      wallNanoseconds: cost.wallNanoseconds,
      environment: environment,
      // 0 is what a system that does not tell is read as; no process holds nothing.
      residentBytes: cost.residentBytes > 0 ? cost.residentBytes : nil,
      bytesPerReader: cost.residentBytes > 0 ? Int64(exactly: perReader) : nil
    )
  }

  private func invariantResult(of verdict: InvariantVerdict, isVirtual: Bool) -> InvariantResult {
    let status: InvariantResult.Status =
      switch verdict.status {
      case .passed: .passed
      case .violated: .violated
      case .notExercised: .notExercised
      case .notApplicable: .notApplicable
      }
    return InvariantResult(
      id: verdict.invariant.id,
      status: status,
      checks: Int64(verdict.checks),
      firstViolation: verdict.firstViolation.map { violation(of: $0, isVirtual: isVirtual) }
    )
  }

  private func violation(of violation: Violation, isVirtual: Bool) -> InvariantResult.Violation {
    InvariantResult.Violation(
      nanoseconds: violation.stamp.nanoseconds,
      step: isVirtual ? violation.stamp.step : nil,
      reader: violation.reader.map { Int($0.rawValue) },
      instance: violation.instance.map { Int($0.rawValue) },
      message: violation.message,
      // On the wall clock the same command need not show the same again.
      replay: isVirtual ? command.description : nil
    )
  }
}
