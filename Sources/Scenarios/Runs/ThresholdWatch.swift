import Metrics
import ScenarioFormat

/// Looks, once in a while, whether a threshold with `abortOnFail` has failed.
///
/// Evaluating a threshold merges histograms, so it is done once per second of the run's time and not at every step.
struct ThresholdWatch {
  private static let interval: Int64 = 1_000_000_000

  private let watched: [ThresholdSpec]
  private var next: Int64

  init(_ scenario: Scenario) {
    watched = scenario.thresholds.filter(\.abortsOnFailure)
    next = watched.isEmpty ? .max : ThresholdWatch.interval
  }

  /// Whether a watched threshold has failed on what was measured until now.
  ///
  /// A metric without samples has not.
  mutating func hasFailed(at now: Int64, warmup: Int64, _ store: () -> MetricStore) -> Bool {
    guard now >= next else { return false }
    next = now + ThresholdWatch.interval
    let due = watched.filter { now >= $0.abortDelay.nanoseconds }
    guard !due.isEmpty else { return false }
    let measured = store()
    return due.contains { spec in
      spec.threshold.evaluate(in: measured, windowNanoseconds: max(1, now - warmup)).status == .failed
    }
  }
}
