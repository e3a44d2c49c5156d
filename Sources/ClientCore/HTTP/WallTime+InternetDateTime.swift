extension WallTime {
  /// The time as RFC 3339 writes it, in UTC with milliseconds, such as `2026-01-01T12:00:00.250Z`.
  ///
  /// Fractions of a millisecond are cut off. Years before 1 and after 9999 have no form of their own and are clamped.
  /// - Complexity: O(1).
  public var internetDateTime: String {
    let whole = min(max(sinceEpoch, Self.earliest), Self.latest)
    let milliseconds = whole.components.seconds * 1000 + whole.components.attoseconds / 1_000_000_000_000_000
    let (day, rest) = Self.floorDivision(milliseconds, 86_400_000)
    let date = Self.civil(daysSinceEpoch: day)
    return Self.digits(date.year, 4) + "-" + Self.digits(date.month, 2) + "-" + Self.digits(date.day, 2) + "T"
      + Self.digits(rest / 3_600_000, 2) + ":" + Self.digits(rest / 60_000 % 60, 2) + ":"
      + Self.digits(rest / 1000 % 60, 2) + "." + Self.digits(rest % 1000, 3) + "Z"
  }

  /// `0001-01-01T00:00:00Z` and `9999-12-31T23:59:59.999Z`.
  private static let earliest = Duration.seconds(-62_135_596_800)
  private static let latest = Duration.milliseconds(253_402_300_799_999)

  /// The date of a day in the proleptic Gregorian calendar, counted in years that begin in March so that the leap day is
  /// the last of its year.
  private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivision(daysSinceEpoch + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func floorDivision(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
