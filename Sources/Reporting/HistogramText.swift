import Metrics

extension RunPictures.Distribution {
  /// Returns the distribution in the text form of HdrHistogram's percentile output, which its plotters read.
  ///
  /// Values are in milliseconds. Each step goes half of what is left towards 100 %, as theirs does; the deviation is that of
  /// the buckets' middles, at most 1 % off.
  /// - Complexity: O(log n) percentiles in the number n of values.
  /// - Returns: The text, ending in a line break.
  public func hdrText() -> String {
    var lines = ["       Value     Percentile TotalCount 1/(1-Percentile)", ""]
    var share = 0.0
    var step = 0.1
    var isDone = histogram.count == 0
    while !isDone {
      let value = histogram.percentile(share * 100) ?? 0
      let count = histogram.count(through: value)
      isDone = count >= histogram.count
      let ratio = isDone ? "" : Self.padded(Self.fixed(1 / (1 - share), 2), 15)
      lines.append(
        Self.padded(Self.milliseconds(value), 12) + " " + Self.fixed(isDone ? 1 : share, 12)
          + Self.padded("\(count)", 11) + " " + ratio)
      // Five steps to each halving of what is left.
      if share + step > 1 - (1 - share) / 2 { step /= 2 }
      share += step
    }
    let mean = Self.fixed((histogram.average ?? 0) / 1e6, 3)
    let deviation = Self.fixed(histogram.standardDeviation / 1e6, 3)
    let greatest = Self.milliseconds(histogram.max ?? 0)
    lines.append("#[Mean    = \(Self.padded(mean, 12)), StdDeviation   = \(Self.padded(deviation, 12))]")
    lines.append(
      "#[Max     = \(Self.padded(greatest, 12)), Total count    = \(Self.padded("\(histogram.count)", 12))]")
    lines.append("#[Buckets = \(Self.padded("57", 12)), SubBuckets     = \(Self.padded("128", 12))]")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String { fixed(Double(nanoseconds) / 1e6, 3) }

  /// A number with so many decimals.
  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    let power = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    let units = Int64((value * power).rounded())
    let (whole, rest) = units.quotientAndRemainder(dividingBy: Int64(power))
    let digits = String(rest)
    return "\(whole)." + String(repeating: "0", count: decimals - digits.count) + digits
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - text.count)) + text
  }
}
