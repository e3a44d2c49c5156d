import Events
import LCFeatureControl
import ScenarioFormat
import Synchronization

/// The unchanging part of a reader, and the calls it makes.
///
/// A class, so that the frames of a suspended reader hold one reference instead of copies: with a million readers
/// waiting for one answer, what a frame holds is what a run weighs.
final class Caller: Sendable {
  let world: FeatureControlWorld
  let group: GroupPlan
  let id: ReaderID
  let instance: AppInstance
  /// When the iteration under way was to begin, for the first evaluation of it that returns; `Int64.max` otherwise.
  private let intended = Atomic<Int64>(.max)
  /// Since when the reader waits for its first value.
  private let waitsSince: Atomic<Int64>
  let subject: Int
  let firstStore: Int

  init(_ number: Int, of group: GroupPlan, in world: FeatureControlWorld) {
    self.world = world
    self.group = group
    id = ReaderID(Int32(number))
    instance = group.instances[number % group.instances.count]
    subject = number % group.subjectCount
    firstStore = number % group.storeCount
    waitsSince = Atomic(world.stage.now)
  }

  /// Notes that an iteration of an open model was to begin at a time: a reader that comes late has kept somebody waiting, and
  /// one that has had no iteration has waited for nothing.
  func intendsToBegin(at time: Int64, isFirst: Bool) {
    intended.store(time, ordering: .relaxed)
    if isFirst { waitsSince.store(time, ordering: .relaxed) }
  }

  /// Makes one call and tells the witness and the ledger.
  ///
  /// - Parameters:
  ///   - asking: What to ask.
  ///   - operation: By which method.
  ///   - isFirst: Whether the reader has had no value yet.
  ///   - box: Where to note the call, if it may be cancelled.
  /// - Returns: Whether it was answered with a value of the service's.
  func call(_ asking: Asking, _ operation: Operation, isFirst: Bool, box: CallBox? = nil) async -> Bool {
    if world.followsCalls { return await followedCall(asking, operation, isFirst: isFirst, box) }
    let call = begin(asking, operation, box)
    let outcome =
      operation == .evaluate ? await evaluate(asking) : await evaluateOrThrow(asking)
    return end(call, outcome, isFirst: isFirst, box)
  }

  /// Makes the call in a scope that says which call it is; apart, so that runs which need no scope pay nothing for it.
  @inline(never)
  private func followedCall(
    _ asking: Asking, _ operation: Operation, isFirst: Bool, _ box: CallBox?
  ) async -> Bool {
    let call = begin(asking, operation, box)
    let outcome = await ReaderScope.$call.withValue(ReaderScope.Call(call)) {
      operation == .evaluate ? await evaluate(asking) : await evaluateOrThrow(asking)
    }
    return end(call, outcome, isFirst: isFirst, box)
  }

  private func evaluate(_ asking: Asking) async -> CallOutcome {
    let snapshot = await instance.manager.evaluate(keys: asking.keys, context: asking.context)
    return .answered(Answers.read(snapshot, asking))
  }

  @inline(never)
  private func evaluateOrThrow(_ asking: Asking) async -> CallOutcome {
    do {
      let snapshot = try await instance.manager.evaluateOrThrow(keys: asking.keys, context: asking.context)
      return .answered(Answers.read(snapshot, asking))
    } catch {
      return Answers.failure(error)
    }
  }

  // The two ends of a call are functions of their own, so that nothing of them stays in the frame that waits.

  @inline(never)
  private func begin(_ asking: Asking, _ operation: Operation, _ box: CallBox?) -> OpenCall {
    instance.probe.calls.add(1, ordering: .relaxed)
    let call = world.witness.callBegan(id, instance.id, operation, asking.key)
    if let box, box.begin(call) { world.witness.callCancelled(call) }
    return call
  }

  @inline(never)
  private func end(_ call: OpenCall, _ outcome: CallOutcome, isFirst: Bool, _ box: CallBox?) -> Bool {
    let end = world.stage.now
    box?.end()
    instance.probe.calls.subtract(1, ordering: .relaxed)
    world.witness.callReturned(call, outcome)
    return world.ledger.evaluation(
      group.number, outcome, from: min(intended.exchange(.max, ordering: .relaxed), call.began), to: end,
      firstValueSince: isFirst ? waitsSince.load(ordering: .relaxed) : nil,
      lane: Int(id.rawValue))
  }

  /// Invalidates the cache of the reader's app instance.
  func invalidate() async {
    await plainCall(.invalidate) { [instance] _ in
      await instance.manager.invalidateCache()
      return .finished
    }
  }
}

extension Caller {
  /// Makes a call that asks for no flags and tells the witness.
  func plainCall(_ operation: Operation, _ body: @Sendable (OpenCall) async -> CallOutcome) async {
    await instance.call(operation, by: id, in: world, body)
  }
}

extension ReaderScope.Call {
  init(_ call: OpenCall) { self.init(id: call.id, operation: call.operation, key: call.key) }
}
