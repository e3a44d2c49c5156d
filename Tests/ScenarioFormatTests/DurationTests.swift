import ScenarioFormat
import Testing

/// Durations, through the client's TTL.
@Suite struct DurationTests {
  private func timeToLive(_ json: String) -> LoadedScenario {
    load(Sample.smallest("\"kind\"", "\"cacheTTL\": \(json), \"kind\""))
  }

  @Test(
    arguments: [
      ("0s", 0), ("1ns", 1), ("7us", 7_000), ("250ms", 250_000_000), ("45s", 45_000_000_000),
      ("10m", 600_000_000_000), ("2h", 7_200_000_000_000), ("1d", 86_400_000_000_000),
      ("1.5s", 1_500_000_000), ("1.1s", 1_100_000_000), ("0.000000001s", 1), ("79.999999ms", 79_999_999),
      ("0.10d", 8_640_000_000_000), ("007s", 7_000_000_000), ("1.000000000000000000000000s", 1_000_000_000),
      ("3650d", 315_360_000_000_000_000), ("315360000000000000ns", 315_360_000_000_000_000),
    ] as [(String, Int64)]
  )
  func `every unit is read exactly`(text: String, nanoseconds: Int64) throws {
    let scenario = try #require(timeToLive("\"\(text)\"").scenario)
    #expect(scenario.client.cacheTTL == .nanoseconds(nanoseconds))
  }

  @Test(arguments: [
    ("45", "the duration 45 has no unit; write \"45ms\""),
    ("1.5", "the duration 1.5 has no unit; write \"1.5ms\""),
    ("1e3", "the duration 1e3 has no unit; write \"250ms\""),
    (
      "-45", "the duration -45 is negative and has no unit; write zero or more with a unit, such as \"250ms\""
    ),
    ("\"45\"", "the duration \"45\" has no unit; write \"45ms\""),
    ("\"-45s\"", "the duration \"-45s\" is negative; write zero or more, such as \"0s\""),
    ("\"-0s\"", "the duration \"-0s\" is negative; write zero or more, such as \"0s\""),
    ("\"45 s\"", "\"45 s\" has no unit that is known; units are ns us ms s m h d"),
    ("\"45sec\"", "\"45sec\" has no unit that is known; units are ns us ms s m h d"),
    ("\"1m30s\"", "\"1m30s\" is more than one number with a unit; write \"90s\" instead of \"1m30s\""),
    ("\"\"", "\"\" is not a duration; write a number with a unit, such as \"250ms\""),
    ("\"s\"", "\"s\" is not a duration; write a number with a unit, such as \"250ms\""),
    ("\".5s\"", "\".5s\" is not a duration; write a number with a unit, such as \"250ms\""),
    ("\"1.2.3s\"", "\"1.2.3s\" is not a duration; write a number with a unit, such as \"250ms\""),
    ("\"٣s\"", "\"٣s\" is not a duration; write a number with a unit, such as \"250ms\""),
    ("\"0.5ns\"", "the duration \"0.5ns\" is finer than a nanosecond"),
    (
      "\"0.0000000000000000000001d\"", "the duration \"0.0000000000000000000001d\" is finer than a nanosecond"
    ),
    ("\"3651d\"", "the duration \"3651d\" is too long; at most 3650d"),
    (
      "\"99999999999999999999999999999s\"",
      "the duration \"99999999999999999999999999999s\" is too long; at most 3650d"
    ),
    ("null", "expected a duration, found null; write a string such as \"250ms\""),
    ("true", "expected a duration, found a boolean; write a string such as \"250ms\""),
  ])
  func `what is no duration is answered with what to write`(json: String, message: String) {
    let loaded = timeToLive(json)
    #expect(loaded.problems.count == 1)
    #expect(loaded.lines.first?.hasSuffix("client.cacheTTL: \(message)") == true, "\(loaded.lines)")
  }
}
