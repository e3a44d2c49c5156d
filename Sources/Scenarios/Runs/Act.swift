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
      case .close:
        let instances = world.instances
        world.closeClients()
        await world.stage.settle(instances.map(\.probe))
        // Calls are left out: readers go on, and on the wall clock one may just be asking the closed client.
        countLeftovers(instances, world, [.task, .timer, .request])
      }
      met.note(number)
    }
  }

  /// Tells the judges what each closed instance has left.
  static func countLeftovers(
    _ closed: [AppInstance], _ world: World, _ kinds: [Leftover] = [.task, .timer, .request, .continuation]
  ) {
    for instance in closed {
      for kind in kinds { world.witness.leftover(instance.id, kind, instance.probe.count(of: kind)) }
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
      "timeline[\(number)] (\(entry.action.rawValue) at \(entry.at.nanoseconds / 1_000_000) ms) was not reached"
    }
  }
}
