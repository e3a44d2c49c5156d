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
    let isOfFlags = report.scenario.client.kind == .flags
    var lines = [isOfFlags ? read : asked]
    lines += (isOfFlags ? [lives, propagation, events] : [exposures, inbox]).compactMap(\.self)
    lines += [faults, fleet].compactMap(\.self)
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
    guard evaluations > 0 else {
      let evaluates = scenario.groups.contains { $0.steps.contains(where: \.evaluates) }
      return evaluates
        ? "\(readers), and not one evaluation returned."
        : "\(readers) made \(Figures.count(count(.requests), "request")) and evaluated nothing."
    }
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

  /// What became of the exposures.
  private var exposures: String? {
    let recorded = count(.exposures, ["outcome": "recorded"])
    guard recorded > 0 else { return nil }
    let sent = count(.exposures, ["outcome": "sent"])
    let dropped = count(.exposures, ["outcome": "dropped"])
    let batches = Figures.count(count(.batches), "batch", plural: "batches")
    let text =
      "\(Figures.count(recorded, "exposure")) \(recorded == 1 ? "was" : "were") recorded and \(batches) sent: "
      + "\(Figures.whole(sent)) acknowledged"
    return text + (dropped > 0 ? ", \(Figures.whole(dropped)) dropped and counted." : ".")
  }

  /// How the inbox was used.
  private var inbox: String? {
    let pages = count(.requests, ["endpoint": "notifications"])
    guard pages > 0 else { return nil }
    let marks = count(.requests, ["endpoint": "read"]) + count(.requests, ["endpoint": "read-all"])
    return "\(Figures.count(pages, "page")) of the inbox \(pages == 1 ? "was" : "were") asked for"
      + (marks > 0 ? ", \(Figures.count(marks, "request")) marked notifications as read." : ".")
  }

  // MARK: The flags client

  /// What was read on the devices, and what that cost.
  private var read: String {
    let scenario = report.scenario
    let readers = Figures.count(scenario.readerCount, "reader")
    let what =
      "\(readers) on \(Figures.count(scenario.client.instances, "device")) read flags "
      + "\(Figures.count(count(.reads), "time"))"
    let kinds = [
      ("snapshot", "snapshot"), ("delta", "delta"), ("realtime", "socket"), ("events", "batch of events"),
    ]
    let parts = kinds.compactMap { endpoint, name in
      let number = count(.requests, ["endpoint": endpoint])
      let plural = name == "batch of events" ? "batches of events" : name + "s"
      return number > 0 ? Figures.count(number, name, plural: plural) : nil
    }
    if parts.isEmpty { return "\(what), no request left." }
    return "\(what), \(Figures.count(count(.requests), "request")) left: \(parts.joined(separator: ", "))."
  }

  /// What happened to the devices and to what they held.
  private var lives: String? {
    let happened = [
      (count(.readerChanges), "change of reader", "changes of reader"),
      (count(.relaunches), "relaunch", "relaunches"), (count(.gone), "delta was gone", "deltas were gone"),
    ]
    let parts = happened.filter { $0.0 > 0 }.map { Figures.count($0.0, $0.1, plural: $0.2) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
  }

  /// How long a publish took to reach a device.
  private var propagation: String? {
    guard let delay = report.metrics.query(.propagationDelay), let median = delay.med, let max = delay.max
    else {
      return nil
    }
    return "A publish reached a device after \(Figures.duration(nanoseconds: median)) (median), "
      + "\(Figures.duration(nanoseconds: max)) at the latest."
  }

  /// What became of the events of analytics.
  private var events: String? {
    let recorded = count(.exposures, ["outcome": "recorded"])
    let sent = count(.exposures, ["outcome": "sent"])
    let dropped = count(.exposures, ["outcome": "dropped"])
    guard recorded + sent + dropped > 0 else { return nil }
    let batches = Figures.count(count(.batches), "batch", plural: "batches")
    return "\(Figures.count(recorded, "event")) captured, \(batches) sent with exposures and all: "
      + "\(Figures.whole(sent)) events acknowledged"
      + (dropped > 0 ? ", \(Figures.whole(dropped)) dropped and counted." : ".")
  }

  /// How many requests the faults struck.
  private var faults: String? {
    guard !report.scenario.faults.isEmpty else { return nil }
    let struck = count(.requests, ["injected": "true"])
    // Faults of authorization strike before there is a request.
    guard struck > 0 else { return nil }
    return "Faults struck \(Figures.whole(struck)) of \(Figures.count(count(.requests), "request"))."
  }

  /// What the fleet asks of its service.
  private var fleet: String? {
    guard let peak = report.metrics.query(.peakArrivals)?.value else { return nil }
    let arrived = "t most \(Figures.decimal(peak)) requests arrived in one second."
    guard let perHour = report.metrics.query(.requestsPerDeviceHour)?.value else {
      return report.scenario.fleet == nil ? nil : "A" + arrived
    }
    return "\(Figures.decimal(perHour)) requests per device-hour; a" + arrived
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

extension ReaderStep {
  /// Whether the step asks for flags.
  fileprivate var evaluates: Bool {
    switch action {
    case .evaluate, .evaluateOrThrow, .cancel: true
    case .invalidate, .sleep, .recordExposure, .flush, .listNotifications, .markRead, .markAllRead,
      .switchUser, .read, .refresh, .cancelRefresh, .signIn, .signOut, .background, .foreground, .relaunch,
      .consent, .capture:
      false
    }
  }
}
