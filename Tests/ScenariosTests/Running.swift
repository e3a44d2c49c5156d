import Foundation
import Invariants
import Metrics
import ScenarioFormat
import Scenarios
import Testing

/// Loads a scenario from its text.
///
/// What most tests don't care about is filled in: a name, a description, a client, a service that answers after 80 ms.
func scenario(
  _ parts: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Scenario {
  let given = try JSONSerialization.jsonObject(with: Data("{ \(parts) }".utf8)) as? [String: Any]
  var text = parts
  for (key, value) in [
    ("name", "\"test\""), ("description", "\"A test.\""), ("client", "{ \"kind\": \"feature-control\" }"),
  ] where given?[key] == nil {
    text = "\"\(key)\": \(value), " + text
  }
  let loaded = ScenarioFile.load("{ \(text) }", file: "test.json")
  #expect(loaded.problems.map(\.description) == [], sourceLocation: sourceLocation)
  return try #require(loaded.scenario, sourceLocation: sourceLocation)
}

/// Runs a scenario given as text, and expects that no invariant was violated.
func run(
  _ parts: String, options: RunOptions = RunOptions(rerunStepLimit: 0),
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> RunReport {
  let report = ScenarioRunner.run(
    try scenario(parts, sourceLocation: sourceLocation), options: options)
  expectUnviolated(report, sourceLocation: sourceLocation)
  return report
}

/// Expects that no judge of a run saw a violation, some judges left aside.
func expectUnviolated(
  _ report: RunReport, besides ignored: [Invariant] = [], sourceLocation: SourceLocation = #_sourceLocation
) {
  let messages = report.verdicts.filter { !ignored.contains($0.invariant) }
    .compactMap { $0.firstViolation.map { "\($0.invariant.id): \($0.message)" } }
  #expect(messages == [], sourceLocation: sourceLocation)
}

extension RunReport {
  /// The value of a counter, or the number of samples of a trend; 0 without any.
  func count(_ metric: Metric, _ tags: Tags = .none) -> Int64 { metrics.query(metric, tags)?.count ?? 0 }

  /// The status of each verdict by the id of its invariant.
  var statuses: [String: String] {
    Dictionary(uniqueKeysWithValues: verdicts.map { ($0.invariant.id, $0.status.rawValue) })
  }
}
