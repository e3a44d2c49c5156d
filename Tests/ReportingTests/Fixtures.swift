import Metrics
import Reporting

/// Results as runs give them, for the tests to print.
enum Fixtures {
  static let tool = RunResult.Tool(version: "0.1.0", build: "0123abc")

  static let machine = Machine(
    wallNanoseconds: 412_345_678,
    environment: .init(
      os: "Ubuntu 24.04.2 LTS",
      cpu: "Intel(R) Xeon(R) Processor",
      cores: 2,
      swift: "6.3.1",
      allocator: "jemalloc 5.3.0"
    ),
    residentBytes: 48_234_496,
    bytesPerReader: 3120
  )

  /// 5,000 readers of a cold cache: one request, which takes 80.2 ms, and 4,999 calls that join it.
  static func store() -> MetricStore {
    var store = MetricStore()
    let answer: Int64 = 80_213_412
    let evaluations = store.handle(.evaluations, ["group": "launch"])
    let durations = store.handle(.evaluationDuration, ["group": "launch"])
    let coalesced = store.handle(.coalesced, ["group": "launch"])
    for reader in 0..<5000 {
      store.add(to: evaluations, at: answer)
      store.record(answer, in: durations, at: answer)
      if reader > 0 { store.add(to: coalesced, at: 0) }
    }
    let request: Tags = ["endpoint": "evaluate", "group": "launch", "status": "200"]
    let requests = store.handle(.requests, request)
    let requestDurations = store.handle(.requestDuration, request)
    store.add(to: requests, at: 0)
    store.record(answer, in: requestDurations, at: answer)
    let perClient = store.handle(.requestsPerClient, .none)
    store.record(1, in: perClient, at: answer)
    let allocations = store.handle(.allocationsPerEvaluation, .none)
    store.set(41.25, of: allocations)
    return store
  }

  static func thresholds(_ texts: [(String, String)], in store: MetricStore) throws -> [ThresholdResult] {
    try texts.map { metric, expression in
      try Threshold.parse(metric: metric, expression: expression)
        .evaluate(in: store, windowNanoseconds: 80_213_412)
    }
  }

  /// The run of `Scenarios/cold-cache.json`, all well.
  static func coldCache() throws -> RunResult {
    let store = store()
    let invariants = [
      InvariantResult(id: "single-flight", status: .passed, checks: 4999),
      InvariantResult(id: "answers-once", status: .passed, checks: 5000),
      InvariantResult(id: "cancel-isolated", status: .passed, checks: 5000),
      InvariantResult(id: "ttl", status: .notExercised, checks: 0),
      InvariantResult(id: "invalidation", status: .notExercised, checks: 0),
      InvariantResult(id: "request-economy", status: .passed, checks: 1),
      InvariantResult(id: "nothing-left", status: .passed, checks: 5),
      InvariantResult(id: "no-escape", status: .passed, checks: 1),
      InvariantResult(id: "delta-base", status: .notApplicable, checks: 0),
    ]
    let thresholds = try thresholds(
      [("requests{endpoint:evaluate}", "count==1"), ("evaluation_duration", "max<3s")],
      in: store
    )
    return RunResult(
      tool: tool,
      scenario: .init(name: "cold-cache", hash: "00c0ffee00c0ffee", seed: 1, clock: .virtual),
      endReason: .completed,
      digest: "9f86d081884c7d65",
      window: .init(warmupNanoseconds: 0, measuredNanoseconds: 80_213_412, drainNanoseconds: 3_000_000_000),
      simulatedNanoseconds: 3_080_213_412,
      steps: 25_034,
      machine: machine,
      metrics: store.rows(windowNanoseconds: 80_213_412),
      series: store.series(),
      invariants: invariants,
      thresholds: thresholds,
      verdicts: Verdict.judge(
        endReason: .completed,
        invariants: invariants,
        requirements: [.init(id: "single-flight")],
        thresholds: thresholds
      ),
      story: ["5,000 readers, 1 request, 4,999 joined it."]
    )
  }

  static let violation = InvariantResult.Violation(
    nanoseconds: 80_213_412,
    step: 12_345,
    reader: 17,
    instance: 0,
    message:
      "A second request for an equal call left while the first was outstanding: request 2 of reader 17 "
      + "started 12 µs after request 1 of reader 0.",
    replay: "./simulate replay Reports/cold-cache/failure.json"
  )

  /// A run with everything that can go wrong in it, and words of a scenario that are up to no good.
  static func troubled() throws -> RunResult {
    var store = store()
    let hostile = store.handle(.evaluations, ["group": "<b>&\"'\u{1B}[31m日本語"])
    store.add(1_234_567_890, to: hostile, at: 0)
    let invalid = store.handle(.staleness, .none)
    store.record(-1, in: invalid, at: 0)
    store.record(86_399_000_000_000, in: invalid, at: 0)
    let invariants = [
      InvariantResult(id: "single-flight", status: .violated, checks: 3, firstViolation: violation),
      InvariantResult(
        id: "ttl",
        status: .violated,
        checks: 1,
        firstViolation: .init(
          nanoseconds: 0,
          step: nil,
          reader: nil,
          instance: nil,
          message:
            "Broken \u{1B}[2J\nby ]]> <script>\u{0}\u{2028} and \u{202E}reversed 日本語のとても長い文章がここに続いています",
          replay: nil
        )
      ),
      InvariantResult(id: "answers-once", status: .passed, checks: 2),
      InvariantResult(id: "invalidation", status: .notExercised, checks: 0),
      InvariantResult(id: "no-escape", status: .notExercised, checks: 0),
    ]
    let thresholds = try thresholds(
      [
        ("requests{endpoint:evaluate,group:a-group-with-a-very-long-name-indeed,status:timeout}", "count==1"),
        ("requests", "count<1"), ("retry_delay", "p(99.9)<1.5s"), ("evaluation_duration", "max<=80.213411ms"),
      ],
      in: store
    )
    let requirements: [Verdict.Requirement] = [
      .init(id: "answers-once", minChecks: 5), .init(id: "invalidation"),
    ]
    return RunResult(
      tool: tool,
      scenario: .init(
        name: "cold-cache",
        hash: "00c0ffee00c0ffee",
        seed: 9_007_199_254_740_991,
        clock: .virtual,
        overrides: ["readers=100000", "client.cacheTTL=\"45s\""]
      ),
      endReason: .completed,
      digest: "9f86d081884c7d65",
      window: .init(warmupNanoseconds: 90_000_000_000, measuredNanoseconds: 80_213_412),
      simulatedNanoseconds: 90_080_213_412,
      steps: 12_345,
      machine: machine,
      metrics: store.rows(windowNanoseconds: 80_213_412),
      series: store.series(),
      invariants: invariants,
      thresholds: thresholds,
      notExercised: ["fault \"outage\" met no request", "timeline[0] publish at 10m"],
      verdicts: Verdict.judge(
        endReason: .completed,
        invariants: invariants,
        requirements: requirements,
        thresholds: thresholds
      ),
      story: [
        "100,000 readers, 2 requests, 99,998 joined one of them.",
        "The second request should not have been: an equal one was outstanding for another 80 ms at that time.",
      ]
    )
  }

  /// A run on the wall clock that Ctrl-C ended.
  static func interrupted() throws -> RunResult {
    let store = store()
    let invariants = [InvariantResult(id: "single-flight", status: .notExercised, checks: 0)]
    let thresholds = try thresholds([("requests", "count==2"), ("retry_delay", "max<1s")], in: store)
    return RunResult(
      tool: tool,
      scenario: .init(name: "warm-cache", hash: "00c0ffee00c0ffee", seed: 1, clock: .wall),
      endReason: .signal,
      digest: nil,
      window: .init(measuredNanoseconds: 80_213_412),
      simulatedNanoseconds: nil,
      steps: nil,
      machine: machine,
      metrics: store.rows(windowNanoseconds: 80_213_412),
      invariants: invariants,
      thresholds: thresholds,
      verdicts: Verdict.judge(
        endReason: .signal,
        invariants: invariants,
        requirements: [.init(id: "single-flight")],
        thresholds: thresholds,
        signal: .interrupt
      )
    )
  }
}
