// The grammar of a threshold's expression, k6's with units:
//
//   expression  = aggregation operator limit
//   aggregation = "count" | "rate" | "avg" | "min" | "med" | "max" | "value" | "p(" number ")"
//   operator    = "<" | "<=" | ">" | ">=" | "==" | "!="
//   limit       = number | number unit | "baseline" [ "*" number ]
//   unit        = "ns" | "us" | "ms" | "s" | "m" | "h" | "d"
//
// White space may stand between the parts. A number is digits with an optional fraction, no sign, no exponent. All
// problems of one expression are reported, each with what to write instead.

extension Threshold {
  /// Reads a threshold on a metric of the catalogue.
  ///
  /// - Complexity: O(n) in the length of the texts; more if a name is unknown, to find the nearest.
  /// - Parameters:
  ///   - metric: The metric with optional tags, as `requests{endpoint:evaluate}`.
  ///   - expression: The condition, as `p(95)<100ms`.
  ///   - allowsEmpty: Whether a metric without samples is no failure.
  ///   - groups: The names of the readers' groups, to check the tag `group`; nil to take any.
  /// - Returns: The threshold.
  /// - Throws: All problems of both texts.
  public static func parse(
    metric: String,
    expression: String,
    allowsEmpty: Bool = false,
    groups: [String]? = nil
  ) throws(ThresholdError) -> Threshold {
    var problems: [ThresholdError.Problem] = []
    var selector: MetricSelector?
    do { selector = try MetricSelector.parse(metric, groups: groups) } catch { problems += error.problems }
    // An unknown metric has no kind to check the expression against; its grammar is checked all the same.
    let kindSource = selector?.metric ?? Metric.named(trimmed(metric.prefix { $0 != "{" }))
    var parser = ExpressionParser(text: trimmed(expression[...]), metric: kindSource)
    let parsed = parser.parse()
    problems += parser.problems
    guard problems.isEmpty, let selector, let parsed else { throw ThresholdError(problems: problems) }
    return Threshold(
      selector: selector,
      expression: parser.text,
      aggregation: parsed.aggregation,
      comparison: parsed.comparison,
      exactLimit: parsed.limit,
      allowsEmpty: allowsEmpty
    )
  }
}

private struct ExpressionParser {
  let text: String
  /// The metric that is judged; nil if it is unknown.
  let metric: Metric?
  private(set) var problems: [ThresholdError.Problem] = []

  init(text: String, metric: Metric?) {
    self.text = text
    self.metric = metric
  }

  private mutating func report(_ message: String, suggestion: String? = nil) {
    problems.append(.init(part: .expression, message: "\"\(text)\": \(message)", suggestion: suggestion))
  }

  mutating func parse() -> (
    aggregation: Threshold.Aggregation, comparison: Threshold.Comparison, limit: ExactNumber
  )? {
    let signs: Set<Character> = ["<", ">", "=", "!", "≤", "≥", "≠"]
    guard let begin = text.firstIndex(where: signs.contains) else {
      report("there is no comparison; write an aggregation, an operator and a limit, as in \"count==1\"")
      return nil
    }
    let end = text[begin...].firstIndex { !signs.contains($0) } ?? text.endIndex
    let comparison = parseComparison(String(text[begin..<end]))
    let aggregation = parseAggregation(trimmed(text[..<begin]))
    let limit = parseLimit(trimmed(text[end...]), of: aggregation)
    guard problems.isEmpty, let comparison, let aggregation, let limit else { return nil }
    return (aggregation, comparison, limit)
  }

  private mutating func parseComparison(_ sign: String) -> Threshold.Comparison? {
    if let comparison = Threshold.Comparison(rawValue: sign) { return comparison }
    let meant = ["=": "==", "===": "==", "=<": "<=", "=>": ">=", "<>": "!=", "!==": "!=", "!": "!="]
    let meantSymbols = ["≤": "<=", "≥": ">=", "≠": "!="]
    if let suggestion = meant[sign] ?? meantSymbols[sign] {
      report("\"\(sign)\" is no comparison; write \"\(suggestion)\"", suggestion: suggestion)
    } else {
      report("\"\(sign)\" is no comparison; it is one of < <= > >= == !=")
    }
    return nil
  }

  // MARK: Aggregation

  private static let words: [(word: String, aggregation: Threshold.Aggregation)] = [
    ("count", .count), ("rate", .rate), ("avg", .avg), ("min", .min), ("med", .med), ("max", .max),
    ("value", .value),
  ]

  private mutating func parseAggregation(_ word: String) -> Threshold.Aggregation? {
    guard !word.isEmpty else {
      report("nothing stands before the comparison; write for example \"\(example())\"")
      return nil
    }
    let isPercentile = word.hasPrefix("p(") || word.hasPrefix("p (")
    let known =
      isPercentile
      ? parsePercentile(word) : ExpressionParser.words.first { $0.word == word }?.aggregation
    guard let aggregation = known else {
      if !isPercentile { reportUnknownAggregation(word) }
      return nil
    }
    guard let metric, !ExpressionParser.suits(aggregation, metric.kind) else { return aggregation }
    report(
      "\(word) does not suit \"\(metric.name)\", which is a \(metric.kind.rawValue); "
        + "use \(ExpressionParser.suitable(metric.kind))"
    )
    return nil
  }

  private mutating func reportUnknownAggregation(_ word: String) {
    let digits = word.drop { $0 == "p" }
    if word.first == "p", ExactNumber(decimal: digits) != nil {
      report("\"\(word)\" is no aggregation; write \"p(\(digits))\"", suggestion: "p(\(digits))")
      return
    }
    let meant = ["median": "med", "average": "avg", "mean": "avg", "minimum": "min", "maximum": "max"]
    let nearest = meant[word] ?? Spelling.nearest(to: word, among: ExpressionParser.words.map(\.word))
    let remedy =
      nearest.map { "did you mean \"\($0)\"?" } ?? "it is one of count rate avg min med max value p(N)"
    report("\"\(word)\" is no aggregation; \(remedy)", suggestion: nearest)
  }

  private mutating func parsePercentile(_ word: String) -> Threshold.Aggregation? {
    guard word.last == ")", let open = word.firstIndex(of: "(") else {
      report("\"\(word)\" lacks its closing bracket; write for example \"p(95)\"")
      return nil
    }
    let number = trimmed(word[word.index(after: open)...].dropLast())
    guard let percent = ExactNumber(decimal: number[...]), ExactNumber.order(percent, ExactNumber(100)) <= 0
    else {
      report(
        "\"\(word)\" is no percentile; the number lies between 0 and 100, as in \"p(95)\" or \"p(99.9)\""
      )
      return nil
    }
    guard 1_000_000 % percent.denominator == 0 else {
      report("\"\(word)\" is finer than a percentile can be; keep at most six decimals")
      return nil
    }
    return .percentile(percent.approximation)
  }

  private static func suits(_ aggregation: Threshold.Aggregation, _ kind: MetricKind) -> Bool {
    switch (aggregation, kind) {
    case (.count, .counter), (.rate, .counter), (.rate, .rate), (.value, .gauge): true
    case (.count, .trend), (.avg, .trend), (.min, .trend), (.med, .trend), (.max, .trend): true
    case (.percentile, .trend): true
    default: false
    }
  }

  private static func suitable(_ kind: MetricKind) -> String {
    switch kind {
    case .counter: "count or rate"
    case .gauge: "value"
    case .rate: "rate"
    case .trend: "count, avg, min, med, max or p(N)"
    }
  }

  // MARK: Limit

  private static let nanosecondsPerUnit: [(unit: String, nanoseconds: Int128)] = [
    ("ns", 1), ("us", 1000), ("µs", 1000), ("μs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("m", 60_000_000_000), ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
  ]

  private mutating func parseLimit(_ word: String, of aggregation: Threshold.Aggregation?) -> ExactNumber? {
    guard !word.isEmpty else {
      report("nothing stands after the comparison; write for example \"\(example())\"")
      return nil
    }
    if word.hasPrefix("baseline") {
      reportBaseline(word.dropFirst("baseline".count))
      return nil
    }
    guard word.first != "-" else {
      report("the limit \"\(word)\" is negative; nothing that is measured here is")
      return nil
    }
    let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
    let unit = trimmed(word.dropFirst(digits.count))
    let isUnit = unit.allSatisfy { $0.isLetter || $0 == "%" }
    guard isUnit, let number = ExactNumber(decimal: digits) else {
      report(
        digits.count > 18
          ? "the limit \"\(word)\" has too many digits; keep at most 18 before and 9 after the point"
          : "\"\(word)\" is no limit; write plain digits, as in \"\(example())\""
      )
      return nil
    }
    // Without a metric or an aggregation there is nothing to tell which unit the limit needs.
    guard let metric, let aggregation else { return number }
    let isTime = metric.unit == .nanoseconds && aggregation != .count
    return isTime ? duration(number, unit: unit, word: word) : plain(number, unit: unit, word: word)
  }

  private mutating func duration(_ number: ExactNumber, unit: String, word: String) -> ExactNumber? {
    guard !unit.isEmpty else {
      report("the limit of a time needs a unit; write \"\(word)ms\" or \"\(word)s\"", suggestion: "\(word)ms")
      return nil
    }
    guard let known = ExpressionParser.nanosecondsPerUnit.first(where: { $0.unit == unit }) else {
      report("\"\(unit)\" is no unit of time; it is one of ns us ms s m h d")
      return nil
    }
    let nanoseconds = number.multiplied(by: known.nanoseconds)
    let (whole, rest) = nanoseconds.numerator.quotientAndRemainder(dividingBy: nanoseconds.denominator)
    guard rest == 0 else {
      report("the limit \"\(word)\" is finer than a nanosecond; keep fewer decimals")
      return nil
    }
    guard whole <= Int128(Int64.max) else {
      report("the limit \"\(word)\" is longer than 292 years; keep it shorter")
      return nil
    }
    return ExactNumber(whole)
  }

  private mutating func plain(_ number: ExactNumber, unit: String, word: String) -> ExactNumber? {
    guard unit.isEmpty else {
      let remedy = unit == "%" ? "write 0.01 for 1 %" : "write the number alone"
      report("the limit \"\(word)\" has a unit, but what is compared has none; \(remedy)")
      return nil
    }
    if metric?.kind == .rate, ExactNumber.order(number, ExactNumber(1)) > 0 {
      report("the limit \"\(word)\" of a share lies between 0 and 1; write 0.01 for 1 %")
      return nil
    }
    return number
  }

  /// Tells well-formed from malformed, so that a file that a later version accepts is not called wrong here.
  private mutating func reportBaseline(_ rest: Substring) {
    let factor = trimmed(rest)
    let isWellFormed =
      factor.isEmpty
      || factor.first == "*" && ExactNumber(decimal: trimmed(factor.dropFirst())[...]) != nil
    report(
      isWellFormed
        ? "baselines are not available in this version; write a fixed limit, as in \"\(example())\""
        : "\"baseline\(rest)\" is no limit; a baseline may be followed by a factor, as in \"baseline*1.10\""
    )
  }

  /// Returns an expression that suits the metric.
  private func example() -> String {
    guard let metric else { return "count==1" }
    switch metric.kind {
    case .counter: return "count==1"
    case .gauge: return "value<100"
    case .rate: return "rate<0.01"
    case .trend: return metric.unit == .nanoseconds ? "p(95)<100ms" : "max<=10"
    }
  }
}
