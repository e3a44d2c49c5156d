import Events

/// The judges of a run of the flags client, with the shadow that they share.
struct FlagsCourt: Sendable {
  /// The judges of this build; seating one is a line here.
  private static let judges: [any FlagsJudge.Type] = [
    SyncFlightJudge.self, RefreshJudge.self, GateClosedJudge.self,
    MonotonicVersionJudge.self, DeltaBaseJudge.self, GoneRecoversJudge.self, EtagHonestJudge.self,
    HeldContentJudge.self, OneSnapshotJudge.self, DiskHonestJudge.self, ExposureOnceJudge.self,
    ExposureTrueJudge.self,
    FlagsBatchBoundsJudge.self,
    FlagsNoEventLostJudge.self,
    FlagsNoEventTwiceJudge.self,
    FlagsRetryAfterJudge.self,
    FlagsBackoffJudge.self,
    RequestBudgetJudge.self,
    ObserversJudge.self,
    FlagsNothingLeftJudge.self,
    FlagsNoEscapeJudge.self,
    FlagsWellFormedJudge.self,
    FlagsLivenessJudge.self,
    FlagsFleetJudge.self,
  ]

  private var shadow: FlagsShadow
  private var seats: [Seat] = []
  /// For each kind of moment the seats of the judges that care.
  private var called: [Int] = []
  private var requested: [Int] = []
  private var others: [Int] = []
  private var read: [Int] = []
  private var timed: [Int] = []

  /// The earliest violation so far; of several that one event proves, that of the first judge.
  private(set) var firstViolation: Violation?
  /// How many violations were proven so far.
  private(set) var violationCount = 0

  /// Whether a judge of this build judges an invariant of the flags client.
  static func judges(_ invariant: Invariant) -> Bool { judges.contains { $0.invariant == invariant } }

  /// Opens the court.
  ///
  /// - Parameters:
  ///   - judging: The invariants to judge.
  ///   - facts: What the run is configured with.
  init(judging: [Invariant], facts: RunFacts) {
    shadow = FlagsShadow(facts: facts)
    for judge in Self.judges where judging.contains(judge.invariant) {
      let seat = seats.count
      let interests = judge.interests
      seats.append(Seat(judge.init(), judge.invariant))
      if interests.contains(.calls) { called.append(seat) }
      if interests.contains(.requests) { requested.append(seat) }
      if interests.contains(.others) { others.append(seat) }
      if interests.contains(.replies) { read.append(seat) }
      if interests.contains(.time) { timed.append(seat) }
    }
  }

  /// Takes in the next event of the run.
  mutating func observe(_ event: Event, at stamp: Stamp) {
    shadow.enter(event, at: stamp)
    for seat in caring(for: event) {
      seats[seat].observe(event, at: stamp, shadow)
      collect(seat)
    }
    shadow.leave(event, at: stamp)
  }

  /// Takes in that everything of an instant has happened.
  mutating func timeAdvances(from stamp: Stamp) {
    shadow.settle(at: stamp)
    for seat in timed {
      seats[seat].timeAdvances(from: stamp, shadow)
      collect(seat)
    }
    shadow.forget(at: stamp)
  }

  /// Takes in that the run is over.
  mutating func finish(at stamp: Stamp) {
    timeAdvances(from: stamp)
    for seat in seats.indices {
      seats[seat].finish(at: stamp, shadow)
      collect(seat)
    }
  }

  /// The verdict on an invariant; nil where no judge sits.
  func verdict(on invariant: Invariant) -> InvariantVerdict? {
    seats.first { $0.docket.invariant == invariant }?.docket.verdict
  }

  /// The seats of the judges that care for an event.
  private func caring(for event: Event) -> [Int] {
    switch event {
    case .callBegan, .callCancelled, .callReturned: called
    case .requestStarted, .requestArrived, .requestCancelled, .requestCompleted, .flightBegan,
      .answerProduced,
      .device(.queried), .device(.served), .device(.damaged), .device(.batchSent),
      .device(.eventsCounted):
      requested
    case .device(.read): read
    default: others
    }
  }

  /// Adds up what a judge has newly written down.
  private mutating func collect(_ seat: Int) {
    let found = seats[seat].docket.violations
    guard found > seats[seat].collected else { return }
    violationCount += found - seats[seat].collected
    seats[seat].collected = found
    if firstViolation == nil { firstViolation = seats[seat].docket.firstViolation }
  }

  /// A judge with its docket.
  private struct Seat: Sendable {
    var judge: any FlagsJudge
    var docket: Docket
    /// How many of its violations the court has counted.
    var collected = 0

    init(_ judge: any FlagsJudge, _ invariant: Invariant) {
      self.judge = judge
      docket = Docket(invariant)
    }

    mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow) {
      judge.observe(event, at: stamp, shadow, &docket)
    }

    mutating func timeAdvances(from stamp: Stamp, _ shadow: FlagsShadow) {
      judge.timeAdvances(from: stamp, shadow, &docket)
    }

    mutating func finish(at stamp: Stamp, _ shadow: FlagsShadow) {
      judge.finish(at: stamp, shadow, &docket)
    }
  }
}
