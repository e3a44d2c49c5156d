import Metrics
import Scenarios
import Testing

@Suite struct StepTests {
  @Test func `invalidate makes the next evaluation ask again`() throws {
    let report = try run(
      """
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": 10,
        "do": ["evaluate", "evaluate", "invalidate"] } }
      """)
    #expect(report.count(.requests) == 10)
    #expect(report.count(.evaluations) == 20)
    #expect(report.count(.cacheHits, ["state": "fresh"]) == 10)
  }

  @Test func `evaluate-or-throw shares cache and flights with evaluate`() throws {
    let report = try run(
      """
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 20,
        "do": ["evaluate", "evaluate-or-throw"] },
        "b": { "executor": "per-reader-iterations", "readers": 20, "do": ["evaluate-or-throw"] } }
      """)
    #expect(report.count(.requests) == 1)
    #expect(report.count(.evaluations) == 60)
    #expect(report.count(.coalesced) == 39)
    #expect(report.count(.cacheHits, ["state": "fresh"]) == 20)
  }

  @Test(arguments: ["evaluate", "evaluate-or-throw"])
  func `a request that takes longer than the timeout ends then`(step: String) throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "requestTimeout": "3s" }, "service": { "latency": "10s" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 10, "do": ["\(step)"] } }
      """)
    #expect(report.count(.requests, ["status": "timeout"]) == 1)
    let durations = try #require(report.metrics.query(.evaluationDuration))
    #expect(durations.count == 10)
    #expect(durations.min == 3_000_000_000)
    #expect(durations.max == 3_000_000_000)
    #expect(report.count(.cacheHits, ["state": "default"]) == (step == "evaluate" ? 10 : 0))
    #expect(report.count(.timeToFirstValue) == 0)
  }

  @Test func `cancel ends the wait after its delay, and a request without waiters`() throws {
    let report = try run(
      """
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 10,
        "do": [{ "step": "cancel", "after": "30ms" }] } }
      """)
    #expect(report.count(.evaluations) == 10)
    #expect(report.metrics.query(.evaluationDuration)?.min == 30_000_000)
    #expect(report.metrics.query(.evaluationDuration)?.max == 30_000_000)
    #expect(report.count(.requests, ["status": "cancelled"]) == 1)
    #expect(report.simulatedNanoseconds == 30_000_000)
    #expect(report.count(.interrupted) == 0, "a reader that cancels its own call is not interrupted")
  }

  @Test func `cancel disturbs nobody else who waits`() throws {
    let report = try run(
      """
      "require": ["cancel-isolated"],
      "readers": {
        "hasty": { "executor": "per-reader-iterations", "readers": 10,
          "do": [{ "step": "cancel", "after": "30ms" }] },
        "patient": { "executor": "per-reader-iterations", "readers": 10, "do": ["evaluate"] } }
      """)
    #expect(report.count(.requests) == 1)
    #expect(report.count(.requests, ["status": "200"]) == 1)
    #expect(report.metrics.query(.evaluationDuration, ["group": "patient"])?.min == 80_000_000)
    #expect(report.metrics.query(.evaluationDuration, ["group": "hasty"])?.max == 30_000_000)
    #expect(report.statuses["cancel-isolated"] == "passed")
  }

  @Test func `cancel after the answer changes nothing`() throws {
    let report = try run(
      """
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 10,
        "do": [{ "step": "cancel", "after": "90ms" }, "evaluate"] } }
      """)
    #expect(report.count(.requests, ["status": "200"]) == 1)
    #expect(report.count(.cacheHits, ["state": "fresh"]) == 10)
    #expect(report.count(.evaluations) == 20)
  }

  @Test func `think after a step and think after an iteration both pause`() throws {
    let report = try run(
      """
      "service": { "latency": "0ms" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 3, "iterations": 4, "think": "100ms",
        "do": [{ "step": "evaluate", "think": "7ms" }, { "step": "sleep", "duration": "20ms", "think": "3ms" }] } }
      """)
    #expect(report.simulatedNanoseconds == 4 * 130_000_000)
  }

  @Test func `weights decide how often a step is picked`() throws {
    let report = try run(
      """
      "service": { "latency": "0ms" }, "client": { "kind": "feature-control", "cacheTTL": "100h" },
      "invariants": [],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 100, "iterations": 100,
        "do": [{ "step": "evaluate", "weight": 3 }, { "step": "sleep", "duration": "1ms", "weight": 1 },
          { "step": "invalidate", "weight": 0 }] } }
      """)
    // 7,500 of 10,000 give or take five standard deviations; invalidate, of weight 0, never.
    #expect((7280...7720).contains(report.count(.evaluations)))
    #expect(report.count(.requests) == 1)
  }

  @Test func `a step may ask for some of the keys, which is another request`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "keys": ["a", "b"] },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 5,
        "do": ["evaluate", { "step": "evaluate", "keys": ["b"] }, { "step": "evaluate", "keys": ["b", "a"] }] } }
      """)
    // The keys as a set are what is asked for: the third is the first again.
    #expect(report.count(.requests) == 2)
    #expect(report.count(.cacheHits, ["state": "fresh"]) == 5)
  }

  @Test func `switchStore moves on to the next store before it asks`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "stores": 3 },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": 6,
        "do": [{ "step": "evaluate", "switchStore": true }, "invalidate"] } }
      """)
    #expect(report.count(.requests) == 6)
    #expect(report.notExercised == [])
  }
}
