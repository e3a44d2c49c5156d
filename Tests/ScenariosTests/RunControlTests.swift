import Events
import Invariants
import Metrics
import Scenarios
import Synchronization
import Testing

/// How runs begin, end and are repeated.
@Suite struct RunControlTests {
  private static let busy = """
    "client": { "kind": "feature-control", "cacheTTL": "1s", "stores": 2, "instances": 3 },
    "service": { "latency": { "min": "1ms", "max": "900ms" } }, "network": { "latency": { "boundary": true } },
    "readers": {
      "a": { "executor": "constant-readers", "readers": 60, "duration": "60s", "think": { "boundary": true },
        "do": ["evaluate", { "step": "evaluate-or-throw", "switchStore": true }, "invalidate"] },
      "b": { "executor": "ramping-readers", "stages": [{ "duration": "10s", "target": 10 }],
        "do": [{ "step": "cancel", "weight": 2 }, { "step": "evaluate", "weight": 1 },
          { "step": "sleep", "duration": "50ms", "weight": 1 }] } }
    """

  // MARK: Repeating

  @Test(arguments: ["random", "fifo"])
  func `the same seed gives the same run, another seed another one`(schedule: String) throws {
    func busy(seed: Int) throws -> RunReport {
      try run("\"schedule\": \"\(schedule)\", \"seed\": \(seed), " + Self.busy)
    }
    let first = try busy(seed: 1)
    let second = try busy(seed: 1)
    #expect(first.digest != nil)
    #expect(first.digest == second.digest)
    #expect(first.steps == second.steps)
    #expect(first.simulatedNanoseconds == second.simulatedNanoseconds)
    #expect(first.window == second.window)
    #expect(first.choices == second.choices)
    #expect(first.metrics.rows() == second.metrics.rows())
    #expect(first.verdicts == second.verdicts)
    let digests = try (1...10).map { try busy(seed: $0).digest }
    #expect(Set(digests).count == 10)
  }

  @Test func `replaying a report's choices is the same run again`() throws {
    let first = try run("\"seed\": 5, " + Self.busy)
    let choices = try #require(first.choices)
    // The seed no longer matters for what is drawn.
    let replayed = try run("\"seed\": 5, " + Self.busy, options: RunOptions(replay: choices))
    #expect(replayed.digest == first.digest)
    #expect(replayed.steps == first.steps)
    #expect(replayed.metrics.rows() == first.metrics.rows())
    #expect(replayed.choices == choices)
  }

  @Test func `what observes a run does not change it`() throws {
    let plain = try run(Self.busy)
    let watched = try run(
      Self.busy,
      options: RunOptions(
        keepsGoing: true, allocations: Self.counter(growth: 0), isInterrupted: { false }, progress: { _ in }))
    #expect(watched.digest == plain.digest)
    let unjudged = try run("\"invariants\": [], " + Self.busy)
    #expect(unjudged.digest == plain.digest)
  }

  // MARK: The second run

  /// A counter whose process grows by so many bytes from one reading to the next.
  private static func counter(growth: UInt64, readings: Journal = Journal()) -> AllocationCounter {
    AllocationCounter(name: "test") {
      let number = readings.next()
      return AllocationReading(
        allocations: 1000 + 10 * number, allocatedBytes: 1000 + growth * number, residentBytes: 0)
    }
  }

  /// Counts readings.
  private final class Journal: Sendable {
    private let count = Atomic<UInt64>(0)

    var readings: UInt64 { count.load(ordering: .relaxed) }

    func next() -> UInt64 { count.add(1, ordering: .relaxed).oldValue }
  }

  private static let small = """
    "readers": { "a": { "executor": "per-reader-iterations", "readers": 10, "do": ["evaluate"] } }
    """

  @Test func `a run is repeated only up to the step limit`() throws {
    func checks(limit: UInt64) throws -> Int? {
      let report = try run(Self.small, options: RunOptions(rerunStepLimit: limit))
      return report.verdicts.first { $0.invariant.id == "no-escape" }?.checks
    }
    let steps = try run(Self.small).steps
    // One check for the instance that was closed, one for the second run.
    #expect(try checks(limit: steps - 1) == 1)
    #expect(try checks(limit: steps) == 2)
    #expect(try checks(limit: .max) == 2)
  }

  @Test func `a replay is not repeated`() throws {
    let choices = try #require(try run(Self.small).choices)
    let report = try run(Self.small, options: RunOptions(replay: choices, rerunStepLimit: .max))
    #expect(report.verdicts.first { $0.invariant.id == "no-escape" }?.checks == 1)
  }

  @Test func `memory that the second run adds is a violation of nothing-left`() throws {
    let options = RunOptions(allocations: Self.counter(growth: 100_000))
    let report = ScenarioRunner.run(try scenario(Self.small), options: options)
    #expect(report.statuses["nothing-left"] == "violated")
    #expect(report.endReason == .violation)
    #expect(!report.trail.isEmpty)
    #expect(report.choices != nil)
    #expect(report.problem == nil)
  }

  @Test func `a run that keeps going completes in spite of a violation`() throws {
    let options = RunOptions(keepsGoing: true, allocations: Self.counter(growth: 100_000))
    let report = ScenarioRunner.run(try scenario(Self.small), options: options)
    #expect(report.statuses["nothing-left"] == "violated")
    #expect(report.endReason == .completed)
    #expect(!report.trail.isEmpty)
  }

  @Test func `memory that stays the same is a check that passes`() throws {
    let readings = Journal()
    let report = try run(
      Self.small, options: RunOptions(allocations: Self.counter(growth: 0, readings: readings)))
    #expect(report.statuses["nothing-left"] == "passed")
    // Ten allocations between two readings, ten evaluations.
    #expect(report.metrics.query(.allocationsPerEvaluation)?.value == 1)
    #expect(readings.readings == 4)
    #expect(report.trail == [])
  }

  // MARK: Early ends

  @Test(arguments: 1...20)
  func `an interrupted run reports what there is and blames nobody`(seed: Int) throws {
    let asked = Journal()
    let report = try run(
      "\"seed\": \(seed), " + Self.busy, options: RunOptions(isInterrupted: { asked.next() >= UInt64(seed) }))
    #expect(report.endReason == .signal)
    #expect(report.problem == nil)
    #expect(report.digest != nil)
    #expect(report.choices != nil)
    #expect(report.steps > 0)
    #expect(report.verdicts.map(\.invariant) == Invariant.judged)
    let whole = try run("\"seed\": \(seed), " + Self.busy)
    #expect(report.simulatedNanoseconds < whole.simulatedNanoseconds)
    #expect(report.count(.evaluations) < whole.count(.evaluations))
  }

  @Test func `a run interrupted before its first step is reported`() throws {
    let report = try run(Self.busy, options: RunOptions(isInterrupted: { true }))
    #expect(report.endReason == .signal)
    #expect(report.steps == 0)
    #expect(report.count(.evaluations) == 0)
  }

  @Test func `a threshold with abortOnFail ends the run soon after it failed`() throws {
    func hour(_ threshold: String) throws -> RunReport {
      try run(
        """
        "client": { "kind": "feature-control", "cacheTTL": "1s" }, "service": { "latency": "0ms" },
        "thresholds": { "requests": [\(threshold)] },
        "readers": { "a": { "executor": "constant-readers", "readers": 1, "duration": "1h", "think": "10s",
          "do": ["evaluate"] } }
        """)
    }
    let aborted = try hour("{ \"threshold\": \"count<5\", \"abortOnFail\": true }")
    #expect(aborted.endReason == .threshold)
    // The fifth request starts at 40 s; the watch looks once a second, when time moves.
    #expect((40_000_000_000...50_000_000_000).contains(aborted.simulatedNanoseconds))
    #expect(aborted.thresholds.map(\.status) == [.failed])
    let delayed = try hour(
      "{ \"threshold\": \"count<5\", \"abortOnFail\": true, \"delayAbortEval\": \"10m\" }")
    #expect(delayed.endReason == .threshold)
    #expect((600_000_000_000...610_000_000_000).contains(delayed.simulatedNanoseconds))
    let patient = try hour("\"count<5\"")
    #expect(patient.endReason == .completed)
    #expect(patient.thresholds.map(\.status) == [.failed])
    #expect(patient.count(.requests) == 360)
    let met = try hour("{ \"threshold\": \"count<500\", \"abortOnFail\": true }")
    #expect(met.endReason == .completed)
    #expect(met.thresholds.map(\.status) == [.passed])
  }

  private func minute(_ threshold: String) throws -> RunReport {
    try run(
      """
      "thresholds": { \(threshold) },
      "readers": { "a": { "executor": "constant-readers", "readers": 1, "duration": "1m", "think": "1s",
        "do": ["evaluate"] } }
      """)
  }

  @Test func `an empty metric does not end a run, but fails it`() throws {
    let report = try minute(
      "\"requests{status:timeout}\": [{ \"threshold\": \"count<1\", \"abortOnFail\": true }]")
    #expect(report.endReason == .completed)
    #expect(report.thresholds.map(\.status) == [.noData])
    #expect(report.thresholds.map(\.isFailure) == [true])
  }

  @Test func `what was watched and never happened is a count of zero`() throws {
    let report = try minute("\"cache_hits{state:stale}\": [\"count==0\"], \"interrupted\": [\"count<1\"]")
    #expect(report.thresholds.map(\.status) == [.passed, .passed])
    #expect(report.thresholds.map(\.observed) == [0, 0])
  }

  // MARK: Windows

  @Test func `the warm-up is left out of the metrics and kept apart`() throws {
    let report = try run(
      """
      "warmup": "5s", "service": { "latency": "80ms" },
      "readers": { "a": { "executor": "constant-readers", "readers": 3, "duration": "10s",
        "do": ["evaluate", { "step": "sleep", "duration": "1s" }] } }
      """)
    // The first round returns at 80 ms, then one comes each second until 9.08 s: five of ten in the warm-up.
    #expect(report.warmupMetrics.query(.evaluations)?.count == 15)
    #expect(report.count(.evaluations) == 15)
    #expect(report.warmupMetrics.query(.requests)?.count == 1)
    #expect(report.count(.requests) == 0)
    #expect(report.window.warmup == 5_000_000_000)
    #expect(
      report.window.warmup + report.window.measured + report.window.drain == report.simulatedNanoseconds)
    // It concerns the whole run.
    #expect(report.metrics.query(.requestsPerClient)?.max == 1)
  }

  @Test func `a run that is shorter than its warm-up measures nothing`() throws {
    let report = try run("\"warmup\": \"1h\", " + Self.small)
    #expect(report.count(.evaluations) == 0)
    #expect(report.warmupMetrics.query(.evaluations)?.count == 10)
    #expect(report.window.measured == 0)
    #expect(report.window.warmup == 80_000_000)
  }

  @Test func `without a warm-up nothing is apart`() throws {
    let report = try run(Self.small)
    #expect(report.warmupMetrics.query(.evaluations)?.count ?? 0 == 0)
    #expect(report.window.warmup == 0)
    #expect(report.window.measured == 80_000_000)
    #expect(report.window.drain == 0)
  }

  @Test func `progress never goes back`() throws {
    let seen = Mutex<[RunProgress]>([])
    _ = try run(Self.busy, options: RunOptions(progress: { reading in seen.withLock { $0.append(reading) } }))
    let readings = seen.withLock { $0 }
    #expect(!readings.isEmpty)
    for (earlier, later) in zip(readings, readings.dropFirst()) {
      #expect(earlier.steps <= later.steps)
      #expect(earlier.simulatedNanoseconds <= later.simulatedNanoseconds)
      #expect(earlier.evaluations <= later.evaluations)
      #expect(earlier.requests <= later.requests)
    }
    for reading in readings { #expect((0...1).contains(reading.fraction ?? 0)) }
  }
}
