import Metrics
import Scenarios
import Testing

/// The same readers and clients on the real pool.
///
/// Nothing is said of how long anything takes. Each run has a process of its own: tests block the threads of this
/// one's pool, and a client that gets no thread looks like one that leaves something behind.
@Suite(.serialized) struct WallClockTests {
  @Test func `a small run is judged on intervals, passes and leaves nothing`() async {
    await #expect(processExitsWith: .success) {
      let report = try run(
        """
        "clock": "wall", "service": { "latency": "20ms" },
        "readers": {
          "a": { "executor": "per-reader-iterations", "readers": 50, "iterations": 3, "do": ["evaluate"] },
          "b": { "executor": "per-reader-iterations", "readers": 20,
            "do": ["evaluate-or-throw", "invalidate", "evaluate"] } }
        """)
      #expect(report.endReason == .completed)
      #expect(report.digest == nil)
      #expect(report.choices == nil)
      #expect(report.steps == 0)
      #expect(report.count(.evaluations) == 50 * 3 + 20 * 2)
      #expect(report.count(.requests) >= 1)
      #expect(report.notExercised == [])
      #expect(report.statuses["answers-once"] == "passed")
      #expect(report.statuses["nothing-left"] == "passed")
      // What needs a total order of events is not applicable, and says so.
      #expect(report.statuses["ttl"] == "not-applicable")
      #expect(report.statuses["no-escape"] == "not-applicable")
      #expect(
        report.window.warmup + report.window.measured + report.window.drain == report.simulatedNanoseconds)
    }
  }

  @Test func `a cold start makes one request on the real pool too`() async {
    await #expect(processExitsWith: .success) {
      let report = try run(
        """
        "clock": "wall", "service": { "latency": "200ms" }, "client": { "kind": "feature-control", "cacheTTL": "1h" },
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 200, "iterations": 5, "do": ["evaluate"] } }
        """)
      #expect(report.count(.requests) == 1)
      #expect(report.count(.evaluations) == 1000)
      #expect(report.count(.cacheHits, ["state": "default"]) == 0)
      #expect(report.statuses["single-flight"] == "passed")
    }
  }

  @Test func `readers that cancel are told apart from those that wait`() async {
    await #expect(processExitsWith: .success) {
      let report = try run(
        """
        "clock": "wall", "service": { "latency": "30ms" },
        "readers": {
          "hasty": { "executor": "per-reader-iterations", "readers": 30, "do": [{ "step": "cancel", "after": "5ms" }] },
          "patient": { "executor": "per-reader-iterations", "readers": 30, "do": ["evaluate"] } }
        """)
      #expect(report.endReason == .completed)
      #expect(report.count(.evaluations) == 60)
    }
  }

  @Test func `a run interrupted while all wait reports what there is and blames nobody`() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<5 {
        let report = try run(
          """
          "clock": "wall", "client": { "kind": "feature-control", "requestTimeout": "1h" },
          "service": { "latency": "30m" },
          "readers": {
            "a": { "executor": "per-reader-iterations", "readers": 100, "maxDuration": "1h", "do": ["evaluate"] },
            "b": { "executor": "ramping-readers", "startReaders": 20, "stages": [{ "duration": "1h", "target": 20 }],
              "do": ["evaluate-or-throw"] } }
          """,
          options: RunOptions(isInterrupted: { true }))
        #expect(report.endReason == .signal)
        #expect(report.statuses["nothing-left"] == "passed")
      }
    }
  }

  @Test func `readers that a group's end interrupts are counted, not blamed`() async {
    await #expect(processExitsWith: .success) {
      let report = try run(
        """
        "clock": "wall", "client": { "kind": "feature-control", "requestTimeout": "1h" },
        "service": { "latency": "30m" },
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 50, "maxDuration": "2s",
          "gracefulStop": "10ms", "do": ["evaluate"] } }
        """)
      #expect(report.endReason == .completed)
      #expect(report.count(.interrupted) == 50)
      #expect(report.count(.requests, ["status": "cancelled"]) == 1)
      #expect(report.statuses["nothing-left"] == "passed")
    }
  }

  @Test func `a threshold with abortOnFail ends a wall-clock run`() async {
    await #expect(processExitsWith: .success) {
      let report = try run(
        """
        "clock": "wall", "service": { "latency": "1ms" },
        "thresholds": { "evaluations": [{ "threshold": "count<5", "abortOnFail": true }] },
        "readers": { "a": { "executor": "constant-readers", "readers": 2, "duration": "1h", "think": "10ms",
          "do": ["evaluate"] } }
        """)
      #expect(report.endReason == .threshold)
      #expect(report.thresholds.map(\.status) == [.failed])
    }
  }
}
