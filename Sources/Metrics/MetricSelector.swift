/// A metric, or the part of it whose tags contain the given ones: `requests{endpoint:evaluate}`.
public struct MetricSelector: Sendable, Hashable, CustomStringConvertible {
  /// The metric.
  public let metric: Metric
  /// The tags that a sample must have; none for all samples.
  public let tags: Tags

  /// Creates a selector.
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - tags: The tags that a sample must have; none for all samples.
  public init(metric: Metric, tags: Tags = .none) {
    self.metric = metric
    self.tags = tags
  }

  /// The selector as it is written in scenario files, with the tags sorted by name.
  ///
  /// - Complexity: O(n) in the number of tags.
  public var description: String { tags.isEmpty ? metric.name : "\(metric.name){\(tags)}" }

  /// Reads a selector of a metric of the catalogue.
  ///
  /// - Complexity: O(n) in the length of the text; more if a name is unknown, to find the nearest.
  /// - Parameters:
  ///   - text: The text, as `requests{endpoint:evaluate,group:launch}`.
  ///   - groups: The names of the readers' groups, to check the tag `group`; nil to take any.
  /// - Returns: The selector.
  /// - Throws: All problems of the text, if it names no metric or tags that the metric's samples never carry: a
  ///   threshold on what cannot occur would only fail at the end of the run.
  public static func parse(_ text: String, groups: [String]? = nil) throws(ThresholdError) -> MetricSelector {
    var problems: [ThresholdError.Problem] = []
    func report(_ message: String, suggestion: String? = nil) {
      problems.append(.init(part: .metric, message: message, suggestion: suggestion))
    }
    let (name, tagText) = split(text)
    let metric = Metric.named(name)
    if metric == nil {
      let nearest = Metric.nearest(to: name)?.name
      let remedy = nearest.map { "did you mean \"\($0)\"?" } ?? "`simulate explain` lists the metrics"
      report("unknown metric \"\(name)\"; \(remedy)", suggestion: nearest)
    }
    var pairs: [(name: String, value: String)] = []
    if var inner = tagText {
      if inner.last != "}" {
        report("\"\(text)\": the tags must end in \"}\", as in \"requests{endpoint:evaluate}\"")
      } else {
        inner.removeLast()
        // `requests{}` is all requests, as a report's total has no tags.
        let parts =
          trimmed(inner[...]).isEmpty ? [] : inner.split(separator: ",", omittingEmptySubsequences: false)
        for part in parts {
          let pair = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
          guard pair.count == 2, !pair[0].isEmpty, !pair[1].isEmpty else {
            report(
              "\"\(text)\": \"\(trimmed(part))\" is no tag; write name:value, as in \"endpoint:evaluate\""
            )
            continue
          }
          if pairs.contains(where: { $0.name == pair[0] }) {
            report("\"\(text)\": the tag \"\(pair[0])\" is given twice; keep one")
          }
          pairs.append((name: pair[0], value: pair[1]))
        }
      }
    }
    if let metric {
      for pair in pairs {
        if let problem = problem(of: pair, in: metric, groups: groups) { problems.append(problem) }
      }
      if problems.isEmpty, metric.hasOverlappingParts,
        let tag = metric.tags.first(where: { tag in !pairs.contains { $0.name == tag.name } })
      {
        let values = (tag.values ?? []).joined(separator: ", ")
        report(
          "\"\(text)\" would count one thing several times; "
            + "choose one with \"\(metric.name){\(tag.name):…}\": \(values)"
        )
      }
    }
    guard problems.isEmpty, let metric else { throw ThresholdError(problems: problems) }
    return MetricSelector(metric: metric, tags: Tags(pairs))
  }

  /// Returns what is wrong with a tag of a metric, if anything.
  private static func problem(
    of pair: (name: String, value: String),
    in metric: Metric,
    groups: [String]?
  ) -> ThresholdError.Problem? {
    let tags = metric.tags + [Metric.groupTag]
    guard let tag = metric.tag(named: pair.name) else {
      let nearest = Spelling.nearest(to: pair.name, among: tags.map(\.name))
      let remedy = nearest.map { "did you mean \"\($0)\"?" } ?? "it has \(list(tags.map(\.name)))"
      return .init(
        part: .metric,
        message: "\"\(metric.name)\" has no tag \"\(pair.name)\"; \(remedy)",
        suggestion: nearest
      )
    }
    let values = tag.name == Metric.groupTag.name ? groups : tag.values
    guard let values, !values.contains(pair.value) else { return nil }
    let nearest = Spelling.nearest(to: pair.value, among: values)
    let remedy = nearest.map { "did you mean \"\($0)\"?" } ?? "it is one of \(list(values))"
    return .init(
      part: .metric,
      message: "the tag \"\(pair.name)\" is never \"\(pair.value)\"; \(remedy)",
      suggestion: nearest
    )
  }

  /// Returns the name before the first brace, and what follows the brace if there is one.
  private static func split(_ text: String) -> (name: String, tags: String?) {
    guard let brace = text.firstIndex(of: "{") else { return (trimmed(text[...]), nil) }
    return (trimmed(text[..<brace]), trimmed(text[text.index(after: brace)...]))
  }
}

/// Returns names as a list for a message: `"a", "b"`.
func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

/// Returns a text without white space at both ends.
func trimmed(_ text: Substring) -> String {
  let start = text.drop(while: \.isWhitespace)
  guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return String(start[...last])
}
