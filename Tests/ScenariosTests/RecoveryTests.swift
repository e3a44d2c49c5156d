import Metrics
import Scenarios
import Testing

/// When faults end, and that everybody gets well.
@Suite struct RecoveryTests {
  private func polling(_ faults: String, more: String = "", readers: Int = 2) throws -> RunReport {
    try run(
      """
      "client": { "kind": "feature-control", "instances": \(readers), "subjects": "per-reader" },
      "service": { "latency": "0ms" }, "faults": [\(faults)], \(more)
      "readers": { "a": { "executor": "per-reader-iterations", "readers": \(readers), "iterations": 50,
        "think": "10ms", "do": ["evaluate", "invalidate"] } }
      """)
  }

  @Test(arguments: [(1, 2), (100, 20), (101, 22), (10_000, 100)] as [(Int, Int64)])
  func `from "heal" on no fault strikes`(heal: Int, struck: Int64) throws {
    let report = try polling("{ \"name\": \"it\", \"status\": 503 }", more: "\"heal\": \"\(heal)ms\",")
    #expect(report.requests("503", injected: true) == struck)
    #expect(report.requests("200", injected: false) == 100 - struck)
    #expect(report.statuses["liveness"] == "passed")
  }

  @Test func `healing ends a network that comes and goes, and asks for tokens succeed again`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "auth": { "bearer": {} } }, "service": { "latency": "0ms" },
      "faults": [{ "name": "a", "flapping": { "up": "10ms", "down": "10ms" } },
        { "name": "b", "authorization": "none" }], "heal": "200ms",
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": 40, "think": "10ms",
        "do": ["evaluate", "invalidate"] } }
      """)
    #expect(report.requests("200", injected: false) == 20)
    #expect(report.count(.requests) == 20)
    #expect(report.notExercised == ["faults.a struck nothing"], "without a token there was nothing to strike")
  }

  @Test func `without "heal" everything heals when readers and timeline are done`() throws {
    let report = try polling(
      "{ \"name\": \"it\", \"status\": 503 }",
      more: "\"timeline\": [{ \"at\": \"3s\", \"do\": \"publish\" }],")
    #expect(report.requests("503", injected: true) == 100)
    #expect(report.count(.requests) == 100)
    #expect(report.simulatedNanoseconds > 3_000_000_000)
    #expect(report.statuses["liveness"] == "passed")
  }

  @Test func `getting well counts in no metric`() throws {
    let report = try polling("{ \"name\": \"it\", \"hang\": true }", readers: 3)
    // Each of 3 readers waits 50 times for its timeout.
    #expect(report.count(.requests) == 150)
    #expect(report.count(.evaluations) == 150)
    #expect(report.count(.arrivals) == 0)
    #expect(report.count(.timeToFirstValue) == 0)
    #expect(report.count(.cacheHits, ["state": "default"]) == 150)
    #expect(report.metrics.query(.requestsPerClient)?.max == 50)
    #expect(report.metrics.query(.evaluationDuration)?.min == 3_000_000_000)
    #expect(report.window.drain > 0)
    #expect(report.window.measured == 50 * 3_010_000_000)
    let liveness = try #require(report.verdicts.first { $0.invariant.id == "liveness" })
    #expect(liveness.status == .passed)
    #expect(liveness.checks >= 3, "every instance is asked")
  }

  @Test func `a wait that the service asked for is waited out before anybody is well`() throws {
    let report = try run(
      """
      "faults": [{ "name": "it", "status": 429, "retryAfter": "10m" }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "do": ["evaluate"] } }
      """)
    #expect(report.count(.requests) == 1)
    #expect(report.window.measured == 80_000_000)
    #expect((600_000_000_000...620_000_000_000).contains(report.simulatedNanoseconds))
    #expect(report.statuses["liveness"] == "passed")
    #expect(report.statuses["retry-after"] == "passed")
  }

  @Test func `exposures that waited are flushed, and what became of them is told`() throws {
    let report = try run(
      """
      "faults": [{ "name": "it", "status": 503, "match": { "endpoint": "evaluate" } }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 2,
        "do": ["evaluate", { "step": "record-exposure", "count": 30 }] } }
      """)
    #expect(report.count(.exposures, ["outcome": "recorded"]) == 60)
    #expect(report.count(.exposures, ["outcome": "dropped"]) == 0)
    #expect(report.count(.batches) == 0, "the flush is not the readers'")
    #expect(report.statuses["no-event-lost"] == "passed")
    #expect(report.statuses["liveness"] == "passed")
  }

  @Test func `who was closed does not get well`() throws {
    let report = try polling(
      "{ \"name\": \"it\", \"status\": 503 }",
      more: "\"timeline\": [{ \"at\": \"105ms\", \"do\": \"close\" }],")
    #expect(report.endReason == .completed)
    #expect(report.requests("503", injected: true) == 22)
    #expect(report.statuses["liveness"] != "violated")
  }

  @Test func `without faults there is nothing to get well from`() throws {
    let report = try polling("")
    #expect(report.window.drain == 0)
    #expect(report.statuses["liveness"] != "violated")
    #expect(report.simulatedNanoseconds == 500_000_000)
  }
}
