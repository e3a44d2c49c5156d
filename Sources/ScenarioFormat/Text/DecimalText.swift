/// Ratios as scenario files write them: a bare number with a bounded number of decimals, read exactly.
enum DecimalText {
  /// Why a number is no ratio.
  enum Failure: Error, Equatable {
    /// It has more decimals than it may have.
    case tooFine
    /// It is negative, or far too large.
    case outOfRange
  }

  /// How many units of the last decimal make one.
  static func scale(_ decimals: Int) -> Int64 { (0..<decimals).reduce(1) { scale, _ in scale * 10 } }

  /// Returns a JSON number in units of its last decimal: 0.25, 0.250 and 25e-2 with three decimals are 250.
  ///
  /// - Complexity: O(n) in the length of the text, whatever its exponent says.
  static func parse(_ number: String, decimals: Int) -> Result<Int64, Failure> {
    // A number with its point moved to the right by its decimals is whole, or it has too many.
    let parts = number.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard let exponent = parts.count > 1 ? Int(parts[1]) : 0, (-99...99).contains(exponent) else {
      switch WholeNumber.parse(number) {
      case .success(let whole): return whole == 0 ? .success(0) : .failure(.outOfRange)
      case .failure(.fraction): return .failure(.tooFine)
      case .failure(.tooLarge): return .failure(.outOfRange)
      }
    }
    switch WholeNumber.parse("\(parts[0])e\(exponent + decimals)") {
    case .success(let units): return units >= 0 ? .success(units) : .failure(.outOfRange)
    case .failure(.fraction): return .failure(number.hasPrefix("-") ? .outOfRange : .tooFine)
    case .failure(.tooLarge): return .failure(.outOfRange)
    }
  }

  /// Returns the shortest text of a number of units, which is not negative.
  static func text(of units: Int, decimals: Int) -> String {
    let (whole, rest) = units.quotientAndRemainder(dividingBy: Int(scale(decimals)))
    guard rest != 0 else { return "\(whole)" }
    var fraction = String(rest)
    fraction = String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return "\(whole).\(fraction)"
  }
}
