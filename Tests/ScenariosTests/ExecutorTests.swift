import Metrics
import ScenarioFormat
import Scenarios
import Testing

@Suite struct ExecutorTests {
  /// A client whose first evaluation fills the cache in no time; every later one is a hit that takes no time.
  private static let instantly = """
    "client": { "kind": "feature-control", "cacheTTL": "10h" }, "service": { "latency": "0ms" },
    """

  @Test func `per-reader-iterations: every reader iterates so many times`() throws {
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 300, "iterations": 7,
          "do": ["evaluate", { "step": "sleep", "duration": "1s" }, "evaluate"] } }
        """)
    #expect(report.endReason == .completed)
    #expect(report.count(.evaluations) == 300 * 7 * 2)
    #expect(report.count(.evaluations, ["group": "a"]) == 300 * 7 * 2)
    #expect(report.count(.requests) == 1)
    #expect(report.simulatedNanoseconds == 7_000_000_000)
    #expect(report.count(.interrupted) == 0)
  }

  @Test func `per-reader-iterations: no iteration begins after maxDuration`() throws {
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 10, "iterations": 100,
          "maxDuration": "5s", "do": ["evaluate", { "step": "sleep", "duration": "2s" }] } }
        """)
    // At 0 s, 2 s and 4 s; the last one ends at 6 s, within gracefulStop.
    #expect(report.count(.evaluations) == 30)
    #expect(report.simulatedNanoseconds == 6_000_000_000)
    #expect(report.count(.interrupted) == 0)
  }

  @Test func `constant-readers: every reader iterates until the duration is over`() throws {
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "constant-readers", "readers": 10, "duration": "10s", "think": "3s",
          "do": ["evaluate"] } }
        """)
    // At 0, 3, 6 and 9 s.
    #expect(report.count(.evaluations) == 40)
    #expect(report.simulatedNanoseconds == 12_000_000_000)
    #expect(report.endReason == .completed)
  }

  @Test func `a group that starts later does nothing before`() throws {
    let report = try run(
      Self.instantly + """
        "readers": { "late": { "executor": "constant-readers", "readers": 5, "startTime": "10s",
          "duration": "3s", "think": "1s", "do": ["evaluate"] } }
        """)
    #expect(report.count(.evaluations) == 15)
    #expect(report.simulatedNanoseconds == 13_000_000_000)
  }

  @Test func `groups run at the same time and are told apart by their tag`() throws {
    let report = try run(
      Self.instantly + """
        "readers": {
          "a": { "executor": "per-reader-iterations", "readers": 3, "iterations": 2, "think": "1s", "do": ["evaluate"] },
          "b": { "executor": "constant-readers", "readers": 4, "duration": "2s", "think": "1s", "do": ["evaluate"] } }
        """)
    #expect(report.count(.evaluations, ["group": "a"]) == 6)
    #expect(report.count(.evaluations, ["group": "b"]) == 8)
    #expect(report.count(.evaluations) == 14)
    #expect(report.simulatedNanoseconds == 2_000_000_000)
  }

  // MARK: Ends

  @Test(
    arguments: [
      (grace: "0s", interrupted: 20, end: 1_000_000_000), (grace: "2s", interrupted: 20, end: 3_000_000_000),
      (grace: "9000000001ns", interrupted: 0, end: 10_000_000_000),
      (grace: "30s", interrupted: 0, end: 10_000_000_000),
    ] as [(grace: String, interrupted: Int64, end: Int64)])
  func `gracefulStop: what is still under way after it is interrupted and counted`(
    grace: String, interrupted: Int64, end: Int64
  ) throws {
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "constant-readers", "readers": 20, "duration": "1s",
          "gracefulStop": "\(grace)", "do": ["evaluate", { "step": "sleep", "duration": "10s" }] } }
        """)
    #expect(report.count(.interrupted) == interrupted)
    #expect(report.count(.interrupted, ["group": "a"]) == interrupted)
    #expect(report.simulatedNanoseconds == end)
    #expect(report.count(.evaluations) == 20)
    #expect(report.endReason == .completed)
  }

  @Test(arguments: 1...10)
  func `gracefulStop: readers that wait for an answer are let go of, and so is their request`(seed: Int)
    throws
  {
    let report = try run(
      """
      "seed": \(seed), "client": { "kind": "feature-control", "requestTimeout": "20s" },
      "service": { "latency": "10s" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 50, "maxDuration": "1s",
        "gracefulStop": "1s", "do": ["evaluate"] } }
      """)
    #expect(report.endReason == .completed)
    #expect(report.count(.interrupted) == 50)
    #expect(report.count(.evaluations) == 50)
    #expect(report.count(.cacheHits, ["state": "default"]) == 50)
    #expect(report.count(.requests, ["status": "cancelled"]) == 1)
    #expect(report.simulatedNanoseconds == 2_000_000_000)
  }

  // MARK: Ramps

  /// The planned number of readers in whole milliseconds: a line through the targets, rounded down.
  private static func planned(at time: Int, start: Int, stages: [(duration: Int, target: Int)]) -> Int {
    var begin = 0
    var from = start
    for stage in stages {
      if time < begin + stage.duration {
        let line = from * stage.duration + (stage.target - from) * (time - begin)
        return line / stage.duration
      }
      begin += stage.duration
      from = stage.target
    }
    return 0
  }

  /// Plans whose readers come and go at whole milliseconds, so that the model can go through these one by one.
  static let ramps: [(start: Int, stages: [(duration: Int, target: Int)])] = [
    (0, [(100, 10)]),
    (10, [(100, 0)]),
    (0, [(100, 10), (50, 10), (100, 0)]),
    (4, [(40, 8), (40, 0), (80, 16), (20, 16)]),
    (5, [(60, 5)]),
    (0, [(0, 7), (30, 7), (0, 2), (30, 2)]),
    (3, [(0, 0), (20, 0), (0, 5), (25, 5)]),
    (0, [(120, 3), (120, 0), (120, 3)]),
  ]

  @Test(arguments: ramps.indices)
  func `ramping-readers: the number of active readers follows the plan`(index: Int) throws {
    let (start, stages) = Self.ramps[index]
    let list = stages.map { "{ \"duration\": \"\($0.duration)ms\", \"target\": \($0.target) }" }
    // Every reader evaluates each millisecond, half a millisecond after a full one: a bucket of the series counts the
    // readers that are active in it.
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "ramping-readers", "startReaders": \(start), "think": "500us",
          "stages": [\(list.joined(separator: ", "))],
          "do": [{ "step": "sleep", "duration": "500us" }, "evaluate"] } }
        """)
    let series = try #require(report.metrics.series().first { $0.metric == .evaluations })
    #expect(series.bucketNanoseconds == 1_000_000)
    let length = stages.reduce(0) { $0 + $1.duration }
    let expected = (0..<length).map { time in
      // A reader is planned for a millisecond if it is so throughout; at a falling line it leaves within.
      max(
        Self.planned(at: time, start: start, stages: stages),
        Self.planned(at: time + 1, start: start, stages: stages))
    }
    let counted = series.points.map { Int($0.count) }
    let padded = counted + Array(repeating: 0, count: max(0, length - counted.count))
    #expect(padded.count == length)
    for time in 0..<min(length, padded.count) {
      let low = min(
        Self.planned(at: time, start: start, stages: stages),
        Self.planned(at: time + 1, start: start, stages: stages))
      #expect((low...max(low, expected[time])).contains(padded[time]), "millisecond \(time): \(padded[time])")
    }
    #expect(report.count(.interrupted) == 0)
    // A group whose last reader is taken away before the end of its last stage is done then.
    let last = (0..<length).last { Self.planned(at: $0, start: start, stages: stages) > 0 } ?? 0
    #expect((Int64(last) * 1_000_000...Int64(length) * 1_000_000).contains(report.simulatedNanoseconds))
  }

  @Test func `ramping-readers: readers come one by one, each at its instant`() throws {
    // Reader k is planned from (k + 1) · 100 ms on; each evaluates at once and then sleeps till the end.
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "ramping-readers", "startReaders": 0, "gracefulStop": "0s",
          "stages": [{ "duration": "500ms", "target": 5 }, { "duration": "50ms", "target": 5 }],
          "do": ["evaluate", { "step": "sleep", "duration": "10s" }] } }
        """)
    let series = try #require(report.metrics.series().first { $0.metric == .evaluations })
    let times = series.points.indices.filter { series.points[$0].count > 0 }
    #expect(series.bucketNanoseconds == 1_000_000)
    #expect(times == [100, 200, 300, 400, 500])
    #expect(report.count(.interrupted) == 5)
    #expect(report.simulatedNanoseconds == 550_000_000)
  }

  @Test(
    arguments: [
      (grace: "0s", interrupted: 10), (grace: "500ms", interrupted: 10), (grace: "20s", interrupted: 0),
    ] as [(grace: String, interrupted: Int64)])
  func `gracefulRampDown: a reader that is taken away may finish its iteration within it`(
    grace: String, interrupted: Int64
  ) throws {
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "ramping-readers", "startReaders": 10, "gracefulRampDown": "\(grace)",
          "stages": [{ "duration": "1s", "target": 10 }, { "duration": "0s", "target": 0 },
            { "duration": "20s", "target": 0 }],
          "do": ["evaluate", { "step": "sleep", "duration": "10s" }] } }
        """)
    #expect(report.count(.interrupted) == interrupted)
    #expect(report.count(.evaluations) == 10)
  }

  @Test func `ramping-readers: a reader that is taken away and comes back goes on`() throws {
    let report = try run(
      Self.instantly + """
        "readers": { "a": { "executor": "ramping-readers", "startReaders": 3, "think": "100ms",
          "stages": [{ "duration": "1s", "target": 3 }, { "duration": "0s", "target": 1 },
            { "duration": "1s", "target": 1 }, { "duration": "0s", "target": 3 },
            { "duration": "1s", "target": 3 }],
          "do": ["evaluate"] } }
        """)
    // Ten a second: three readers, one, three.
    #expect(report.count(.evaluations) == 30 + 10 + 30)
    #expect(report.count(.timeToFirstValue) == 3, "a reader has its first value once")
  }
}
