import Foundation
import Invariants
import Metrics
import ScenarioFormat
import Scenarios
import Testing

/// The scenarios that are shipped, run as they are.
@Suite struct ShippedScenarioTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scenarios")

  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()

  /// The invariants that only runs of one client are judged by (BEHAVIOUR §4).
  private static let ofFeatureControl: Set = [
    "cancel-isolated", "ttl", "degrade-order", "invalidation", "request-economy",
  ]
  private static let ofFlags: Set = [
    "monotonic-version", "delta-base", "gone-recovers", "etag-honest", "gate-closed", "one-snapshot-per-read",
    "disk-honest", "exposure-once", "exposure-true", "backoff", "request-budget", "observers",
  ]

  /// What takes minutes without optimization.
  private static let long: Set = [
    "app-update.json", "consent-withdrawn.json", "day-in-the-life.json", "delta-stream.json",
    "exposure-once.json", "first-launch.json", "gone-storm.json", "kill-switch.json", "publish-herd.json",
    "reconnect-herd.json", "relaunch-offline.json", "sign-in-out-gate.json", "sign-out-in-flight.json",
    "torn-record.json", "week-of-a-fleet.json",
  ]

  private static func load(_ name: String, _ overrides: [Override] = []) throws -> Scenario {
    let bytes = try Data(contentsOf: folder.appending(path: name))
    let loaded = ScenarioFile.load([UInt8](bytes), file: name, overrides: overrides)
    #expect(loaded.problems.map(\.description) == [])
    return try #require(loaded.scenario)
  }

  @Test func `there are scenarios to run`() { #expect(Self.names.count >= 6) }

  // What takes minutes without optimization is run whole by `make smoke`, and scaled down below.
  @Test(arguments: names.filter { !long.contains($0) })
  func `each passes: no violation, every threshold met, everything required exercised`(name: String) throws {
    let scenario = try Self.load(name)
    let report = ScenarioRunner.run(scenario)
    #expect(report.endReason == .completed)
    #expect(report.problem == nil)
    expectUnviolated(report)
    for verdict in report.verdicts {
      let isAbout =
        scenario.client.kind == .flags
        ? !Self.ofFeatureControl.contains(verdict.invariant.id) : !Self.ofFlags.contains(verdict.invariant.id)
      let isApplicable = isAbout && (verdict.invariant != .fleet || scenario.fleet != nil)
      #expect(
        isApplicable
          ? [.passed, .notExercised].contains(verdict.status) : verdict.status == .notApplicable,
        "\(verdict.invariant.id)")
    }
    for requirement in scenario.requirements {
      let verdict = report.verdicts.first { $0.invariant == requirement.invariant }
      #expect((verdict?.checks ?? 0) >= requirement.minChecks, "\(requirement.invariant.id)")
    }
    for threshold in report.thresholds {
      #expect(
        !threshold.isFailure,
        "\(threshold.metric) \(threshold.expression): \(String(describing: threshold.observed))")
    }
    // A fault that is left to chance, or comes and goes, may strike nothing in one run.
    let chances = scenario.faults.filter { fault in
      if case .flapping = fault.effect { return true }
      return fault.probability != .certain
    }.map { "faults.\($0.name) struck nothing" }
    #expect(report.notExercised.filter { !chances.contains($0) } == [])
    #expect(report.trail == [])
  }

  @Test(arguments: names)
  func `each passes with other seeds, scaled down`(name: String) throws {
    for seed in 2...3 {
      // The fault of kill-switch is about the first hundred devices.
      let readers = name == "kill-switch.json" ? "100" : Self.long.contains(name) ? "10" : "60"
      let scenario = try Self.load(name, [.readers(readers), .seed("\(seed)")])
      // The bounds of a fleet are about its size: of 60 devices two in one second are a hundred times the mean.
      let report = ScenarioRunner.run(
        scenario, options: RunOptions(keepsGoing: scenario.fleet != nil, rerunStepLimit: 0))
      #expect(report.endReason == .completed, "seed \(seed)")
      expectUnviolated(report, besides: scenario.fleet != nil ? [.fleet] : [])
    }
  }

  @Test func `cold-cache: one request, everybody else joins it`() throws {
    let report = ScenarioRunner.run(try Self.load("cold-cache.json"))
    #expect(report.count(.requests, ["endpoint": "evaluate"]) == 1)
    #expect(report.count(.coalesced) == 4999)
    #expect(report.count(.evaluations) == 5000)
    let singleFlight = report.verdicts.first { $0.invariant.id == "single-flight" }
    #expect(singleFlight?.status == .passed)
    #expect(singleFlight?.checks == 4999)
  }
}
