import Metrics
import Reporting
import ScenarioFormat
import Scenarios

extension ResultAssembly {
  /// Returns what the page of a run draws beside its numbers.
  ///
  /// - Complexity: O(m·600) for m metrics and parts.
  /// - Parameter report: What the run gave.
  /// - Returns: The pictures.
  package func pictures(of report: RunReport) -> RunPictures {
    let scenario = report.scenario
    let durations = Metric.catalogue.filter { $0.kind == .trend && $0.unit == .nanoseconds }
    return RunPictures(
      description: scenario.description,
      course: report.metrics.course(),
      distributions: durations.compactMap { metric in
        report.metrics.query(metric).map { .init(metric: metric, histogram: $0.histogram) }
      }.filter { $0.histogram.count > 0 },
      windows: windows(of: scenario),
      marks: scenario.timeline.enumerated().sorted {
        ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
      }.map { .init(words: $0.element.words, at: $0.element.at.wholeNanoseconds) },
      trail: report.trail)
  }

  /// The warm-up, and each fault that does not last for the whole run, those of one stretch together.
  private func windows(of scenario: Scenario) -> [RunPictures.Window] {
    var windows: [RunPictures.Window] = []
    if scenario.warmup > .zero {
      windows.append(.init(name: "warm-up", from: 0, until: scenario.warmup.wholeNanoseconds))
    }
    for fault in scenario.faults where fault.canStrike && (fault.from > .zero || fault.until != nil) {
      let (from, until) = (fault.from.wholeNanoseconds, fault.until?.wholeNanoseconds)
      if let same = windows.firstIndex(where: { $0.from == from && $0.until == until }) {
        windows[same].name += ", \(fault.name)"
      } else {
        windows.append(.init(name: fault.name, from: from, until: until))
      }
    }
    return windows
  }
}

extension TimelineEntry {
  /// What the entry does, in a few words.
  fileprivate var words: String {
    let subject: String? =
      switch action {
      case .publishFlags(let keys?): keys.joined(separator: ", ")
      case .deleteFlag(let key), .defineFlag(let key), .giveUser(let key, _, _), .takeUser(let key, _),
        .startExperiment(let key), .stopExperiment(let key):
        key
      case .notify(let count): "\(count)"
      case .consent(let isGiven): isGiven ? "given" : "withdrawn"
      case .clockForward(let jump), .clockBack(let jump):
        Figures.duration(nanoseconds: Double(jump.wholeNanoseconds))
      default: nil
      }
    let spread = within.map { " within \(Figures.duration(nanoseconds: Double($0.wholeNanoseconds)))" } ?? ""
    return action.word + (subject.map { " \($0)" } ?? "") + spread
  }
}
