import Events
import Invariants
import Metrics
import ScenarioFormat

@testable import Scenarios

/// Texts of scenario files.
enum ScenarioText {
  /// A small scenario that is valid.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - extra: More members, each beginning with a comma.
  /// - Returns: The text.
  static func valid(_ name: String = "cold-cache", extra: String = "") -> String {
    """
    { "name": "\(name)", "description": "Readers ask at once: one request may leave.", "seed": 1,
      "client": { "kind": "feature-control" },
      "readers": { "launch": { "executor": "per-reader-iterations", "readers": 5000, "do": ["evaluate"] } }\(extra) }
    """
  }

  /// A small scenario of the flags client that is valid.
  static let ofFlags = """
    { "name": "first-launch", "description": "Devices launch at once.", "seed": 1,
      "client": { "kind": "flags", "instances": 5, "keys": ["new_checkout"] },
      "readers": { "people": { "executor": "per-reader-iterations", "readers": 5, "do": ["read"] } } }
    """
}

extension Scenario {
  /// The scenario of a valid text.
  static func of(_ text: String = ScenarioText.valid(), overrides: [Override] = []) -> Scenario {
    let loaded = ScenarioFile.load(text, file: "test.json", overrides: overrides)
    guard let scenario = loaded.scenario else { fatalError("\(loaded.problems)") }
    return scenario
  }
}

extension RunReport {
  /// What a run without any trouble gives: one request, everybody else joined it.
  ///
  /// - Parameter scenario: The scenario.
  /// - Returns: The report.
  static func clean(_ scenario: Scenario) -> RunReport {
    let readers = Int64(scenario.readerCount)
    var store = MetricStore()
    let group: Tags = ["group": "launch"]
    let evaluations = store.handle(.evaluations, group)
    store.add(readers, to: evaluations, at: 80_000_000)
    let requests = store.handle(.requests, ["endpoint": "evaluate", "status": "200"])
    store.add(1, to: requests, at: 0)
    let coalesced = store.handle(.coalesced, group)
    store.add(readers - 1, to: coalesced, at: 0)
    return RunReport(
      scenario: scenario,
      endReason: .completed,
      problem: nil,
      digest: scenario.clock == .virtual ? Digest() : nil,
      steps: scenario.clock == .virtual ? 25_000 : 0,
      simulatedNanoseconds: 90_000_000,
      window: RunWindow(warmup: 0, measured: 80_000_000, drain: 10_000_000),
      cost: RunCost(wallNanoseconds: 123_000_000, residentBytes: 40_000_000, bytesPerReader: 1500.4),
      metrics: store,
      warmupMetrics: MetricStore(),
      activity: [
        GroupActivity(group: "launch", evaluations: readers, firstCall: 10_000_000, lastReturn: 90_000_000)
      ],
      verdicts: Invariant.judged.map {
        InvariantVerdict(
          invariant: $0, status: .passed, checks: Int(readers) - 1, violations: 0, firstViolation: nil)
      },
      thresholds: scenario.thresholds.map {
        $0.threshold.evaluate(in: store, windowNanoseconds: 80_000_000)
      },
      notExercised: [],
      trail: [],
      choices: scenario.clock == .virtual ? ChoiceLog() : nil
    )
  }

  /// What a run gives that ends at a violation.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - invariant: What is violated.
  ///   - message: What was wrong.
  /// - Returns: The report.
  static func violated(
    _ scenario: Scenario,
    _ invariant: Invariant = .singleFlight,
    message: String = "two equal requests at once"
  ) -> RunReport {
    var report = clean(scenario)
    var choices = ChoiceLog()
    for choice in [3, 700, 1] { choices.append(UInt64(choice), label: .schedule) }
    report.endReason = .violation
    report.trail = ["request 1 starts", "request 2 starts"]
    if scenario.clock == .virtual { report.choices = choices }
    let violation = Violation(
      invariant: invariant,
      stamp: Stamp(nanoseconds: 12, step: 3),
      reader: ReaderID(4),
      instance: InstanceID(0),
      message: message
    )
    report.verdicts = report.verdicts.map {
      guard $0.invariant == invariant else { return $0 }
      return InvariantVerdict(
        invariant: invariant, status: .violated, checks: 7, violations: 1, firstViolation: violation)
    }
    return report
  }

  /// The same report with another number of checks of an invariant.
  func checking(_ invariant: Invariant, _ checks: Int) -> RunReport {
    var report = self
    report.verdicts = verdicts.map {
      guard $0.invariant == invariant else { return $0 }
      return InvariantVerdict(
        invariant: invariant, status: checks == 0 ? .notExercised : .passed, checks: checks, violations: 0,
        firstViolation: nil)
    }
    return report
  }
}
