import Metrics

/// A report that `--report FORMAT=PATH` asks for.
package struct ReportRequest: Sendable, Equatable {
  /// What is written.
  package enum Format: String, Sendable, CaseIterable {
    /// `result.json`.
    case json
    /// The page for people.
    case html
    /// Markdown, for a pull request.
    case md
    /// `customSmallerIsBetter` JSON, for dashboards of benchmarks.
    case bench
    /// The distribution that tells most, as HdrHistogram writes it.
    case hdr
    /// JUnit XML.
    case junit
  }

  /// What is written.
  package var format: Format
  /// The file; `-` for standard output.
  package var path: String

  /// Whether it goes to standard output.
  package var isForOutput: Bool { path == "-" }

  /// Reads the value of `--report`.
  ///
  /// - Parameter text: The value, as `json=out/result.json`.
  /// - Throws: What is wrong with it.
  package init(_ text: String) throws(UsageProblem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw UsageProblem(
        "--report \(ShownText.line(text)): not FORMAT=PATH; write for example --report json=result.json"
      )
    }
    guard let format = Format(rawValue: parts[0]) else {
      let known = Format.allCases.map(\.rawValue)
      let remedy =
        Spelling.nearest(to: parts[0], among: known).map { "did you mean \($0)?" }
        ?? "it is \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")"
      throw UsageProblem(
        "--report \(ShownText.line(text)): unknown format \(ShownText.quoted(parts[0])); \(remedy)"
      )
    }
    self.format = format
    self.path = parts[1]
  }
}
