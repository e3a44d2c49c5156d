import Events
import LCFeatureControl
import ScenarioFormat

/// One simulated reader: it goes through the steps of its group again and again.
struct Reader: Sendable {
  private let caller: Caller
  private var asking: Asking?
  private var store: Int32
  private var hasValue = false

  init(_ caller: Caller) {
    self.caller = caller
    store = Int32(caller.firstStore)
  }

  private var world: World { caller.world }

  /// Goes through the steps once, or through one of them drawn by weight, and thinks.
  mutating func iterate() async {
    if caller.group.totalWeight > 0 {
      await perform(drawStep())
    } else {
      for index in caller.group.steps.indices {
        await perform(caller.group.steps[index])
        if Task.isCancelled { return }
      }
    }
    if !caller.group.group.think.isZero { await pause(sample(caller.group.group.think)) }
  }

  private func drawStep() -> PlannedStep {
    var draw = Int(world.stage.draw(upTo: UInt64(caller.group.totalWeight), .workload))
    for planned in caller.group.steps {
      draw -= planned.step.weight ?? 0
      if draw < 0 { return planned }
    }
    return caller.group.steps[0]
  }

  private mutating func perform(_ planned: PlannedStep) async {
    switch planned.step.action {
    case .evaluate: await evaluate(prepare(planned), .evaluate)
    case .evaluateOrThrow: await evaluate(prepare(planned), .evaluateOrThrow)
    case .invalidate: await caller.invalidate()
    case .cancel(_, let after): await evaluateAndCancel(prepare(planned), sample(after))
    case .sleep(let duration): await pause(sample(duration))
    }
    if !planned.step.think.isZero { await pause(sample(planned.step.think)) }
  }

  /// Draws how long something of the reader's takes.
  @inline(never)
  private func sample(_ latency: Latency) -> Int64 {
    world.sampler.sample(latency, on: world.stage, .workload)
  }

  @inline(never)
  private func pause(_ nanoseconds: Int64) async { try? await world.stage.sleep(nanoseconds) }

  /// Moves on to the next store if the step says so, and gives the question to ask there.
  @inline(never)
  private mutating func prepare(_ planned: PlannedStep) -> Asking {
    guard let evaluation = planned.evaluation else { fatalError("a step that asks nothing has no question") }
    if evaluation.switchesStore {
      store = (store + 1) % Int32(caller.group.storeCount)
      asking = nil
    }
    if let asking, asking.keys == evaluation.keys { return asking }
    let prepared = world.askings.asking(
      subject: caller.subject, store: Int(store), keys: evaluation.keys, directory: world.directory)
    asking = prepared
    return prepared
  }

  private mutating func evaluate(_ asking: Asking, _ operation: Operation) async {
    if await caller.call(asking, operation, isFirst: !hasValue) { hasValue = true }
  }

  /// Begins an evaluation and cancels its wait after a while.
  @inline(never)
  private mutating func evaluateAndCancel(_ asking: Asking, _ delay: Int64) async {
    let box = CallBox()
    let isFirst = !hasValue
    let caller = caller
    let gotValue = await withTaskGroup(of: Bool.self) { group in
      group.addTask { await caller.call(asking, .evaluate, isFirst: isFirst, box: box) }
      try? await caller.world.stage.sleep(delay)
      if let call = box.cancel() { caller.world.witness.callCancelled(call) }
      group.cancelAll()
      return await group.next() ?? false
    }
    if gotValue { hasValue = true }
  }
}
