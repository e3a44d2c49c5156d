import Metrics
import Scenarios
import Testing

/// The steps `record-exposure` and `flush`, and the metrics of exposures.
@Suite struct ExposureStepTests {
  private func oneReader(_ steps: String, more: String = "") throws -> RunReport {
    try run(
      """
      \(more) "client": { "kind": "feature-control", "keys": ["a", "b"] }, "service": { "latency": "0ms" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "do": [\(steps)] } }
      """)
  }

  private func outcomes(_ report: RunReport) -> [Int64] {
    ["recorded", "sent", "dropped"].map { report.count(.exposures, ["outcome": $0]) }
  }

  @Test(arguments: [(1, [1]), (99, [1]), (100, [1]), (101, [2]), (250, [3]), (1000, [10])])
  func `a flush sends what was recorded in batches of up to a hundred`(count: Int, batches: [Int64]) throws {
    let report = try oneReader("{ \"step\": \"record-exposure\", \"count\": \(count) }, \"flush\"")
    #expect(outcomes(report) == [Int64(count), Int64(count), 0])
    #expect(report.count(.batches) == batches[0])
    #expect(report.count(.requests, ["endpoint": "telemetry", "status": "202"]) == batches[0])
    let sizes = try #require(report.metrics.query(.batchSize))
    #expect(sizes.sum == Int128(count))
    #expect(sizes.max == Double(min(100, count)))
    #expect(sizes.count == batches[0])
    for id in ["batch-bounds", "no-event-lost", "no-event-twice", "well-formed"] {
      #expect(report.statuses[id] == "passed", "\(id)")
    }
  }

  @Test func `a flush with nothing to send makes no request`() throws {
    let report = try oneReader("\"flush\", \"record-exposure\", \"flush\", \"flush\"")
    #expect(report.count(.requests) == 1)
    #expect(outcomes(report) == [1, 1, 0])
  }

  @Test func `what overflows is dropped, the oldest first, and counted`() throws {
    let report = try oneReader("{ \"step\": \"record-exposure\", \"count\": 1200 }, \"flush\"")
    #expect(outcomes(report) == [1200, 1000, 200])
    #expect(report.count(.batches) == 10)
    #expect(report.statuses["no-event-lost"] == "passed")
  }

  @Test(arguments: [
    ("\"status\": 503", 100), ("\"lose\": \"request\"", 100), ("\"lose\": \"answer\"", 100),
    ("\"hang\": true", 100),
    ("\"status\": 429", 100), ("\"body\": \"error-envelope\"", 100), ("\"body\": \"unknown-fields\"", 0),
  ])
  func `a batch that fails is dropped, and the later ones are still sent`(effect: String, dropped: Int64)
    throws
  {
    let report = try oneReader(
      "{ \"step\": \"record-exposure\", \"count\": 250 }, \"flush\"",
      more: "\"faults\": [{ \"name\": \"f\", \"firstN\": 1, \(effect) }],")
    #expect(outcomes(report) == [250, 250 - dropped, dropped])
    #expect(report.count(.batches) == 3)
    #expect(report.count(.requests, ["endpoint": "telemetry", "injected": "true"]) == 1)
    #expect(report.statuses["no-event-lost"] == "passed")
    #expect(report.statuses["no-event-twice"] == "passed")
  }

  @Test func `what nobody flushes is dropped when the client closes, and counted`() throws {
    let report = try oneReader("{ \"step\": \"record-exposure\", \"count\": 3 }")
    #expect(outcomes(report) == [3, 0, 3])
    #expect(report.count(.requests) == 0)
    #expect(report.count(.batches) == 0)
  }

  @Test func `the timeline flushes every app instance`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "instances": 3 },
      "timeline": [{ "at": "5s", "do": "flush" }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 6,
        "do": [{ "step": "record-exposure", "count": 2 }] } }
      """)
    #expect(outcomes(report) == [12, 12, 0])
    #expect(report.count(.batches) == 3)
    let sizes = try #require(report.metrics.query(.batchSize))
    #expect(sizes.min == 4)
    #expect(sizes.max == 4)
  }

  @Test(arguments: 1...10) func `flushes at one time send each event once`(seed: Int) throws {
    let report = try run(
      """
      "seed": \(seed), "require": ["no-event-twice"], "service": { "latency": { "min": "1ms", "max": "90ms" } },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 20, "iterations": 3,
        "do": [{ "step": "record-exposure", "count": 7 }, "flush"] } }
      """)
    #expect(outcomes(report) == [420, 420, 0])
    #expect(report.statuses["no-event-twice"] == "passed")
  }

  @Test func `each group counts its own`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "instances": 2 },
      "readers": {
        "a": { "executor": "per-reader-iterations", "readers": 1,
          "do": [{ "step": "record-exposure", "count": 2 }, "flush"] },
        "b": { "executor": "per-reader-iterations", "readers": 1,
          "do": [{ "step": "record-exposure", "count": 5 }, "flush"] } }
      """)
    #expect(report.count(.exposures, ["group": "a", "outcome": "recorded"]) == 2)
    #expect(report.count(.exposures, ["group": "b", "outcome": "recorded"]) == 5)
    #expect(report.count(.exposures, ["group": "b", "outcome": "sent"]) == 5)
    #expect(report.count(.batches, ["group": "a"]) == 1)
  }

  @Test func `what was recorded in the warm-up is kept apart`() throws {
    let report = try run(
      """
      "warmup": "1500ms", "service": { "latency": "0ms" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": 4, "think": "1s",
        "do": ["record-exposure", "flush"] } }
      """)
    #expect(outcomes(report) == [2, 2, 0])
    #expect(report.warmupMetrics.query(.exposures, ["outcome": "sent"])?.count == 2)
  }
}
