import ScenarioFormat
import Synchronization

/// How much of a run is done: the iterations that have ended, by group.
final class RunTally: Sendable {
  private final class Count: Sendable {
    let value = Atomic<Int>(0)
  }

  private let counts: [Count]

  init(_ scenario: Scenario) { counts = scenario.groups.map { _ in Count() } }

  /// All iterations that have ended.
  var iterations: Int { counts.reduce(0) { $0 + $1.value.load(ordering: .relaxed) } }

  /// Counts an iteration of a group.
  func finished(in group: Int) { counts[group].value.add(1, ordering: .relaxed) }

  /// A sentence for each group that was to do a number of iterations and did fewer.
  func cutShort(in scenario: Scenario) -> [String] {
    zip(scenario.groups, counts).compactMap { group, count in
      guard case .perReaderIterations(let readers, let each, let maxDuration) = group.executor else {
        return nil
      }
      let done = count.value.load(ordering: .relaxed)
      guard done < readers * each else { return nil }
      let limit = maxDuration.nanoseconds / 1_000_000
      return
        "readers.\(group.name) did \(done) of \(readers * each) iterations; its maxDuration is \(limit) ms"
    }
  }
}
