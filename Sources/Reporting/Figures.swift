// Numbers for people: `4,999`, `80.2 ms`, `98.5 %`. The same in every locale, since CI logs are compared.

/// Numbers as people read them.
public enum Figures {
  /// Returns a whole number with a comma between each three digits.
  ///
  /// - Complexity: O(n) in the number of digits.
  /// - Parameter number: The number.
  /// - Returns: The text, as `-1,234,567`.
  public static func whole(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var grouped = ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { grouped += "," }
      grouped.append(digit)
    }
    return number < 0 ? "-" + grouped : grouped
  }

  /// Returns a number with three significant digits, or all digits of its whole part if there are more.
  ///
  /// - Complexity: O(1).
  /// - Parameter number: The number.
  /// - Returns: The text, as `0.0123`, `4.5` or `12,346`; `–` for what is no number.
  public static func decimal(_ number: Double) -> String {
    guard number.isFinite else { return "–" }
    guard number.magnitude < 1e15 else { return number.description }
    guard number.magnitude >= 1e-6 else { return number == 0 ? "0" : number.description }
    var decimals = 0
    var scaled = number.magnitude
    while scaled < 100, decimals < 8 {
      scaled *= 10
      decimals += 1
    }
    let power = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    let units = Int64((number.magnitude * power).rounded())
    return (number < 0 ? "-" : "") + text(units: units, decimals: decimals)
  }

  /// Returns a duration in the unit that suits it: three significant digits below a minute, two units above.
  ///
  /// - Complexity: O(1).
  /// - Parameter nanoseconds: The duration; fractions of a nanosecond are rounded.
  /// - Returns: The text, as `80.2 ms`, `3 s` or `1 min 30 s`; `–` for what is no number.
  public static func duration(nanoseconds: Double) -> String {
    guard nanoseconds.isFinite else { return "–" }
    guard nanoseconds.magnitude < 9.2e18 else { return "\(nanoseconds / 1e9) s" }
    let sign = nanoseconds < 0 ? "-" : ""
    let total = Int64(nanoseconds.magnitude.rounded())
    let small: [(unit: String, nanoseconds: Int64, next: Int64)] = [
      ("ns", 1, 1000), ("µs", 1000, 1_000_000), ("ms", 1_000_000, 1_000_000_000),
      ("s", 1_000_000_000, 60_000_000_000),
    ]
    for scale in small where total < scale.next {
      let (rounded, decimals) = significant(total, per: scale.nanoseconds)
      // 999.96 ms rounds to 1,000 ms, which is the next unit's.
      if rounded < scale.next {
        return
          "\(sign)\(text(units: rounded / unitStep(scale.nanoseconds, decimals), decimals: decimals)) \(scale.unit)"
      }
    }
    let seconds = (total + 500_000_000) / 1_000_000_000
    let large: [(unit: String, seconds: Int64, smaller: String, smallerSeconds: Int64)] = [
      ("d", 86_400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1),
    ]
    for scale in large {
      // To the nearest of the smaller unit, which may make a whole of the larger one.
      let rounded = (seconds + scale.smallerSeconds / 2) / scale.smallerSeconds * scale.smallerSeconds
      guard rounded >= scale.seconds else { continue }
      let rest = rounded % scale.seconds / scale.smallerSeconds
      let first = "\(sign)\(whole(rounded / scale.seconds)) \(scale.unit)"
      return rest == 0 ? first : "\(first) \(rest) \(scale.smaller)"
    }
    return "\(sign)\(seconds) s"
  }

  /// Returns a duration to the last nanosecond, for where a rounded one would hide what made the difference.
  ///
  /// - Complexity: O(1).
  /// - Parameter nanoseconds: The duration.
  /// - Returns: The text, as `3.000000001 s`.
  static func exactDuration(nanoseconds: Double) -> String {
    guard nanoseconds.magnitude < 9.2e18 else { return "\(nanoseconds) ns" }
    let total = Int64(nanoseconds.magnitude)
    guard Double(total) == nanoseconds.magnitude else { return "\(nanoseconds) ns" }
    let sign = nanoseconds < 0 ? "-" : ""
    switch total {
    case ..<1_000_000: return "\(sign)\(whole(total)) ns"
    case ..<1_000_000_000: return "\(sign)\(text(units: total, decimals: 6)) ms"
    default: return "\(sign)\(text(units: total, decimals: 9)) s"
    }
  }

  /// Returns a share as percent.
  ///
  /// - Complexity: O(1).
  /// - Parameter share: The share, 1 for all.
  /// - Returns: The text, as `98.5 %`.
  public static func percent(_ share: Double) -> String { "\(decimal(share * 100)) %" }

  /// Returns an amount of memory with three significant digits.
  ///
  /// - Complexity: O(1).
  /// - Parameter bytes: The amount.
  /// - Returns: The text in units of 1,000, as `48.2 MB`.
  public static func bytes(_ bytes: Double) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)]
    // The unit above takes what would round up to 1,000 of this one.
    for (unit, size) in units where bytes.magnitude >= size * 0.9995 {
      return "\(decimal(bytes / size)) \(unit)"
    }
    return "\(decimal(bytes.rounded())) B"
  }

  /// Returns a count with its noun.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - number: The count.
  ///   - noun: The noun for one.
  ///   - plural: The noun for any other number; nil adds an `s`.
  /// - Returns: The text, as `1 check` or `4,999 checks`.
  public static func count(_ number: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
    "\(whole(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// Returns nanoseconds rounded to three significant digits of a unit, and how many decimals of the unit that is.
  private static func significant(_ nanoseconds: Int64, per unit: Int64) -> (rounded: Int64, decimals: Int) {
    guard unit > 1 else { return (nanoseconds, 0) }
    let decimals = nanoseconds < 10 * unit ? 2 : nanoseconds < 100 * unit ? 1 : 0
    let step = unitStep(unit, decimals)
    return ((nanoseconds + step / 2) / step * step, decimals)
  }

  /// Returns the unit divided by ten as often as there are decimals.
  private static func unitStep(_ unit: Int64, _ decimals: Int) -> Int64 {
    (0..<decimals).reduce(unit) { step, _ in step / 10 }
  }

  /// Returns units of a power of ten as a decimal number without zeros at its end.
  private static func text(units: Int64, decimals: Int) -> String {
    let power = (0..<decimals).reduce(Int64(1)) { power, _ in power * 10 }
    let fraction = String(units % power)
    var digits = String(repeating: "0", count: Swift.max(0, decimals - fraction.count)) + fraction
    while digits.hasSuffix("0") { digits.removeLast() }
    return decimals == 0 || digits.isEmpty ? whole(units / power) : "\(whole(units / power)).\(digits)"
  }
}
