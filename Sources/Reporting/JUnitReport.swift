// JUnit XML, as continuous integration reads it. There is no standard; this keeps to what Jenkins, GitLab and their
// like agree on: suites of cases with a failure, an error or a skip.

extension RunResult {
  /// Returns the run as JUnit XML: a case for each invariant and each threshold.
  ///
  /// What was not exercised, not applicable or not judged is skipped; an invariant that the scenario requires and the
  /// run did not exercise is a failure. A run that was interrupted or broke has a case of its own with an error.
  /// - Complexity: O(n) in the numbers of invariants and thresholds.
  /// - Returns: The document, XML 1.0 in UTF-8, ending in a line break.
  public func junitText() -> String {
    let cases = runCases + invariantCases + thresholdCases
    let totals = [
      ("tests", String(cases.count)), ("failures", String(cases.count { $0.outcome.element == "failure" })),
      ("errors", String(cases.count { $0.outcome.element == "error" })),
      ("skipped", String(cases.count { $0.outcome.element == "skipped" })),
      ("time", secondsText(machine.wallNanoseconds)),
    ]
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites\(attributes([("name", "simulate")] + totals))>\n"
    text += "  <testsuite\(attributes([("name", scenario.name)] + totals))>\n"
    text += "    <properties>\n"
    for property in properties { text += "      <property\(attributes(property))/>\n" }
    text += "    </properties>\n"
    for testCase in cases { text += testCase.text }
    if !story.isEmpty {
      text += "    <system-out>\(escaped(story.joined(separator: "\n")))</system-out>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private var properties: [[(String, String)]] {
    var properties = [
      ("seed", String(scenario.seed)), ("clock", scenario.clock.rawValue), ("hash", scenario.hash),
      ("endReason", endReason.rawValue), ("exitCode", String(exitCode.rawValue)),
    ]
    if let digest { properties.append(("digest", digest)) }
    properties += scenario.overrides.map { ("override", $0) }
    return properties.map { [("name", $0.0), ("value", $0.1)] }
  }

  private var runCases: [JUnitCase] {
    verdicts.filter { $0.kind == .run && $0.status != .passed }.map { verdict in
      let message =
        verdict.status == .interrupted ? "interrupted by \(verdict.id)" : "ended by an internal error"
      return JUnitCase(
        suite: scenario.name,
        group: "run",
        name: "run",
        outcome: .error(type: verdict.status.rawValue, message: message, details: "")
      )
    }
  }

  private var invariantCases: [JUnitCase] {
    invariants.map { invariant in
      JUnitCase(
        suite: scenario.name,
        group: "invariants",
        name: invariant.id,
        outcome: outcome(of: invariant)
      )
    }
  }

  private func outcome(of invariant: InvariantResult) -> JUnitCase.Outcome {
    let isUnmet = verdicts.contains {
      $0.kind == .requirement && $0.id == invariant.id && $0.status == .notExercised
    }
    if isUnmet, invariant.status != .violated {
      let checks = Figures.count(invariant.checks, "check")
      return .failure(
        type: "not-exercised",
        message: "required, but exercised too little: \(checks)",
        details: ""
      )
    }
    switch invariant.status {
    case .violated:
      guard let violation = invariant.firstViolation else {
        return .failure(type: "violated", message: "violated", details: "")
      }
      return .failure(
        type: "violated",
        message: violation.message,
        details: violation.details(clock: scenario.clock)
      )
    case .passed: return .passed
    case .notExercised: return .skipped(message: "not exercised: nothing happened that it speaks of")
    case .notApplicable: return .skipped(message: "not applicable: it is not about this run")
    }
  }

  private var thresholdCases: [JUnitCase] {
    thresholds.map { threshold in
      var outcome: JUnitCase.Outcome
      let seen = "observed \(threshold.observedText), limit \(threshold.limitText)"
      switch threshold.status {
      case .passed: outcome = .passed
      case .noData where !threshold.isFailure: outcome = .skipped(message: "no data, which is allowed")
      case .failed, .noData:
        outcome = .failure(
          type: threshold.status.rawValue,
          message: seen,
          details: "from \(Figures.count(threshold.samples, "sample"))"
        )
      }
      if !endReason.isWhole, threshold.status != .passed {
        outcome = .skipped(message: "not judged, the run was cut off: \(seen)")
      }
      return JUnitCase(
        suite: scenario.name,
        group: "thresholds",
        name: "\(threshold.metric): \(threshold.expression)",
        outcome: outcome
      )
    }
  }
}

/// One test case of the document.
private struct JUnitCase {
  enum Outcome {
    case passed
    case skipped(message: String)
    case failure(type: String, message: String, details: String)
    case error(type: String, message: String, details: String)

    var element: String? {
      switch self {
      case .passed: nil
      case .skipped: "skipped"
      case .failure: "failure"
      case .error: "error"
      }
    }
  }

  let suite: String
  let group: String
  let name: String
  let outcome: Outcome

  var text: String {
    let start =
      "    <testcase\(attributes([("classname", "\(suite).\(group)"), ("name", name), ("time", "0")]))"
    switch outcome {
    case .passed: return start + "/>\n"
    case .skipped(let message):
      return start + ">\n      <skipped\(attributes([("message", message)]))/>\n    </testcase>\n"
    case .failure(let type, let message, let details), .error(let type, let message, let details):
      let element = outcome.element ?? "failure"
      return start + ">\n      <\(element)\(attributes([("type", type), ("message", message)]))>"
        + escaped(details) + "</\(element)>\n    </testcase>\n"
    }
  }
}

private func attributes(_ pairs: [(String, String)]) -> String {
  pairs.map { " \($0.0)=\"\(escaped($0.1, inAttribute: true))\"" }.joined()
}

/// Returns a text with everything replaced that XML 1.0 would take amiss; what it cannot hold at all becomes U+FFFD.
private func escaped(_ text: String, inAttribute: Bool = false) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    // A parser turns bare ones into spaces in an attribute, and a bare carriage return into a line feed anywhere.
    case "\n", "\t": escaped += inAttribute ? "&#\(scalar.value);" : String(scalar)
    case "\r": escaped += "&#13;"
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
    // Allowed but discouraged; some readers refuse them.
    case "\u{7F}"..."\u{9F}": escaped += "&#\(scalar.value);"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}

/// Returns whole nanoseconds as seconds with three decimals.
private func secondsText(_ nanoseconds: Int64) -> String {
  let milliseconds = (max(nanoseconds, 0) + 500_000) / 1_000_000
  let fraction = String(milliseconds % 1000)
  return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
}
