import Invariants
import Metrics
import Reporting

/// The command `explain`.
struct ExplainAction {
  let surroundings: Surroundings
  let console: Console

  func perform(_ arguments: ParsedArguments) -> ExitCode {
    var problems = arguments.problems
    if arguments.operands.count > 1 {
      problems.append(UsageProblem("explain takes one name; ask for each in turn"))
    }
    var page = TextPage(columns: surroundings.outputTerminal.columns)
    if let name = arguments.operands.first {
      if let invariant = Invariant.named(name) {
        Self.explain(invariant, on: &page)
      } else if let metric = Metric.named(name) {
        Self.explain(metric, on: &page)
      } else {
        problems.append(Self.unknown(name))
      }
    } else {
      Self.listAll(on: &page)
    }
    for problem in problems { console.tell(problem: problem) }
    guard problems.isEmpty else { return .usage }
    console.print(page.text)
    return .passed
  }

  private static func unknown(_ name: String) -> UsageProblem {
    let names = Invariant.known.map(\.id) + Metric.catalogue.map(\.name)
    let remedy =
      Spelling.nearest(to: name, among: names).map { "did you mean \($0)?" } ?? "simulate explain lists them"
    return UsageProblem("there is no invariant or metric \(ShownText.quoted(name)); \(remedy)")
  }

  private static func listAll(on page: inout TextPage) {
    page.paragraph("Invariants")
    page.definitions(Invariant.known.map { ($0.id, $0.summary) })
    page.heading("Metrics")
    page.definitions(Metric.catalogue.map { ($0.name, $0.summary) })
  }

  private static func explain(_ invariant: Invariant, on page: inout TextPage) {
    page.paragraph("\(invariant.id) (invariant)")
    page.blank()
    page.paragraph(invariant.summary, indent: 2)
    page.blank()
    page.definitions([
      ("check", invariant.unit ?? ""),
      ("judged in", clients(of: invariant)),
      ("source", "BEHAVIOUR §4, \(invariant.id)"),
    ])
  }

  /// The kinds of client whose runs are judged by a rule.
  private static func clients(of invariant: Invariant) -> String {
    let kinds = ClientKind.allCases.filter { invariant.isApplicable(to: $0) }.map(\.rawValue)
    return "runs of client.kind " + kinds.joined(separator: " and ")
  }

  private static func explain(_ metric: Metric, on page: inout TextPage) {
    page.paragraph("\(metric.name) (metric)")
    page.blank()
    page.paragraph(metric.summary, indent: 2)
    page.blank()
    let tags = (metric.tags + [Metric.groupTag]).map { tag in
      let values = tag.values.map { " (\($0.joined(separator: ", ")))" } ?? ""
      return (term: "  \(tag.name)", meaning: tag.summary + values)
    }
    page.definitions(
      [
        (term: "kind", meaning: "\(metric.kind.rawValue): \(meaning(of: metric.kind))"),
        (term: "unit", meaning: metric.unit.rawValue),
        (term: "judged by", meaning: aggregations(of: metric.kind)),
        (term: "tags", meaning: metric.hasOverlappingParts ? "parts overlap: there is no total" : ""),
      ] + tags
    )
  }

  private static func meaning(of kind: MetricKind) -> String {
    switch kind {
    case .counter: "a number that only grows"
    case .gauge: "a number that is set; the last one counts"
    case .rate: "the share of samples that were hits"
    case .trend: "a distribution of values"
    }
  }

  /// What a threshold can ask of a metric of a kind.
  private static func aggregations(of kind: MetricKind) -> String {
    switch kind {
    case .counter: "count, rate (per second)"
    case .gauge: "value"
    case .rate: "rate"
    case .trend: "count, avg, min, med, max, p(N)"
    }
  }
}
