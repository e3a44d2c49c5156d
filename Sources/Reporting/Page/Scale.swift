/// Where the values of a picture's axis lie, with its ticks.
struct Scale {
  /// How values are spread.
  enum Kind {
    /// Equal steps are equally long.
    case linear
    /// Equal ratios are equally long; values below the least are at the start.
    case logarithmic
  }

  let kind: Kind
  let least: Double
  let greatest: Double
  /// Where the least value lies, and the greatest.
  let start: Double
  let end: Double

  /// Creates a scale whose greatest value is above its least.
  init(_ kind: Kind = .linear, from least: Double, to greatest: Double, start: Double, end: Double) {
    self.kind = kind
    let floor = kind == .logarithmic ? max(least, 1e-9) : least
    self.least = floor
    self.greatest = greatest > floor ? greatest : floor + (kind == .logarithmic ? floor : 1)
    self.start = start
    self.end = end
  }

  /// Returns where a value lies; one outside lies at the nearer end.
  func position(_ value: Double) -> Double {
    let clamped = min(max(value, least), greatest)
    let share =
      switch kind {
      case .linear: (clamped - least) / (greatest - least)
      case .logarithmic: Scale.log2(clamped / least) / Scale.log2(greatest / least)
      }
    return start + share * (end - start)
  }

  /// Returns round values for ticks: 1, 2 or 5 times a power of ten, or of a time unit's steps for durations.
  ///
  /// - Parameters:
  ///   - count: About how many.
  ///   - isTime: Whether the values are nanoseconds, which have 60 s to a minute.
  /// - Returns: The values, ascending.
  func ticks(_ count: Int, isTime: Bool = false) -> [Double] {
    switch kind {
    case .linear:
      let step = Scale.roundStep(above: (greatest - least) / Double(max(1, count)), isTime: isTime)
      var ticks: [Double] = []
      var index = (least / step).rounded(.up)
      while index * step <= greatest * (1 + 1e-9), ticks.count < 50 {
        ticks.append(index * step)
        index += 1
      }
      return ticks
    case .logarithmic:
      var ticks: [Double] = []
      var power = 1e-9
      while power < least * (1 - 1e-9) { power *= 10 }
      while power <= greatest * (1 + 1e-9), ticks.count < 50 {
        ticks.append(power)
        power *= 10
      }
      let every = max(1, (ticks.count + count - 1) / max(1, count))
      return ticks.enumerated().filter { $0.offset.isMultiple(of: every) }.map(\.element)
    }
  }

  /// Returns the least round step that is not below a value.
  static func roundStep(above value: Double, isTime: Bool) -> Double {
    guard value > 0, value.isFinite else { return 1 }
    if isTime, value > 1e9 {
      let seconds: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
      ]
      if let step = seconds.first(where: { $0 * 1e9 >= value }) { return step * 1e9 }
      var days = 1.0
      while days * 86_400e9 < value { days *= 2 }
      return days * 86_400e9
    }
    var power = 1e-9
    while power * 10 <= value { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * (1 - 1e-9) } ?? power * 10
  }

  /// The binary logarithm, from the number's own parts: no other library's last bit can differ.
  static func log2(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 0 }
    var fraction = value.significand
    var result = Double(value.exponent)
    var bit = 0.5
    // Forty bits are more than a picture can show.
    for _ in 0..<40 {
      fraction *= fraction
      if fraction >= 2 {
        fraction /= 2
        result += bit
      }
      bit /= 2
    }
    return result
  }
}
