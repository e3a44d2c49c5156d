import Events
import LCFeatureControl
import ScenarioFormat
import SimulatedService
import Synchronization

// The last phase but one of a run with faults: nothing goes wrong any more, and everybody has to get well.
//
// Every app instance is asked for flags until the service answers it, then told to flush until nothing waits. How long
// that may take, and whether what it then holds is right, is for the judge of `liveness` to say; this only does and
// tells. Nothing of it counts in the metrics, which are about the readers' time.

/// Asks every app instance, after the faults are over, until it is well.
enum Recovery {
  /// When to give an instance up; far beyond what any judge allows.
  private static let patience: Int64 = 3 * 3_600_000_000_000

  /// Waits until every instance of a healed world is well, or given up.
  static func run(_ world: FeatureControlWorld) async {
    // A closed client stays closed: there is nobody who could get well.
    if world.isClosed { return }
    let instances = world.instances
    await ReaderTree.run(0..<instances.count) { index in await recover(instances[index], world) }
  }

  private static func recover(_ instance: AppInstance, _ world: FeatureControlWorld) async {
    world.witness.note(.recoveryAwaited(instance.id))
    let limit = world.stage.now + patience
    let nurse = Nurse(instance, world)
    await nurse.invalidate()
    await untilWell(limit, world) { await nurse.evaluate() }
    guard world.scenario.recordsExposures else { return }
    await untilWell(limit, world) { await nurse.flush() }
    world.witness.note(.exposuresCounted(instance.id, instance.exposureTally))
  }

  /// Tries again after 1, 2, 4, 8, 16, 16, … seconds.
  private static func untilWell(_ limit: Int64, _ world: FeatureControlWorld, _ attempt: () async -> Bool)
    async
  {
    var gap: Int64 = 1_000_000_000
    while !Task.isCancelled, await !attempt(), world.stage.now < limit {
      guard (try? await world.stage.sleep(gap)) != nil else { return }
      gap = min(gap * 2, 16_000_000_000)
    }
  }
}

/// Calls one app instance on behalf of nobody in particular: it is told as a reader after the last.
private struct Nurse {
  let instance: AppInstance
  let world: FeatureControlWorld
  private let asking: Asking
  private let reader: ReaderID

  init(_ instance: AppInstance, _ world: FeatureControlWorld) {
    self.instance = instance
    self.world = world
    let readers = world.scenario.readerCount
    reader = ReaderID(Int32(readers))
    let client = world.scenario.client
    asking = world.askings.asking(
      subject: Int(instance.id.rawValue) % client.subjects.count(forReaders: readers), store: 0,
      keys: client.keys, directory: world.directory)
  }

  func invalidate() async {
    _ = await call(.invalidate, nil) {
      await instance.manager.invalidateCache()
      return .finished
    }
  }

  /// Whether the service answered.
  func evaluate() async -> Bool {
    var differing: Int?
    _ = await call(.evaluateOrThrow, asking.key) {
      do {
        let snapshot = try await instance.manager.evaluateOrThrow(keys: asking.keys, context: asking.context)
        differing = differences(snapshot)
        return .answered(Answers.read(snapshot, asking))
      } catch {
        return Answers.failure(error)
      }
    }
    guard let differing else { return false }
    world.witness.note(.recovered(instance.id, differing: differing))
    return true
  }

  /// Whether nothing waits for the next flush.
  func flush() async -> Bool {
    _ = await call(.flush, nil) {
      await instance.manager.flushExposures()
      return .finished
    }
    return instance.exposureTally.pending == 0
  }

  /// How many keys differ from what the service resolves now.
  private func differences(_ snapshot: FeatureControlSnapshot) -> Int {
    let context = EvaluationContext(
      subjectType: asking.context.subjectType.rawValue, subjectId: asking.context.subjectId,
      storeId: asking.context.storeId, platform: asking.context.platform,
      appVersion: asking.context.appVersion)
    return world.service.withLock { service in
      asking.sortedKeys.count { key in
        let truth = service.truth(key: key, environment: world.scenario.client.environment, context: context)
        guard let truth, let flag = snapshot.flags[key] else { return true }
        return flag.enabled != truth.isEnabled || flag.variant != truth.variant || flag.reason != truth.reason
      }
    }
  }

  private func call(
    _ operation: Operation, _ key: RequestKey?, _ body: () async -> CallOutcome
  ) async -> CallOutcome {
    await instance.call(operation, key, by: reader, in: world) { _ in await body() }
  }
}
