import Metrics
import Scenarios
import Testing

@Suite struct TimelineTests {
  private func everySecond(timeline: String, client: String = "") throws -> RunReport {
    try run(
      """
      "client": { "kind": "feature-control", "cacheTTL": "1h"\(client) },
      "service": { "latency": "10ms" }, "timeline": [\(timeline)],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 4, "iterations": 10, "think": "1s",
        "do": ["evaluate"] } }
      """)
  }

  @Test func `invalidate empties every client's cache at its time`() throws {
    #expect(try everySecond(timeline: "").count(.requests) == 1)
    #expect(try everySecond(timeline: "{ \"at\": \"2500ms\", \"do\": \"invalidate\" }").count(.requests) == 2)
    let fleet = try everySecond(
      timeline:
        "{ \"at\": \"2500ms\", \"do\": \"invalidate\" }, { \"at\": \"4500ms\", \"do\": \"invalidate\" }",
      client: ", \"instances\": 4")
    #expect(fleet.count(.requests) == 12)
    #expect(fleet.metrics.query(.requestsPerClient)?.min == 3)
  }

  @Test func `publish alone makes no client ask, but it is part of the record`() throws {
    let silent = try everySecond(timeline: "")
    let published = try everySecond(timeline: "{ \"at\": \"2500ms\", \"do\": \"publish\" }")
    #expect(published.count(.requests) == 1)
    #expect(published.digest != silent.digest)
    let later = try everySecond(timeline: "{ \"at\": \"2600ms\", \"do\": \"publish\" }")
    #expect(later.digest != published.digest)
  }

  @Test func `close ends every client at its time, and later calls make no request`() throws {
    let closing = "{ \"at\": \"5ms\", \"do\": \"close\" }"
    let report = try everySecond(timeline: closing, client: ", \"instances\": 2")
    #expect(report.endReason == .completed)
    #expect(report.count(.requests, ["status": "cancelled"]) == 2)
    #expect(report.count(.requests) == 2)
    #expect(report.count(.evaluations) == 40)
    #expect(report.count(.cacheHits, ["state": "default"]) == 40)
    let nothingLeft = try #require(report.verdicts.first { $0.invariant.id == "nothing-left" })
    #expect(nothingLeft.violations == 0)
    // Three kinds at the close and four at the end, for each of two instances.
    #expect(nothingLeft.checks == 14)
  }

  @Test func `iterations that a group's maxDuration cut off are told`() throws {
    let report = try run(
      """
      "service": { "latency": "10ms" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 2, "iterations": 100, "maxDuration": "10s",
        "think": "1s", "do": ["evaluate"] } }
      """)
    #expect(report.notExercised == ["readers.a did 20 of 200 iterations; its maxDuration is 10000 ms"])
  }

  @Test func `a run that is cut off counts the requests it has out`() throws {
    let report = try run(
      """
      "service": { "latency": "1h" }, "client": { "kind": "feature-control", "requestTimeout": "2h" },
      "thresholds": { "evaluations": [{ "threshold": "count>5", "abortOnFail": true }] },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 3, "do": ["evaluate"] },
        "b": { "executor": "per-reader-iterations", "readers": 1, "do": [{ "step": "sleep", "duration": "2s" }] } }
      """)
    #expect(report.endReason == .threshold)
    #expect(report.count(.requests, ["status": "outstanding"]) == 1)
    #expect(report.count(.requests) == 1)
  }

  @Test func `the run lasts until the timeline is done`() throws {
    let report = try everySecond(timeline: "{ \"at\": \"1h\", \"do\": \"publish\" }")
    #expect(report.endReason == .completed)
    #expect(report.simulatedNanoseconds >= 3_600_000_000_000)
    #expect(report.notExercised == [])
  }

  @Test func `a group that evaluates nothing is named`() throws {
    let report = try run(
      """
      "readers": {
        "asks": { "executor": "per-reader-iterations", "readers": 1, "do": ["evaluate"] },
        "sleeps": { "executor": "per-reader-iterations", "readers": 1, "do": [{ "step": "sleep", "duration": "1s" }] },
        "never": { "executor": "ramping-readers", "startReaders": 0, "think": "1s",
          "stages": [{ "duration": "1s", "target": 0 }, { "duration": "0s", "target": 1 }], "do": ["evaluate"] } }
      """)
    #expect(report.notExercised == ["readers.never evaluated nothing"])
  }

  @Test func `what a run that ends early did not reach is named`() throws {
    let report = try run(
      """
      "timeline": [{ "at": "1s", "do": "publish" }, { "at": "30m", "do": "invalidate" }],
      "thresholds": { "requests": [{ "threshold": "count<1", "abortOnFail": true }] },
      "readers": { "a": { "executor": "constant-readers", "readers": 1, "duration": "1h", "think": "1s",
        "do": ["evaluate"] } }
      """)
    #expect(report.endReason == .threshold)
    #expect(report.notExercised.count == 1)
    #expect(report.notExercised.first?.hasPrefix("timeline[1] (invalidate") == true)
  }
}
