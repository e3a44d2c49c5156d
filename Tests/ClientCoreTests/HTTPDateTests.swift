import ClientCore
import Testing

@Suite struct HTTPDateTests {
  private static let example: Int64 = 784_111_777

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994",
    "1994-11-06T08:49:37Z",
    "1994-11-06t08:49:37z",
    "1994-11-06T08:49:37+00:00",
    "1994-11-06T08:49:37-00:00",
    "1994-11-06T08:49:37.0Z",
    "1994-11-06T09:49:37+01:00",
    "1994-11-06T09:49:37+0100",
    "1994-11-06T14:34:37+05:45",
    "1994-11-05T22:49:37-10:00",
    "1994-11-06T08:49:37.000000000+00:00",
    "  Sun, 06 Nov 1994 08:49:37 GMT\t",
  ])
  func `one moment is read from each form`(text: String) {
    #expect(HTTPDate.parse(text) == WallTime(secondsSinceEpoch: Self.example))
  }

  @Test(arguments: [
    ("1994-11-06T08:49:37.5Z", Duration.milliseconds(500)),
    ("1994-11-06T08:49:37,25Z", .milliseconds(250)),
    ("1994-11-06T08:49:37.000001Z", .microseconds(1)),
    ("1994-11-06T08:49:37.000000001Z", .nanoseconds(1)),
    ("1994-11-06T08:49:37.0000000019Z", .nanoseconds(1)),
    ("1994-11-06T09:49:37.123456789+01:00", .nanoseconds(123_456_789)),
  ])
  func `a fraction is read to the nanosecond`(text: String, fraction: Duration) {
    #expect(HTTPDate.parse(text)?.sinceEpoch == .seconds(Self.example) + fraction)
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Fri, 01 Jan 2100 00:00:00 GMT", 4_102_444_800),
      ("Sat, 01 Jan 2000 00:00:00 GMT", 946_684_800),
      ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
      ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ] as [(String, Int64)])
  func `the calendar is the Gregorian one in both directions`(text: String, seconds: Int64) {
    #expect(HTTPDate.parse(text) == WallTime(secondsSinceEpoch: seconds))
  }

  @Test(
    arguments: [
      ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
      ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
      ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
      ("Thursday, 01-Jan-26 00:00:00 GMT", 1_767_225_600),
    ] as [(String, Int64)])
  func `two digits of a year mean the near one`(text: String, seconds: Int64) {
    #expect(HTTPDate.parse(text) == WallTime(secondsSinceEpoch: seconds))
  }

  @Test(arguments: [(2024, true), (2023, false), (2000, true), (1900, false), (2100, false), (2400, true)])
  func `a leap day is there in leap years only`(year: Int, isLeap: Bool) {
    let february = HTTPDate.parse("Mon, 29 Feb \(year) 12:00:00 GMT")
    #expect((february != nil) == isLeap)
    let march = HTTPDate.parse("Mon, 01 Mar \(year) 12:00:00 GMT")
    let before = HTTPDate.parse("Mon, 28 Feb \(year) 12:00:00 GMT")
    #expect(
      before.flatMap { before in march.map { before.duration(to: $0) } }
        == .seconds(isLeap ? 172_800 : 86_400))
  }

  @Test func `days follow each other for eight hundred years`() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var expected: Int64 = -11_676_096_000  // 1 January 1600
    for year in 1600..<2400 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for month in 0..<12 {
        let date = HTTPDate.parse("Mon, 01 \(names[month]) \(year) 00:00:00 GMT")
        #expect(date == WallTime(secondsSinceEpoch: expected), "\(names[month]) \(year)")
        expected += 86_400 * Int64(lengths[month] + (isLeap && month == 1 ? 1 : 0))
      }
    }
  }

  @Test(arguments: [
    "", " ", "now", "120", "-1", "Sun", "GMT",
    // The day, the month and the time of day must be there and possible.
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 32 Jan 1994 08:49:37 GMT",
    "Sun, 06 Nob 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 11 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
    // HTTP knows no zone but its own.
    "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37", "Sun 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 CET",
    "Sunday 06-Nov-94 08:49:37 GMT", "Sunday, 30-Feb-94 08:49:37 GMT",
    "Sun Nov 31 08:49:37 1994", "Sun 6 Nov 08:49:37 1994", "Sun Nov 6 08:49:37 ninety",
    // ISO 8601 without a zone says no moment.
    "1994-11-06T08:49:37", "1994-11-06", "1994-11-06 08:49:37Z", "94-11-06T08:49:37Z", "1994-13-06T08:49:37Z",
    "1994-11-31T08:49:37Z", "1994-1-06T08:49:37Z", "1994-11-6T08:49:37Z", "1994-11-06T25:49:37Z",
    "1994-11-06T08:49:37.Z", "1994-11-06T08:49:37.xZ", "1994-11-06T08:49:37+", "1994-11-06T08:49:37+1",
    "1994-11-06T08:49:37+ab:cd", "1994-11-06T08:49:37+00:00:00", "1994-11-06T08:49:37ZZ", "T", "TZ", "-T-Z",
    "٢٠٢٤-٠١-٠١T00:00:00Z", "99999999999999999999-01-01T00:00:00Z",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
  ])
  func `what is no date is none`(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `damaged dates never trap`(seed: UInt64) {
    let random = ControllableRandomSource(seed: seed)
    let forms = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.25+01:00",
    ]
    let alphabet = Array("0123456789:-+.,TZ GMTéx".unicodeScalars)
    for _ in 0..<500 {
      var text = Array(forms[Int(random.next() % 3)].unicodeScalars)
      for _ in 0...(random.next() % 4) {
        text[Int(random.next() % UInt64(text.count))] = alphabet[Int(random.next() % UInt64(alphabet.count))]
      }
      var damaged = String.UnicodeScalarView()
      damaged.append(contentsOf: text)
      _ = HTTPDate.parse(String(damaged))
    }
  }

  @Test(
    arguments: [
      "1994-11-06T08:49:37.123456789xyzZ", "1994-11-06T08:49:37+99:99", "1994-11-06T08:49:37+1:000",
    ])
  func `what follows a good beginning is looked at too`(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test(arguments: ["1994-11-06T08:49:00+00", "1994-11-06T08:49Z", "1994-11-06T08:49:00.000000000999Z"])
  func `an offset of hours, a time without seconds and a long fraction are read`(text: String) {
    #expect(HTTPDate.parse(text) == WallTime(secondsSinceEpoch: 784_111_740))
  }
}
