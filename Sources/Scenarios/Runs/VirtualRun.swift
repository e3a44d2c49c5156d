import Events
import Invariants
import Metrics
import ScenarioFormat
import Simulation
import Synchronization

// A run in virtual time.
//
// One thread, one simulator, everything else as on the wall clock. The run is judged while it goes on; a violation ends
// it at the step that showed it. Short runs are then repeated in the same process: the digest must come out the same,
// or something that is no part of the simulation had a say, and the memory in use must not have grown, or the client
// leaves something behind that no count of tasks and timers shows.

/// Runs a scenario in virtual time.
enum VirtualRun {
  static func run(_ scenario: Scenario, options: RunOptions) -> RunReport {
    switch scenario.client.kind {
    case .featureControl: run(FeatureControlWorld.self, scenario, options)
    case .flags: run(FlagsWorld.self, scenario, options)
    }
  }

  private static func run<W: World>(_ world: W.Type, _ scenario: Scenario, _ options: RunOptions) -> RunReport
  {
    let session = VirtualSession<W>(scenario, options)
    let residentBefore = ProcessMemory.peakResidentBytes
    let clock = ContinuousClock()
    let started = clock.now
    var report = session.play()
    report.cost.wallNanoseconds = started.duration(to: clock.now).nanoseconds
    report.cost.residentBytes = ProcessMemory.peakResidentBytes
    report.cost.bytesPerReader =
      Double(max(0, report.cost.residentBytes - residentBefore)) / Double(max(1, scenario.readerCount))
    // A run that a violation has cut off is not the whole that a second one would be.
    let isWhole = report.endReason == .completed && !session.isCutOff
    if isWhole, report.steps <= options.rerunStepLimit, options.replay == nil {
      repeatRun(of: session, first: report, options)
    }
    session.judge(&report)
    return report
  }

  private static func repeatRun<W: World>(
    of session: VirtualSession<W>, first: RunReport, _ options: RunOptions
  ) {
    guard let firstDigest = first.digest else { return }
    let before = options.allocations.read()
    var quiet = options
    quiet.progress = nil
    quiet.keepsGoing = true
    quiet.allocations = .none
    guard let second = secondDigest(W.self, session.scenario, quiet) else { return }
    session.witness.afterwards(.reran(first: firstDigest, second: second))
    guard var last = before?.allocatedBytes else { return }
    let limit = Int(clamping: last) / 100
    var growth = 0
    // What grows once and not again is a table of the runtime's; a leak is there after every run.
    for run in 2...4 {
      if run > 2, secondDigest(W.self, session.scenario, quiet) == nil { return }
      guard let now = options.allocations.read()?.allocatedBytes else { return }
      growth = Int(clamping: now) - Int(clamping: last)
      if growth < limit { break }
      last = now
    }
    session.witness.afterwards(.leftover(nil, .memory, count: growth < limit ? 0 : growth))
  }

  /// Runs a scenario once more and keeps nothing but its digest: what the run allocated must be gone when this returns.
  ///
  /// A function of its own, or an unoptimized build would keep the report until the end of its caller.
  /// - Returns: The digest; nil if the run was interrupted.
  private static func secondDigest<W: World>(
    _ world: W.Type, _ scenario: Scenario, _ options: RunOptions
  ) -> Digest? {
    let second = VirtualSession<W>(scenario, options).play()
    return second.endReason == .signal ? nil : second.digest ?? Digest()
  }
}

/// One simulated run and what it is watched with.
///
/// `@unchecked Sendable`: touched only by the thread that runs the simulation.
private final class VirtualSession<W: World>: @unchecked Sendable {
  let scenario: Scenario
  let options: RunOptions
  let simulator: Simulator
  let witness: VirtualWitness
  private let ledger: Ledger
  private var world: W?
  private let tally: RunTally
  private let timeline = TimelineLog()
  private var watch: ThresholdWatch
  private var thresholdFailed = false
  private var interrupted = false
  private var played: Int64?
  private var faultsMissed: [String] = []
  private var progressAllocations: UInt64 = 0
  private var lastProgress: ContinuousClock.Instant?

  init(_ scenario: Scenario, _ options: RunOptions) {
    self.scenario = scenario
    tally = RunTally(scenario)
    self.options = options
    let strategy: Strategy = scenario.schedule == .fifo ? .fifo : .random
    simulator =
      options.replay.map { Simulator(replaying: $0, strategy: strategy) }
      ?? Simulator(seed: scenario.seed, strategy: strategy, recordsChoices: true)
    witness = VirtualWitness(
      simulator,
      court: Court(judging: RunConclusion.judged(scenario), facts: RunConclusion.facts(scenario)),
      readers: scenario.readerCount, keepsGoing: options.keepsGoing)
    ledger = Ledger(scenario, shards: 1)
    watch = ThresholdWatch(scenario)
    world = W(Basis(scenario, stage: VirtualStage(simulator), witness: witness, ledger: ledger))
  }

  /// Whether a violation has ended it.
  var isCutOff: Bool { witness.court.firstViolation != nil && !options.keepsGoing }

  func play() -> RunReport {
    let outcome = simulator.run(
      stepLimit: 1_000_000 + 10_000 * UInt64(scenario.readerCount),
      onEscape: { [self] in witness.escaped($0) },
      onTimeAdvance: { [self] in timeAdvances(from: $0) },
      isInterrupted: { [self] in checkpoint() },
      onEnd: { [self] in ended($0) },
      { [self] in await act() })
    // A run that ended early has not closed its clients, which hold the world that holds them.
    faultsMissed = world?.faults.missed ?? []
    world?.letGo()
    world = nil
    return report(outcome)
  }

  private func act() async {
    guard let world else { return }
    await world.open()
    let before = options.allocations.read()
    await Act.play(world, tally, timeline)
    // Ended early: the readers were only cancelled to free their memory.
    if witness.isFrozen { return }
    played = simulator.stamp.nanoseconds
    if let before, let after = options.allocations.read() {
      let evaluations = ledger.evaluations.load(ordering: .relaxed)
      if evaluations > 0 {
        let allocations = after.allocations - before.allocations - progressAllocations
        ledger.allocationsPerEvaluation(Double(allocations) / Double(evaluations))
      }
    }
    world.endMeasuring()
    if scenario.hasRecovery {
      // A nanosecond later, so that nothing of it falls into the time that is measured.
      try? await world.stage.sleep(1)
      world.basis.heal()
      await world.recover()
      if witness.isFrozen { return }
    }
    let closed = await world.close()
    await simulator.idle()
    for instance in closed { instance.tellAccount() }
    Act.countLeftovers(closed, witness)
  }

  /// Ends judging and counting, before the simulator cancels what is left.
  private func ended(_ end: Simulator.End) {
    switch end {
    // Stuck: nothing can ever run again, so whoever still waits was never answered.
    case .finished, .stuck: witness.finish()
    case .livelock: witness.note(.stalled)
    case .stopped, .interrupted: break
    }
    witness.freeze()
    ledger.freeze()
  }

  private func timeAdvances(from stamp: Stamp) {
    witness.timeAdvances(from: stamp)
    let warmup = scenario.warmup.nanoseconds
    if watch.hasFailed(at: stamp.nanoseconds, warmup: warmup, { ledger.measured() }) {
      thresholdFailed = true
      simulator.stop()
    }
  }

  /// Reports progress and asks whether to give up; called every 256 steps.
  private func checkpoint() -> Bool {
    if options.isInterrupted() {
      interrupted = true
      return true
    }
    guard let progress = options.progress else { return false }
    let now = ContinuousClock.now
    if let lastProgress, lastProgress.duration(to: now) < .milliseconds(250) { return false }
    lastProgress = now
    // What the progress line allocates is none of the run's, whose count must not depend on who watches.
    let before = options.allocations.read()
    defer {
      if let before, let after = options.allocations.read() {
        progressAllocations += after.allocations - before.allocations
      }
    }
    let stamp = simulator.stamp
    progress(
      RunProgress(
        simulatedNanoseconds: stamp.nanoseconds,
        fraction: RunConclusion.fraction(scenario, iterations: tally.iterations)
          ?? RunConclusion.fraction(scenario, now: stamp.nanoseconds),
        steps: stamp.step, evaluations: ledger.evaluations.load(ordering: .relaxed),
        requests: Int64(witness.requests), violations: witness.court.violationCount))
    return false
  }

  // MARK: The report

  private func report(_ outcome: Simulator.Outcome<Void>) -> RunReport {
    var problem: String?
    let reason: EndReason
    switch outcome.end {
    case .finished: reason = .completed
    case .interrupted: reason = .signal
    case .stopped: reason = thresholdFailed ? .threshold : .violation
    case .stuck:
      reason = .internal
      problem = "nothing could run any more, no timer was armed, and readers were still waiting"
    case .livelock:
      reason = .internal
      problem = "\(outcome.steps) steps in and time stands still: something repeats without a delay"
    }
    let end = outcome.simulated.nanoseconds
    let window = RunConclusion.window(scenario, played: played ?? end, end: end)
    let measured = ledger.measured()
    let warmup = ledger.warmup()
    return RunReport(
      scenario: scenario, endReason: reason, problem: problem, digest: outcome.digest, steps: outcome.steps,
      simulatedNanoseconds: end, window: window,
      cost: RunCost(wallNanoseconds: 0, residentBytes: 0, bytesPerReader: 0), metrics: measured,
      warmupMetrics: warmup, activity: ledger.activity(of: scenario, in: measured), verdicts: [],
      thresholds: RunConclusion.thresholds(scenario, measured, window: window),
      notExercised: timeline.missed(in: scenario) + faultsMissed + tally.cutShort(in: scenario)
        + RunConclusion.idleGroups(scenario, measured, warmup),
      trail: [], choices: outcome.choices)
  }

  /// Fills in what the judges say, after everything they are shown.
  func judge(_ report: inout RunReport) {
    report.verdicts = witness.court.verdicts()
    if witness.court.firstViolation != nil, report.endReason == .completed || report.endReason == .internal {
      report.endReason = options.keepsGoing ? .completed : .violation
      report.problem = nil
    }
    if let trail = witness.trailAtViolation {
      report.trail = trail.map { "\($0)" }
      report.choices = witness.choicesAtViolation ?? report.choices
    }
  }
}
