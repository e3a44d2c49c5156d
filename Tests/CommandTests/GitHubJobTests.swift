import Foundation
import Reporting
import Testing

@testable import Command

@Suite struct `Jobs of GitHub Actions` {
  private static let job = GitHubJob(variables: ["GITHUB_STEP_SUMMARY": "summary.md"])
  private let world = World(sources: ["a.json": ScenarioText.valid("a")])

  @Test func `without the variable, or with an empty one, there is no job`() {
    #expect(GitHubJob(variables: [:]) == nil)
    #expect(GitHubJob(variables: ["GITHUB_STEP_SUMMARY": ""]) == nil)
    #expect(world.run("a.json") == .passed)
    #expect(!world.errors.contains("::"))
    #expect(world.log.allSatisfy { !$0.hasPrefix("append") })
  }

  @Test func `each run is added to the job's summary`() throws {
    world.state.withLock { $0.written["summary.md"] = "before\n" }
    for _ in 1...2 {
      #expect(SimulateCommand.run(["a.json"], in: world.surroundings(gitHubJob: Self.job)) == .passed)
    }
    let summary = try #require(world.written["summary.md"])
    #expect(summary.hasPrefix("before\n### ✓ a: passed"))
    #expect(summary.components(separatedBy: "### ✓ a: passed").count == 3)
    #expect(!world.errors.contains("::"))
  }

  @Test func `what failed is pointed at, escaped as the runner wants it`() {
    let surroundings = world.surroundings(gitHubJob: Self.job) { scenario, _ in
      .violated(scenario, message: "100 % wrong:\nfirst, second")
    }
    #expect(SimulateCommand.run(["a.json"], in: surroundings) == .violation)
    #expect(
      world.errorLines.contains(
        "::error title=a%3A single-flight::100 %25 wrong:%0Afirst, second"))
  }

  @Test func `a summary that cannot be written is told and counts`() {
    world.state.withLock {
      $0.refusal = { $0 == "summary.md" ? .full($0) : nil }
    }
    #expect(SimulateCommand.run(["a.json"], in: world.surroundings(gitHubJob: Self.job)) == .internalError)
    #expect(world.errors.contains("cannot write summary.md"))
    #expect(world.written["Reports/a/result.json"] != nil)
  }

  @Test func `a file on a real disk keeps what it has`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "summary-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ReportFiles.system.append("one\n", path)
    try ReportFiles.system.append("two\n", path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
  }
}
