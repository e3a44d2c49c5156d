import Metrics
import Scenarios
import Testing

/// The open models: iterations begin at planned times, whether or not earlier ones are done.
@Suite struct ArrivalRateTests {
  private static let instantly = """
    "client": { "kind": "feature-control", "cacheTTL": "10h" }, "service": { "latency": "0ms" },
    """

  private func arrivals(
    _ group: String, do steps: String = "\"evaluate\"", more: String = "", seed: Int = 1
  ) throws -> RunReport {
    try run(
      Self.instantly + """
        "seed": \(seed), \(more) "readers": { "a": { \(group), "do": [\(steps)] } }
        """)
  }

  /// The milliseconds in which an evaluation returned, each as often as one did.
  private func milliseconds(_ report: RunReport) throws -> [Int] {
    let series = try #require(report.metrics.series().first { $0.metric == .evaluations })
    #expect(series.bucketNanoseconds == 1_000_000)
    return series.points.enumerated().flatMap { Array(repeating: $0.offset, count: Int($0.element.count)) }
  }

  private func dropped(_ report: RunReport) -> Int64? { report.metrics.query(.droppedArrivals)?.count }

  // MARK: A constant rate

  @Test(arguments: [
    (10, "1s", "500ms", [0, 100, 200, 300, 400]), (1, "100ms", "301ms", [0, 100, 200, 300]),
    (1, "100ms", "300ms", [0, 100, 200]), (3, "1s", "599ms", [0, 333]), (3, "100ms", "100ms", [0, 33, 66]),
    (1, "1s", "1ms", [0]), (2000, "1s", "2ms", [0, 0, 1, 1]),
  ])
  func `a constant rate begins an iteration at every spacing from the start on`(
    rate: Int, unit: String, duration: String, expected: [Int]
  ) throws {
    let report = try arrivals(
      """
      "executor": "constant-arrival-rate", "rate": \(rate), "timeUnit": "\(unit)", "duration": "\(duration)",
      "preAllocatedReaders": 3
      """)
    #expect(try milliseconds(report) == expected)
    #expect(dropped(report) == 0, "watched, and nothing of the kind")
    #expect(report.count(.interrupted) == 0)
  }

  @Test func `a group of arrivals that starts later begins them from there on`() throws {
    let report = try arrivals(
      """
      "executor": "constant-arrival-rate", "rate": 10, "duration": "300ms", "startTime": "50ms",
      "preAllocatedReaders": 1
      """)
    #expect(try milliseconds(report) == [50, 150, 250])
  }

  @Test func `a rate is exact however long it goes on`() throws {
    let report = try arrivals(
      """
      "executor": "constant-arrival-rate", "rate": 7, "timeUnit": "1m", "duration": "10h", "preAllocatedReaders": 1
      """)
    #expect(report.count(.evaluations) == 7 * 600)
    #expect(dropped(report) == 0)
  }

  // MARK: Readers

  private static let busy = "\"evaluate\", { \"step\": \"sleep\", \"duration\": \"250ms\" }"

  @Test(arguments: [(1, 1, 6), (2, 2, 3), (1, 2, 3), (2, 3, 0), (3, 3, 0)] as [(Int, Int, Int64)])
  func `an iteration for which no reader is free is dropped and counted`(
    readers: Int, limit: Int, lost: Int64
  ) throws {
    // Every 100 ms one that takes 250 ms: two readers miss those at 200, 500 and 800 ms, one misses two of three.
    let report = try arrivals(
      """
      "executor": "constant-arrival-rate", "rate": 10, "duration": "1s", "preAllocatedReaders": \(readers),
      "maxReaders": \(limit)
      """, do: Self.busy)
    #expect(dropped(report) == lost)
    #expect(report.metrics.query(.droppedArrivals, ["group": "a"])?.count == lost)
    #expect(report.count(.evaluations) == 10 - lost)
    #expect(report.count(.interrupted) == 0)
    #expect(report.simulatedNanoseconds == 1_150_000_000)
  }

  @Test func `readers beyond those from the start are made when they are needed, and not more`() throws {
    let report = try arrivals(
      """
      "executor": "constant-arrival-rate", "rate": 10, "duration": "1s", "preAllocatedReaders": 1, "maxReaders": 50
      """, do: Self.busy)
    #expect(dropped(report) == 0)
    #expect(report.count(.timeToFirstValue) == 3, "one for each reader that was ever needed")
  }

  @Test func `the time to a first value begins when a reader is first needed`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "subjects": "per-reader" }, "service": { "latency": "80ms" },
      "readers": { "a": { "executor": "constant-arrival-rate", "rate": 10, "duration": "1s",
        "preAllocatedReaders": 5, "do": ["evaluate"] } }
      """)
    let first = try #require(report.metrics.query(.timeToFirstValue))
    #expect(first.max == 80_000_000)
    #expect(first.min == 80_000_000)
  }

  @Test(arguments: [("0s", 1), ("149ms", 1), ("151ms", 0), ("30s", 0)] as [(String, Int64)])
  func `what is under way at the end may finish within gracefulStop`(grace: String, interrupted: Int64) throws
  {
    let report = try arrivals(
      """
      "executor": "constant-arrival-rate", "rate": 10, "duration": "1s", "preAllocatedReaders": 2,
      "gracefulStop": "\(grace)"
      """, do: Self.busy)
    #expect(report.count(.interrupted) == interrupted)
    #expect(report.count(.evaluations) == 7)
    #expect(dropped(report) == 3)
  }

  @Test func `in the warm-up they are kept apart`() throws {
    let report = try arrivals(
      """
      "executor": "constant-arrival-rate", "rate": 10, "duration": "1s", "preAllocatedReaders": 2
      """, do: Self.busy, more: "\"warmup\": \"600ms\",")
    #expect(dropped(report) == 1)
    #expect(report.warmupMetrics.query(.droppedArrivals)?.count == 2)
  }

  // MARK: A changing rate

  /// The milliseconds at which the area below a line of rates reaches 1, 2, …, by adding it up in steps of 10 µs.
  private static func planned(start: Double, stages: [(milliseconds: Int, target: Double)]) -> [Int] {
    var result: [Int] = []
    var area = 0.0
    var begin = 0
    var from = start
    for stage in stages {
      let steps = stage.milliseconds * 100
      for step in 0..<steps {
        let rate = from + (stage.target - from) * (Double(step) + 0.5) / Double(steps)
        area += rate / 100_000
        if area >= Double(result.count + 1) { result.append(begin + step / 100) }
      }
      begin += stage.milliseconds
      from = stage.target
    }
    return result
  }

  /// Rates in a second, chosen so that no iteration falls on the edge of a millisecond or of a stage.
  static let ramps: [(start: Int, stages: [(milliseconds: Int, target: Double)])] = [
    (0, [(500, 41)]), (41, [(500, 0)]), (0, [(200, 37), (100, 37), (251, 0)]), (13, [(550, 13)]),
    (0, [(0, 29), (310, 29), (0, 7), (210, 7)]), (23, [(100, 0), (100, 0), (300, 61)]),
    (0, [(100, 0), (433, 57)]),
  ]

  @Test(arguments: ramps.indices) func `a changing rate begins them as the area below its line grows`(
    index: Int
  ) throws {
    let (start, stages) = Self.ramps[index]
    let list = stages.map { "{ \"duration\": \"\($0.milliseconds)ms\", \"target\": \(Int($0.target)) }" }
    let report = try arrivals(
      """
      "executor": "ramping-arrival-rate", "startRate": \(start), "stages": [\(list.joined(separator: ", "))],
      "preAllocatedReaders": 2
      """)
    let expected = Self.planned(start: Double(start), stages: stages)
    let seen = try milliseconds(report)
    #expect(expected.count > 3)
    #expect(seen.count == expected.count)
    for (one, other) in zip(seen, expected) { #expect(abs(one - other) <= 1, "\(seen) and not \(expected)") }
    #expect(dropped(report) == 0)
  }

  @Test func `a changing rate drops what nobody is free for, too`() throws {
    let report = try arrivals(
      """
      "executor": "ramping-arrival-rate", "startRate": 10, "stages": [{ "duration": "1s", "target": 10 }],
      "preAllocatedReaders": 2, "gracefulStop": "0s"
      """, do: Self.busy)
    // At 100, 200, …, 1,000 ms: those at 300, 600 and 900 ms find nobody, and the last is cut off as it begins.
    #expect(dropped(report) == 3)
    #expect(report.count(.interrupted) >= 1)
  }

  @Test(arguments: 1...5) func `which reader takes an iteration is the seed's choice`(seed: Int) throws {
    func run(_ seed: Int) throws -> RunReport {
      try arrivals(
        """
        "executor": "constant-arrival-rate", "rate": 100, "duration": "1s", "preAllocatedReaders": 20
        """, do: Self.busy, seed: seed)
    }
    let first = try run(seed)
    #expect(first.digest == (try run(seed)).digest)
    #expect(first.digest != (try run(seed + 100)).digest)
  }
}
