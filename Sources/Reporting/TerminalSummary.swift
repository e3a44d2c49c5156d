import Metrics

// The summary that a run prints: first how it ended and what happened, then what proves it.
//
// Widths are counted before colour is put on, so that the text is the same with and without it. Words carry every
// meaning; signs and colours only repeat it.

/// How a summary is to be laid out.
public struct SummaryStyle: Sendable, Equatable {
  /// How many columns the terminal has; below 24 is taken as 24.
  public var columns: Int
  /// Whether colours are used.
  public var isColored: Bool

  /// Creates a style.
  ///
  /// - Parameters:
  ///   - columns: How many columns the terminal has.
  ///   - isColored: Whether colours are used.
  public init(columns: Int = 80, isColored: Bool = false) {
    self.columns = max(columns, 24)
    self.isColored = isColored
  }
}

extension RunResult {
  /// Returns the summary of the run for a terminal.
  ///
  /// No line is wider than the style's columns, save for paths and words of commands, which are never cut.
  /// - Complexity: O(n) in the size of the result.
  /// - Parameters:
  ///   - style: How it is laid out.
  ///   - reports: The reports that were written, as paths; none for no such paragraph.
  /// - Returns: The text, ending in a line break.
  public func summaryText(style: SummaryStyle = SummaryStyle(), reports: [String] = []) -> String {
    var page = SummaryPage(style: style)
    page.flow(headline, indent: 0, ink: verdictInk)
    if !scenario.overrides.isEmpty {
      page.paragraph("with \(scenario.overrides.joined(separator: ", "))", indent: 2)
    }
    if !story.isEmpty { page.blank() }
    for line in story { page.paragraph(line, indent: 2, ink: .bold) }
    writeViolations(to: &page)
    writeInvariants(to: &page)
    writeThresholds(to: &page)
    writeMetrics(to: &page)
    if !notExercised.isEmpty {
      page.heading("Not exercised")
      for entry in notExercised { page.paragraph("○ \(entry)", indent: 2, hanging: 2, ink: .yellow) }
    }
    page.blank()
    page.flow(costParts, indent: 0)
    if let digest { page.paragraph("digest \(digest)", indent: 0) }
    if !reports.isEmpty {
      page.heading("Reports")
      for path in reports { page.unbroken([TextLayout.safe(path)], indent: 2) }
    }
    return page.text
  }

  // MARK: Head

  private var headline: [String] {
    let verdict = "\(outcome.sign) \(outcome.words.uppercased())"
    let code = exitCode == .passed ? "" : " (exit \(exitCode.rawValue))"
    return [verdict + code, scenario.name, "seed \(scenario.seed)", scenario.clock.name]
  }

  private var verdictInk: SummaryPage.Ink {
    switch outcome.tone {
    case .good: .green
    case .warning: .yellow
    case .bad: .red
    }
  }

  // MARK: Invariants

  private func writeViolations(to page: inout SummaryPage) {
    for invariant in invariants where invariant.status == .violated {
      page.blank()
      page.paragraph("✗ \(invariant.id) violated", indent: 0, hanging: 2, ink: .red)
      guard let violation = invariant.firstViolation else { continue }
      page.paragraph(violation.message, indent: 2)
      page.paragraph(violation.place(clock: scenario.clock), indent: 2)
      guard let replay = violation.replay else { continue }
      page.paragraph("To see it again:", indent: 2)
      let command = TextLayout.safe(replay)
      page.unbroken(TextLayout.wrappedCommand(command, columns: page.style.columns - 4), indent: 4)
    }
  }

  private func writeInvariants(to page: inout SummaryPage) {
    guard !invariants.isEmpty else { return }
    page.heading("Invariants")
    let unmet = verdicts.filter { $0.kind == .requirement && $0.status == .notExercised }.map(\.id)
    var rows: [SummaryPage.Row] = []
    for invariant in invariants {
      let checks = Figures.count(invariant.checks, "check")
      let isUnmet = unmet.contains(invariant.id)
      switch invariant.status {
      case .violated:
        rows.append(.init(sign: "✗", ink: .red, name: invariant.id, cells: ["violated", checks]))
      case .passed where isUnmet:
        rows.append(.init(sign: "○", ink: .yellow, name: invariant.id, cells: ["too few checks", checks]))
      case .notExercised where isUnmet:
        rows.append(
          .init(sign: "○", ink: .yellow, name: invariant.id, cells: ["required, not exercised", checks])
        )
      case .passed: rows.append(.init(sign: "✓", ink: .green, name: invariant.id, cells: ["passed", checks]))
      case .notExercised, .notApplicable: break
      }
    }
    page.table(header: nil, rows: rows)
    let idle = invariants.filter { $0.status == .notExercised && !unmet.contains($0.id) }.map(\.id)
    if !idle.isEmpty {
      page.paragraph("○ not exercised: \(idle.joined(separator: ", "))", indent: 2, hanging: 2)
    }
    let foreign = invariants.filter { $0.status == .notApplicable }.map(\.id)
    if !foreign.isEmpty {
      page.paragraph("– not applicable: \(foreign.joined(separator: ", "))", indent: 2, hanging: 2)
    }
  }

  // MARK: Thresholds

  private func writeThresholds(to page: inout SummaryPage) {
    guard !thresholds.isEmpty else { return }
    let rows = thresholds.map { threshold in
      let (sign, ink) = mark(of: threshold)
      return SummaryPage.Row(
        sign: sign,
        ink: ink,
        name: "\(threshold.metric) \(threshold.expression)",
        cells: [threshold.observedText, threshold.limitText]
      )
    }
    page.table(header: ("Thresholds", ["observed", "limit"]), rows: rows)
    if !endReason.isWhole, thresholds.contains(where: { $0.status != .passed }) {
      page.paragraph("The run was cut off: what it did not reach is not judged.", indent: 2, ink: .yellow)
    }
  }

  private func mark(of threshold: ThresholdResult) -> (sign: String, ink: SummaryPage.Ink) {
    switch threshold.status {
    case .passed: ("✓", .green)
    case .failed, .noData:
      threshold.isFailure ? endReason.isWhole ? ("✗", .red) : ("○", .yellow) : ("○", .plain)
    }
  }

  // MARK: Metrics

  /// The metrics that tell most, in the order in which they are read; the others follow by name.
  static let tellingMetrics: [Metric] = [
    .evaluations, .reads, .requests, .arrivals, .coalesced, .cacheHits, .exposures, .batches,
    .droppedArrivals,
    .requestsPerDeviceHour, .peakArrivals, .allocationsPerEvaluation, .interrupted, .evaluationDuration,
    .requestDuration, .requestsPerClient,
  ]

  /// How many rows of each kind the summary shows; all are in `result.json`.
  private static let metricRowLimit = 12

  private func writeMetrics(to page: inout SummaryPage) {
    // The total of a metric, or its parts where there is no total.
    let withTotal = Set(metrics.filter(\.tags.isEmpty).map(\.name))
    let shown = metrics.filter { $0.tags.isEmpty || !withTotal.contains($0.name) }.enumerated().sorted {
      (place(of: $0.element), $0.offset) < (place(of: $1.element), $1.offset)
    }.map(\.element)
    let limit = RunResult.metricRowLimit
    let plain = shown.filter { $0.kind != .trend }
    let isWall = scenario.clock == .wall
    page.table(
      header: ("Metrics", isWall ? ["value", "per second"] : ["value"]),
      rows: plain.prefix(limit).map { row in
        let perSecond = row.kind == .counter ? row.rate.map(Figures.decimal) ?? "" : ""
        return .init(name: name(of: row), cells: isWall ? [row.valueText, perSecond] : [row.valueText])
      }
    )
    let trends = shown.filter { $0.kind == .trend }
    page.table(
      header: ("Distributions", ["count", "med", "p95", "p99", "max"]),
      rows: trends.prefix(limit).map { row in
        let figures = [row.med, row.p95, row.p99, row.max].map { value in
          value.map { row.unit.text(of: Double($0)) } ?? "–"
        }
        return .init(name: name(of: row), cells: [Figures.whole(row.count ?? 0)] + figures)
      }
    )
    let hidden = max(0, plain.count - limit) + max(0, trends.count - limit)
    if hidden > 0 { page.paragraph("\(Figures.count(hidden, "more row")) in result.json", indent: 2) }
    for row in shown where row.invalid > 0 {
      let samples = Figures.count(row.invalid, "sample")
      page.paragraph(
        "! \(samples) of \(name(of: row)) refused as invalid",
        indent: 2,
        hanging: 2,
        ink: .yellow
      )
    }
  }

  private func place(of row: MetricRow) -> Int {
    RunResult.tellingMetrics.firstIndex { $0.name == row.name } ?? RunResult.tellingMetrics.count
  }

  private func name(of row: MetricRow) -> String { row.tags.isEmpty ? row.name : "\(row.name){\(row.tags)}" }

  // MARK: Foot

  private var costParts: [String] {
    let wall = Figures.duration(nanoseconds: Double(machine.wallNanoseconds))
    var parts: [String] = []
    if let simulatedNanoseconds {
      let simulated = Figures.duration(nanoseconds: Double(simulatedNanoseconds))
      parts.append("\(simulated) of virtual time in \(wall)")
    } else {
      parts.append("\(Figures.duration(nanoseconds: Double(window.measuredNanoseconds))) measured in \(wall)")
    }
    if window.warmupNanoseconds > 0 {
      parts.append("after a warm-up of \(Figures.duration(nanoseconds: Double(window.warmupNanoseconds)))")
    }
    if let steps { parts.append(Figures.count(steps, "step")) }
    if let resident = machine.residentBytes { parts.append(Figures.bytes(Double(resident))) }
    if let perReader = machine.bytesPerReader {
      parts.append("\(Figures.bytes(Double(perReader))) per reader")
    }
    return parts
  }
}
