/// The line that tells how far a long run is.
public struct ProgressLine: Sendable, Equatable {
  /// How long the run has been going, in nanoseconds of real time.
  public var elapsedNanoseconds: Int64
  /// How much of the run is done, from 0 to 1; nil if that cannot be told.
  public var fraction: Double?
  /// How many steps the scheduler makes in a second of real time; nil on the wall clock.
  public var stepsPerSecond: Double?
  /// How many requests were made.
  public var requests: Int64
  /// How many invariants were violated.
  public var violations: Int64

  /// Creates a line.
  public init(
    elapsedNanoseconds: Int64,
    fraction: Double?,
    stepsPerSecond: Double?,
    requests: Int64,
    violations: Int64
  ) {
    self.elapsedNanoseconds = elapsedNanoseconds
    self.fraction = fraction
    self.stepsPerSecond = stepsPerSecond
    self.requests = requests
    self.violations = violations
  }

  /// Returns the line, without colour and without a line break.
  ///
  /// In a narrow terminal the less telling parts are left out, violations last of all.
  /// - Complexity: O(1).
  /// - Parameter columns: How wide the terminal is.
  /// - Returns: The text, at most `columns` wide.
  public func text(columns: Int) -> String {
    // From the most to the least telling; the order on the line is another.
    var parts: [(place: Int, text: String)] = []
    if violations > 0 { parts.append((4, Figures.count(violations, "violation"))) }
    if let fraction { parts.append((1, percentText(fraction))) }
    parts.append((0, elapsedText))
    parts.append((3, Figures.count(requests, "request")))
    if let stepsPerSecond {
      parts.append((2, "\(Figures.whole(Int64(clampingFinite: stepsPerSecond))) steps/s"))
    }
    if violations == 0 { parts.append((4, "no violations")) }
    while !parts.isEmpty {
      let line = parts.sorted { $0.place < $1.place }.map(\.text).joined(separator: " · ")
      if TextLayout.width(of: line) <= columns { return line }
      parts.removeLast()
    }
    return ""
  }

  /// Whole seconds, so that the line does not flicker.
  private var elapsedText: String {
    let seconds = max(elapsedNanoseconds, 0) / 1_000_000_000
    return Figures.duration(nanoseconds: Double(seconds) * 1e9).replacingZero(with: "0 s")
  }

  /// Rounded down: 100 % is said only when everything is done.
  private func percentText(_ fraction: Double) -> String {
    "\(Int64(clampingFinite: (min(max(fraction, 0), 1) * 100).rounded(.down))) %"
  }
}

extension Int64 {
  /// The whole number nearest to a number; 0 for what is no number.
  fileprivate init(clampingFinite number: Double) {
    self = number.isFinite ? Int64(exactly: number.rounded()) ?? (number < 0 ? .min : .max) : 0
  }
}

extension String {
  fileprivate func replacingZero(with text: String) -> String { self == "0 ns" ? text : self }
}
