import Metrics
import Scenarios
import Testing

/// Authorization by tokens that the app gives: how long they take, how long they last, and what goes wrong with them.
@Suite struct BearerTests {
  private func bearer(_ bearer: String, faults: String = "", step: String = "evaluate", more: String = "")
    throws -> RunReport
  {
    try everySecond(
      faults, client: ", \"auth\": { \"bearer\": { \(bearer) } }", steps: "\"\(step)\"", iterations: 6,
      more: more)
  }

  @Test func `a token takes its time before the request`() throws {
    let report = try bearer("\"latency\": \"50ms\"")
    #expect(report.count(.requests, ["status": "200"]) == 6)
    #expect(report.metrics.query(.evaluationDuration)?.min == 50_000_000)
    #expect(report.metrics.query(.evaluationDuration)?.max == 50_000_000)
    #expect(
      report.metrics.query(.requestDuration)?.max == 0, "a request begins when it is handed to the network")
  }

  @Test(arguments: ["1ms", "700ms", "2s", "1h"])
  func `a client that asks for each request never sends a token that has expired`(lifetime: String) throws {
    let report = try bearer("\"latency\": \"300ms\", \"lifetime\": \"\(lifetime)\"")
    #expect(report.count(.requests, ["status": "200"]) == 6)
    #expect(report.count(.requests) == 6)
    #expect(report.statuses["well-formed"] == "passed")
  }

  @Test(arguments: [("1s", "1500ms", 0), ("1s", "2500ms", 6), ("2s", "2500ms", 0)])
  func `a token that expires twice on its way is refused`(lifetime: String, latency: String, refused: Int64)
    throws
  {
    let report = try run(
      """
      "client": { "kind": "feature-control", "cacheTTL": "1ms", "requestTimeout": "10s",
        "auth": { "bearer": { "lifetime": "\(lifetime)" } } },
      "service": { "latency": "0ms" }, "network": { "latency": "\(latency)" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": 6, "think": "1s",
        "do": ["evaluate"] } }
      """)
    #expect(report.count(.requests, ["status": "401", "injected": "false"]) == refused)
    #expect(report.count(.requests, ["status": "200"]) == 6 - refused)
  }

  @Test(arguments: ["none", "throws"], ["evaluate", "evaluate-or-throw"])
  func `without a token there is no request`(word: String, step: String) throws {
    let report = try bearer(
      "", faults: "{ \"name\": \"f\", \"firstN\": 2, \"authorization\": \"\(word)\" }", step: step)
    #expect(report.count(.evaluations) == 6)
    #expect(report.count(.requests) == 4)
    #expect(report.count(.arrivals) == 4)
    #expect(report.count(.requests, ["status": "200"]) == 4)
    #expect(report.count(.cacheHits, ["state": "default"]) == (step == "evaluate" ? 2 : 0))
    #expect(report.notExercised == [])
  }

  @Test func `a slow token adds to what the app takes anyway`() throws {
    let report = try bearer(
      "\"latency\": \"50ms\"",
      faults: "{ \"name\": \"f\", \"firstN\": 2, \"authorization\": { \"slow\": \"400ms\" } }")
    let durations = try #require(report.metrics.query(.evaluationDuration))
    #expect(durations.min == 50_000_000)
    #expect(durations.max == 450_000_000)
    #expect(durations.sum == 2 * 450_000_000 + 4 * 50_000_000)
    #expect(report.count(.requests, ["status": "200"]) == 6)
  }

  @Test func `the timeout covers the asking for a token`() throws {
    let report = try bearer(
      "", faults: "{ \"name\": \"f\", \"firstN\": 2, \"authorization\": { \"slow\": \"3001ms\" } }")
    #expect(report.metrics.query(.evaluationDuration)?.max == 3_000_000_000)
    #expect(report.count(.requests) == 4, "those that got no token in time were never sent")
    #expect(report.count(.cacheHits, ["state": "default"]) == 2)
  }

  @Test func `a fault of authorization does nothing to a request, and the other way round`() throws {
    let report = try bearer(
      "",
      faults: """
        { "name": "f", "from": "1s", "firstN": 1, "authorization": "none" },
        { "name": "g", "from": "1s", "firstN": 1, "status": 500 }
        """)
    // Of the second evaluation there is no request that could be refused, so that is done to the third.
    #expect(report.count(.requests) == 5)
    #expect(report.count(.requests, ["status": "500"]) == 1)
  }

  @Test func `each endpoint asks for a token`() throws {
    let report = try everySecond(
      "{ \"name\": \"f\", \"authorization\": \"none\", \"match\": { \"endpoint\": [\"telemetry\", \"read-all\"] } }",
      client: ", \"auth\": { \"bearer\": {} }",
      steps:
        "\"evaluate\", \"record-exposure\", \"flush\", \"mark-all-read\", { \"step\": \"list-notifications\" }",
      iterations: 3)
    let counts = ["evaluate", "telemetry", "read-all", "notifications"].map {
      report.count(.requests, ["endpoint": $0])
    }
    #expect(counts == [3, 0, 0, 3])
    #expect(report.notExercised == [])
  }

  @Test(arguments: 1...5) func `users who are switched while tokens are under way leak nothing`(seed: Int)
    throws
  {
    let report = try run(
      """
      "seed": \(seed), "require": ["well-formed", "answers-once"],
      "client": { "kind": "feature-control", "cacheTTL": "20ms", "instances": 2, "subjects": 4,
        "auth": { "bearer": { "latency": { "min": "0ms", "max": "30ms" }, "lifetime": "100ms" } } },
      "service": { "latency": { "min": "0ms", "max": "30ms" } },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 8, "iterations": 20,
        "think": { "min": "0ms", "max": "20ms" },
        "do": [{ "step": "evaluate", "weight": 4 }, { "step": "switch-user", "weight": 1 },
          { "step": "cancel", "weight": 1 }] } }
      """)
    #expect(report.count(.requests, ["status": "401"]) == 0)
    #expect(report.statuses["well-formed"] == "passed")
  }
}
