import Metrics

/// The panels over the time of a run: one below the other on one axis, with faults shaded and the timeline marked.
struct TimePanels {
  /// One line of a panel.
  struct Line {
    let name: String
    /// How long each value lasts, in nanoseconds.
    let stretchNanoseconds: Int64
    /// The values, the first from time 0 on; nil where there is none.
    let values: [Double?]
  }

  /// One panel.
  struct Panel {
    let title: String
    let lines: [Line]
    /// How a value is written.
    let words: (Double) -> String
    var isTime = false
  }

  private static let panelHeight = 104.0
  private static let titleHeight = 20.0

  let pictures: RunPictures
  /// The end of the axis, in nanoseconds of the run.
  let end: Int64

  /// The panels of a run that have something to show.
  func panels(series: [MetricSeries]) -> [Panel] {
    let course = pictures.course
    let width = course.bucketNanoseconds
    var panels: [Panel] = []
    if course.levels.contains(where: { $0 != 0 }) {
      panels.append(
        Panel(
          title: "Active readers",
          lines: [
            Line(name: "readers", stretchNanoseconds: width, values: course.levels.map { Double($0) })
          ],
          words: Figures.decimal))
    }
    let requests = RequestOutcome.lines(of: course.parts.filter { $0.metric == .requests }, perSecond: width)
    if !requests.isEmpty {
      panels.append(
        Panel(title: "Requests per second, by outcome", lines: requests, words: Figures.decimal))
    }
    for map in course.maps where map.metric == .evaluationDuration || map.metric == .requestDuration {
      let lines = [50.0, 95, 99].map { percent in
        Line(
          name: "p\(Int(percent))", stretchNanoseconds: map.columnNanoseconds,
          values: map.columns.indices.map { map.percentile(percent, inColumn: $0).map { Double($0) } })
      }
      panels.append(
        Panel(
          title: "\(map.metric.name), within 6 %", lines: lines,
          words: { Figures.duration(nanoseconds: $0) }, isTime: true))
    }
    let held = course.parts.filter { $0.metric == .cacheHits && $0.points.contains { $0.count > 0 } }
    if !held.isEmpty {
      panels.append(
        Panel(
          title: "Answers from what was held, per second",
          lines: held.map { Self.rates($0.value, $0.points.map(\.count), width) },
          words: Figures.decimal))
    }
    if let arrivals = series.first(where: { $0.metric == .arrivals }) {
      panels.append(
        Panel(
          title: "Arrivals at the service per second",
          lines: [Self.rates("arrivals", arrivals.points.map(\.count), width)], words: Figures.decimal)
      )
    }
    return panels
  }

  static func rates(_ name: String, _ counts: [Int64], _ width: Int64) -> Line {
    Line(name: name, stretchNanoseconds: width, values: counts.map { Double($0) * 1e9 / Double(width) })
  }

  /// Draws panels; nil for none.
  func svg(_ panels: [Panel]) -> String? {
    guard !panels.isEmpty else { return nil }
    let height = Double(panels.count) * (Self.panelHeight + Self.titleHeight) + 30
    var plot = Plot(height: height, top: 4, bottom: 26)
    let time = Scale(from: 0, to: Double(max(end, 1)), start: Plot.plotLeft, end: Plot.plotRight)
    for window in pictures.windows {
      let from = time.position(Double(window.from))
      let until = time.position(Double(window.until ?? end))
      plot.rectangle(
        from, plot.plotTop, max(until - from, 1), plot.plotBottom - plot.plotTop, "window", title: window.name
      )
    }
    for (number, group) in Self.places(of: pictures.marks, on: time) {
      plot.line(group, plot.plotTop, group, plot.plotBottom, "mark")
      plot.label(number, group + 2, plot.plotTop + 9, "marktext")
    }
    for (position, panel) in panels.enumerated() {
      let top = plot.plotTop + Double(position) * (Self.panelHeight + Self.titleHeight)
      draw(
        panel, in: &plot, from: top + Self.titleHeight, to: top + Self.titleHeight + Self.panelHeight - 8,
        time)
      plot.label(panel.title, Plot.plotLeft, top + 13, "title")
      legend(panel, in: &plot, at: top + 13)
    }
    plot.baseAxis(time, isTime: true) { Figures.duration(nanoseconds: $0) }
    return plot.svg(title: "The run over time: " + panels.map(\.title).joined(separator: "; "))
  }

  private func draw(_ panel: Panel, in plot: inout Plot, from top: Double, to bottom: Double, _ time: Scale) {
    let greatest = panel.lines.flatMap(\.values).compactMap { $0 }.max() ?? 0
    let scale = Scale(from: 0, to: greatest * 1.05, start: bottom, end: top)
    plot.line(Plot.plotLeft, bottom, Plot.plotRight, bottom, "axis")
    plot.valueAxis(scale, ticks: 2, isTime: panel.isTime, words: panel.words)
    for (number, line) in panel.lines.enumerated() {
      plot.path(Self.path(line, time, scale), "line c\(number % 6)")
    }
  }

  private func legend(_ panel: Panel, in plot: inout Plot, at y: Double) {
    guard panel.lines.count > 1 else { return }
    var x = Plot.plotRight
    for (number, line) in panel.lines.enumerated().reversed() {
      x -= Double(line.name.count) * 6.6 + 4
      plot.label(line.name, x, y, "legend")
      plot.rectangle(x - 13, y - 8, 9, 9, "key c\(number % 6)")
      x -= 22
    }
  }

  /// A stepped path: each value holds for its stretch, equal ones in a row are one step.
  static func path(_ line: Line, _ time: Scale, _ scale: Scale) -> String {
    var data = ""
    var height: String?
    func place(_ position: Int) -> String {
      Markup.number(time.position(Double(position) * Double(line.stretchNanoseconds)))
    }
    for (position, value) in line.values.enumerated() {
      let next = value.map { Markup.number(scale.position($0)) }
      if next == height { continue }
      if height != nil { data += "H\(place(position))" }
      if let next { data += height == nil ? "M\(place(position)) \(next)" : "V\(next)" }
      height = next
    }
    return height == nil ? data : data + "H\(place(line.values.count))"
  }

  /// The marks that lie together, each group with its numbers and its place.
  static func places(of marks: [RunPictures.Mark], on time: Scale) -> [(words: String, x: Double)] {
    var groups: [(first: Int, last: Int, x: Double)] = []
    for (position, mark) in marks.enumerated() {
      let x = time.position(Double(mark.at))
      if let last = groups.last, x - last.x < 12 {
        groups[groups.count - 1].last = position
      } else {
        groups.append((position, position, x))
      }
    }
    return groups.map { group in
      (group.first == group.last ? "\(group.first + 1)" : "\(group.first + 1)–\(group.last + 1)", group.x)
    }
  }
}

/// The outcomes of requests as the panels tell them apart.
enum RequestOutcome: String, CaseIterable {
  case good = "answered"
  case gone = "410"
  case limited = "429"
  case refused = "other 4xx"
  case failed = "5xx"
  case none = "no answer"

  init(status: String) {
    switch status {
    case "410": self = .gone
    case "429": self = .limited
    case _ where status.hasPrefix("4") && status.count == 3: self = .refused
    case _ where status.hasPrefix("5") && status.count == 3: self = .failed
    case _ where status.count == 3 && status.allSatisfy(\.isNumber): self = .good
    default: self = .none
    }
  }

  /// The rate of each outcome that there was, per second.
  static func lines(of parts: [MetricCourse.Part], perSecond width: Int64) -> [TimePanels.Line] {
    allCases.compactMap { outcome in
      let own = parts.filter { RequestOutcome(status: $0.value) == outcome }
      guard let longest = own.map(\.points.count).max() else { return nil }
      var counts = [Int64](repeating: 0, count: longest)
      for part in own {
        for (position, point) in part.points.enumerated() { counts[position] += point.count }
      }
      guard counts.contains(where: { $0 > 0 }) else { return nil }
      return TimePanels.rates(outcome.rawValue, counts, width)
    }
  }
}
