/// Durations as scenario files write them: one number, decimals allowed, with one unit.
///
/// They are read exactly, without a detour over floating point: `"1.1s"` is 1,100,000,000 ns.
enum DurationText {
  /// The units, smallest first, with their nanoseconds.
  static let units: [(name: String, nanoseconds: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
    ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
  ]

  /// The longest duration, ten years: dozens of them can be added up in 64 bits of nanoseconds.
  static let longest = "3650d"
  /// `longest` as a duration.
  static let longestDuration = Duration.nanoseconds(longestNanoseconds)
  private static let longestNanoseconds: Int64 = 3_650 * 86_400_000_000_000

  /// The pattern of a valid text, for the JSON Schema.
  static let pattern = "^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h|d)$"

  /// Why a text is no duration.
  struct Failure: Error, Equatable {
    var message: String
    var suggestion: String?
  }

  /// Returns the duration that the text says.
  static func parse(_ text: String) -> Result<Duration, Failure> {
    let shown = Shown.text(text)
    func failure(_ message: String, _ suggestion: String? = nil) -> Result<Duration, Failure> {
      .failure(Failure(message: message, suggestion: suggestion))
    }
    let isNegative = text.hasPrefix("-")
    let body = isNegative ? text.dropFirst() : text[...]
    let number = body.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let unitText = body.dropFirst(number.count)
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else {
      return failure("\(shown) is not a duration", "write a number with a unit, such as \"250ms\"")
    }
    if unitText.isEmpty {
      let example = isNegative ? "250" : number.count <= 20 ? String(number) : "250"
      return failure("the duration \(shown) has no unit", "write \"\(example)ms\"")
    }
    guard let unit = units.first(where: { $0.name == unitText }) else {
      if unitText.contains(where: { $0.isASCII && $0.isNumber }) {
        return failure("\(shown) is more than one number with a unit", "write \"90s\" instead of \"1m30s\"")
      }
      return failure(
        "\(shown) has no unit that is known",
        "units are \(units.map(\.name).joined(separator: " "))"
      )
    }
    // What is too long is so whatever its sign: one problem, the first one a reader would name.
    if isNegative {
      return failure("the duration \(shown) is negative", "write zero or more, such as \"0s\"")
    }
    return nanoseconds(
      whole: parts[0],
      fraction: parts.count > 1 ? parts[1] : "",
      unit: unit.nanoseconds,
      shown
    )
  }

  private static func nanoseconds(
    whole: Substring,
    fraction: Substring,
    unit: Int64,
    _ shown: String
  ) -> Result<Duration, Failure> {
    let tooLong = Failure(message: "the duration \(shown) is too long", suggestion: "at most \(longest)")
    let wholeDigits = whole.drop { $0 == "0" }
    guard wholeDigits.count <= 19, let units = UInt128("0" + wholeDigits) else { return .failure(tooLong) }
    var digits = fraction
    while digits.last == "0" { digits.removeLast() }
    // A day has no more than 16 decimals that come out at whole nanoseconds.
    let finer = Failure(message: "the duration \(shown) is finer than a nanosecond", suggestion: nil)
    guard digits.count <= 18, let decimals = UInt128("0" + digits) else { return .failure(finer) }
    let scale = (0..<digits.count).reduce(UInt128(1)) { scale, _ in scale * 10 }
    let (quotient, remainder) = (decimals * UInt128(unit)).quotientAndRemainder(dividingBy: scale)
    guard remainder == 0 else { return .failure(finer) }
    let total = units * UInt128(unit) + quotient
    guard total <= UInt128(longestNanoseconds) else { return .failure(tooLong) }
    return .success(.nanoseconds(Int64(total)))
  }

  /// Returns the shortest text with a whole number: 1.5 s is `1500ms`, zero is `0s`.
  static func text(of duration: Duration) -> String {
    let nanoseconds = duration.wholeNanoseconds
    guard nanoseconds != 0 else { return "0s" }
    let unit = units.last { nanoseconds.isMultiple(of: $0.nanoseconds) } ?? units[0]
    return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
  }
}

extension Duration {
  /// The duration in nanoseconds; exact, since scenario files have no finer ones.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
