import Metrics
import Scenarios
import Testing

/// What each effect does to the requests that it strikes, and that it does nothing to the others.
@Suite struct FaultEffectTests {
  /// An effect that decides a request's outcome, and what is then seen of it.
  struct Decision: Sendable, CustomTestStringConvertible {
    let effect: String
    /// The status of the requests that are struck.
    let status: String
    /// How many of three that are struck reach the service.
    let arrivals: Int64
    /// How long an evaluation that is struck takes.
    var nanoseconds: Double = 0

    var testDescription: String { effect }
  }

  static let decisions: [Decision] =
    [400, 401, 403, 404, 408, 410, 413, 429, 500, 502, 503, 504, 304].map {
      Decision(effect: "\"status\": \($0)", status: "\($0)", arrivals: 3)
    } + [
      Decision(effect: "\"status\": 500, \"code\": \"broken\"", status: "500", arrivals: 3),
      Decision(effect: "\"lose\": \"request\"", status: "lost", arrivals: 0),
      Decision(effect: "\"lose\": \"answer\"", status: "lost", arrivals: 3),
      Decision(effect: "\"offline\": true", status: "lost", arrivals: 0),
      Decision(effect: "\"hang\": true", status: "timeout", arrivals: 0, nanoseconds: 3_000_000_000),
      Decision(effect: "\"body\": \"garbled\"", status: "200", arrivals: 3),
      Decision(effect: "\"body\": \"truncated\"", status: "200", arrivals: 3),
      Decision(effect: "\"body\": \"error-envelope\"", status: "200", arrivals: 3),
      Decision(effect: "\"body\": \"html\"", status: "200", arrivals: 3),
      Decision(effect: "\"body\": \"missing-flag\"", status: "200", arrivals: 3),
      Decision(effect: "\"body\": \"undecodable-flag\"", status: "200", arrivals: 3),
    ]

  @Test(arguments: decisions) func `whoever is struck gets the stand-in, everybody else the service's value`(
    decision: Decision
  ) throws {
    let report = try everySecond("{ \"name\": \"f\", \"firstN\": 3, \(decision.effect) }")
    #expect(report.endReason == .completed)
    #expect(report.notExercised == [])
    #expect(report.count(.requests) == 10)
    #expect(report.count(.requests, ["injected": "true"]) == 3)
    #expect(report.count(.requests, ["injected": "true", "status": decision.status]) == 3)
    #expect(report.count(.requests, ["injected": "false", "status": "200"]) == 7)
    #expect(report.count(.arrivals) == 7 + decision.arrivals)
    #expect(report.count(.evaluations) == 10)
    #expect(report.count(.cacheHits, ["state": "default"]) == 3)
    #expect(report.metrics.query(.evaluationDuration)?.max == decision.nanoseconds)
    #expect(report.statuses["liveness"] == "passed")
    #expect(report.statuses["degrade-order"] == "passed")
  }

  @Test(arguments: decisions) func `a struck request leaves a value that is held alone`(decision: Decision)
    throws
  {
    let report = try everySecond("{ \"name\": \"f\", \"from\": \"5s\", \"firstN\": 1, \(decision.effect) }")
    #expect(
      report.count(.cacheHits, ["state": "default"]) == (decision.effect.contains("missing-flag") ? 1 : 0))
    #expect(
      report.count(.cacheHits, ["state": "stale"]) == (decision.effect.contains("missing-flag") ? 0 : 1))
  }

  @Test(arguments: ["duplicate-names", "unknown-fields"])
  func `a body that only looks odd is as good as any`(body: String) throws {
    let report = try everySecond("{ \"name\": \"f\", \"firstN\": 3, \"body\": \"\(body)\" }")
    #expect(report.count(.requests, ["injected": "true", "status": "200"]) == 3)
    #expect(report.count(.cacheHits, ["state": "default"]) == 0)
    #expect(report.count(.timeToFirstValue) == 1)
  }

  @Test func `latency comes on top, before the request arrives`() throws {
    let report = try everySecond("{ \"name\": \"f\", \"firstN\": 3, \"latency\": \"200ms\" }")
    #expect(report.count(.requests, ["injected": "true", "status": "200"]) == 3)
    let struck = try #require(report.metrics.query(.requestDuration, ["injected": "true"]))
    #expect(struck.min == 200_000_000)
    #expect(struck.max == 200_000_000)
    #expect(report.metrics.query(.requestDuration, ["injected": "false"])?.max == 0)
    let arrivals = try #require(report.metrics.series().first { $0.metric == .arrivals })
    let first = try #require(arrivals.points.firstIndex { $0.count > 0 })
    let begin = Int64(first) * arrivals.bucketNanoseconds
    #expect((begin..<begin + arrivals.bucketNanoseconds).contains(200_000_000))
  }

  @Test func `latency beyond the timeout is a timeout`() throws {
    let report = try everySecond("{ \"name\": \"f\", \"firstN\": 2, \"latency\": \"3001ms\" }")
    #expect(report.count(.requests, ["injected": "true", "status": "timeout"]) == 2)
    #expect(report.count(.arrivals) == 8)
    #expect(report.metrics.query(.evaluationDuration)?.max == 3_000_000_000)
  }

  @Test func `the answer that comes after the timeout is applied by nobody`() throws {
    // The late answer arrives at 700 ms; whoever asks at 800 ms needs a request of his own.
    let report = try run(
      """
      "client": { "kind": "feature-control", "requestTimeout": "500ms" }, "service": { "latency": "0ms" },
      "faults": [{ "name": "f", "firstN": 1, "late": "200ms" }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1,
        "do": [{ "step": "evaluate", "think": "300ms" }, "evaluate"] } }
      """)
    #expect(report.count(.requests) == 2)
    #expect(report.count(.arrivals) == 2)
    #expect(report.count(.requests, ["injected": "true", "status": "200"]) == 1)
    #expect(report.metrics.query(.requestDuration, ["injected": "true"])?.max == 700_000_000)
    #expect(report.metrics.query(.evaluationDuration)?.max == 500_000_000)
    #expect(report.count(.cacheHits, ["state": "default"]) == 1)
    #expect(report.count(.cacheHits, ["state": "fresh"]) == 0)
  }

  @Test func `a request that arrives twice is one request and two arrivals`() throws {
    let report = try everySecond("{ \"name\": \"f\", \"firstN\": 3, \"duplicate\": true }")
    #expect(report.count(.requests) == 10)
    #expect(report.count(.requests, ["injected": "true", "status": "200"]) == 3)
    #expect(report.count(.arrivals) == 13)
    #expect(report.count(.cacheHits, ["state": "default"]) == 0)
  }

  @Test func `a batch that arrives twice is taken in one request`() throws {
    let report = try everySecond(
      "{ \"name\": \"f\", \"duplicate\": true, \"match\": { \"endpoint\": \"telemetry\" } }",
      steps: "\"record-exposure\", \"flush\"")
    #expect(report.count(.requests, ["endpoint": "telemetry"]) == 10)
    #expect(report.count(.arrivals, ["endpoint": "telemetry"]) == 20)
    #expect(report.count(.exposures, ["outcome": "sent"]) == 10)
    #expect(report.statuses["no-event-twice"] == "passed")
  }

  @Test(arguments: 1...5) func `an answer that is held back comes late, or after the timeout`(seed: Int)
    throws
  {
    let report = try everySecond(
      "{ \"name\": \"f\", \"firstN\": 5, \"reorder\": true }", more: "\"seed\": \(seed),")
    #expect(report.count(.requests, ["injected": "true", "status": "200"]) == 5)
    #expect(report.count(.arrivals) == 10)
    let struck = try #require(report.metrics.query(.requestDuration, ["injected": "true"]))
    #expect((1..<3_000_000_000).contains(struck.max ?? 0))
    #expect(report.metrics.query(.requestDuration, ["injected": "false"])?.max == 0)
  }

  @Test func `a replica that lags answers with what was true before`() throws {
    func lagging(_ faults: String) throws -> RunReport {
      try everySecond(faults, more: "\"timeline\": [{ \"at\": \"500ms\", \"do\": \"publish\" }],")
    }
    let lagged = try lagging("{ \"name\": \"f\", \"from\": \"1s\", \"firstN\": 3, \"lag\": 1 }")
    #expect(lagged.count(.requests, ["injected": "true", "status": "200"]) == 3)
    #expect(lagged.count(.cacheHits, ["state": "default"]) == 0)
    #expect(lagged.statuses["state-matches-service"] == "passed")
  }

  // MARK: The network that comes and goes

  /// Three seconds are a round: two there, one gone.
  @Test(arguments: [("0s", 3), ("1s", 3), ("2s", 2), ("8s", 0)])
  func `a flapping network is gone in the second part of each round`(from: String, lost: Int64) throws {
    let report = try everySecond(
      "{ \"name\": \"f\", \"from\": \"\(from)\", \"flapping\": { \"up\": \"2s\", \"down\": \"1s\" } }")
    // Gone at 2, 5 and 8 s from its beginning; the requests start at 0 to 9 s.
    #expect(report.count(.requests, ["status": "lost", "injected": "true"]) == lost)
    #expect(report.count(.requests, ["status": "200", "injected": "false"]) == 10 - lost)
    #expect(report.notExercised == (lost == 0 ? ["faults.f struck nothing"] : []))
  }
}
