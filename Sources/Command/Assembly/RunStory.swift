import Metrics
import Reporting
import ScenarioFormat
import Scenarios

/// What happened in a run, in sentences for people who have not read the scenario.
struct RunStory {
  let report: RunReport
  let invariants: [InvariantResult]
  let cores: Int
  let signal: Verdict.Signal

  /// The sentences, the main one first.
  ///
  /// - Complexity: O(m) in the metrics of the run.
  var lines: [String] {
    var lines = [asked]
    if report.scenario.clock == .wall, let throughput { lines.append(throughput) }
    if let warmup { lines.append(warmup) }
    lines += unmetRequirements
    if let cutOff { lines.append(cutOff) }
    return lines
  }

  private func count(_ metric: Metric, _ tags: Tags = .none) -> Int64 {
    report.metrics.query(metric, tags)?.count ?? 0
  }

  // MARK: What was asked, and what it cost

  private var asked: String {
    let scenario = report.scenario
    let evaluations = count(.evaluations)
    var readers = Figures.count(scenario.readerCount, "reader")
    let instances = scenario.client.instances
    if instances > 1 { readers += " in \(Figures.count(instances, "app instance"))" }
    guard evaluations > 0 else { return "\(readers), and not one evaluation returned." }
    var what = "\(readers) asked"
    if evaluations != Int64(scenario.readerCount) { what += " \(Figures.count(evaluations, "time"))" }
    return "\(what), \(costs.joined(separator: ", "))."
  }

  /// Where the answers came from, what did not occur left out.
  private var costs: [String] {
    let requests = count(.requests, ["endpoint": "evaluate"])
    let joined = count(.coalesced)
    let fresh = count(.cacheHits, ["state": "fresh"])
    let stale = count(.cacheHits, ["state": "stale"])
    let byDefault = count(.cacheHits, ["state": "default"])
    var parts = [requests == 0 ? "no request left" : "\(Figures.count(requests, "request")) left"]
    if joined > 0 { parts.append("\(Figures.whole(joined)) joined \(requests == 1 ? "it" : "one")") }
    if fresh > 0 { parts.append("\(Figures.whole(fresh)) \(were(fresh)) answered from the cache") }
    if stale > 0 { parts.append("\(Figures.whole(stale)) got a stale value") }
    if byDefault > 0 { parts.append("\(Figures.whole(byDefault)) got the default") }
    return parts
  }

  private func were(_ count: Int64) -> String { count == 1 ? "was" : "were" }

  /// The throughput of the busiest group, over the time in which it evaluated.
  private var throughput: String? {
    guard let busiest = report.activity.max(by: { $0.evaluations < $1.evaluations }) else { return nil }
    let nanoseconds = busiest.lastReturn - busiest.firstCall
    guard nanoseconds > 0 else { return nil }
    let evaluations = busiest.evaluations
    let perSecond = Double(evaluations) / (Double(nanoseconds) / 1e9)
    return "\(busiest.group): \(Figures.count(evaluations, "evaluation")) in "
      + "\(Figures.duration(nanoseconds: Double(nanoseconds))): "
      + "\(Figures.whole(Int64(perSecond.rounded()))) per second on \(Figures.count(cores, "core"))."
  }

  private var warmup: String? {
    guard report.window.warmup > 0 else { return nil }
    let evaluations = report.warmupMetrics.query(.evaluations)?.count ?? 0
    let requests = report.warmupMetrics.query(.requests)?.count ?? 0
    return "Left out: a warm-up of \(Figures.duration(nanoseconds: Double(report.window.warmup))) with "
      + "\(Figures.count(evaluations, "evaluation")) and \(Figures.count(requests, "request"))."
  }

  // MARK: What is missing

  /// Which required invariants were not exercised enough; none in a run that was cut off, where it proves nothing.
  private var unmetRequirements: [String] {
    guard report.endReason == .completed || report.endReason == .threshold else { return [] }
    return report.scenario.applicableRequirements.compactMap { requirement in
      let checks = invariants.first { $0.id == requirement.invariant.id }?.checks ?? 0
      guard checks < Int64(requirement.minChecks) else { return nil }
      return "Inconclusive: \(requirement.invariant.id) made \(Figures.count(checks, "check")), "
        + "\(Figures.whole(requirement.minChecks)) required."
    }
  }

  private var cutOff: String? {
    let time = Figures.duration(nanoseconds: Double(report.simulatedNanoseconds))
    let clock = report.scenario.clock == .virtual ? "virtual time" : "real time"
    switch report.endReason {
    case .completed, .violation: return nil
    case .threshold: return "Ended early, after \(time) of \(clock): a threshold failed that ends the run."
    case .signal:
      return "Interrupted by \(signal.rawValue) after \(time) of \(clock): nothing later is known."
    case .internal:
      return "The run could not go on after \(time) of \(clock): \(report.problem ?? "no reason is known")."
    }
  }
}
