import Metrics
import Scenarios
import Testing

/// What each step of a flags scenario makes the devices do.
@Suite struct FlagsStepTests {
  private static let wait = #"{ "step": "sleep", "duration": "1s" }"#

  @Test(arguments: ["value", "typed", "all", "source", "state"])
  func `a read is counted under its method and makes no request of its own`(method: String) throws {
    let report = try runFlags(
      people(iterations: 5, #"\#(Self.wait), { "step": "read", "as": "\#(method)", "count": 3 }"#))
    #expect(report.count(.reads) >= 15)
    #expect(report.count(.reads, ["how": method]) == report.count(.reads))
    #expect(report.count(.requests, ["endpoint": "snapshot"]) == 1)
    #expect(report.count(.requests, ["endpoint": "delta"]) <= 1)
  }

  @Test func `refreshes at once on one device share a request`() throws {
    let report = try runFlags(
      people(20, #"\#(Self.wait), "refresh""#), client: #""instances": 1"#)
    #expect(report.count(.refreshDuration) == 20)
    let beforeRefresh = try runFlags(people(1, Self.wait)).count(.requests)
    #expect(report.count(.requests) == beforeRefresh + 1)
  }

  @Test func `captured events go out in a batch when told to`() throws {
    let report = try runFlags(people(1, #"{ "step": "capture", "count": 7 }, "flush""#))
    #expect(report.count(.batches) == 1)
    #expect(report.count(.exposures, ["outcome": "recorded"]) == 7)
    #expect(report.count(.exposures, ["outcome": "sent"]) == 7)
    #expect(report.metrics.query(.batchSize)?.max == 7)
  }

  @Test func `fifty events make a batch without being told`() throws {
    let report = try runFlags(people(1, #"{ "step": "capture", "count": 120 }, \#(Self.wait)"#))
    #expect(report.metrics.query(.batchSize)?.max == 50)
    #expect(report.count(.exposures, ["outcome": "sent"]) == 120)
  }

  @Test func `without consent nothing is recorded`() throws {
    let report = try runFlags(
      people(1, #"{ "step": "consent", "given": false }, { "step": "capture", "count": 7 }, "flush""#))
    #expect(report.count(.exposures, ["outcome": "sent"]) == 0)
    #expect(report.count(.batches) == 0)
  }

  @Test func `each change of who is signed in is counted and fetched for`() throws {
    let report = try runFlags(
      people(
        1,
        #"\#(Self.wait), "sign-out", \#(Self.wait), "sign-in", \#(Self.wait), "switch-user", \#(Self.wait)"#),
      client: #""subjects": 3"#)
    #expect(report.count(.readerChanges) == 3)
    #expect(report.count(.snapshots) == 4)
  }

  @Test(arguments: ["intact": 1, "missing": 2, "torn": 2, "foreign": 2])
  func `a launch begins from its record as far as that is good`(record: String, snapshots: Int64) throws {
    let report = try runFlags(
      people(1, #"\#(Self.wait), { "step": "relaunch", "record": "\#(record)" }, \#(Self.wait)"#))
    #expect(report.count(.relaunches) == 1)
    #expect(report.count(.snapshots) == snapshots)
  }

  @Test func `an update of the app starts with a whole fetch`() throws {
    let report = try runFlags(
      people(1, #"\#(Self.wait), { "step": "relaunch", "version": "9.0.0" }, \#(Self.wait)"#))
    #expect(report.count(.snapshots) == 2)
  }

  @Test func `an app in the background hears of nothing until it is back`() throws {
    let published = #""timeline": [{ "at": "2s", "do": "publish" }], "#
    let asleep = try runFlags(
      published
        + people(
          1,
          #"\#(Self.wait), "background", { "step": "sleep", "duration": "20s" }, "foreground", { "step": "sleep", "duration": "5s" }"#
        ))
    let awake = try runFlags(published + people(1, #"{ "step": "sleep", "duration": "26s" }"#))
    #expect(try #require(asleep.metrics.query(.propagationDelay)?.min) >= 19_000_000_000)
    #expect(try #require(awake.metrics.query(.propagationDelay)?.max) <= 4_000_000_000)
  }

  @Test func `a refresh that its caller gives up is no failure of the device`() throws {
    let report = try runFlags(
      people(4, iterations: 5, #"\#(Self.wait), { "step": "cancel", "after": "3ms" }, "refresh""#),
      client: #""instances": 2"#)
    #expect(report.endReason == .completed)
    #expect(report.statuses["answers-once"] == "passed")
  }
}
