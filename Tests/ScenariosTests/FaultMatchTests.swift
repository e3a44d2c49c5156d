import Metrics
import Scenarios
import Testing

/// Which requests a fault strikes, and how several go together.
@Suite struct FaultMatchTests {
  private func struck(_ report: RunReport, _ status: String = "500") -> Int64 {
    report.count(.requests, ["status": status, "injected": "true"])
  }

  // MARK: When

  @Test(arguments: [
    ("\"from\": \"2s\", \"until\": \"5s\"", 3), ("\"from\": \"7s\"", 3), ("\"until\": \"4s\"", 4),
    ("\"until\": \"4001ms\"", 5), ("\"from\": \"1999ms\", \"until\": \"2001ms\"", 1),
    ("\"from\": \"2001ms\", \"until\": \"2999ms\"", 0), ("\"firstN\": 4", 4), ("\"firstN\": 100", 10),
    ("\"from\": \"5s\", \"firstN\": 2", 2), ("\"probability\": 0", 0), ("\"probability\": 1", 10),
  ])
  func `a window is half open, and firstN counts what was struck`(when: String, count: Int64) throws {
    let report = try everySecond("{ \"name\": \"f\", \"status\": 500, \(when) }")
    #expect(struck(report) == count)
    #expect(report.count(.requests, ["status": "200", "injected": "false"]) == 10 - count)
    #expect(report.notExercised == (count == 0 ? ["faults.f struck nothing"] : []))
  }

  @Test func `a probability is how often it strikes`() throws {
    let report = try everySecond(
      "{ \"name\": \"f\", \"status\": 500, \"probability\": 0.3 }", iterations: 2000,
      more: "\"invariants\": [],")
    // 150 of 500 give or take five standard deviations.
    #expect((99...201).contains(struck(report)))
  }

  @Test func `heal ends every fault for good`() throws {
    let report = try everySecond(
      "{ \"name\": \"f\", \"status\": 500 }, { \"name\": \"g\", \"from\": \"4100ms\", \"hang\": true }",
      more: "\"heal\": \"4500ms\",")
    #expect(struck(report) == 5)
    #expect(report.count(.requests, ["status": "200", "injected": "false"]) == 5)
    #expect(report.notExercised == ["faults.g struck nothing"])
    #expect(report.statuses["liveness"] == "passed")
  }

  // MARK: Whom

  @Test(arguments: [
    ("\"evaluate\"", [1, 0, 0, 0, 0]), ("\"notifications\"", [0, 1, 0, 0, 0]), ("\"read\"", [0, 0, 1, 0, 0]),
    ("\"read-all\"", [0, 0, 0, 1, 0]), ("\"telemetry\"", [0, 0, 0, 0, 1]),
    ("[\"telemetry\", \"read\"]", [0, 0, 1, 0, 1]),
  ])
  func `an endpoint is struck and the others are not`(endpoint: String, expected: [Int64]) throws {
    let report = try everySecond(
      "{ \"name\": \"f\", \"status\": 503, \"from\": \"500ms\", \"match\": { \"endpoint\": \(endpoint) } }",
      client: ", \"auth\": { \"bearer\": {} }",
      steps: """
        "evaluate", { "step": "list-notifications", "limit": 20 }, "mark-read", "mark-all-read", "record-exposure",
        "flush"
        """,
      iterations: 2, more: "\"timeline\": [{ \"at\": \"600ms\", \"do\": \"notify\" }],")
    let words = ["evaluate", "notifications", "read", "read-all", "telemetry"]
    let counts = words.map { report.count(.requests, ["endpoint": $0, "status": "503", "injected": "true"]) }
    // A walk that fails leaves what was seen before, so there is always something to mark.
    #expect(counts == expected)
    #expect(words.map { report.count(.requests, ["endpoint": $0]) } == [2, 2, 2, 2, 2])
  }

  private func fleet(_ match: String) throws -> RunReport {
    try run(
      """
      "client": { "kind": "feature-control", "instances": 4, "subjects": "per-reader" },
      "service": { "latency": "0ms" },
      "faults": [{ "name": "f", "status": 500, "match": { \(match) } }],
      "readers": {
        "a": { "executor": "per-reader-iterations", "readers": 4, "do": ["evaluate"] },
        "b": { "executor": "per-reader-iterations", "readers": 8, "do": ["evaluate"] } }
      """)
  }

  @Test(arguments: [("\"a\"", 4, 0), ("\"b\"", 0, 8), ("[\"a\", \"b\"]", 4, 8)])
  func `a group's requests are struck and the other's are not`(group: String, first: Int64, second: Int64)
    throws
  {
    let report = try fleet("\"group\": \(group)")
    #expect(report.count(.requests, ["group": "a", "status": "500"]) == first)
    #expect(report.count(.requests, ["group": "b", "status": "500"]) == second)
    #expect(report.count(.requests) == 12)
  }

  @Test(arguments: [
    ("0", 1, 2), ("3", 1, 2), ("{ \"from\": 1, \"to\": 2 }", 2, 4), ("{ \"from\": 0, \"to\": 3 }", 4, 8),
  ])
  func `an app instance's requests are struck and the others' are not`(
    instances: String, first: Int64, second: Int64
  ) throws {
    let report = try fleet("\"instances\": \(instances)")
    #expect(report.count(.requests, ["group": "a", "status": "500"]) == first)
    #expect(report.count(.requests, ["group": "b", "status": "500"]) == second)
  }

  @Test func `every condition must be met`() throws {
    let report = try fleet(
      "\"instances\": { \"from\": 1, \"to\": 2 }, \"group\": \"b\", \"endpoint\": \"evaluate\"")
    #expect(report.count(.requests, ["status": "500"]) == 4)
    #expect(report.count(.requests, ["group": "a", "status": "500"]) == 0)
  }

  @Test func `each fault that struck nothing is named`() throws {
    let report = try everySecond(
      """
      { "name": "never-there", "status": 500, "match": { "endpoint": "read-all" } },
      { "name": "strikes", "status": 500, "firstN": 1 },
      { "name": "too-late", "offline": true, "from": "1h" }
      """)
    #expect(report.notExercised == ["faults.never-there struck nothing", "faults.too-late struck nothing"])
  }

  // MARK: Several at once

  static let pairs: [(first: String, second: String, status: String)] = [
    ("\"status\": 500", "\"status\": 503", "500"), ("\"status\": 503", "\"status\": 500", "503"),
    ("\"offline\": true", "\"status\": 500", "lost"), ("\"status\": 500", "\"offline\": true", "500"),
    ("\"body\": \"garbled\"", "\"status\": 500", "200"), ("\"status\": 500", "\"hang\": true", "500"),
    ("\"hang\": true", "\"status\": 500", "timeout"), ("\"duplicate\": true", "\"status\": 500", "500"),
  ]

  @Test(arguments: pairs.indices) func `of two that decide the first in the file wins`(index: Int) throws {
    let (first, second, status) = Self.pairs[index]
    let report = try everySecond(
      "{ \"name\": \"f\", \(first) }, { \"name\": \"g\", \(second) }", iterations: 4)
    #expect(report.count(.requests) == 4)
    #expect(report.count(.requests, ["status": status, "injected": "true"]) == 4)
    #expect(report.notExercised == [])
  }

  @Test func `the second one has its turn when the first has had all it may`() throws {
    let report = try everySecond(
      "{ \"name\": \"f\", \"status\": 500, \"firstN\": 2 }, { \"name\": \"g\", \"status\": 503, \"firstN\": 5 }"
    )
    #expect(struck(report) == 2)
    #expect(struck(report, "503") == 3, "its first two fell on requests that were refused already")
    #expect(report.count(.requests, ["status": "200", "injected": "false"]) == 5)
  }

  @Test func `latencies add up, and go together with what decides`() throws {
    let report = try everySecond(
      """
      { "name": "f", "latency": "100ms" }, { "name": "g", "status": 500 }, { "name": "h", "latency": "250ms" }
      """)
    #expect(struck(report) == 10)
    let durations = try #require(report.metrics.query(.requestDuration))
    #expect(durations.min == 350_000_000)
    #expect(durations.max == 350_000_000)
  }

  // MARK: The same run

  private static let effects = [
    "\"status\": 500", "\"status\": 429, \"retryAfter\": \"2s\"", "\"lose\": \"request\"",
    "\"lose\": \"answer\"",
    "\"body\": \"garbled\"", "\"body\": \"missing-flag\"", "\"hang\": true",
    "\"latency\": { \"boundary\": true }",
    "\"late\": \"1s\"", "\"duplicate\": true", "\"reorder\": true", "\"offline\": true",
    "\"flapping\": { \"up\": \"1s\", \"down\": \"1s\" }", "\"authorization\": \"none\"",
    "\"authorization\": { \"slow\": \"1s\" }", "\"lag\": 1",
  ]

  private func busy(_ faults: String, seed: Int = 1) throws -> RunReport {
    try run(
      """
      "seed": \(seed),
      "client": { "kind": "feature-control", "cacheTTL": "1s", "instances": 2, "stores": 2,
        "auth": { "bearer": { "latency": { "min": "0ms", "max": "9ms" } } } },
      "service": { "latency": { "boundary": true } }, "faults": [\(faults)],
      "timeline": [{ "at": "2s", "do": "publish" }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 6, "iterations": 5,
        "think": { "boundary": true }, "do": ["evaluate", { "step": "evaluate", "switchStore": true }] } }
      """)
  }

  @Test(arguments: effects) func `a fault of probability 0 leaves the run as it is without it`(effect: String)
    throws
  {
    let other = "{ \"name\": \"other\", \"status\": 503, \"probability\": 0.2 }"
    let zero = "{ \"name\": \"zero\", \"probability\": 0, \(effect) }"
    let without = try busy(other)
    for faults in ["\(zero), \(other)", "\(other), \(zero)"] {
      let with = try busy(faults)
      #expect(with.digest == without.digest)
      #expect(with.metrics.rows() == without.metrics.rows())
    }
    #expect(try busy(zero).digest == busy("").digest)
  }

  @Test func `two runs of one seed are the same run, whatever strikes`() throws {
    let all = Self.effects.enumerated().map {
      "{ \"name\": \"f\($0.offset)\", \"probability\": 0.1, \($0.element) }"
    }
    .joined(separator: ", ")
    var digests: Set<String> = []
    for seed in 1...6 {
      let first = try busy(all, seed: seed)
      let second = try busy(all, seed: seed)
      #expect(first.digest == second.digest)
      #expect(first.metrics.rows() == second.metrics.rows())
      #expect(first.verdicts == second.verdicts)
      #expect(first.notExercised == second.notExercised)
      digests.insert("\(String(describing: first.digest))")
    }
    #expect(digests.count == 6)
  }

  // MARK: Getting well

  @Test func `the recovery counts in no metric`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "cacheTTL": "1ms", "instances": 3 }, "service": { "latency": "0ms" },
      "faults": [{ "name": "f", "status": 500 }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 3, "iterations": 2, "think": "1s",
        "do": ["record-exposure", "evaluate"] } }
      """)
    // Each of three instances then asks until it is answered, and flushes its exposures.
    #expect(report.count(.requests) == 6)
    #expect(report.count(.arrivals) == 6)
    #expect(report.count(.evaluations) == 6)
    #expect(report.count(.batches) == 0)
    #expect(report.count(.exposures, ["outcome": "sent"]) == 0)
    #expect(report.count(.requests, ["status": "200"]) == 0)
    #expect(report.metrics.query(.requestsPerClient)?.max == 2)
    #expect(report.window.measured == 2_000_000_000)
    let liveness = try #require(report.verdicts.first { $0.invariant.id == "liveness" })
    #expect(liveness.status == .passed)
    #expect(liveness.checks >= 3)
  }
}
