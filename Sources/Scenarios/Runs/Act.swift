import Events
import LCFeatureControl
import ScenarioFormat
import Synchronization

/// The part of a run that is the same on both clocks: readers and timeline together, then close.
enum Act {
  /// Runs every group and the timeline until all are done.
  static func play(_ world: World, _ tally: RunTally, _ met: TimelineLog) async {
    guard let heal = world.scenario.heal else {
      await playParts(world, tally, met)
      return
    }
    await withDiscardingTaskGroup { tasks in
      tasks.addTask {
        guard (try? await world.stage.sleep(until: heal.nanoseconds)) != nil else { return }
        world.heal()
      }
      await playParts(world, tally, met)
      tasks.cancelAll()
    }
  }

  private static func playParts(_ world: World, _ tally: RunTally, _ met: TimelineLog) async {
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
      await perform(entry.action, world)
      met.note(number)
    }
  }

  private static func perform(_ action: TimelineAction, _ world: World) async {
    switch action {
    case .publish:
      world.witness.published(world.service.withLock { $0.publish() })
      world.witness.note(.marked(.published))
    case .rollBack:
      world.witness.published(world.service.withLock { $0.rollBack() })
      world.witness.note(.marked(.published))
    case .notify(let count): world.service.withLock { $0.notify(count: count) }
    case .invalidate:
      for instance in world.instances { await invalidate(instance, world) }
      world.witness.note(.marked(.invalidated))
    case .switchUser:
      for instance in world.instances {
        instance.session.switchUser()
        await invalidate(instance, world)
      }
      world.witness.note(.marked(.switched))
    case .flush:
      world.witness.note(.marked(.flushed))
      await flushAll(world)
    case .clockForward(let by): world.times.jump(by: by.nanoseconds)
    case .clockBack(let by): world.times.jump(by: -by.nanoseconds)
    case .close:
      let instances = world.instances
      world.closeClients()
      await world.stage.settle(instances.map(\.probe))
      // Calls are left out: readers go on, and on the wall clock one may just be asking the closed client.
      countLeftovers(instances, world, [.task, .timer, .request])
    }
  }

  /// Nobody's call in particular: it is told as one of a reader after the last.
  private static func invalidate(_ instance: AppInstance, _ world: World) async {
    await callOfNobody(.invalidate, instance, world) { await instance.manager.invalidateCache() }
  }

  /// Every client flushes at the same time, each waiting for its own requests only.
  private static func flushAll(_ world: World) async {
    let instances = world.instances
    await ReaderTree.run(0..<instances.count) { index in
      await callOfNobody(.flush, instances[index], world) { await instances[index].manager.flushExposures() }
    }
  }

  private static func callOfNobody(
    _ operation: Operation, _ instance: AppInstance, _ world: World, _ body: () async -> Void
  ) async {
    let nobody = ReaderID(Int32(world.scenario.readerCount))
    await instance.call(operation, by: nobody, in: world) { _ in
      await body()
      return .finished
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

  /// Tells what each closed client says of its exposures, where any were recorded.
  static func countExposures(_ closed: [AppInstance], _ world: World) {
    guard world.scenario.recordsExposures else { return }
    for instance in closed {
      let tally = instance.exposureTally
      world.witness.note(.exposuresCounted(instance.id, tally))
      world.ledger.exposuresDropped(tally.dropped, at: world.stage.now)
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
