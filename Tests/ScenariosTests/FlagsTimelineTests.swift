import Metrics
import Scenarios
import Testing

/// What the project and the fleet do at a time of the run.
@Suite struct FlagsTimelineTests {
  /// Ten devices that stay for ten seconds.
  private static func fleet(
    _ timeline: String, client: String = "", service: String = "", steps: String = ""
  ) throws -> RunReport {
    try runFlags(
      #""timeline": [\#(timeline)], "#
        + people(10, #"\#(steps){ "step": "sleep", "duration": "20s" }"#),
      client: #""instances": 10"# + (client.isEmpty ? "" : ", " + client), service: service)
  }

  @Test(
    arguments: [
      #""do": "publish""#, #""do": "publish", "keys": ["new_checkout"]"#,
      #""do": "delete", "key": "new_checkout""#,
      #""do": "define", "key": "extra""#,
      #""do": "roll-back""#, #""do": "start-experiment", "key": "new_checkout""#,
    ])
  func `what changes the project reaches every device once`(action: String) throws {
    let report = try Self.fleet(
      #"{ "at": "1s", "do": "publish" }, { "at": "6s", \#(action) }"#, client: #""subjects": "per-reader""#)
    #expect(report.count(.propagationDelay) == 20)
    #expect(report.count(.snapshots) == 10)
    #expect(report.count(.deltas) >= 10)
    #expect(try #require(report.metrics.query(.propagationDelay)?.max) <= 4_000_000_000)
  }

  @Test func `a user's own value is told to that user alone`() throws {
    let report = try Self.fleet(
      #"{ "at": "5s", "do": "give-user", "key": "new_checkout", "user": 3, "value": false },"#
        + #"{ "at": "9s", "do": "take-user", "key": "new_checkout", "user": 3 }"#,
      client: #""subjects": "per-reader""#)
    #expect(report.count(.notices) == 2)
    #expect(report.count(.propagationDelay) == 2)
  }

  @Test func `other audiences mean a whole fetch for whoever moved`() throws {
    let report = try Self.fleet(
      #"{ "at": "5s", "do": "change-audiences" }"#, client: #""subjects": "per-reader""#)
    #expect(report.count(.gone) > 0)
    #expect(report.count(.snapshots) == 10 + report.count(.gone))
  }

  @Test func `another ETag alone makes nobody ask`() throws {
    let without = try Self.fleet("")
    let with = try Self.fleet(#"{ "at": "5s", "do": "rotate-etags" }"#)
    #expect(with.count(.requests) == without.count(.requests))
  }

  @Test func `sockets that break are opened anew, and each device compares`() throws {
    let report = try Self.fleet(#"{ "at": "5s", "do": "drop-sockets" }"#)
    #expect(report.count(.sockets, ["outcome": "dropped"]) == 10)
    #expect(report.count(.sockets, ["outcome": "opened"]) == 20)
    let without = try Self.fleet("")
    let compared: Tags = ["endpoint": "delta"]
    #expect(report.count(.requests, compared) == without.count(.requests, compared) + 10)
  }

  @Test func `the whole fleet changes its reader, leaves the screen, comes back and is launched again`()
    throws
  {
    let report = try Self.fleet(
      """
      { "at": "2s", "do": "switch-user" }, { "at": "4s", "do": "same-user-again" }, { "at": "6s", "do": "background" },
      { "at": "7s", "do": "foreground" }, { "at": "8s", "do": "relaunch", "within": "2s" },
      { "at": "12s", "do": "sign-out" }, { "at": "14s", "do": "sign-in" }, { "at": "16s", "do": "refresh" }
      """, client: #""subjects": 3"#)
    #expect(report.count(.readerChanges) == 50)
    #expect(report.count(.relaunches) == 10)
    #expect(report.notExercised == [])
  }

  @Test func `consent that is withdrawn stops the events, and the flush goes out before`() throws {
    let report = try Self.fleet(
      #"{ "at": "2s", "do": "flush" }, { "at": "4s", "do": "consent", "given": false }, { "at": "6s", "do": "flush" }"#,
      steps: #"{ "step": "capture", "count": 3 }, "#)
    #expect(report.count(.exposures, ["outcome": "sent"]) == 30)
    #expect(report.count(.batches) == 10)
  }

  @Test func `a wall clock that jumps a day makes nobody ask`() throws {
    let without = try Self.fleet("")
    let with = try Self.fleet(
      #"{ "at": "5s", "do": "clock-forward", "by": "24h" }, { "at": "9s", "do": "clock-back", "by": "48h" }"#)
    #expect(with.count(.requests) == without.count(.requests))
    #expect(with.count(.snapshots) == without.count(.snapshots))
  }
}
