import Metrics
import Scenarios
import Testing

/// The steps that look into the inbox, and `switch-user`.
@Suite struct InboxStepTests {
  private func oneReader(
    _ steps: String, items: Int = 9, inbox: String = "", client: String = "", more: String = ""
  ) throws -> RunReport {
    try run(
      """
      \(more) "client": { "kind": "feature-control", "auth": { "bearer": {} }\(client) },
      "service": { "latency": "0ms", "inbox": { "items": \(items)\(inbox) } },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "do": [\(steps)] } }
      """)
  }

  private func requests(_ report: RunReport, _ endpoint: String) -> Int64 {
    report.count(.requests, ["endpoint": endpoint, "status": "200"])
  }

  @Test(arguments: [(0, 4, 1), (1, 4, 1), (4, 4, 1), (5, 4, 2), (9, 4, 3), (9, 1, 9), (9, 100, 1)])
  func `a walk asks for one page after the other`(items: Int, limit: Int, pages: Int64) throws {
    for kind in ["position", "item"] {
      for empty in [false, true] {
        let report = try oneReader(
          "{ \"step\": \"list-notifications\", \"limit\": \(limit) }", items: items,
          inbox: ", \"cursors\": \"\(kind)\", \"emptyCursor\": \(empty)")
        #expect(requests(report, "notifications") == pages, "\(kind), \(empty)")
        #expect(report.count(.requests) == pages)
      }
    }
  }

  @Test(arguments: [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (100, 3)])
  func `a reader who has enough asks for no further page`(atMost: Int, pages: Int64) throws {
    let report = try oneReader("{ \"step\": \"list-notifications\", \"limit\": 4, \"atMost\": \(atMost) }")
    #expect(requests(report, "notifications") == pages)
  }

  @Test(arguments: [(0, 1), (3, 1), (4, 2), (9, 3)])
  func `a walk over an endless inbox ends when a cursor comes again`(items: Int, pages: Int64) throws {
    let report = try oneReader(
      "{ \"step\": \"list-notifications\", \"limit\": 4 }", items: items, inbox: ", \"cursors\": \"endless\"")
    #expect(requests(report, "notifications") == pages + (pages == 1 ? 1 : 0))
  }

  @Test func `mark-read marks what was seen, one by one, and nothing that was not`() throws {
    let report = try oneReader(
      "\"mark-read\", { \"step\": \"list-notifications\", \"limit\": 20 }, \"mark-read\", \"mark-read\", \"mark-read\"",
      items: 2)
    #expect(requests(report, "read") == 2)
    #expect(report.count(.requests) == 3)
  }

  @Test func `what was marked is unread no more`() throws {
    let list = "{ \"step\": \"list-notifications\", \"limit\": 2, \"status\": \"unread\" }"
    let report = try oneReader("\(list), \"mark-read\", \"mark-read\", \"mark-read\", \(list)", items: 4)
    // Two pages of four, then one page of the one that is left.
    #expect(requests(report, "notifications") == 3)
    #expect(requests(report, "read") == 3)
  }

  @Test func `mark-all-read leaves nothing unread until something arrives`() throws {
    let report = try oneReader(
      """
      "mark-all-read", { "step": "list-notifications", "status": "unread" }, "mark-read",
      { "step": "sleep", "duration": "2s" }, { "step": "list-notifications", "status": "unread" }, "mark-read",
      "mark-read"
      """,
      more: "\"timeline\": [{ \"at\": \"1s\", \"do\": \"notify\" }],")
    #expect(requests(report, "read-all") == 1)
    #expect(requests(report, "notifications") == 2)
    #expect(requests(report, "read") == 1)
  }

  @Test func `a walk that fails leaves what was seen before`() throws {
    let list = "{ \"step\": \"list-notifications\", \"limit\": 20, \"think\": \"1s\" }"
    let report = try oneReader(
      "\(list), \(list), \"mark-read\"",
      more: "\"faults\": [{ \"name\": \"f\", \"from\": \"500ms\", \"firstN\": 1, \"status\": 500 }],")
    #expect(report.count(.requests, ["endpoint": "notifications", "status": "500"]) == 1)
    #expect(requests(report, "read") == 1)
  }

  // MARK: switch-user

  @Test func `switch-user empties the cache and moves on to the next subject`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "subjects": 3, "auth": { "bearer": {} } },
      "service": { "latency": "0ms" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 3, "iterations": 2,
        "do": ["evaluate", "evaluate", "switch-user", "evaluate"] } }
      """)
    #expect(report.count(.evaluations) == 18)
    #expect(report.count(.cacheHits, ["state": "default"]) == 0)
    #expect(report.count(.cacheHits, ["state": "stale"]) == 0)
  }

  @Test(arguments: [(false, 1), (true, 2)])
  func `a reader who asks twice asks the service again after a switch`(switches: Bool, asked: Int64) throws {
    let report = try oneReader("\"evaluate\", \(switches ? "\"switch-user\", " : "")\"evaluate\"")
    #expect(requests(report, "evaluate") == asked)
    #expect(report.count(.cacheHits, ["state": "fresh"]) == 2 - asked)
  }

  @Test(arguments: [(false, 0), (true, 1)])
  func `the next user has an inbox of their own`(switches: Bool, marked: Int64) throws {
    let report = try oneReader(
      """
      "mark-all-read", \(switches ? "\"switch-user\", " : "")
      { "step": "list-notifications", "status": "unread" }, "mark-read"
      """)
    #expect(requests(report, "read") == marked)
  }

  @Test func `a reader forgets what the user before has seen`() throws {
    let report = try oneReader(
      "{ \"step\": \"list-notifications\", \"limit\": 20 }, \"switch-user\", \"mark-read\"")
    #expect(requests(report, "read") == 0)
  }

  @Test func `the timeline switches the user of every app instance`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "instances": 2, "cacheTTL": "1h", "auth": { "bearer": {} } },
      "service": { "latency": "0ms" }, "timeline": [{ "at": "2500ms", "do": "switch-user" }],
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 2, "iterations": 5, "think": "1s",
        "do": ["evaluate"] } }
      """)
    #expect(report.metrics.query(.requestsPerClient)?.min == 2)
    #expect(report.metrics.query(.requestsPerClient)?.max == 2)
  }
}
