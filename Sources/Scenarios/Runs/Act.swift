import Events
import ScenarioFormat
import Synchronization

/// The part of a run that is the same on both clocks: readers and timeline together, then close.
enum Act {
  /// Runs every group and the timeline until all are done.
  static func play(_ world: some World, _ tally: RunTally, _ met: TimelineLog) async {
    guard let heal = world.scenario.heal else {
      await playParts(world, tally, met)
      return
    }
    await withDiscardingTaskGroup { tasks in
      tasks.addTask {
        guard (try? await world.stage.sleep(until: heal.nanoseconds)) != nil else { return }
        world.basis.heal()
      }
      await playParts(world, tally, met)
      tasks.cancelAll()
    }
  }

  private static func playParts(_ world: some World, _ tally: RunTally, _ met: TimelineLog) async {
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

  private static func playTimeline<W: World>(_ world: W, _ met: TimelineLog) async {
    await withDiscardingTaskGroup { tasks in
      for (number, entry) in world.scenario.timeline.enumerated() {
        guard (try? await world.stage.sleep(until: entry.at.nanoseconds)) != nil else { return }
        if W.runsTimelineConcurrently {
          met.note(number)
          tasks.addTask { await world.perform(entry) }
        } else {
          await world.perform(entry)
          met.note(number)
        }
      }
    }
  }

  /// Tells the judges what each closed instance has left.
  static func countLeftovers(
    _ closed: [OpenInstance], _ witness: any Witness,
    _ kinds: [Leftover] = [.task, .timer, .request, .continuation]
  ) {
    for instance in closed {
      for kind in kinds { witness.leftover(instance.id, kind, instance.probe.count(of: kind)) }
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
      "timeline[\(number)] (\(entry.action.word) at \(entry.at.nanoseconds / 1_000_000) ms) was not reached"
    }
  }
}
