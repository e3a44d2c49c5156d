import Metrics

extension RunResult {
  /// Returns the run as Markdown, for a pull request or a job's summary.
  ///
  /// The verdict comes first; what is long is folded. Names from outside are text and never markup.
  /// - Complexity: O(n) in the size of the result.
  /// - Returns: The text, ending in a line break.
  public func markdownText() -> String { MarkdownPage(result: self).text }
}

/// The parts of the Markdown of a run.
private struct MarkdownPage {
  let result: RunResult

  var text: String {
    [head, violations, thresholds, invariants, metrics, notExercised, foot]
      .filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var head: String {
    let outcome = result.outcome
    let code = result.exitCode == .passed ? "" : " (exit \(result.exitCode.rawValue))"
    let title =
      "### \(outcome.sign) \(Self.safe(result.scenario.name)): \(outcome.words)\(code)"
    let run = "Seed \(result.scenario.seed), \(result.scenario.clock.name)"
    let overrides = result.scenario.overrides.map(Self.safe).joined(separator: ", ")
    return ([title, run + (overrides.isEmpty ? "." : ", with \(overrides).")] + result.story.map(Self.safe))
      .joined(separator: "\n\n")
  }

  private var violations: String {
    result.invariants.filter { $0.status == .violated }.map { invariant in
      let name = "**✗ \(Self.safe(invariant.id)) violated**"
      guard let violation = invariant.firstViolation else { return name }
      let place = violation.place(clock: result.scenario.clock)
      let replay = violation.replay.map { "\n\nTo see it again:\n\n\(Self.block($0))" } ?? ""
      return "\(name): \(Self.safe(violation.message)) (\(place))\(replay)"
    }.joined(separator: "\n\n")
  }

  private var thresholds: String {
    table(
      ["threshold", "", "observed", "limit"],
      result.thresholds.map { threshold in
        let sign =
          !threshold.isFailure
          ? threshold.status == .passed ? "✓" : "○" : result.endReason.isWhole ? "✗" : "○"
        return [
          "\(threshold.metric) \(threshold.expression)", sign, threshold.observedText, threshold.limitText,
        ]
      }, numbersFrom: 2)
  }

  private var invariants: String {
    let shown = result.invariants.filter { $0.status != .notApplicable }
    let count = shown.filter { $0.status == .passed }.count
    return folded(
      "Invariants: \(count) of \(shown.count) passed",
      table(
        ["invariant", "status", "checks"],
        shown.map { [$0.id, $0.status.rawValue, Figures.whole($0.checks)] }, numbersFrom: 2))
  }

  private var metrics: String {
    let withTotal = Set(result.metrics.filter(\.tags.isEmpty).map(\.name))
    let shown = result.metrics.filter { $0.tags.isEmpty || !withTotal.contains($0.name) }
    let plain = shown.filter { $0.kind != .trend }.map { [Self.name($0), $0.valueText] }
    let trends = shown.filter { $0.kind == .trend }.map { row in
      [Self.name(row), Figures.whole(row.count ?? 0)]
        + [row.med, row.p95, row.p99, row.max].map { $0.map { row.unit.text(of: Double($0)) } ?? "–" }
    }
    return [
      folded("Metrics", table(["metric", "value"], plain, numbersFrom: 1)),
      folded(
        "Distributions", table(["distribution", "count", "med", "p95", "p99", "max"], trends, numbersFrom: 1)),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var notExercised: String {
    guard !result.notExercised.isEmpty else { return "" }
    return "Not exercised:\n\n" + result.notExercised.map { "- \(Self.safe($0))" }.joined(separator: "\n")
  }

  private var foot: String {
    result.digest.map { "Digest `\($0)`, build `\(Self.code(result.tool.build))`." } ?? ""
  }

  // MARK: Pieces

  private static func name(_ row: MetricRow) -> String {
    row.tags.isEmpty ? row.name : "\(row.name){\(row.tags)}"
  }

  private func table(_ titles: [String], _ rows: [[String]], numbersFrom: Int) -> String {
    guard !rows.isEmpty else { return "" }
    let rule = titles.indices.map { $0 < numbersFrom ? "---" : "--:" }
    let lines = [titles, rule] + rows.map { $0.map(Self.safe) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private func folded(_ summary: String, _ content: String) -> String {
    content.isEmpty ? "" : "<details><summary>\(summary)</summary>\n\n\(content)\n\n</details>"
  }

  /// A text in which nothing is markup: HTML is escaped, and so is every sign that Markdown gives a meaning.
  private static func safe(_ text: String) -> String {
    var safe = ""
    for character in text {
      if "\\`*_[]#|~!".contains(character) { safe += "\\" }
      safe.append(character)
    }
    return Markup.text(safe)
  }

  /// A text within backquotes.
  private static func code(_ text: String) -> String { text.filter { $0.isASCII && $0 != "`" && $0 != "\n" } }

  /// A block of code, fenced by more backquotes than it has in a row.
  private static func block(_ text: String) -> String {
    var longest = 0
    var run = 0
    for character in text {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\n\(TextLayout.safe(text))\n\(fence)"
  }
}
