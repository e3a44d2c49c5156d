/// Reads JSON numbers that must be whole, exactly: `5`, `5.0` and `5e0` are five, `5.5` and `1e99` are none.
enum WholeNumber {
  /// Why a number is not a whole one that fits.
  enum Failure: Error, Equatable {
    case fraction
    case tooLarge
  }

  /// Returns the value of a JSON number's text.
  ///
  /// - Complexity: O(n) in the length of the text, whatever its exponent says.
  static func parse(_ number: String) -> Result<Int64, Failure> {
    var text = Substring(number)
    let isNegative = text.first == "-"
    if isNegative { text = text.dropFirst() }
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    var digits = String(mantissa[0]) + (mantissa.count > 1 ? String(mantissa[1]) : "")
    let isZero = digits.allSatisfy { $0 == "0" }
    if isZero { return .success(0) }
    // An exponent that does not fit an Int8 moves the point beyond everything that could be a whole Int64,
    // unless a mantissa of more than a hundred digits makes up for it: nobody writes a count that way.
    let isExponentNegative = parts.count > 1 && parts[1].first == "-"
    guard let exponent = parts.count > 1 ? Int8(parts[1]) : 0 else {
      return .failure(isExponentNegative ? .fraction : .tooLarge)
    }
    var pointsRight = Int(exponent) - (mantissa.count > 1 ? mantissa[1].count : 0)
    while pointsRight < 0, digits.last == "0" {
      digits.removeLast()
      pointsRight += 1
    }
    guard pointsRight >= 0 else { return .failure(.fraction) }
    digits = String(digits.drop { $0 == "0" })
    guard digits.count + pointsRight <= 19 else { return .failure(.tooLarge) }
    digits += String(repeating: "0", count: pointsRight)
    guard let value = Int64((isNegative ? "-" : "") + digits) else { return .failure(.tooLarge) }
    return .success(value)
  }
}
