import Events
import LCFeatureControl
import ScenarioFormat
import Synchronization

/// The part of a run that is the same on both clocks: readers and timeline together, then close.
enum Act {
  /// Runs every group and the timeline until all are done.
  static func play(_ world: World, _ tally: RunTally, _ met: TimelineLog) async {
    await withDiscardingTaskGroup { tasks in
      var first = 0
      for (number, group) in world.scenario.groups.enumerated() {
        let runner = GroupRunner(group, number: number, firstReader: first, in: world, progress: tally)
        tasks.addTask { await runner.run() }
        first += group.executor.peakReaders
      }
      tasks.addTask { await playTimeline(world, met) }
    }
  }

  private static func playTimeline(_ world: World, _ met: TimelineLog) async {
    for (number, entry) in world.scenario.timeline.enumerated() {
      guard (try? await world.stage.sleep(until: entry.at.nanoseconds)) != nil else { return }
      switch entry.action {
      case .publish: world.witness.published(world.service.withLock { $0.publish() })
      case .invalidate:
        // Nobody's call in particular: it is told as one of a reader after the last.
        let nobody = ReaderID(Int32(world.scenario.readerCount))
        for instance in world.instances {
          let call = world.witness.callBegan(nobody, instance.id, .invalidate, nil)
          await instance.manager.invalidateCache()
          world.witness.callReturned(call, .finished)
        }
      }
      met.note(number)
    }
  }

  /// Tells the judges what each closed instance has left.
  static func countLeftovers(_ closed: [AppInstance], _ world: World) {
    for instance in closed {
      let probe = instance.probe
      world.witness.leftover(instance.id, .task, probe.tasks.load(ordering: .relaxed))
      world.witness.leftover(instance.id, .timer, probe.timers.load(ordering: .relaxed))
      world.witness.leftover(instance.id, .request, probe.requests.load(ordering: .relaxed))
      world.witness.leftover(instance.id, .continuation, probe.calls.load(ordering: .relaxed))
    }
  }
}

/// Which timeline entries were played.
final class TimelineLog: Sendable {
  private let played = Mutex<Set<Int>>([])

  func note(_ number: Int) { played.withLock { _ = $0.insert(number) } }

  /// A sentence for each entry that was not played.
  func missed(in scenario: Scenario) -> [String] {
    let played = played.withLock { $0 }
    return scenario.timeline.enumerated().filter { !played.contains($0.offset) }.map { number, entry in
      "timeline[\(number)] (\(entry.action.rawValue) at \(entry.at)) was not reached"
    }
  }
}
