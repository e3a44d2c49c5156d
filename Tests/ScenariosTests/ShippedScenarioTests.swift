import Foundation
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

  private static func load(_ name: String, _ overrides: [Override] = []) throws -> Scenario {
    let bytes = try Data(contentsOf: folder.appending(path: name))
    let loaded = ScenarioFile.load([UInt8](bytes), file: name, overrides: overrides)
    #expect(loaded.problems.map(\.description) == [])
    return try #require(loaded.scenario)
  }

  @Test func `there are scenarios to run`() { #expect(Self.names.count >= 6) }

  @Test(arguments: names)
  func `each passes: no violation, every threshold met, everything required exercised`(name: String) throws {
    let scenario = try Self.load(name)
    let report = ScenarioRunner.run(scenario)
    #expect(report.endReason == .completed)
    #expect(report.problem == nil)
    expectUnviolated(report)
    for verdict in report.verdicts {
      #expect([.passed, .notExercised].contains(verdict.status), "\(verdict.invariant.id)")
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
    #expect(report.notExercised == [])
    #expect(report.trail == [])
  }

  @Test(arguments: names)
  func `each passes with other seeds, scaled down`(name: String) throws {
    for seed in 2...6 {
      let scenario = try Self.load(name, [.readers("60"), .seed("\(seed)")])
      let report = ScenarioRunner.run(scenario, options: RunOptions(rerunStepLimit: 0))
      #expect(report.endReason == .completed, "seed \(seed)")
      expectUnviolated(report)
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
