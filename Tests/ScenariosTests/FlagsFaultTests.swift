import Metrics
import Scenarios
import Testing

/// What the faults of the socket, the disk and the service do to devices.
@Suite struct FlagsFaultTests {
  /// Ten devices that stay for half a minute, in which the project publishes twice.
  private static func fleet(_ fault: String, steps: String = "") throws -> RunReport {
    let report = try runFlags(
      #""timeline": [{ "at": "5s", "do": "publish" }, { "at": "10s", "do": "publish" }], "faults": [{ "name": "bad", \#(fault) }], "#
        + people(10, #"\#(steps){ "step": "sleep", "duration": "30s" }"#),
      client: #""instances": 10, "subjects": "per-reader""#)
    #expect(report.endReason == .completed)
    #expect(!report.notExercised.contains { $0.contains("struck nothing") })
    return report
  }

  @Test(arguments: ["deletions_expired", "context_changed", "audiences_changed"])
  func `each reason of a 410 is followed by one whole fetch`(reason: String) throws {
    let report = try Self.fleet(#""gone": "\#(reason)", "until": "8s""#)
    #expect(report.count(.gone) > 0)
    #expect(report.count(.requests, ["endpoint": "snapshot"]) == 10 + report.count(.gone))
    #expect(report.statuses["gone-recovers"] == "passed")
  }

  @Test func `refused channels leave the fetches working`() throws {
    let report = try Self.fleet(
      #""realtime": "refused""#, steps: #"{ "step": "sleep", "duration": "11s" }, "refresh", "#)
    #expect(report.count(.sockets, ["outcome": "joined"]) == 0)
    #expect(report.count(.sockets, ["outcome": "refused"]) >= 20)
    #expect(report.count(.refreshDuration) == 10)
    #expect(report.count(.notices) == 0)
  }

  @Test(arguments: ["dropped", "silent"])
  func `a socket that breaks, or falls silent, is replaced`(fault: String) throws {
    let report = try Self.fleet(
      #""realtime": "\#(fault)", "until": "4s""#, steps: #"{ "step": "sleep", "duration": "90s" }, "#)
    #expect(report.count(.sockets, ["outcome": "opened"]) >= 20)
    #expect(report.count(.propagationDelay) == 20)
    #expect((report.count(.sockets, ["outcome": "dropped"]) > 0) == (fault == "dropped"))
    #expect((report.count(.sockets, ["outcome": "silenced"]) > 0) == (fault == "silent"))
  }

  @Test(arguments: [#""disk": "full""#, #""disk": "unreadable""#, #""disk": { "slow": "2s" }"#])
  func `a bad disk keeps no device from the newest values`(fault: String) throws {
    let report = try Self.fleet(fault)
    #expect(report.count(.propagationDelay) == 20)
    #expect(report.statuses["state-matches-service"] == "passed")
  }

  /// Only the entity tag differs, which stands in the first half: what is left of the old record completes the new one.
  @Test func `a torn write that happens to be whole is a record that is used`() throws {
    let steps =
      Array(repeating: #"{ "step": "sleep", "duration": "5s" }, "refresh""#, count: 3) + [
        #"{ "step": "sleep", "duration": "3s" }"#, #""relaunch""#, #"{ "step": "sleep", "duration": "1s" }"#,
      ]
    let report = try runFlags(
      #"""
      "timeline": [
        { "at": "4s", "do": "rotate-etags" }, { "at": "9s", "do": "rotate-etags" },
        { "at": "14s", "do": "rotate-etags" }
      ],
      "faults": [
        { "name": "gone", "gone": "deletions_expired", "until": "17s" },
        { "name": "half", "disk": "torn", "from": "4s", "until": "6s" },
        { "name": "whole", "disk": "torn", "from": "14s", "until": "16s" }
      ],
      """# + people(1, steps.joined(separator: ", ")))
    #expect(report.notExercised.filter { $0.contains("struck nothing") } == [])
    #expect(report.count(.gone) == 4)
    #expect(report.count(.snapshots) == 4)
  }

  @Test func `a notice ahead of its data is asked after until the data is there`() throws {
    let report = try Self.fleet(#""earlyNotice": "1s""#)
    #expect(report.count(.propagationDelay) == 20)
    #expect(report.statuses["liveness"] == "passed")
  }

  @Test func `a flag that cannot be decoded costs no other flag`() throws {
    let report = try Self.fleet(#""body": "undecodable-flag", "until": "12s""#)
    #expect(report.statuses["one-snapshot-per-read"] != "violated")
    #expect(report.statuses["state-matches-service"] == "passed")
  }
}
