import Events
import ScenarioFormat

/// One simulated reader on a device: it goes through the steps of its group again and again.
struct DeviceReader: ScenarioReader {
  private let caller: FlagsCaller

  init(_ caller: FlagsCaller) { self.caller = caller }

  private var world: FlagsWorld { caller.world }
  private var plan: DeviceGroupPlan { caller.plan }

  mutating func intendsToBegin(at time: Int64) {}

  mutating func iterate() async {
    if plan.totalWeight > 0 {
      await perform(drawStep())
    } else {
      for step in plan.group.steps {
        await perform(step)
        if Task.isCancelled { return }
      }
    }
    if !plan.group.think.isZero { await pause(plan.group.think) }
  }

  private func drawStep() -> ReaderStep {
    var draw = Int(world.stage.draw(upTo: UInt64(plan.totalWeight), .workload))
    for step in plan.group.steps {
      draw -= step.weight ?? 0
      if draw < 0 { return step }
    }
    return plan.group.steps[0]
  }

  private func perform(_ step: ReaderStep) async {
    let device = caller.device
    switch step.action {
    case .read(let read): caller.read(read)
    case .refresh: await caller.refresh()
    case .cancelRefresh(let after): await refreshAndCancel(after)
    case .signIn: device.signIn()
    case .signOut: device.signOut()
    case .switchUser: device.switchUser()
    case .background: device.move(toForeground: false)
    case .foreground: device.move(toForeground: true)
    case .relaunch(let spec): await device.relaunch(spec)
    case .consent(let isGiven): device.consent(isGiven)
    case .capture(let count):
      for _ in 0..<count {
        if Task.isCancelled { return }
        await caller.capture()
      }
    case .flush: await caller.flush()
    case .sleep(let duration): await pause(duration)
    case .evaluate, .evaluateOrThrow, .invalidate, .cancel, .recordExposure, .listNotifications, .markRead,
      .markAllRead:
      fatalError("\(step.action.word) is no step of this kind of client")
    }
    if !step.think.isZero { await pause(step.think) }
  }

  private func pause(_ latency: Latency) async {
    try? await world.stage.sleep(world.sampler.sample(latency, on: world.stage, .workload))
  }

  /// Begins a refresh and cancels its wait after a while.
  private func refreshAndCancel(_ after: Latency) async {
    let box = CallBox()
    let caller = caller
    await withDiscardingTaskGroup { group in
      group.addTask { await caller.refresh(box: box) }
      await pause(after)
      if let call = box.cancel() { caller.world.witness.callCancelled(call) }
      group.cancelAll()
    }
  }
}
