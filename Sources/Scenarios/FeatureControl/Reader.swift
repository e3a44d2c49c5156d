import Events
import LCFeatureControl
import ScenarioFormat

/// One simulated reader: it goes through the steps of its group again and again.
struct Reader: ScenarioReader {
  private let caller: Caller
  private var asking: Asking?
  private var store: Int32
  private var hasValue = false
  /// How many subjects after its first the reader is.
  private var switches: Int32 = 0
  private var inbox: InboxMemory?
  private var hasBegun = false

  init(_ caller: Caller) {
    self.caller = caller
    store = Int32(caller.firstStore)
  }

  private var world: FeatureControlWorld { caller.world }

  /// Notes that the next iteration was to begin at a time, as an open model has planned it.
  mutating func intendsToBegin(at time: Int64) {
    caller.intendsToBegin(at: time, isFirst: !hasBegun)
    hasBegun = true
  }

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
    // Told apart first: the payloads of rare steps must not stand in the frame of a waiting evaluation.
    if planned.isRare {
      await performRarely(planned)
      return
    }
    switch planned.step.action {
    case .evaluate: await evaluate(prepare(planned), .evaluate)
    case .evaluateOrThrow: await evaluate(prepare(planned), .evaluateOrThrow)
    case .invalidate: await caller.invalidate()
    case .cancel(_, let after): await evaluateAndCancel(prepare(planned), sample(after))
    case .sleep(let duration): await pause(sample(duration))
    case .recordExposure, .flush, .listNotifications, .markRead, .markAllRead, .switchUser, .read, .refresh,
      .cancelRefresh, .signIn, .signOut, .background, .foreground, .relaunch, .consent, .capture:
      break
    }
    if !planned.step.think.isZero { await pause(sample(planned.step.think)) }
  }

  /// The steps that few readers do; apart, so that they make the frame of a waiting evaluation no larger.
  @inline(never)
  private mutating func performRarely(_ planned: PlannedStep) async {
    switch planned.step.action {
    case .recordExposure(let count):
      let keys = world.scenario.client.keys
      for index in 0..<count {
        if Task.isCancelled { return }
        await caller.recordExposure(of: keys[index % keys.count], inStore: Int(store))
      }
    case .flush: await caller.flush()
    case .listNotifications(let unreadOnly, let limit, let atMost):
      inbox = await caller.list(unreadOnly: unreadOnly, limit: limit, atMost: atMost) ?? inbox
    case .markRead: await markRead()
    case .markAllRead: await caller.markAllRead()
    case .switchUser:
      switches += 1
      asking = nil
      inbox = nil
      await caller.switchUser()
    case .evaluate, .evaluateOrThrow, .invalidate, .cancel, .sleep, .read, .refresh, .cancelRefresh, .signIn,
      .signOut, .background, .foreground, .relaunch, .consent, .capture:
      fatalError("\(planned.step.action.word) is performed elsewhere")
    }
    if !planned.step.think.isZero { await pause(sample(planned.step.think)) }
  }

  /// Marks the newest notification that the reader has seen and not marked; one that has seen none marks nothing.
  private mutating func markRead() async {
    guard let notification = inbox?.unmarked.first else { return }
    inbox?.unmarked.removeFirst()
    await caller.markRead(notification)
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
      subject: (caller.subject + Int(switches)) % caller.group.subjectCount, store: Int(store),
      keys: evaluation.keys, directory: world.directory)
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
