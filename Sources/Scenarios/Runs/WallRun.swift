import Events
import Invariants
import Metrics
import ScenarioFormat
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// A run on the wall clock, in process.
//
// The same readers and clients on the cooperative pool and the system's clock, with nothing of `Simulation` between
// them. What happens is written down and judged at the end, by the invariants that intervals can decide. The calling
// thread is none of the pool's: it only looks, fifty times a second, whether the run is over or should be.

/// Runs a scenario on the wall clock.
enum WallRun {
  static func run(_ scenario: Scenario, options: RunOptions) -> RunReport {
    switch scenario.client.kind {
    case .featureControl: run(FeatureControlWorld.self, scenario, options)
    case .flags: run(FlagsWorld.self, scenario, options)
    }
  }

  private static func run<W: World>(_ world: W.Type, _ scenario: Scenario, _ options: RunOptions) -> RunReport
  {
    let residentBefore = ProcessMemory.peakResidentBytes
    let session = WallSession<W>(scenario, options)
    var report = session.play()
    report.cost.wallNanoseconds = report.simulatedNanoseconds
    report.cost.residentBytes = ProcessMemory.peakResidentBytes
    report.cost.bytesPerReader =
      Double(max(0, report.cost.residentBytes - residentBefore)) / Double(max(1, scenario.readerCount))
    return report
  }
}

/// One wall-clock run and what it is watched with.
private final class WallSession<W: World>: Sendable {

  /// How much longer than its request's timeout a call may take before it counts as never answered.
  private static var patience: Int64 { 10_000_000_000 }

  private let scenario: Scenario
  private let options: RunOptions
  private let stage: WallStage
  private let witness: WallWitness
  private let ledger: Ledger
  private let world: W
  private let tally: RunTally
  private let timeline = TimelineLog()
  private let state = Mutex(WallState())

  init(_ scenario: Scenario, _ options: RunOptions) {
    self.scenario = scenario
    tally = RunTally(scenario)
    self.options = options
    stage = WallStage(seed: scenario.seed)
    witness = WallWitness(
      stage, readers: scenario.readerCount, requestTimeout: scenario.client.requestTimeout.nanoseconds)
    ledger = Ledger(scenario, shards: 16)
    world = W(Basis(scenario, stage: stage, witness: witness, ledger: ledger))
  }

  func play() -> RunReport {
    let main = Task { [self] in await act() }
    var reason = EndReason.completed
    var watch = ThresholdWatch(scenario)
    var looks = 0
    var log: IntervalLog?
    var limit = Int64.max
    while !state.withLock({ $0.isOver }), stage.now < limit {
      usleep(20_000)
      looks += 1
      if looks % 12 == 0 { reportProgress() }
      guard limit == .max else { continue }
      if looks % 50 == 0, hasLostCall() {
        // Whoever waits for it would wait for ever; judged as it stands, the call was never answered.
        log = witness.log()
        giveUp(main, cancelling: false)
        limit = stage.now + WallStage.restLimit / 10
        continue
      }
      if options.isInterrupted() {
        reason = .signal
        giveUp(main)
        limit = stage.now + WallStage.restLimit
      } else if watch.hasFailed(
        at: stage.now, warmup: scenario.warmup.nanoseconds, { ledger.measured() })
      {
        reason = .threshold
        giveUp(main)
        limit = stage.now + WallStage.restLimit
      }
    }
    close()
    return report(reason, log ?? witness.log())
  }

  /// Whether a call has been under way for much longer than any request may take.
  private func hasLostCall() -> Bool {
    guard let oldest = witness.oldestOpenCall else { return false }
    return stage.now - oldest > scenario.client.requestTimeout.nanoseconds + Self.patience
  }

  /// Ends a run before its time: every call under way is cancelled by its reader, and nothing counts any more.
  private func giveUp(_ main: Task<Void, Never>, cancelling: Bool = true) {
    ledger.freeze()
    if cancelling { witness.readersInterrupted(0..<scenario.readerCount) }
    main.cancel()
  }

  private func act() async {
    await world.open()
    let before = options.allocations.read()
    await Act.play(world, tally, timeline)
    state.withLock { $0.played = stage.now }
    world.endMeasuring()
    if !Task.isCancelled, let before, let after = options.allocations.read() {
      let evaluations = ledger.evaluations.load(ordering: .relaxed)
      if evaluations > 0, after.allocations >= before.allocations {
        ledger.allocationsPerEvaluation(Double(after.allocations - before.allocations) / Double(evaluations))
      }
    }
    state.withLock { $0.isOver = true }
  }

  /// Closes the clients and gives them time to come to rest.
  private func close() {
    Task { [self] in
      let closed = await world.close()
      state.withLock { $0.closed = closed }
    }
    let limit = stage.now + (state.withLock { $0.isOver } ? WallStage.restLimit : WallStage.restLimit / 10)
    while state.withLock({ $0.closed?.allSatisfy(\.probe.isQuiet) != true }), stage.now < limit {
      usleep(1000)
    }
    let closed = state.withLock { $0.closed } ?? []
    for instance in closed { instance.tellAccount() }
    Act.countLeftovers(closed, witness)
  }

  private func reportProgress() {
    options.progress?(
      RunProgress(
        simulatedNanoseconds: stage.now,
        fraction: RunConclusion.fraction(scenario, iterations: tally.iterations)
          ?? RunConclusion.fraction(scenario, now: stage.now),
        steps: 0, evaluations: ledger.evaluations.load(ordering: .relaxed),
        requests: Int64(witness.requestCount), violations: 0))
  }

  private func report(_ end: EndReason, _ log: IntervalLog) -> RunReport {
    let rest = stage.now
    let window = RunConclusion.window(scenario, played: state.withLock { $0.played } ?? rest, end: rest)
    let measured = ledger.measured()
    let warmup = ledger.warmup()
    let verdicts = judgeIntervals(
      log, judging: RunConclusion.judged(scenario), facts: RunConclusion.facts(scenario))
    let faultsMissed = world.faults.missed
    let isViolated = verdicts.contains { $0.status == .violated }
    return RunReport(
      scenario: scenario,
      endReason: isViolated && end == .completed && !options.keepsGoing ? .violation : end,
      problem: nil, digest: nil, steps: 0, simulatedNanoseconds: rest, window: window,
      cost: RunCost(wallNanoseconds: 0, residentBytes: 0, bytesPerReader: 0), metrics: measured,
      warmupMetrics: warmup, activity: ledger.activity(of: scenario, in: measured), verdicts: verdicts,
      thresholds: RunConclusion.thresholds(scenario, measured, window: window),
      notExercised: timeline.missed(in: scenario) + faultsMissed + tally.cutShort(in: scenario)
        + RunConclusion.idleGroups(scenario, measured, warmup),
      trail: [], choices: nil)
  }
}

/// How far a run on the wall clock has come.
private struct WallState {
  /// When readers and timeline were done.
  var played: Int64?
  var isOver = false
  /// What was closed, when it is.
  var closed: [OpenInstance]?
}
