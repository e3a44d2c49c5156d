import Foundation
import SimulatedService
import Testing

@Suite struct ServiceDateTests {
  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z"),
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
      (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT", "2000-02-28T23:59:59Z"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z"),
      (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT", "2000-03-01T00:00:00Z"),
      (1_767_268_800, "Thu, 01 Jan 2026 12:00:00 GMT", "2026-01-01T12:00:00Z"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT", "2100-03-01T00:00:00Z"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT", "2100-02-28T23:59:59Z"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
      (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT", "0001-01-01T00:00:00Z"),
    ] as [(Int64, String, String)])
  func `a second is written in both forms`(seconds: Int64, http: String, iso: String) {
    #expect(ServiceDate.http(seconds) == http)
    #expect(ServiceDate.iso8601(seconds) == iso)
  }

  /// Foundation's calendar is the other witness, over two centuries in steps that meet every time of day.
  @Test func `every date is the one of the Gregorian calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for index in 0..<2000 {
      let seconds = -3_000_000_000 + Int64(index) * 3_333_333
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday],
        from: Date(timeIntervalSince1970: Double(seconds)))
      func two(_ value: Int?) -> String { value.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "?" }
      let expected =
        "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))T\(two(parts.hour)):\(two(parts.minute)):"
        + "\(two(parts.second))Z"
      #expect(ServiceDate.iso8601(seconds) == expected)
      let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(parts.weekday ?? 1) - 1]
      #expect(ServiceDate.http(seconds).hasPrefix(weekday + ", "))
    }
  }

  @Test(arguments: [
    "1994-11-06T08:49:37.250Z", "2026-01-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00.000Z",
  ])
  func `a time with milliseconds in UTC is a time stamp`(text: String) {
    #expect(ServiceDate.isTimeStamp(text))
  }

  @Test(arguments: [
    "", "now", "1994-11-06T08:49:37Z", "1994-11-06T08:49:37.25Z", "1994-11-06T08:49:37.2500Z",
    "1994-11-06t08:49:37.250Z", "1994-11-06 08:49:37.250Z", "1994-11-06T08:49:37.250z",
    "1994-11-06T08:49:37,250Z",
    "1994-00-06T08:49:37.250Z", "1994-13-06T08:49:37.250Z", "1994-11-00T08:49:37.250Z",
    "1994-11-32T08:49:37.250Z",
    "1994-11-06T24:49:37.250Z", "1994-11-06T08:60:37.250Z", "1994-11-06T08:49:60.250Z",
    "1994-11-06T08:49:37.250+",
    "199a-11-06T08:49:37.250Z", "-994-11-06T08:49:37.250Z", "1994-11-06T08:49:37.250Zx",
    "１994-11-06T08:49:37.250Z",
  ])
  func `anything else is none`(text: String) {
    #expect(!ServiceDate.isTimeStamp(text))
  }
}
