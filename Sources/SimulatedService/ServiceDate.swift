/// Writes and reads the dates that a service puts into its answers, from whole seconds since 1970 in UTC.
///
/// Own calendar arithmetic, so that the same second gives the same text on every machine.
public enum ServiceDate {
  /// Writes a second as an HTTP-date, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter seconds: Seconds since 1970.
  /// - Returns: The text.
  public static func http(_ seconds: Int64) -> String {
    let (day, time) = split(seconds)
    let date = civil(day)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(((day % 7) + 7) % 7)]
    return "\(weekday), \(two(date.day)) \(months[Int(date.month) - 1]) \(four(date.year)) \(clock(time)) GMT"
  }

  /// Writes a second as ISO 8601 does, such as `1994-11-06T08:49:37Z`.
  ///
  /// - Parameter seconds: Seconds since 1970.
  /// - Returns: The text.
  public static func iso8601(_ seconds: Int64) -> String {
    let (day, time) = split(seconds)
    let date = civil(day)
    return "\(four(date.year))-\(two(date.month))-\(two(date.day))T\(clock(time))Z"
  }

  /// Returns whether a text is a time in UTC with milliseconds, as clients stamp their events:
  /// `1994-11-06T08:49:37.250Z`.
  ///
  /// - Parameter text: The text.
  /// - Returns: Whether every digit is where it belongs and every field in its range.
  public static func isTimeStamp(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00.000Z".utf8)
    guard bytes.count == pattern.count else { return false }
    for (byte, expected) in zip(bytes, pattern) {
      let isRight = expected == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == expected
      if !isRight { return false }
    }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    return (1...12).contains(number(5..<7)) && (1...31).contains(number(8..<10)) && number(11..<13) < 24
      && number(14..<16) < 60 && number(17..<19) < 60
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func split(_ seconds: Int64) -> (day: Int64, time: Int64) {
    let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return time < 0 ? (day - 1, time + 86_400) : (day, time)
  }

  /// The date of a day since 1970, counted in years that begin in March so that the leap day is the last of its year.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func clock(_ time: Int64) -> String {
    "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private static func four(_ value: Int64) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
  }
}
