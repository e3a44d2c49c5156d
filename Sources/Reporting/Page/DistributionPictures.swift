import Metrics

// The pictures of one distribution of durations: how often which value was, at which share, and when.

/// A bar for each row of values of a heat map, all columns together.
struct HistogramPicture {
  let map: HeatMap

  /// Draws the picture; nil without values.
  func svg() -> String? {
    guard let values = ValueAxis(map, start: Plot.plotLeft, end: Plot.plotRight) else { return nil }
    var plot = Plot(height: 220)
    let counts = values.totals
    let heights = Scale(
      from: 0, to: Double(counts.max() ?? 1) * 1.05, start: plot.plotBottom, end: plot.plotTop)
    plot.valueAxis(heights, ticks: 4, words: Figures.decimal)
    for (row, count) in counts.enumerated() where count > 0 {
      let (from, to) = values.place(row)
      let top = heights.position(Double(count))
      plot.rectangle(
        from, top, max(1, to - from - 0.5), plot.plotBottom - top, "bar",
        title: "\(ValueAxis.words(row)): \(Figures.whole(count))")
    }
    plot.base(values.ticks(7))
    return plot.svg(title: "How often \(map.metric.name) was how long")
  }
}

/// The value at each share, on an axis on which each step is a tenth of what is left: 90 %, 99 %, 99.9 %.
struct PercentileCurve {
  /// The shares that the curve goes through, in percent; those that the count cannot tell apart are left out.
  static let shares: [Double] = [0, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 99.995, 99.999]

  let distribution: RunPictures.Distribution

  /// The points: share in percent and value in nanoseconds.
  var points: [(share: Double, value: Int64)] {
    let histogram = distribution.histogram
    let known = Self.shares.filter { $0 <= 50 || Double(histogram.count) * (100 - $0) >= 99.9 }
    return (known + [100]).compactMap { share in histogram.percentile(share).map { (share, $0) } }
  }

  /// Draws the picture; nil without values.
  func svg() -> String? {
    let points = points
    guard let last = points.last, distribution.histogram.count > 1 else { return nil }
    var plot = Plot(height: 220)
    let deepest = points.dropLast().last.map { 100 / (100 - $0.share) } ?? 1
    let shares = Scale(
      .logarithmic, from: 1, to: max(deepest * 2, 10), start: Plot.plotLeft, end: Plot.plotRight)
    let values = Scale(
      from: 0, to: Double(last.value) * 1.05, start: plot.plotBottom, end: plot.plotTop)
    plot.valueAxis(values, ticks: 4, isTime: true) { Figures.duration(nanoseconds: $0) }
    var data = ""
    for point in points {
      let x = point.share == 100 ? Plot.plotRight : shares.position(100 / (100 - point.share))
      data +=
        "\(data.isEmpty ? "M" : "L")\(Markup.number(x)) \(Markup.number(values.position(Double(point.value))))"
    }
    plot.path(data, "line c0")
    plot.base(
      [0, 50, 90, 99, 99.9, 99.99, 99.999].filter { 100 / (100 - $0) <= deepest * 1.01 }.map {
        (shares.position(100 / (100 - $0)), "\(ReportPage.share($0)) %")
      })
    plot.label("max", Plot.plotRight, plot.plotBottom + 16, "tick end")
    return plot.svg(title: "The value of \(distribution.metric.name) at each share")
  }
}

/// Time to the right, values up, the darker the more.
struct HeatPicture {
  /// How many shades there are.
  static let shades = 6

  let map: HeatMap
  /// The end of the axis, in nanoseconds of the run.
  let end: Int64

  /// Draws the picture; nil without values.
  func svg() -> String? {
    var plot = Plot(height: 260)
    guard let values = ValueAxis(map, start: plot.plotBottom, end: plot.plotTop) else { return nil }
    let time = Scale(from: 0, to: Double(max(end, 1)), start: Plot.plotLeft, end: Plot.plotRight)
    let most = map.columns.lazy.flatMap { $0 }.max() ?? 1
    var shades = [String](repeating: "", count: Self.shades)
    for (number, column) in map.columns.enumerated() {
      let from = time.position(Double(number) * Double(map.columnNanoseconds))
      let to = time.position(Double(number + 1) * Double(map.columnNanoseconds))
      for (row, count) in column.enumerated() where count > 0 {
        let (bottom, top) = values.place(row)
        shades[Self.shade(count, most)] +=
          "M\(Markup.number(from)) \(Markup.number(top))h\(Markup.number(max(1, to - from)))"
          + "v\(Markup.number(max(1, bottom - top)))H\(Markup.number(from))z"
      }
    }
    for (shade, data) in shades.enumerated() { plot.path(data, "heat h\(shade)") }
    plot.values(values.ticks(5))
    plot.baseAxis(time, isTime: true) { Figures.duration(nanoseconds: $0) }
    return plot.svg(title: "\(map.metric.name) over time, the darker the more")
  }

  /// The shade of a count: each is about as much more than the one before as that is.
  static func shade(_ count: Int64, _ most: Int64) -> Int {
    guard most > 1 else { return shades - 1 }
    let share = Scale.log2(Double(count)) / Scale.log2(Double(most))
    return min(shades - 1, Int(share * Double(shades)))
  }
}

/// The rows of a heat map on an axis: a logarithmic one, with a place of its own for 0 at its start.
struct ValueAxis {
  /// The rows up to the last that has values, with their counts.
  let totals: [Int64]
  private let scale: Scale
  private let zero: Double?

  /// Creates an axis; nil without values.
  init?(_ map: HeatMap, start: Double, end: Double) {
    let totals = map.totals
    guard let first = totals.indices.first(where: { totals[$0] > 0 }) else { return nil }
    self.totals = totals
    let least = totals.indices.first { $0 > 0 && totals[$0] > 0 } ?? 1
    let from = Double(HeatMap.leastValue(ofRow: least))
    let to = max(Double(HeatMap.leastValue(ofRow: totals.count)), from * 10)
    zero = first == 0 ? start : nil
    let inset = first == 0 ? (end - start) * 0.06 : 0
    scale = Scale(.logarithmic, from: from, to: to, start: start + inset, end: end)
  }

  /// Where a row begins and ends.
  func place(_ row: Int) -> (from: Double, to: Double) {
    let next = scale.position(Double(HeatMap.leastValue(ofRow: row + 1)))
    if row == 0, let zero { return (zero, zero + (scale.start - zero) / 2) }
    return (scale.position(Double(HeatMap.leastValue(ofRow: row))), next)
  }

  /// The ticks with their words.
  func ticks(_ count: Int) -> [(place: Double, words: String)] {
    var values = scale.ticks(count)
    // Less than two decades have no two powers of ten: halves say more.
    if values.count < 2 {
      values = [scale.least, (scale.least * scale.greatest).squareRoot(), scale.greatest]
    }
    let ticks = values.map { (scale.position($0), Figures.duration(nanoseconds: $0)) }
    return zero.map { [($0, "0")] + ticks } ?? ticks
  }

  /// The values of a row.
  static func words(_ row: Int) -> String {
    let (from, to) = (HeatMap.leastValue(ofRow: row), HeatMap.leastValue(ofRow: row + 1))
    if to - from <= 1 { return Figures.duration(nanoseconds: Double(from)) }
    return "\(Figures.duration(nanoseconds: Double(from))) to \(Figures.duration(nanoseconds: Double(to)))"
  }
}
