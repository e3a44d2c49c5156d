import ClientCore
import Testing

/// The form of time stamps that leave the process (BEHAVIOUR rule 1.1).
@Suite struct InternetDateTimeTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
      (784_111_777, "1994-11-06T08:49:37.000Z"), (946_684_799, "1999-12-31T23:59:59.000Z"),
      (951_782_400, "2000-02-29T00:00:00.000Z"), (951_868_800, "2000-03-01T00:00:00.000Z"),
      (1_078_012_800, "2004-02-29T00:00:00.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
      (4_107_456_000, "2100-02-28T00:00:00.000Z"), (1_798_761_599, "2026-12-31T23:59:59.000Z"),
      (2_147_483_648, "2038-01-19T03:14:08.000Z"), (-62_135_596_800, "0001-01-01T00:00:00.000Z"),
      (253_402_300_799, "9999-12-31T23:59:59.000Z"),
    ] as [(Int64, String)])
  func `a time is written in UTC with all its digits`(seconds: Int64, text: String) {
    #expect(WallTime(secondsSinceEpoch: seconds).internetDateTime == text)
  }

  @Test(
    arguments: [
      (.milliseconds(1), "1970-01-01T00:00:00.001Z"), (.milliseconds(250), "1970-01-01T00:00:00.250Z"),
      (.microseconds(999_999), "1970-01-01T00:00:00.999Z"), (.nanoseconds(1), "1970-01-01T00:00:00.000Z"),
      (.milliseconds(59_010), "1970-01-01T00:00:59.010Z"),
    ] as [(Duration, String)])
  func `fractions of a millisecond are cut off and never rounded into the next second`(
    time: Duration, text: String
  ) {
    #expect(WallTime(sinceEpoch: time).internetDateTime == text)
  }

  @Test(
    arguments: [
      (.milliseconds(-1), "1969-12-31T23:59:59.999Z"), (.milliseconds(-1_500), "1969-12-31T23:59:58.500Z"),
      (.seconds(-86_400), "1969-12-31T00:00:00.000Z"),
    ] as [(Duration, String)])
  func `a time before 1970 is written as the moment it is`(
    time: Duration, text: String
  ) {
    #expect(WallTime(sinceEpoch: time).internetDateTime == text)
  }

  @Test(
    arguments: [
      (.seconds(-62_135_596_801), "0001-01-01T00:00:00.000Z"),
      (.seconds(Int64.min), "0001-01-01T00:00:00.000Z"),
      (.seconds(253_402_300_800), "9999-12-31T23:59:59.999Z"),
      (.seconds(Int64.max), "9999-12-31T23:59:59.999Z"),
      (.seconds(253_402_300_799) + .nanoseconds(999_999_999), "9999-12-31T23:59:59.999Z"),
    ] as [(Duration, String)])
  func `years without a form of their own are clamped and do not trap`(time: Duration, text: String) {
    #expect(WallTime(sinceEpoch: time).internetDateTime == text)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `what is written is read as the same millisecond`(seed: UInt64) {
    let random = ControllableRandomSource(seed: seed)
    for _ in 0..<500 {
      let span: UInt64 = 253_402_300_800_000 + 62_135_596_800_000
      let time = WallTime(
        sinceEpoch: .milliseconds(Int64(random.next() % span)) - .seconds(62_135_596_800))
      let text = time.internetDateTime
      #expect(text.utf8.count == 24)
      #expect(HTTPDate.parse(text) == time, "\(text)")
    }
  }

  @Test func `texts sort as their times do`() {
    let times = stride(from: Int64(-5_000_000_000), through: 5_000_000_000, by: 123_456_789).map {
      WallTime(sinceEpoch: .milliseconds($0 * 7))
    }
    let texts = times.map(\.internetDateTime)
    #expect(texts == texts.sorted() && Set(texts).count == texts.count)
  }
}
