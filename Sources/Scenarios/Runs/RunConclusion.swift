import Invariants
import Metrics
import ScenarioFormat

/// What both kinds of run do when they are over.
enum RunConclusion {
  /// The facts by which the judges judge.
  static func facts(_ scenario: Scenario) -> RunFacts {
    var facts = RunFacts(
      clientKind: scenario.client.kind == .flags ? .flags : .featureControl,
      cacheTTL: scenario.client.cacheTTL.nanoseconds,
      requestTimeout: scenario.client.requestTimeout.nanoseconds)
    facts.answersNameEveryKey = !scenario.strikingFaults.contains { fault in
      switch fault.effect {
      case .body(.undecodableFlag), .body(.missingFlag): true
      default: false
      }
    }
    facts.sendsRetryAfter = scenario.strikingFaults.contains { $0.retryDelay != nil }
    facts.fleet = scenario.fleet.map { fleet in
      FleetBounds(
        alpha: Double(fleet.alphaThousandths) / 1000, beta: Double(fleet.betaThousandths) / 1000,
        jitterWindow: fleet.jitterWindow.nanoseconds, readers: scenario.readerCount)
    }
    return facts
  }

  /// The invariants that a scenario selects.
  static func judged(_ scenario: Scenario) -> [Invariant] {
    scenario.invariants.selected
  }

  /// How the thresholds came out.
  static func thresholds(_ scenario: Scenario, _ store: MetricStore, window: RunWindow) -> [ThresholdResult] {
    scenario.thresholds.map { $0.threshold.evaluate(in: store, windowNanoseconds: window.measured) }
  }

  /// The stretches of a run that played until `played` and came to rest at `end`.
  static func window(_ scenario: Scenario, played: Int64, end: Int64) -> RunWindow {
    let warmup = min(scenario.warmup.nanoseconds, played)
    return RunWindow(warmup: warmup, measured: max(0, played - warmup), drain: max(0, end - played))
  }

  /// A sentence for each group whose readers never read although that is among their steps: no evaluation returned, or no
  /// flag was read.
  static func idleGroups(_ scenario: Scenario, _ store: MetricStore, _ warmup: MetricStore) -> [String] {
    scenario.groups.compactMap { group in
      let tags: Tags = ["group": group.name]
      func isIdle(in metric: Metric) -> Bool {
        (store.query(metric, tags)?.count ?? 0) + (warmup.query(metric, tags)?.count ?? 0) == 0
      }
      if group.steps.contains(where: \.evaluates), isIdle(in: .evaluations) {
        return "readers.\(group.name) evaluated nothing"
      }
      if group.steps.contains(where: \.reads), isIdle(in: .reads) {
        return "readers.\(group.name) read nothing"
      }
      return nil
    }
  }

  /// The part of a run that is done, as far as counting iterations can tell; nil if it can't.
  static func fraction(_ scenario: Scenario, iterations: Int) -> Double? {
    var total = 0.0
    for group in scenario.groups {
      guard case .perReaderIterations(let readers, let each, _) = group.executor else { return nil }
      total += Double(readers) * Double(each)
    }
    return total > 0 ? min(1, Double(iterations) / total) : nil
  }

  /// The part of a run that is done by its planned length in time.
  static func fraction(_ scenario: Scenario, now: Int64) -> Double? {
    var end: Int64 = 0
    for group in scenario.groups {
      let start = group.startTime.nanoseconds
      switch group.executor {
      case .perReaderIterations: return nil
      case .constantReaders(_, let duration): end = max(end, start + duration.nanoseconds)
      case .rampingReaders(_, let stages, _):
        end = max(end, start + stages.reduce(0) { $0 + $1.duration.nanoseconds })
      case .constantArrivalRate(_, _, let duration, _, _): end = max(end, start + duration.nanoseconds)
      case .rampingArrivalRate(_, _, let stages, _, _):
        end = max(end, start + stages.reduce(0) { $0 + $1.duration.nanoseconds })
      }
    }
    return end > 0 ? min(1, Double(now) / Double(end)) : nil
  }
}

extension ReaderStep {
  /// Whether the step asks for flags and waits for them.
  fileprivate var evaluates: Bool {
    switch action {
    case .evaluate, .evaluateOrThrow, .cancel: true
    case .invalidate, .sleep, .recordExposure, .flush, .listNotifications, .markRead, .markAllRead,
      .switchUser, .read, .refresh, .cancelRefresh, .signIn, .signOut, .background, .foreground, .relaunch,
      .consent, .capture:
      false
    }
  }

  /// Whether the step reads flags that are held.
  fileprivate var reads: Bool { if case .read = action { true } else { false } }
}
