import Metrics

extension RunResult {
  /// Returns the text of `report.html`: one file that needs nothing else, to be read without a script.
  ///
  /// The verdict comes first, then what happened, then what proves it. Equal results have equal texts; what may differ
  /// between two runs of one seed stands in the element with the id `machine` only.
  /// - Complexity: O(n) in the size of the result.
  /// - Parameter pictures: What is drawn beside the numbers.
  /// - Returns: The text, ending in a line break.
  public func htmlText(_ pictures: RunPictures = RunPictures()) -> String {
    ReportPage(result: self, pictures: pictures).text
  }
}

/// `report.html`, section by section.
struct ReportPage {
  let result: RunResult
  let pictures: RunPictures

  /// How many distributions have pictures; the tables have all.
  private static let picturedLimit = 4
  /// Into how many rows the tables beside the panels divide the run.
  private static let panelRows = 12

  var text: String {
    let title = Markup.text("\(result.outcome.words.capitalized): \(result.scenario.name)")
    let sections = [
      head, violations, timePanels, distributions, invariants, thresholds, metrics, notExercised, identity,
    ]
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>
      \(PageStyle.css)
      </style>
      </head>
      <body>
      <main>
      \(sections.filter { !$0.isEmpty }.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  /// The end of the axes of time, in nanoseconds of the run.
  private var end: Int64 {
    let window = result.window
    let measured = window.warmupNanoseconds + window.measuredNanoseconds
    let last = result.series.map { $0.bucketNanoseconds * Int64($0.points.count) }.max() ?? 0
    return max(measured, last, pictures.marks.map(\.at).max() ?? 0)
  }

  // MARK: What came of it

  private var head: String {
    let outcome = result.outcome
    let style =
      switch outcome.tone {
      case .good: "good"
      case .bad: "bad"
      case .warning: "warn"
      }
    let code = result.exitCode == .passed ? "" : " (exit \(result.exitCode.rawValue))"
    var lines = [
      "<h1>\(Markup.text("\(outcome.sign) \(outcome.words)\(code)"))</h1>",
      "<p><b>\(Markup.text(result.scenario.name))</b> · seed \(result.scenario.seed) · "
        + "\(Markup.text(result.scenario.clock.name))</p>",
    ]
    if !pictures.description.isEmpty {
      lines.append("<p class=\"soft\">\(Markup.text(pictures.description))</p>")
    }
    if !result.scenario.overrides.isEmpty {
      lines.append("<p>with \(Markup.text(result.scenario.overrides.joined(separator: ", ")))</p>")
    }
    let story = result.story.map { "<p>\(Markup.text($0))</p>" }
    return "<header class=\"verdict \(style)\">\(lines.joined())</header>\n" + story.joined(separator: "\n")
  }

  private var violations: String {
    let violated = result.invariants.filter { $0.status == .violated }
    guard !violated.isEmpty else { return "" }
    var markup = "<h2>What was violated</h2>"
    for invariant in violated {
      markup += "<h3 class=\"bad\">\(Markup.text(invariant.id))</h3>"
      guard let violation = invariant.firstViolation else { continue }
      markup += "<p>\(Markup.text(violation.message))</p>"
      markup += "<p class=\"soft\">\(Markup.text(violation.place(clock: result.scenario.clock)))</p>"
      if let replay = violation.replay {
        markup += "<p>To see it again:</p><pre>\(Markup.text(replay))</pre>"
      }
    }
    guard !pictures.trail.isEmpty else { return markup }
    let trail = TrailPage(pictures.trail)
    return markup + "<h3>The last steps before it</h3>" + (trail.svg() ?? "")
      + "<details open><summary>The same as a table</summary>\(trail.table)</details>"
  }

  // MARK: Pictures

  private var timePanels: String {
    let panels = TimePanels(pictures: pictures, end: end)
    let shown = panels.panels(series: result.series)
    guard let svg = panels.svg(shown) else { return "" }
    var markup = "<h2>Over time</h2>" + svg
    if !pictures.windows.isEmpty {
      var table = PageTable(titles: ["shaded", "from", "to"])
      for window in pictures.windows {
        table.rows.append([
          .text(window.name), .figure(Self.time(window.from)),
          .figure(window.until.map(Self.time) ?? "the end"),
        ])
      }
      markup += table.folded("Shaded: \(Figures.count(pictures.windows.count, "fault"))")
    }
    if !pictures.marks.isEmpty {
      var table = PageTable(titles: ["mark", "at", "what"])
      for (number, mark) in pictures.marks.enumerated() {
        table.rows.append([.figure("\(number + 1)"), .figure(Self.time(mark.at)), .text(mark.words)])
      }
      markup += table.folded("Marked: \(Figures.count(pictures.marks.count, "entry", plural: "entries"))")
    }
    for panel in shown { markup += table(of: panel).folded("Numbers: \(panel.title)") }
    return markup
  }

  private func table(of panel: TimePanels.Panel) -> PageTable {
    var table = PageTable(titles: ["from"] + panel.lines.map { "greatest \($0.name)" })
    let step = Scale.roundStep(above: Double(max(end, 1)) / Double(Self.panelRows), isTime: true)
    var from = 0.0
    while from < Double(max(end, 1)) {
      let cells = panel.lines.map { line -> PageTable.Cell in
        let width = Double(line.stretchNanoseconds)
        let values = line.values.enumerated().filter {
          Double($0.offset + 1) * width > from && Double($0.offset) * width < from + step
        }
        return .figure(values.compactMap(\.element).max().map(panel.words) ?? "–")
      }
      table.rows.append([.figure(Self.time(Int64(from)))] + cells)
      from += step
    }
    return table
  }

  private var distributions: String {
    let shown = pictures.telling
    guard !shown.isEmpty else { return "" }
    var markup = "<h2>Distributions</h2>"
    for distribution in shown.prefix(Self.picturedLimit) {
      markup += "<h3>\(Markup.text(distribution.metric.name))</h3>"
      markup += "<p class=\"soft\">\(Markup.text(distribution.metric.summary))</p>"
      let curve = PercentileCurve(distribution: distribution)
      if let map = pictures.course.maps.first(where: { $0.metric == distribution.metric }) {
        markup += figure(HistogramPicture(map: map).svg(), "How often it took how long")
        markup += figure(curve.svg(), "How long it took at each share")
        markup += figure(HeatPicture(map: map, end: end).svg(), "When it took how long, the darker the more")
      }
      var table = PageTable(titles: ["share", "value"])
      for point in curve.points {
        let share = point.share == 0 ? "min" : point.share == 100 ? "max" : "p\(Self.share(point.share))"
        table.rows.append([
          .figure(share), .figure(Figures.duration(nanoseconds: Double(point.value))),
        ])
      }
      markup += table.folded("Numbers: \(Figures.count(distribution.histogram.count, "sample"))")
    }
    return markup
  }

  private func figure(_ svg: String?, _ caption: String) -> String {
    svg.map { "<p><small>\(Markup.text(caption))</small></p>\($0)" } ?? ""
  }

  // MARK: Judgements

  private var invariants: String {
    guard !result.invariants.isEmpty else { return "" }
    let unmet = Set(
      result.verdicts.filter { $0.kind == .requirement && $0.status == .notExercised }.map(\.id))
    var table = PageTable(titles: ["invariant", "status", "checks"])
    for invariant in result.invariants where invariant.status != .notApplicable {
      let status: PageTable.Cell =
        switch invariant.status {
        case .violated: .text("✗ violated", "bad")
        case _ where unmet.contains(invariant.id): .text("○ required, exercised too little", "warn")
        case .passed: .text("✓ passed", "good")
        case .notExercised, .notApplicable: .text("○ not exercised", "soft")
        }
      table.rows.append([.text(invariant.id), status, .figure(Figures.whole(invariant.checks))])
    }
    let foreign = result.invariants.filter { $0.status == .notApplicable }.map(\.id)
    let rest =
      foreign.isEmpty
      ? "" : "<p class=\"soft\">Not applicable: \(Markup.text(foreign.joined(separator: ", ")))</p>"
    return "<h2>Invariants</h2>" + table.markup + rest
  }

  private var thresholds: String {
    var table = PageTable(titles: ["threshold", "status", "observed", "limit"])
    for threshold in result.thresholds {
      let status: PageTable.Cell =
        !threshold.isFailure
        ? .text(threshold.status == .passed ? "✓ passed" : "○ no data", "good")
        : result.endReason.isWhole
          ? .text(threshold.status == .noData ? "✗ no data" : "✗ failed", "bad")
          : .text("○ not reached", "warn")
      table.rows.append([
        .text("\(threshold.metric) \(threshold.expression)"), status, .figure(threshold.observedText),
        .figure(threshold.limitText),
      ])
    }
    return result.thresholds.isEmpty ? "" : "<h2>Thresholds</h2>" + table.markup
  }

  private var metrics: String {
    var plain = PageTable(titles: ["metric", "value", "per second"])
    var trends = PageTable(titles: ["distribution", "count", "min", "avg", "med", "p90", "p95", "p99", "max"])
    for row in result.metrics {
      let name = PageTable.Cell.text(row.tags.isEmpty ? row.name : "\(row.name){\(row.tags)}")
      if row.kind == .trend {
        let figures = [row.min, row.med, row.p90, row.p95, row.p99, row.max].map { value in
          PageTable.Cell.figure(value.map { row.unit.text(of: Double($0)) } ?? "–")
        }
        let average = PageTable.Cell.figure(row.avg.map(row.unit.text(of:)) ?? "–")
        trends.rows.append(
          [name, .figure(Figures.whole(row.count ?? 0)), figures[0], average] + figures.dropFirst())
      } else {
        let rate = row.kind == .counter ? row.rate.map(Figures.decimal) ?? "–" : "–"
        plain.rows.append([name, .figure(row.valueText), .figure(rate)])
      }
    }
    guard !result.metrics.isEmpty else { return "" }
    return "<h2>Metrics</h2>" + plain.markup + trends.markup
  }

  private var notExercised: String {
    guard !result.notExercised.isEmpty else { return "" }
    let entries = result.notExercised.map { "<li>\(Markup.text($0))</li>" }
    return "<h2>Not exercised</h2><ul>\(entries.joined())</ul>"
  }

  // MARK: Which run it was

  private var identity: String {
    var table = PageTable(titles: ["run", ""])
    func add(_ name: String, _ value: String?) {
      if let value { table.rows.append([.text(name), .text(value)]) }
    }
    add("ended", result.endReason.rawValue)
    add("digest", result.digest)
    add("scenario", result.scenario.hash)
    add("steps", result.steps.map { Figures.whole($0) })
    add("virtual time", result.simulatedNanoseconds.map(Self.time))
    let window = result.window
    add("warm-up", window.warmupNanoseconds > 0 ? Self.time(window.warmupNanoseconds) : nil)
    add("measured", Self.time(window.measuredNanoseconds))
    add("drain", Self.time(window.drainNanoseconds))
    add("program", "stampede \(result.tool.version), build \(result.tool.build)")
    let machine = result.machine
    let environment = machine.environment
    var parts = [
      "took \(Self.time(machine.wallNanoseconds))", environment.os, environment.cpu,
      Figures.count(environment.cores, "core"), "Swift \(environment.swift)", environment.allocator,
    ]
    if let resident = machine.residentBytes { parts.append(Figures.bytes(Double(resident))) }
    if let each = machine.bytesPerReader { parts.append("\(Figures.bytes(Double(each))) per reader") }
    return "<h2>The run</h2>" + table.markup + "\n<p id=\"machine\" class=\"soft\">"
      + Markup.text(parts.joined(separator: " · ")) + "</p>"
  }

  private static func time(_ nanoseconds: Int64) -> String {
    Figures.duration(nanoseconds: Double(nanoseconds))
  }

  /// A share in percent with the decimals that it has.
  static func share(_ percent: Double) -> String {
    let text = "\(percent)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
