import Foundation
import ScenarioFormat
import Scenarios
import Testing

/// The scenario that the README shows.
@Suite struct ReadmeScenarioTests {
  private static let text: String = {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let readme = (try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)) ?? ""
    let parts = readme.components(separatedBy: "```json\n")
    return parts.count > 1 ? parts[1].components(separatedBy: "```")[0] : ""
  }()

  @Test(arguments: 1...20)
  func `the scenario of the README is valid and exercises what it requires`(seed: Int) throws {
    let loaded = ScenarioFile.load(Self.text, file: "README.md", overrides: [.seed("\(seed)")])
    #expect(loaded.problems.map(\.description) == [])
    let scenario = try #require(loaded.scenario)
    let report = ScenarioRunner.run(scenario)
    #expect(report.endReason == .completed)
    for requirement in scenario.requirements {
      let verdict = try #require(report.verdicts.first { $0.invariant == requirement.invariant })
      #expect(verdict.checks >= requirement.minChecks)
      #expect(verdict.violations == 0)
    }
  }
}
