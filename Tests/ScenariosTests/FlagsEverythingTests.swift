import Foundation
import Metrics
import ScenarioFormat
import Scenarios
import Testing

/// Runs of the flags client in which everything happens at once.
@Suite struct FlagsEverythingTests {
  private static func everything(seed: Int) throws -> RunReport {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Mutants/Scenarios/flags-everything.json").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
      .replacing(#""seed": 1,"#, with: #""seed": \#(seed),"#)
    let loaded = ScenarioFile.load(text, file: file.lastPathComponent)
    #expect(loaded.problems.map(\.description) == [])
    let report = ScenarioRunner.run(
      try #require(loaded.scenario), options: RunOptions(rerunStepLimit: 0))
    expectUnviolated(report)
    return report
  }

  @Test(arguments: 1...6)
  func `two runs of one seed are one and the same, and nothing is violated`(seed: Int) throws {
    let (first, second) = (try Self.everything(seed: seed), try Self.everything(seed: seed))
    #expect(first.endReason == .completed)
    #expect(first.digest != nil)
    #expect(second.digest == first.digest)
    #expect(second.steps == first.steps)
    #expect(second.choices == first.choices)
    #expect(second.metrics.rows() == first.metrics.rows())
    #expect(second.verdicts == first.verdicts)
    #expect(second.notExercised == first.notExercised)
  }

  @Test func `every seed is a run of its own`() throws {
    let digests = try (1...6).map { try Self.everything(seed: $0).digest }
    #expect(Set(digests).count == 6)
  }
}
