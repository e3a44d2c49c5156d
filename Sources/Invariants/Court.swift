import Events

/// All judges of a run in virtual time.
///
/// A run hands over its events in their total order, says when virtual time is about to move and when the run is
/// over, and asks for the verdicts. The court sees nothing but these events: never the client's insides.
public struct Court: Sendable {
  private let judging: [Invariant]
  private var shadow: Shadow
  private var last = Stamp(nanoseconds: .min, step: 0)
  /// The judges of the flags client; nil in a run of the other one, which `seats` judge.
  private var flags: FlagsCourt?
  /// The judges that sit, in the order of `Invariant.judged`.
  private var seats: [Seat]
  /// For each kind of moment the seats of the judges that care, so that an event costs a call for each of these only.
  private var callers: [Int]
  private var replied: [Int]
  private var requested: [Int]
  private var others: [Int]
  private var timed: [Int]

  /// The earliest violation so far; of several that one event proves, that of the first judge.
  ///
  /// - Complexity: O(1).
  public private(set) var firstViolation: Violation?

  /// How many violations were proven so far, by all judges.
  ///
  /// - Complexity: O(1).
  public private(set) var violationCount = 0

  /// The judges of this build.
  private static let judges: [any Judge.Type] = [
    SingleFlightJudge.self, AnswersOnceJudge.self, CancelIsolatedJudge.self, TTLJudge.self,
    DegradeOrderJudge.self,
    InvalidationJudge.self, RequestEconomyJudge.self, StateMatchesServiceJudge.self, BatchBoundsJudge.self,
    NoEventLostJudge.self, NoEventTwiceJudge.self, RetryAfterJudge.self, NothingLeftJudge.self,
    NoEscapeJudge.self,
    WellFormedJudge.self, LivenessJudge.self, FleetJudge.self,
  ]

  /// Whether a judge of this build judges an invariant of the feature-control client.
  static func judgesFeatureControl(_ invariant: Invariant) -> Bool {
    judges.contains { $0.invariant == invariant }
  }

  /// Opens a court.
  ///
  /// - Parameters:
  ///   - judging: The invariants to judge; those that no judge of this build knows are left out of the verdicts.
  ///   - facts: What the run is configured with.
  public init(judging: [Invariant], facts: RunFacts) {
    self.judging = Set(judging).filter { $0.unit != nil }.sorted()
    shadow = Shadow(facts: facts)
    let applicable = self.judging.filter { $0.isApplicable(to: facts) }
    flags = facts.clientKind == .flags ? FlagsCourt(judging: applicable, facts: facts) : nil
    let seated = flags == nil ? applicable : []
    var seats: [Seat] = []
    var interests: [Moments] = []
    for judge in Self.judges where seated.contains(judge.invariant) {
      seats.append(Seat(judge.init(), judge.invariant))
      interests.append(judge.interests)
    }
    self.seats = seats
    func caring(_ moment: Moments) -> [Int] { interests.indices.filter { interests[$0].contains(moment) } }
    callers = caring(.calls)
    replied = caring(.replies)
    requested = caring(.requests)
    others = caring(.others)
    timed = caring(.time)
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
    if flags != nil {
      flags?.observe(event, at: stamp)
      collectFlags()
      return
    }
    shadow.enter(event, at: stamp.nanoseconds)
    if case .callReturned(let id, let outcome) = event,
      let reply = shadow.reply(to: id, outcome, at: stamp.nanoseconds)
    {
      for seat in replied {
        seats[seat].observe(reply, at: stamp, shadow)
        collect(seat)
      }
      shadow.leave(reply, at: stamp.nanoseconds)
      return
    }
    for seat in caring(for: event) {
      seats[seat].observe(event, at: stamp, shadow)
      collect(seat)
    }
  }

  /// Takes in that everything of an instant has happened, because virtual time is about to move.
  ///
  /// The next event must lie in a later instant. Calling it more than once for an instant, or not at all, does no
  /// harm: an event of a later instant settles the earlier one.
  ///
  /// - Complexity: O(k) in the number of (instance, request) pairs that the instant touched.
  /// - Parameter stamp: The last moment of that instant.
  public mutating func timeAdvances(from stamp: Stamp) {
    if flags != nil {
      flags?.timeAdvances(from: stamp)
      collectFlags()
      return
    }
    shadow.settle(at: stamp.nanoseconds)
    let sleepers = shadow.sleepers(at: stamp.nanoseconds)
    for seat in timed {
      seats[seat].timeAdvances(from: stamp, sleepers, &shadow)
      collect(seat)
    }
    shadow.giveUp(sleepers, at: stamp.nanoseconds)
    shadow.forget(at: stamp.nanoseconds)
  }

  /// Takes in that the run is over: clients closed, everything drained.
  ///
  /// - Complexity: O(n) in the number of calls that never returned.
  /// - Parameter stamp: The last moment of the run.
  public mutating func finish(at stamp: Stamp) {
    if flags != nil {
      flags?.finish(at: stamp)
      collectFlags()
      return
    }
    timeAdvances(from: stamp)
    for seat in seats.indices {
      seats[seat].finish(at: stamp, shadow)
      collect(seat)
    }
  }

  /// Returns one verdict for each invariant to judge, in the order of `Invariant.judged`.
  ///
  /// - Complexity: O(n) in the number of judges.
  /// - Returns: The verdicts on the run so far.
  public func verdicts() -> [InvariantVerdict] {
    judging.map { invariant in
      (flags?.verdict(on: invariant) ?? seats.first { $0.docket.invariant == invariant }?.docket.verdict)
        ?? InvariantVerdict(notApplicable: invariant)
    }
  }

  /// The seats of the judges that care for an event.
  private func caring(for event: Event) -> [Int] {
    switch event {
    case .callBegan, .callCancelled, .callReturned: callers
    case .requestStarted, .requestArrived, .requestCancelled, .requestCompleted, .flightBegan: requested
    case .answerProduced: []
    case .published, .instanceClosed, .leftover, .escaped, .reran, .authorized, .tokenSent, .requestFlawed,
      .patienceAsked, .answerShaped, .pageDelivered, .batchSent, .exposureRecorded, .exposuresCounted,
      .marked, .healed,
      .recoveryAwaited, .recovered, .stalled, .device:
      others
    }
  }

  /// Takes over what the judges of the flags client have found.
  private mutating func collectFlags() {
    violationCount = flags?.violationCount ?? 0
    if firstViolation == nil { firstViolation = flags?.firstViolation }
  }

  /// Adds up what a judge has newly written down.
  private mutating func collect(_ seat: Int) {
    let found = seats[seat].docket.violations
    guard found > seats[seat].collected else { return }
    violationCount += found - seats[seat].collected
    seats[seat].collected = found
    if firstViolation == nil { firstViolation = seats[seat].docket.firstViolation }
  }
}

/// A judge with its docket.
private struct Seat: Sendable {
  private var judge: any Judge
  private(set) var docket: Docket
  /// How many of its violations the court has counted.
  var collected = 0

  init(_ judge: any Judge, _ invariant: Invariant) {
    self.judge = judge
    docket = Docket(invariant)
  }

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
