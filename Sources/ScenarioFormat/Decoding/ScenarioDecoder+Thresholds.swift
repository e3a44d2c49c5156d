import Metrics

// Thresholds: the grammar belongs to Metrics, the places to us.

extension ScenarioDecoder {
  /// Decodes `thresholds`.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - groups: The names of the groups, which the tag `group` may have; nil if they are not known.
  /// - Returns: The thresholds in the order of the file.
  mutating func decodeThresholds(in file: ObjectReader, groups: [String]?) -> [ThresholdSpec]? {
    guard let entries = entries("thresholds", in: file, being: "an object of lists by metric") else {
      return nil
    }
    var metrics: Set<String> = []
    var specs: [ThresholdSpec] = []
    for (member, path) in entries {
      guard member.key.utf8.count <= Bounds.expressionLength else {
        log.report("too long for a metric with tags", at: member.keyOrigin, path: path)
        continue
      }
      let added = decodeThresholds(of: member, path: path, groups: groups)
      if let metric = added.first?.metric, !metrics.insert(metric).inserted {
        log.report(
          "another spelling of \(metric), which stands here already",
          at: member.keyOrigin,
          path: path,
          suggestion: "put all conditions on it into one list"
        )
      }
      specs += added
    }
    return specs
  }

  private mutating func decodeThresholds(
    of member: JSONMember,
    path: String,
    groups: [String]?
  ) -> [ThresholdSpec] {
    guard case .array(let elements) = member.value.content else {
      log.report(
        "expected an array, found \(member.value.kindName)",
        at: member.value.origin,
        path: path,
        suggestion: "write [\"count==1\"]"
      )
      return []
    }
    guard elements.count <= Bounds.elements else {
      log.report(
        "\(elements.count) elements",
        at: member.value.origin,
        path: path,
        suggestion: "write at most \(Bounds.elements)"
      )
      return []
    }
    guard !elements.isEmpty else {
      log.report(
        "no condition on this metric",
        at: member.value.origin,
        path: path,
        suggestion: "write [\"count==1\"]"
      )
      return []
    }
    var isMetricReported = false
    return elements.enumerated().compactMap { index, element -> ThresholdSpec? in
      let value = LocatedValue(json: element, path: ValuePath.appending(index: index, to: path))
      guard let text = thresholdText(value) else { return nil }
      do throws(ThresholdError) {
        let threshold = try Threshold.parse(
          metric: member.key,
          expression: text.expression.text,
          allowsEmpty: text.allowsEmpty,
          groups: groups
        )
        return ThresholdSpec(
          threshold: threshold,
          abortsOnFailure: text.abortsOnFailure,
          abortDelay: text.abortDelay
        )
      } catch {
        for problem in error.problems where problem.part == .metric && !isMetricReported {
          log.report(Shown.line(problem.message), at: member.keyOrigin, path: path)
        }
        for problem in error.problems where problem.part == .expression {
          log.report(Shown.line(problem.message), at: text.expression.value)
        }
        isMetricReported = true
        return nil
      }
    }
  }

  private struct ThresholdText {
    var expression: LocatedText
    var abortsOnFailure = false
    var abortDelay: Duration = .zero
    var allowsEmpty = false
  }

  private mutating func thresholdText(_ value: LocatedValue) -> ThresholdText? {
    guard case .object = value.json.content else {
      return expression(value).map { ThresholdText(expression: $0) }
    }
    guard let object = open(value, as: .threshold) else { return nil }
    let expression = object.value("threshold").flatMap { self.expression($0) }
    let abortsOnFailure = boolean("abortOnFail", in: object)
    let abortDelay = duration("delayAbortEval", in: object)
    let allowsEmpty = boolean("allowEmpty", in: object)
    guard let expression, let abortsOnFailure, let abortDelay, let allowsEmpty else { return nil }
    return ThresholdText(
      expression: expression,
      abortsOnFailure: abortsOnFailure,
      abortDelay: abortDelay,
      allowsEmpty: allowsEmpty
    )
  }

  private mutating func expression(_ value: LocatedValue) -> LocatedText? {
    guard let text = text(value, called: "a condition such as \"count==1\"") else { return nil }
    guard text.utf8.count <= Bounds.expressionLength else {
      log.report("too long for a condition", at: value)
      return nil
    }
    return LocatedText(text: text, value: value)
  }
}
