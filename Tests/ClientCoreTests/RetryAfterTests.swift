import ClientCore
import Testing

@Suite struct RetryAfterTests {
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func response(_ retryAfter: String?, date: String? = RetryAfterTests.date) -> TransportResponse {
    TransportResponse(
      status: 429,
      headers: [("retry-after", retryAfter), ("date", date)].compactMap { name, value in
        value.map { HeaderField(name, $0) }
      })
  }

  /// The delay, with a wall clock that must not be read.
  private func delay(_ response: TransportResponse) -> Duration? {
    let clock = UnimplementedWallClock { Issue.record("\($0)") }
    return RetryAfter.delay(of: response, wallClock: clock)
  }

  // RevenueCat/purchases-ios PR#4048: seconds were read as milliseconds.
  @Test(arguments: [("0", 0), ("1", 1), (" 120\t", 120), ("007", 7), ("3600", 3_600)])
  func `seconds are taken as they are`(text: String, seconds: Int64) {
    #expect(delay(response(text)) == .seconds(seconds))
    #expect(delay(response(text, date: nil)) == .seconds(seconds))
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:51:37 GMT", "Sunday, 06-Nov-94 08:51:37 GMT", "Sun Nov  6 08:51:37 1994",
    "1994-11-06T08:51:37Z", "1994-11-06T09:51:37+01:00", "1994-11-06T08:51:37.000Z",
  ])
  func `a date counts from the answer's own date and the wall clock is not read`(text: String) {
    #expect(delay(response(text)) == .seconds(120))
  }

  @Test func `a fraction of a second counts`() {
    #expect(delay(response("1994-11-06T08:49:37.5Z")) == .milliseconds(500))
  }

  @Test(arguments: [nil, "yesterday"])
  func `without a date of the answer the wall clock is read`(date: String?) {
    let clock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777 - 60))
    let delay = RetryAfter.delay(of: response("Sun, 06 Nov 1994 08:51:37 GMT", date: date), wallClock: clock)
    #expect(delay == .seconds(180))
  }

  @Test(arguments: [
    "3601", "86400", "9223372036854775807", "9223372036854775808", String(repeating: "9", count: 400),
    "Sun, 06 Nov 1994 09:49:38 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    "9999-12-31T23:59:59Z",
  ])
  func `nothing keeps a client away for more than an hour`(text: String) {
    #expect(delay(response(text)) == .seconds(3_600))
  }

  // okta/okta-mobile-swift PR#93: a missing or garbled header must still give a bounded wait.
  @Test(arguments: [
    nil, "", "  ", "-1", "-120", "+5", "1.5", "1e3", "0x10", "soon", "120 s", "120;", "1, 2", "١٢",
    // Past, or this very moment.
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT", "1970-01-01T00:00:00Z",
    "Sun, 31 Nov 1994 08:49:37 GMT", "1994-11-06T08:51:37",
  ])
  func `missing, garbled, negative and past leave the client to its own backoff`(text: String?) {
    #expect(delay(response(text)) == nil)
  }

  @Test func `a wall clock that is a day off changes nothing`() {
    for jump in [-86_400, 0, 86_400] as [Int64] {
      let clock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777 + jump))
      for text in ["120", "Sun, 06 Nov 1994 08:51:37 GMT"] {
        #expect(RetryAfter.delay(of: response(text), wallClock: clock) == .seconds(120))
      }
    }
  }
}
