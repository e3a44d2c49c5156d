import Metrics
import Scenarios
import Testing

/// What each form of a `Retry-After` means to the client: when the next request starts.
@Suite struct RetryAfterFormTests {
  /// Runs a reader that asks every 50 ms, so many times, and is refused the first time.
  ///
  /// A second request is allowed at the very end of the wait, and not a nanosecond before: the number of questions decides
  /// whether there is one.
  private func refused(
    _ retryAfter: String?, status: Int = 429, asking times: Int, every think: String = "50ms",
    timeline: String = ""
  ) throws -> RunReport {
    let form = retryAfter.map { ", \"retryAfter\": \($0)" } ?? ""
    return try run(
      """
      "client": { "kind": "feature-control", "cacheTTL": "1ms" }, "service": { "latency": "0ms" },
      "faults": [{ "name": "f", "firstN": 1, "status": \(status)\(form) }], "timeline": [\(timeline)],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": \(times),
        "maxDuration": "10h", "think": "\(think)", "do": ["evaluate"] } }
      """)
  }

  static let seconds: [String] = [
    "\"1s\"", "\"1ms\"", "{ \"seconds\": \"1s\" }", "{ \"seconds\": \"300ms\" }", "{ \"http-date\": \"1s\" }",
    "{ \"http-date\": \"1ns\" }", "{ \"bare-date\": \"1s\" }", "{ \"bare-date\": \"999ms\" }",
    "{ \"iso-8601\": \"1s\" }", "{ \"iso-8601\": \"500ms\" }",
  ]

  @Test(arguments: seconds, [429, 503]) func `a second is kept to the nanosecond`(form: String, status: Int)
    throws
  {
    // Asked at 0, 50, …, 950 ms.
    let before = try refused(form, status: status, asking: 20)
    #expect(before.count(.requests) == 1)
    #expect(before.count(.cacheHits, ["state": "default"]) == 20)
    // And at 1 s.
    let after = try refused(form, status: status, asking: 21)
    #expect(after.count(.requests) == 2)
    #expect(after.count(.requests, ["status": "200"]) == 1)
    #expect(after.metrics.query(.retryDelay)?.count == 1)
    #expect(after.metrics.query(.retryDelay)?.max == 1_000_000_000)
    #expect(after.statuses["retry-after"] == "passed")
  }

  @Test(arguments: [nil, "\"garbled\"", "\"negative\"", "\"past\"", "\"zero\""] as [String?])
  func `what says nothing that can be kept leaves the next request to whoever asks`(form: String?) throws {
    #expect(try refused(form, asking: 1).count(.requests) == 1)
    let report = try refused(form, asking: 2)
    #expect(report.count(.requests) == 2)
    #expect(report.count(.retryDelay) == 0)
    #expect(report.count(.cacheHits, ["state": "default"]) == 1)
  }

  @Test(arguments: [
    "\"huge\"", "\"2h\"", "{ \"http-date\": \"3h\" }", "{ \"iso-8601\": \"4h\" }",
    "{ \"bare-date\": \"5h\" }",
  ])
  func `nothing is kept for longer than an hour`(form: String) throws {
    #expect(try refused(form, asking: 60, every: "1m").count(.requests) == 1)
    let report = try refused(form, asking: 61, every: "1m")
    #expect(report.count(.requests) == 2)
    #expect(report.metrics.query(.retryDelay)?.max == 3_600_000_000_000)
  }

  // MARK: The device's clock

  @Test(arguments: seconds.filter { !$0.contains("bare") }, ["clock-forward", "clock-back"])
  func `a clock that somebody sets changes nothing`(form: String, jump: String) throws {
    for at in ["0ms", "20ms", "500ms"] {
      let jumping = "{ \"at\": \"\(at)\", \"do\": \"\(jump)\", \"by\": \"24h\" }"
      #expect(try refused(form, asking: 20, timeline: jumping).count(.requests) == 1, "at \(at)")
      #expect(try refused(form, asking: 21, timeline: jumping).count(.requests) == 2, "at \(at)")
    }
  }

  /// The reader is refused at 500 ms, after the clock was set.
  private func refusedLater(_ jump: String, asking times: Int, every think: String) throws -> RunReport {
    try run(
      """
      "client": { "kind": "feature-control", "cacheTTL": "1ms" }, "service": { "latency": "0ms" },
      "faults": [{ "name": "f", "firstN": 1, "status": 429, "retryAfter": { "bare-date": "10s" } }],
      "timeline": [\(jump)],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": \(times),
        "startTime": "500ms", "maxDuration": "10h", "think": "\(think)", "do": ["evaluate"] } }
      """)
  }

  @Test func `a date without one to compare it with is taken by the device's clock`() throws {
    // The date is 10 s after the service's clock in whole seconds; the device's says half a second more.
    #expect(try refusedLater("", asking: 19, every: "500ms").count(.requests) == 1)
    #expect(try refusedLater("", asking: 20, every: "500ms").count(.requests) == 2)
    // A clock that is ahead takes it for past; one that is behind waits for so much longer.
    let ahead = "{ \"at\": \"100ms\", \"do\": \"clock-forward\", \"by\": \"1m\" }"
    #expect(try refusedLater(ahead, asking: 2, every: "500ms").count(.requests) == 2)
    let behind = "{ \"at\": \"100ms\", \"do\": \"clock-back\", \"by\": \"1m\" }"
    #expect(try refusedLater(behind, asking: 139, every: "500ms").count(.requests) == 1)
    #expect(try refusedLater(behind, asking: 140, every: "500ms").count(.requests) == 2)
    // What is set during the wait does not matter any more.
    let during = "{ \"at\": \"600ms\", \"do\": \"clock-back\", \"by\": \"24h\" }"
    #expect(try refusedLater(during, asking: 20, every: "500ms").count(.requests) == 2)
  }

  @Test(arguments: ["clock-forward", "clock-back"])
  func `a clock that somebody sets leaves every figure of a run as it is`(jump: String) throws {
    func busy(_ jumps: [String]) throws -> RunReport {
      let timeline = ["2500ms", "3500ms"].enumerated().map { number, at in
        jumps.isEmpty
          ? "{ \"at\": \"\(at)\", \"do\": \"publish\" }"
          : "{ \"at\": \"\(at)\", \"do\": \"publish\" }, { \"at\": \"\(at)\", \"do\": \"\(jumps[number])\", \"by\": \"24h\" }"
      }
      return try run(
        """
        "schedule": "fifo", "client": { "kind": "feature-control", "cacheTTL": "900ms", "instances": 2 },
        "faults": [{ "name": "f", "status": 503, "retryAfter": { "http-date": "2s" }, "from": "2s", "until": "4s" }],
        "timeline": [\(timeline.joined(separator: ", "))],
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 4, "iterations": 20, "think": "300ms",
          "do": ["evaluate", "record-exposure", "flush"] } }
        """)
    }
    let plain = try busy([])
    let jumping = try busy([jump, jump])
    #expect(jumping.metrics.rows() == plain.metrics.rows())
    #expect(jumping.simulatedNanoseconds == plain.simulatedNanoseconds)
    #expect(plain.count(.retryDelay) > 0)
  }

  // MARK: Which requests

  @Test func `the wait is one endpoint's and one app instance's`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "cacheTTL": "1ms", "instances": 2 }, "service": { "latency": "0ms" },
      "faults": [{ "name": "f", "status": 429, "retryAfter": "10s", "until": "500ms",
        "match": { "endpoint": "evaluate", "instances": 0 } }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 2, "iterations": 5, "think": "1s",
        "do": ["evaluate", "record-exposure", "flush"] } }
      """)
    #expect(report.count(.requests, ["endpoint": "evaluate", "status": "429"]) == 1)
    #expect(report.count(.requests, ["endpoint": "evaluate", "status": "200"]) == 5)
    #expect(report.count(.requests, ["endpoint": "telemetry", "status": "202"]) == 10)
  }

  @Test func `whoever insists is told at once`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "cacheTTL": "1ms" }, "service": { "latency": "80ms" },
      "faults": [{ "name": "f", "firstN": 1, "status": 429, "retryAfter": "10s" }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": 5, "think": "1s",
        "do": ["evaluate-or-throw"] } }
      """)
    #expect(report.count(.requests) == 1)
    #expect(report.metrics.query(.evaluationDuration)?.sum == 80_000_000)
  }
}
