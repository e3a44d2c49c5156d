/// A number that is not negative, as a fraction of whole numbers, so that `avg<=80.1ms` and `rate<0.01` are decided
/// exactly and not by what binary fractions make of them.
struct ExactNumber: Sendable, Hashable {
  let numerator: Int128
  let denominator: Int128

  init(_ numerator: Int128, over denominator: Int128 = 1) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The nearest binary fraction.
  var approximation: Double { Double(numerator) / Double(denominator) }

  /// Reads digits with an optional fraction, as `12` or `0.25`; nil for anything else, and for more digits than the
  /// 18 before and 9 after the point that can be compared exactly.
  init?(decimal text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, (1...18).contains(whole.count) else { return nil }
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard (1...9).contains(fraction.count) else { return nil }
    guard (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    guard let digits = Int128(whole + fraction) else { return nil }
    self.init(digits, over: fraction.reduce(1) { power, _ in power * 10 })
  }

  /// Returns this number times a positive whole one.
  func multiplied(by factor: Int128) -> ExactNumber { ExactNumber(numerator * factor, over: denominator) }

  /// Returns the order of two numbers: below zero, zero or above zero as the left is less, equal or greater.
  static func order(_ left: ExactNumber, _ right: ExactNumber) -> Int {
    let leftProduct = left.numerator.multipliedReportingOverflow(by: right.denominator)
    let rightProduct = right.numerator.multipliedReportingOverflow(by: left.denominator)
    guard !leftProduct.overflow, !rightProduct.overflow else {
      // Sums beyond 2⁹⁰: no run gets there, and the nearest fraction is as good as it gets.
      return order(left.approximation, right.approximation)
    }
    return order(leftProduct.partialValue, rightProduct.partialValue)
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }
}
