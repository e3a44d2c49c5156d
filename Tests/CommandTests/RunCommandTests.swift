import Foundation
import Invariants
import Metrics
import Reporting
import ScenarioFormat
import Scenarios
import Testing

@testable import Command

@Suite struct `Exit codes of run` {
  private let world = World(sources: ["Scenarios/cold-cache.json": ScenarioText.valid()])

  private func resultJSON(_ name: String = "cold-cache") throws -> [String: Any] {
    let text = try #require(world.written["Reports/\(name)/result.json"])
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `a clean run passes, tells its story and writes its reports`() throws {
    #expect(world.run("scenarios/cold-cache.json") == .passed)
    #expect(world.output.contains("5,000 readers asked, 1 request left, 4,999 joined it."))
    #expect(world.errors.isEmpty)
    #expect(
      world.written.keys.sorted() == [
        "Reports/cold-cache/junit.xml", "Reports/cold-cache/report.html", "Reports/cold-cache/result.json",
      ])
    #expect(try resultJSON()["exitCode"] as? Int == 0)
    #expect(world.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `the word run may be given`() {
    #expect(world.run("run", "Scenarios/cold-cache.json", "--quiet") == .passed)
    #expect(world.output.isEmpty)
  }

  @Test func `a failed threshold exits with 2`() throws {
    let text = ScenarioText.valid(extra: #", "thresholds": { "requests{endpoint:evaluate}": ["count==2"] }"#)
    world.state.withLock { $0.sources["a.json"] = text }
    #expect(world.run("a.json") == .threshold)
    #expect(try resultJSON()["exitCode"] as? Int == 2)
  }

  @Test func `a threshold without samples fails as no data`() {
    let text = ScenarioText.valid(extra: #", "thresholds": { "retry_delay": ["max<1s"] }"#)
    world.state.withLock { $0.sources["a.json"] = text }
    #expect(world.run("a.json") == .threshold)
    #expect(world.output.contains("no data"))
  }

  @Test func `a violation exits with 3 and is recorded with the commands that show it again`() throws {
    let arguments = ["Scenarios/cold-cache.json", "--readers", "100", "--set", "client.keys=[\"a b\"]"]
    let surroundings = world.surroundings { scenario, _ in .violated(scenario) }
    #expect(SimulateCommand.run(arguments, in: surroundings) == .violation)
    let command =
      #"simulate run Scenarios/cold-cache.json --seed 1 --readers 100 --set 'client.keys=["a b"]'"#
    let failure = try FailureFile(
      bytes: Array(#require(world.written["Reports/cold-cache/failure.json"]).utf8))
    #expect(failure.command == command)
    #expect(failure.events == ["request 1 starts", "request 2 starts"])
    #expect(failure.invariant == "single-flight")
    #expect(world.output.contains("simulate replay Reports/cold-cache/failure.json"))
    let invariants = try #require(try resultJSON()["invariants"] as? [[String: Any]])
    let first = try #require(invariants[0]["firstViolation"] as? [String: Any])
    #expect(first["replay"] as? String == command)
    #expect(first["time_ns"] as? Int == 12)
    #expect(first["reader"] as? Int == 4)
  }

  @Test func `a required invariant without enough checks exits with 6 and is named`() {
    let text = ScenarioText.valid(extra: #", "require": [{ "id": "invalidation", "minChecks": 10 }]"#)
    world.state.withLock { $0.sources["a.json"] = text }
    let code = world.run("a.json", by: { scenario, _ in .clean(scenario).checking(.invalidation, 9) })
    #expect(code == .inconclusive)
    #expect(world.output.contains("Inconclusive: invalidation made 9 checks, 10 required."))
  }

  @Test func `an invariant that nothing exercised does not matter unless it is required`() {
    #expect(
      world.run("Scenarios/cold-cache.json", by: { scenario, _ in .clean(scenario).checking(.ttl, 0) })
        == .passed)
    #expect(world.output.contains("not exercised: ttl"))
  }

  @Test(arguments: [(Verdict.Signal.interrupt, ExitCode.interrupted), (.terminate, .terminated)])
  func `an interrupted run writes its reports`(_ signal: Verdict.Signal, _ code: ExitCode) throws {
    let state = world
    let ended = world.run("Scenarios/cold-cache.json") { scenario, options in
      #expect(!options.isInterrupted())
      state.state.withLock { $0.signal = signal }
      #expect(options.isInterrupted())
      var report = RunReport.clean(scenario)
      report.endReason = .signal
      return report
    }
    #expect(ended == code)
    #expect(try resultJSON()["endReason"] as? String == "signal")
    #expect(try resultJSON()["exitCode"] as? Int == Int(code.rawValue))
    #expect(world.output.contains("Interrupted by \(signal.rawValue)"))
  }

  @Test func `a run that cannot go on exits with 1 and says why, also when quiet`() {
    let code = world.run("Scenarios/cold-cache.json", "--quiet") { scenario, _ in
      var report = RunReport.clean(scenario)
      report.endReason = .internal
      report.problem = "the clock stood still"
      return report
    }
    #expect(code == .internalError)
    #expect(
      world.errors == "simulate: error: cold-cache: the run could not go on: the clock stood still\n")
  }

  @Test func `options reach the run`() {
    #expect(
      world.run("Scenarios/cold-cache.json", "--keep-going", "--seed", "9", "--readers", "7") == .passed)
    #expect(world.state.withLock { $0.options[0].keepsGoing })
    #expect(world.output.contains("seed 9"))
    #expect(world.output.contains("7 readers asked"))
    #expect(world.output.contains("--readers 7"))
  }
}

@Suite struct `Several files in one command` {
  private let world = World(sources: [
    "a.json": ScenarioText.valid("a"), "b.json": ScenarioText.valid("b"), "c.json": ScenarioText.valid("c"),
    "again.json": ScenarioText.valid("a"), "bad.json": ScenarioText.valid("Bad!"),
  ])

  @Test func `each has a folder, and the worst code counts`() {
    let code = world.run("a.json", "b.json", "c.json") { scenario, _ in
      scenario.name == "b" ? .violated(scenario) : .clean(scenario)
    }
    #expect(code == .violation)
    #expect(world.runs == ["a", "b", "c"])
    #expect(world.written["Reports/a/result.json"] != nil)
    #expect(world.written["Reports/b/failure.json"] != nil)
    #expect(world.written["Reports/c/failure.json"] == nil)
    #expect(world.output.hasSuffix("  a  passed\n  b  an invariant was violated (exit 3)\n  c  passed\n"))
  }

  @Test func `equal names are refused`() {
    #expect(world.run("a.json", "again.json") == .usage)
    #expect(world.errorLines.count == 1)
    #expect(world.errors.contains("again.json: error: name: the name \"a\" is also that of a.json"))
    #expect(world.runs.isEmpty)
  }

  @Test func `nothing runs while one of them is invalid`() {
    #expect(world.run("a.json", "bad.json", "missing.json", "--sed", "1") == .usage)
    #expect(world.errorLines.count == 3)
    #expect(world.runs.isEmpty)
    #expect(world.log.isEmpty)
  }

  @Test func `after a signal the rest is not run`() {
    let state = world
    let code = world.run("a.json", "b.json", "c.json") { scenario, _ in
      state.state.withLock { $0.signal = .interrupt }
      var report = RunReport.clean(scenario)
      report.endReason = .signal
      return report
    }
    #expect(code == .interrupted)
    #expect(world.runs == ["a"])
    #expect(world.errors.contains("not run: b, c"))
  }

  @Test func `one file for the reports of several scenarios is refused`() {
    #expect(world.run("a.json", "b.json", "--report", "json=all.json") == .usage)
    #expect(world.errors.contains("every scenario would overwrite it"))
  }

  @Test func `standard output takes the reports of several scenarios one after the other`() {
    #expect(world.run("a.json", "b.json", "--report", "json=-") == .passed)
    #expect(world.output.components(separatedBy: "\"schemaVersion\"").count == 3)
    #expect(world.errors.contains("PASSED · a"))
  }
}

@Suite struct `Reports of run` {
  private let world = World(sources: ["a.json": ScenarioText.valid("a")])

  @Test func `a report on standard output sends the summary to standard error`() throws {
    #expect(world.run("a.json", "--report", "json=-") == .passed)
    #expect(world.output == world.written["Reports/a/result.json"])
    #expect(world.errors.contains("5,000 readers asked"))
  }

  @Test(arguments: ["html": "<!DOCTYPE html>", "md": "### ✓ a: passed"])
  func `a page and Markdown are written where they are asked for`(format: String, beginning: String) throws {
    #expect(world.run("a.json", "--report", "\(format)=out.txt") == .passed)
    let text = try #require(world.written["out.txt"])
    #expect(text.hasPrefix(beginning))
    #expect(format == "md" || text == world.written["Reports/a/report.html"])
  }

  @Test func `reports go where they are asked to`() {
    #expect(world.run("a.json", "--reports", "out/", "--report", "junit=ci.xml") == .passed)
    #expect(
      world.written.keys.sorted() == ["ci.xml", "out/a/junit.xml", "out/a/report.html", "out/a/result.json"])
    #expect(world.written["ci.xml"] == world.written["out/a/junit.xml"])
  }

  @Test func `a folder that cannot be written is told before the run`() {
    world.state.withLock { $0.refusal = { path in path.hasPrefix("Reports") ? .full(path) : nil } }
    #expect(world.run("a.json") == .internalError)
    #expect(world.runs.isEmpty)
    #expect(world.errorLines.count == 1)
    #expect(world.errors.contains("No space left on device; free some space"))
  }

  @Test func `the folder of a further report is looked at before the run`() {
    world.state.withLock { $0.refusal = { path in path.hasPrefix("nodir/") ? .full(path) : nil } }
    #expect(world.run("a.json", "--report", "json=nodir/x.json") == .internalError)
    #expect(world.runs.isEmpty)
    #expect(world.errors.contains("cannot write reports to nodir"))
  }

  @Test func `a report that names a folder is refused`() {
    #expect(world.run("a.json", "--report", "json=.") == .usage)
    #expect(world.errorLines == ["simulate: error: --report json=.: it is a folder; name a file in it"])
    #expect(world.runs.isEmpty)
  }

  @Test func `a disk that is full at the end costs the reports but not the summary`() {
    let state = world
    let code = world.run("a.json") { scenario, _ in
      state.state.withLock { $0.refusal = { .full($0) } }
      return .clean(scenario)
    }
    #expect(code == .internalError)
    #expect(world.output.contains("5,000 readers asked"))
    #expect(world.written.isEmpty)
    #expect(world.errorLines.count == 3)
    #expect(world.errors.contains("cannot write Reports/a/result.json: No space left on device"))
  }

  @Test func `an old failure goes when the new result is safely there`() {
    world.state.withLock { $0.written["Reports/a/failure.json"] = "old" }
    #expect(world.run("a.json") == .passed)
    #expect(world.written["Reports/a/failure.json"] == nil)
    let steps = world.log.filter { !$0.contains("probe") }
    #expect(
      steps.firstIndex(of: "write Reports/a/result.json")! < steps.firstIndex(
        of: "remove Reports/a/failure.json")!)
  }

  @Test func `an old failure stays while there is no new result`() {
    world.state.withLock { $0.written["Reports/a/failure.json"] = "old" }
    let state = world
    _ = world.run("a.json") { scenario, _ in
      state.state.withLock { $0.refusal = { $0.hasSuffix("result.json") ? .full($0) : nil } }
      return .clean(scenario)
    }
    #expect(world.written["Reports/a/failure.json"] == "old")
  }

  @Test func `an output that is full is an error`() {
    world.state.withLock { $0.outputError = ENOSPC }
    #expect(world.run("a.json") == .internalError)
    #expect(world.errors == "simulate: error: cannot write to standard output: No space left on device\n")
    #expect(world.written["Reports/a/result.json"] != nil)
  }

  @Test func `a reader that has left misses the summary, but a report must be read`() {
    world.state.withLock { $0.outputError = EPIPE }
    #expect(world.run("a.json") == .passed)
    #expect(world.run("a.json", "--report", "json=-") == .internalError)
  }
}

@Suite struct `Progress` {
  private let world = World(sources: ["a.json": ScenarioText.valid("a")])
  private let terminal = Terminal(isTerminal: true, columns: 80, allowsColor: true, allowsRedrawing: true)

  private func run(_ arguments: String..., terminal: Terminal) -> (output: String, errors: String) {
    let state = world
    let surroundings = world.surroundings(outputTerminal: terminal, errorTerminal: terminal) {
      scenario, options in
      for second in [0, 1, 2] {
        state.state.withLock { $0.time = Int64(second) * 1_000_000_000 }
        options.progress?(
          RunProgress(
            simulatedNanoseconds: 1, fraction: Double(second) / 4, steps: 1000, evaluations: 2, requests: 3,
            violations: 0))
      }
      return .clean(scenario)
    }
    _ = SimulateCommand.run(arguments, in: surroundings)
    return (world.output, world.errors)
  }

  @Test func `a long run shows one line that is gone at the end`() {
    let drawn = run("a.json", terminal: terminal).errors
    let lines = drawn.components(separatedBy: "\r").dropFirst()
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.hasSuffix("\u{1B}[K") && $0.count < 80 + 3 })
    #expect(lines.first?.contains("25 %") == true)
    #expect(lines.last == "\u{1B}[K")
    #expect(!drawn.contains("\n"))
  }

  @Test(arguments: ["--quiet", "--no-progress"]) func `progress can be switched off`(_ option: String) {
    #expect(run("a.json", option, terminal: terminal).errors.isEmpty)
  }

  @Test func `a file gets no progress and no colours`() {
    let (output, errors) = run("a.json", terminal: .none)
    #expect(errors.isEmpty)
    #expect(!output.contains("\u{1B}"))
  }

  @Test func `a terminal gets colours unless they are forbidden`() {
    #expect(run("a.json", terminal: terminal).output.contains("\u{1B}[32m"))
    world.state.withLock { $0.output = "" }
    #expect(!run("a.json", "--no-color", terminal: terminal).output.contains("\u{1B}"))
  }
}
