/// Reads the dates that HTTP headers carry, without locale, time zone data or any shared formatter.
///
/// Three forms are read: the fixed form of RFC 9110 (`Sun, 06 Nov 1994 08:49:37 GMT`) with its two obsolete
/// companions, and ISO 8601 (`1994-11-06T08:49:37Z`, with fraction and offset).
public enum HTTPDate {
  /// Reads an HTTP date or an ISO 8601 date and time.
  ///
  /// - Complexity: O(n) in the length of the text.
  /// - Parameter text: The text of a header, spaces around it allowed.
  /// - Returns: The point of time; nil if the text is no date.
  public static func parse(_ text: String) -> WallTime? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
    switch words.count {
    case 1: return iso8601(words[0])
    case 4: return rfc850(words)
    case 5: return asctime(words)
    case 6: return fixed(words)
    default: return nil
    }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixed(_ words: [Substring]) -> WallTime? {
    guard words[0].last == ",", words[5] == "GMT" || words[5] == "UTC" else { return nil }
    return time(day: number(words[1]), month: month(words[2]), year: number(words[3]), clock: words[4])
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`: the years 70 to 99 are of the 20th century.
  private static func rfc850(_ words: [Substring]) -> WallTime? {
    let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
    guard words[0].last == ",", words[3] == "GMT", parts.count == 3, parts[2].utf8.count == 2,
      let short = number(parts[2])
    else { return nil }
    return time(
      day: number(parts[0]), month: month(parts[1]), year: short < 70 ? 2000 + short : 1900 + short,
      clock: words[2])
  }

  /// `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ words: [Substring]) -> WallTime? {
    time(day: number(words[2]), month: month(words[1]), year: number(words[4]), clock: words[3])
  }

  /// `1994-11-06T08:49:37.25+01:00`.
  private static func iso8601(_ text: Substring) -> WallTime? {
    let halves = text.split(whereSeparator: { $0 == "T" || $0 == "t" })
    guard halves.count == 2 else { return nil }
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, date[0].utf8.count == 4, date[1].utf8.count == 2, date[2].utf8.count == 2 else {
      return nil
    }
    var clock = halves[1]
    var offset: Int64 = 0
    if clock.last == "Z" || clock.last == "z" {
      clock = clock.dropLast()
    } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      guard let east = offsetSeconds(clock[clock.index(after: sign)...]) else { return nil }
      offset = clock[sign] == "+" ? east : -east
      clock = clock[..<sign]
    } else {
      return nil
    }
    var fraction = Duration.zero
    if let point = clock.firstIndex(where: { $0 == "." || $0 == "," }) {
      let digits = clock[clock.index(after: point)...]
      guard digits.utf8.allSatisfy(isDigit), let value = number(digits.prefix(9)) else { return nil }
      fraction = .nanoseconds((digits.prefix(9).utf8.count..<9).reduce(value) { scaled, _ in scaled * 10 })
      clock = clock[..<point]
    } else if clock.utf8.count == 5 {
      // `08:49`, the form without seconds.
      clock += ":00"
    }
    let whole = time(
      day: number(date[2]), month: number(date[1]), year: number(date[0]), clock: clock)
    return whole?.advanced(by: fraction - .seconds(offset))
  }

  /// The seconds of `HH`, `HHMM` or `HH:MM`.
  private static func offsetSeconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let hours: Int64?
    let minutes: Int64?
    switch (parts.count, text.utf8.count) {
    case (1, 2): (hours, minutes) = (number(text), 0)
    case (1, 4): (hours, minutes) = (number(text.prefix(2)), number(text.suffix(2)))
    case (2, 5) where parts[0].utf8.count == 2: (hours, minutes) = (number(parts[0]), number(parts[1]))
    default: return nil
    }
    guard let hours, let minutes, hours < 24, minutes < 60 else { return nil }
    return hours * 3600 + minutes * 60
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func time(day: Int64?, month: Int64?, year: Int64?, clock: Substring) -> WallTime? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard let day, let month, let year, (1...12).contains(month), (1...31).contains(day), parts.count == 3,
      let hour = number(parts[0]), let minute = number(parts[1]), let second = number(parts[2]),
      hour < 24, minute < 60, second <= 60, day <= lastDay(of: month, year)
    else { return nil }
    return WallTime(
      secondsSinceEpoch: days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60
        + second)
  }

  private static func lastDay(of month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March so that the leap
  /// day is the last of its year.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func number(_ text: Substring?) -> Int64? {
    guard let text, !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy(isDigit)
    else {
      return nil
    }
    return Int64(text)
  }

  private static func month(_ text: Substring) -> Int64? {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return names.firstIndex { $0 == text }.map { Int64($0 + 1) }
  }
}
