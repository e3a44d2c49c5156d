import Events
import Foundation
import Invariants
import Metrics
import Reporting
import ScenarioFormat
import Scenarios
import Testing

@testable import Command

@Suite struct `From a run to its result` {
  private let environment = Machine.Environment(
    os: "TestOS 1", cpu: "test", cores: 2, swift: "6.3.1", allocator: "system")

  private func assembly(signal: Verdict.Signal? = nil) -> ResultAssembly {
    ResultAssembly(
      tool: .init(version: "0.1.0", build: "test"),
      environment: environment,
      command: ShellCommand(["simulate", "run", "a.json"]),
      signal: signal
    )
  }

  @Test func `every number of the run is in the result`() throws {
    let scenario = Scenario.of(overrides: [.seed("7"), .readers("200")])
    let report = RunReport.clean(scenario)
    let result = assembly().result(of: report)
    #expect(result.scenario.name == "cold-cache")
    #expect(result.scenario.seed == 7)
    #expect(result.scenario.hash == scenario.hash)
    #expect(result.scenario.overrides == ["--seed 7", "--readers 200"])
    #expect(result.endReason == .completed)
    #expect(result.digest == Digest().hexadecimal)
    #expect(result.window == .init(measuredNanoseconds: 80_000_000, drainNanoseconds: 10_000_000))
    #expect(result.simulatedNanoseconds == 90_000_000)
    #expect(result.steps == 25_000)
    #expect(result.machine.wallNanoseconds == 123_000_000)
    #expect(result.machine.residentBytes == 40_000_000)
    #expect(result.machine.bytesPerReader == 1500)
    #expect(result.machine.environment == environment)
    #expect(result.metrics == report.metrics.rows(windowNanoseconds: 80_000_000))
    #expect(result.series == report.metrics.series())
    #expect(result.invariants.map(\.id) == Invariant.judged.map(\.id))
    #expect(result.invariants.allSatisfy { $0.status == .passed && $0.checks == 199 })
    #expect(result.exitCode == .passed)
  }

  @Test func `the wall clock has no digest, no steps and no command that surely shows it again`() {
    let report = RunReport.violated(Scenario.of(overrides: [.clock("wall")]))
    let result = assembly().result(of: report)
    #expect(result.digest == nil)
    #expect(result.steps == nil)
    #expect(result.simulatedNanoseconds == nil)
    #expect(result.invariants[0].firstViolation?.replay == nil)
    #expect(result.invariants[0].firstViolation?.step == nil)
    #expect(result.invariants[0].firstViolation?.nanoseconds == 12)
    #expect(assembly().failure(of: report)?.choices == "")
  }

  @Test func `memory that the system does not tell is absent`() {
    var report = RunReport.clean(.of())
    report.cost.residentBytes = 0
    #expect(assembly().result(of: report).machine.residentBytes == nil)
    #expect(assembly().result(of: report).machine.bytesPerReader == nil)
  }

  @Test func `a clean run has no failure, a violated one is recorded whole`() throws {
    #expect(assembly().failure(of: .clean(.of())) == nil)
    let report = RunReport.violated(.of())
    let failure = try #require(assembly().failure(of: report))
    let read = try FailureFile(bytes: Array(failure.jsonText().utf8))
    #expect(read == failure)
    let choices = try #require(Data(base64Encoded: read.choices))
    #expect(ChoiceLog(bytes: Array(choices)) == report.choices)
    let scenario = ScenarioFile.load(read.scenarioJSON, file: "x").scenario
    #expect(scenario?.hash == report.scenario.hash)
    #expect(scenario?.seed == report.scenario.seed)
  }

  @Test func `the failure is the earliest violation`() throws {
    var report = RunReport.violated(.of(), .ttl, message: "later in the list, earlier in time")
    let late = RunReport.violated(.of(), .singleFlight).verdicts[0]
    let stamp = Stamp(nanoseconds: 13, step: 9)
    let violation = try #require(late.firstViolation)
    report.verdicts[0] = InvariantVerdict(
      invariant: .singleFlight, status: .violated, checks: 1, violations: 1,
      firstViolation: Violation(invariant: .singleFlight, stamp: stamp, message: violation.message))
    #expect(assembly().failure(of: report)?.invariant == "ttl")
  }

  // MARK: The story

  private func story(_ change: (inout RunReport) -> Void, scenario: Scenario = .of()) -> [String] {
    var report = RunReport.clean(scenario)
    change(&report)
    return assembly().result(of: report).story
  }

  @Test func `the story of a warm cache tells how much came from it`() {
    let lines = story { report in
      var store = MetricStore()
      let evaluations = store.handle(.evaluations, [:])
      store.add(200_001, to: evaluations, at: 0)
      let requests = store.handle(.requests, ["endpoint": "evaluate", "status": "200"])
      store.add(2, to: requests, at: 0)
      for (state, count) in [("fresh", 200_000), ("stale", 1), ("default", 3)] {
        let hits = store.handle(.cacheHits, ["state": state])
        store.add(Int64(count), to: hits, at: 0)
      }
      let coalesced = store.handle(.coalesced, [:])
      store.add(1, to: coalesced, at: 0)
      report.metrics = store
    }
    #expect(
      lines == [
        "5,000 readers asked 200,001 times, 2 requests left, 1 joined one, 200,000 were answered from the cache, "
          + "1 got a stale value, 3 got the default."
      ])
  }

  @Test func `the story of nothing says so`() {
    #expect(
      story { $0.metrics = MetricStore() } == ["5,000 readers, and not one evaluation returned."])
  }

  @Test func `the story of a fleet counts its instances`() {
    let fleet = Scenario.of(overrides: [.set("client.instances=5000")])
    #expect(story({ _ in }, scenario: fleet)[0].hasPrefix("5,000 readers in 5,000 app instances asked, "))
  }

  @Test func `the story of devices tells what they read, asked for, went through and sent`() {
    let lines = story(
      { report in
        var store = MetricStore()
        func add(_ count: Int64, _ metric: Metric, _ tags: Tags = [:]) {
          let handle = store.handle(metric, tags)
          store.add(count, to: handle, at: 0)
        }
        add(900, .reads, ["how": "typed"])
        for (endpoint, count) in [("snapshot", 7), ("delta", 1), ("realtime", 6), ("events", 2)] {
          add(Int64(count), .requests, ["endpoint": endpoint, "status": "200"])
        }
        add(3, .readerChanges)
        add(1, .relaunches)
        add(2, .gone)
        add(12, .exposures, ["outcome": "recorded"])
        add(10, .exposures, ["outcome": "sent"])
        add(2, .exposures, ["outcome": "dropped"])
        add(2, .batches)
        let delay = store.handle(.propagationDelay, [:])
        for nanoseconds in [1_000_000_000, 2_000_000_000, 3_000_000_000] as [Int64] {
          store.record(nanoseconds, in: delay, at: 0)
        }
        report.metrics = store
      }, scenario: .of(ScenarioText.ofFlags))
    #expect(
      lines == [
        "5 readers on 5 devices read flags 900 times, 16 requests left: 7 snapshots, 1 delta, 6 sockets, "
          + "2 batches of events.",
        "3 changes of reader, 1 relaunch, 2 deltas were gone.",
        "A publish reached a device after 2 s (median), 3 s at the latest.",
        "12 events captured, 2 batches sent with exposures and all: 10 events acknowledged, 2 dropped and counted.",
      ])
  }

  @Test func `the story of devices of which nobody asks says so`() {
    let lines = story({ $0.metrics = MetricStore() }, scenario: .of(ScenarioText.ofFlags))
    #expect(lines == ["5 readers on 5 devices read flags 0 times, no request left."])
  }

  @Test func `the wall clock tells its throughput`() {
    let wall = Scenario.of(overrides: [.clock("wall")])
    #expect(
      story({ _ in }, scenario: wall)[1]
        == "launch: 5,000 evaluations in 80 ms: 62,500 per second on 2 cores.")
  }

  @Test func `what the warm-up left out is told`() {
    let lines = story { report in
      let evaluations = report.warmupMetrics.handle(.evaluations, [:])
      report.warmupMetrics.add(1000, to: evaluations, at: 0)
      report.window.warmup = 5_000_000_000
    }
    #expect(lines[1] == "Left out: a warm-up of 5 s with 1,000 evaluations and 0 requests.")
  }

  @Test func `a run that was cut off says when`() {
    #expect(story { $0.endReason = .threshold }.last?.contains("after 90 ms of virtual time") == true)
    #expect(story { $0.endReason = .signal }.last?.hasPrefix("Interrupted by SIGINT") == true)
    #expect(
      story {
        $0.endReason = .internal
        $0.problem = "a bug"
      }.last?.hasSuffix(": a bug.") == true)
  }
}

@Suite struct `Commands to be typed` {
  @Test(arguments: [
    ("plain/path-1.json", "plain/path-1.json"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#),
    ("$HOME;rm", "'$HOME;rm'"), ("a=\"b\"", "'a=\"b\"'"), ("é", "'é'"), ("~", "'~'"),
  ])
  func `a word is quoted where a shell needs it`(_ word: String, _ quoted: String) {
    #expect(ShellCommand([word]).description == quoted)
  }

  @Test func `what a shell reads back is what was meant`() throws {
    let words = ["a b", "it's", "$x `y` \\ \"", "", "*", "x\ny", "#", "!", "{a,b}"]
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "printf '%s|' \(ShellCommand(words))"]
    let pipe = Pipe()
    shell.standardOutput = pipe
    try shell.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == words.map { $0 + "|" }.joined())
  }

  @Test func `the seed is given once and the other overrides in their order`() {
    let command = ShellCommand(
      running: "x.json", by: "./simulate", seed: 4,
      overrides: [.set("a=1"), .seed("4"), .clock("virtual"), .readers("9")], keepsGoing: true)
    #expect(
      command.description
        == "./simulate run x.json --seed 4 --set a=1 --clock virtual --readers 9 --keep-going")
  }

  @Test func `a file that looks like an option is none`() {
    let command = ShellCommand(running: "-x.json", by: "simulate", seed: 4, overrides: [])
    #expect(command.description == "simulate run --seed 4 -- -x.json")
    #expect(ShellCommand(replaying: "-f", by: "simulate").description == "simulate replay -- -f")
  }
}
