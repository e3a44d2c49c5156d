import Events

/// All judges of a run in virtual time.
///
/// A run hands over its events in their total order, says when virtual time is about to move and when the run is
/// over, and asks for the verdicts. The court sees nothing but these events: never the client's insides.
public struct Court: Sendable {
  private let judging: [Invariant]
  private var shadow: Shadow
  private var last = Stamp(nanoseconds: .min, step: 0)

  // One stored property for each judge: calls are direct, so that a million events a second can be judged.
  private var singleFlight: Bench<SingleFlightJudge>?
  private var answersOnce: Bench<AnswersOnceJudge>?
  private var cancelIsolated: Bench<CancelIsolatedJudge>?
  private var ttl: Bench<TTLJudge>?
  private var invalidation: Bench<InvalidationJudge>?
  private var requestEconomy: Bench<RequestEconomyJudge>?
  private var nothingLeft: Bench<NothingLeftJudge>?
  private var noEscape: Bench<NoEscapeJudge>?

  /// The earliest violation so far; of several that one event proves, that of the first judge.
  ///
  /// - Complexity: O(1).
  public private(set) var firstViolation: Violation?

  /// How many violations were proven so far, by all judges.
  ///
  /// - Complexity: O(1).
  public private(set) var violationCount = 0

  /// Opens a court.
  ///
  /// - Parameters:
  ///   - judging: The invariants to judge; those that no judge of this build knows are left out of the verdicts.
  ///   - facts: What the run is configured with.
  public init(judging: [Invariant], facts: RunFacts) {
    self.judging = Set(judging).filter { $0.unit != nil }.sorted()
    shadow = Shadow(facts: facts)
    let seated = self.judging.filter { $0.isApplicable(to: facts.clientKind) }
    if seated.contains(.singleFlight) { singleFlight = Bench() }
    if seated.contains(.answersOnce) { answersOnce = Bench() }
    if seated.contains(.cancelIsolated) { cancelIsolated = Bench() }
    if seated.contains(.ttl) { ttl = Bench() }
    if seated.contains(.invalidation) { invalidation = Bench() }
    if seated.contains(.requestEconomy) { requestEconomy = Bench() }
    if seated.contains(.nothingLeft) { nothingLeft = Bench() }
    if seated.contains(.noEscape) { noEscape = Bench() }
  }

  /// Takes in the next event of the run.
  ///
  /// - Complexity: O(1), but for the few requests that calls of the same key may be waiting for.
  /// - Parameters:
  ///   - event: What happened.
  ///   - stamp: When; never before the last one.
  public mutating func observe(_ event: Event, at stamp: Stamp) {
    if stamp.nanoseconds > last.nanoseconds { timeAdvances(from: last) }
    last = stamp
    shadow.enter(event, at: stamp.nanoseconds)
    if case .callReturned(let id, let outcome) = event,
      let reply = shadow.reply(to: id, outcome, at: stamp.nanoseconds)
    {
      judge(reply, at: stamp)
      shadow.leave(reply, at: stamp.nanoseconds)
    } else {
      judge(event, at: stamp)
    }
    collect()
  }

  /// Takes in that everything of an instant has happened, because virtual time is about to move.
  ///
  /// The next event must lie in a later instant. Calling it more than once for an instant, or not at all, does no
  /// harm: an event of a later instant settles the earlier one.
  ///
  /// - Complexity: O(k) in the number of (instance, request) pairs that the instant touched.
  /// - Parameter stamp: The last moment of that instant.
  public mutating func timeAdvances(from stamp: Stamp) {
    shadow.settle(at: stamp.nanoseconds)
    let sleepers = shadow.sleepers(at: stamp.nanoseconds)
    singleFlight?.timeAdvances(from: stamp, sleepers, &shadow)
    answersOnce?.timeAdvances(from: stamp, sleepers, &shadow)
    cancelIsolated?.timeAdvances(from: stamp, sleepers, &shadow)
    shadow.giveUp(sleepers, at: stamp.nanoseconds)
    shadow.forget(at: stamp.nanoseconds)
    collect()
  }

  /// Takes in that the run is over: clients closed, everything drained.
  ///
  /// - Complexity: O(n) in the number of calls that never returned.
  /// - Parameter stamp: The last moment of the run.
  public mutating func finish(at stamp: Stamp) {
    timeAdvances(from: stamp)
    singleFlight?.finish(at: stamp, shadow)
    answersOnce?.finish(at: stamp, shadow)
    collect()
  }

  /// Returns one verdict for each invariant to judge, in the order of `Invariant.judged`.
  ///
  /// - Complexity: O(n) in the number of judges.
  /// - Returns: The verdicts on the run so far.
  public func verdicts() -> [InvariantVerdict] {
    let dockets = dockets()
    return judging.map { invariant in
      dockets.first { $0.invariant == invariant }?.verdict ?? InvariantVerdict(notApplicable: invariant)
    }
  }

  private mutating func judge(_ event: Event, at stamp: Stamp) {
    singleFlight?.observe(event, at: stamp, shadow)
    answersOnce?.observe(event, at: stamp, shadow)
    cancelIsolated?.observe(event, at: stamp, shadow)
    requestEconomy?.observe(event, at: stamp, shadow)
    nothingLeft?.observe(event, at: stamp, shadow)
    noEscape?.observe(event, at: stamp, shadow)
  }

  private mutating func judge(_ reply: Reply, at stamp: Stamp) {
    singleFlight?.observe(reply, at: stamp, shadow)
    answersOnce?.observe(reply, at: stamp, shadow)
    cancelIsolated?.observe(reply, at: stamp, shadow)
    ttl?.observe(reply, at: stamp, shadow)
    invalidation?.observe(reply, at: stamp, shadow)
    requestEconomy?.observe(reply, at: stamp, shadow)
  }

  /// The dockets of the judges seated, in the order of `Invariant.judged`.
  private func dockets() -> [Docket] {
    [
      singleFlight?.docket, answersOnce?.docket, cancelIsolated?.docket, ttl?.docket, invalidation?.docket,
      requestEconomy?.docket, nothingLeft?.docket, noEscape?.docket,
    ].compactMap { $0 }
  }

  /// Adds up what the judges have written down.
  private mutating func collect() {
    let first = singleFlight?.docket.violations ?? 0
    let second = answersOnce?.docket.violations ?? 0
    let third = cancelIsolated?.docket.violations ?? 0
    let fourth = ttl?.docket.violations ?? 0
    let fifth = invalidation?.docket.violations ?? 0
    let sixth = requestEconomy?.docket.violations ?? 0
    let seventh = nothingLeft?.docket.violations ?? 0
    let eighth = noEscape?.docket.violations ?? 0
    violationCount = first + second + third + fourth + fifth + sixth + seventh + eighth
    guard violationCount > 0, firstViolation == nil else { return }
    firstViolation = dockets().lazy.compactMap(\.firstViolation).first
  }
}

/// A judge with its docket.
private struct Bench<Seated: Judge>: Sendable {
  private var judge = Seated()
  private(set) var docket = Docket(Seated.invariant)

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow) {
    judge.observe(event, at: stamp, shadow, &docket)
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow) {
    judge.observe(reply, at: stamp, shadow, &docket)
  }

  mutating func timeAdvances(from stamp: Stamp, _ sleepers: [Sleeper], _ shadow: inout Shadow) {
    judge.timeAdvances(from: stamp, sleepers, &shadow, &docket)
  }

  mutating func finish(at stamp: Stamp, _ shadow: Shadow) {
    judge.finish(at: stamp, shadow, &docket)
  }
}
