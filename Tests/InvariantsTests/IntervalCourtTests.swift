import Events
import Invariants
import Testing

@Suite struct IntervalCourtTests {
  private static let facts = RunFacts(cacheTTL: 45_000, requestTimeout: 3_000)
  private static let key = RequestKey(request: 1, cacheKey: 0)
  private static let other = RequestKey(request: 2, cacheKey: 0)

  private func log(_ fill: (inout IntervalLog) -> Void) -> IntervalLog {
    var log = IntervalLog()
    fill(&log)
    return log
  }

  private func judge(_ log: IntervalLog, facts: RunFacts = facts) -> [Invariant: InvariantVerdict] {
    let verdicts = judgeIntervals(log, judging: Invariant.judged, facts: facts)
    return Dictionary(uniqueKeysWithValues: verdicts.map { ($0.invariant, $0) })
  }

  private func red(_ log: IntervalLog, facts: RunFacts = facts) -> [String] {
    judgeIntervals(log, judging: Invariant.judged, facts: facts).filter { $0.status == .violated }.map(
      \.invariant.id)
  }

  /// A cold start of some equal callers and their one request.
  private func coldStart(_ count: Int) -> IntervalLog {
    log { log in
      for reader in 0..<count {
        log.add(reader, begin: Int64(reader), end: 1_000 + Int64(reader), .flight(1))
      }
      log.requests = [.answered(1, from: 5, to: 900)]
    }
  }

  @Test func `a cold start is one check fewer than callers`() throws {
    let verdicts = judge(coldStart(50))
    #expect(try #require(verdicts[.singleFlight]).checks == 49)
    #expect(try #require(verdicts[.singleFlight]).status == .passed)
    #expect(try #require(verdicts[.answersOnce]).checks == 50)
    #expect(verdicts[.invalidation]?.status == .notExercised)
    for invariant in [Invariant.ttl, .cancelIsolated, .requestEconomy, .noEscape] {
      #expect(verdicts[invariant]?.status == .notApplicable)
    }
  }

  @Test func `a second request beside a surely outstanding one is red`() {
    var log = coldStart(3)
    log.requests.append(.answered(2, from: 899, to: 950))
    #expect(red(log) == ["single-flight"])
    log.requests[1].started = 900
    #expect(red(log) == [])
    log.requests[1].started = 899
    log.requests[1].key = Self.other
    #expect(red(log) == [])
  }

  @Test func `a second request is right once the first may have been let go`() {
    var cancelled = coldStart(3)
    cancelled.requests[0] = IntervalLog.Request(
      id: RequestID(1), instance: InstanceID(0), key: Self.key, started: 5, cancelRequested: 800)
    cancelled.requests.append(.answered(2, from: 700, to: 900))
    for call in 0..<3 { cancelled.calls[call].outcome = .flight(2) }
    #expect(red(cancelled) == ["single-flight"])
    cancelled.add(7, begin: 4, end: 720, .defaults)
    cancelled.calls[3].cancelled = 690
    #expect(red(cancelled) == [])
    var invalidated = coldStart(3)
    invalidated.requests.append(.answered(2, from: 100, to: 950))
    invalidated.invalidations = [IntervalLog.Invalidation(instance: InstanceID(0), begin: 90, end: 120)]
    invalidated.begun += 1
    invalidated.returned += 1
    #expect(red(invalidated) == [])
  }

  @Test func `a finished flight takes no new waiter`() {
    var log = coldStart(3)
    log.add(9, begin: 1_000, end: 1_300, .flight(1))
    #expect(red(log) == [])
    log.add(9, begin: 1_001, end: 1_300, .flight(1))
    #expect(red(log) == ["single-flight"])
  }

  @Test func `every call returns`() {
    var log = coldStart(3)
    log.calls[2].end = nil
    log.calls[2].outcome = nil
    log.returned -= 1
    #expect(
      judge(log)[.answersOnce]?.firstViolation?.message
        == "reader 2: evaluate, called at 0.000000002 s, never returned")
    var uneven = coldStart(3)
    uneven.begun += 1
    #expect(judge(uneven)[.answersOnce]?.firstViolation?.message == "4 calls began, 3 returned")
  }

  @Test func `values belong to the request instance and time that are claimed`() {
    var log = coldStart(2)
    log.add(5, begin: 10, end: 1_100, .flight(1), key: Self.other)
    #expect(red(log) == ["answers-once"])
    log.calls[2].outcome = .fresh(1)
    #expect(red(log) == [])
    log.calls[2].instance = InstanceID(1)
    #expect(red(log) == ["answers-once"])
    log.calls[2].instance = InstanceID(0)
    log.calls[2].end = 899
    #expect(red(log) == ["answers-once"])
    log.calls[2].end = 900
    #expect(red(log) == [])
    log.calls[2].outcome = .fresh(9)
    #expect(red(log) == ["answers-once"])
  }

  @Test func `errors and defaults need a cause`() {
    var log = log { log in
      log.add(1, begin: 0, end: 500, .defaults)
      log.add(2, begin: 0, end: 500, .failed(.server, status: 503), operation: .evaluateOrThrow)
      log.requests = [.answered(1, from: 5, to: 400)]
    }
    #expect(judge(log)[.answersOnce]?.violations == 2)
    log.requests[0].completion = .answered(status: 503, serial: nil)
    #expect(red(log) == [])
    log.calls[1].outcome = .failed(.transport, status: 0)
    #expect(red(log) == ["answers-once"])
    log.calls[1].end = 3_000
    #expect(red(log) == [])
    log.calls[1].end = 2_999
    log.calls[1].cancelled = 20
    #expect(red(log) == [])
  }

  @Test func `a deadline may pass before the request starts`() {
    let log = log { log in
      log.add(1, begin: 0, end: 3_100, .defaults)
      log.add(2, begin: 2_900, end: 3_050, .failed(.transport, status: 0), operation: .evaluateOrThrow)
    }
    #expect(red(log) == [])
  }

  @Test func `a failure explains no call that began after a later request`() {
    let log = log { log in
      log.add(1, begin: 0, end: 500, .defaults)
      log.add(2, begin: 600, end: 1_000, .flight(2))
      log.add(3, begin: 700, end: 1_000, .defaults)
      log.requests = [
        IntervalLog.Request(
          id: RequestID(1), instance: InstanceID(0), key: Self.key, started: 5, ended: 400, completion: .lost),
        .answered(2, from: 650, to: 900),
      ]
    }
    #expect(judge(log)[.answersOnce]?.violations == 1)
    #expect(judge(log)[.answersOnce]?.firstViolation?.reader == ReaderID(3))
  }

  @Test func `evaluate never throws`() {
    var log = coldStart(2)
    log.calls[0].outcome = .failed(.transport, status: 0)
    #expect(red(log) == ["answers-once"])
  }

  @Test func `after an invalidation nothing older is given`() {
    var log = coldStart(2)
    log.invalidations = [IntervalLog.Invalidation(instance: InstanceID(0), begin: 2_000, end: 2_100)]
    log.begun += 1
    log.returned += 1
    log.freshHits = [
      IntervalLog.FreshHits(instance: InstanceID(0), serial: Serial(1), count: 9, latestBegin: 2_100)
    ]
    log.begun += 9
    log.returned += 9
    #expect(red(log) == [])
    #expect(judge(log)[.invalidation]?.status == .notExercised)
    log.freshHits[0].latestBegin = 2_101
    #expect(red(log) == ["invalidation"])
    log.freshHits[0].latestBegin = 2_000
    log.add(3, begin: 2_200, end: 2_300, .fresh(1))
    #expect(judge(log)[.invalidation]?.firstViolation?.reader == ReaderID(3))
    log.calls[2].instance = InstanceID(1)
    #expect(judge(log)[.invalidation]?.violations == 0)
  }

  @Test func `leftovers are judged as in virtual time`() {
    var log = coldStart(1)
    log.leftovers = [
      IntervalLog.Remainder(instance: InstanceID(0), kind: .task, count: 0),
      IntervalLog.Remainder(instance: InstanceID(0), kind: .timer, count: 2),
    ]
    #expect(judge(log)[.nothingLeft]?.checks == 2)
    #expect(judge(log)[.nothingLeft]?.firstViolation?.message == "instance 0 left 2 armed timers after close")
  }

  @Test func `no legal history with any delay of threads is red`() {
    var dice = Dice(7)
    for seed in 0..<800 as Range<UInt64> {
      var run = ReferenceRun(seed: seed, keepsHistory: true)
      run.run()
      let log = run.intervals(&dice)
      let verdicts = judgeIntervals(log, judging: Invariant.judged, facts: run.intervalFacts)
      guard let violation = verdicts.lazy.compactMap(\.firstViolation).first else { continue }
      Issue.record("seed \(seed): \(violation)\n\(run.text)")
      return
    }
  }

  @Test(arguments: [
    (Bug.noSingleFlight, Invariant.singleFlight), (.fillsAfterInvalidation, .invalidation),
    (.keyedWithoutStore, .answersOnce), (.neverReturns, .answersOnce),
    (.sharesCacheOfInstances, .answersOnce), (.forgetsHeld, .degradeOrder),
  ])
  func `a bug is seen on the wall clock as well`(bug: Bug, invariant: Invariant) {
    var dice = Dice(7)
    var count = 0
    for seed in 0..<150 as Range<UInt64> {
      var run = ReferenceRun(seed: seed, bug: bug, keepsHistory: true)
      run.run()
      let log = run.intervals(&dice)
      let verdicts = judgeIntervals(log, judging: [invariant], facts: run.intervalFacts)
      if verdicts[0].status == .violated { count += 1 }
    }
    #expect(count > 0, "\(bug.rawValue)")
  }
}

extension CallOutcome {
  fileprivate static func flight(_ serial: UInt64) -> CallOutcome {
    .answered([KeyAnswer(key: 0, origin: .flight, serial: Serial(serial))])
  }

  fileprivate static func fresh(_ serial: UInt64) -> CallOutcome {
    .answered([KeyAnswer(key: 0, origin: .fresh, serial: Serial(serial))])
  }

  fileprivate static let defaults = CallOutcome.answered([KeyAnswer(key: 0, origin: .default, serial: nil)])
}

extension IntervalLog {
  fileprivate mutating func add(
    _ reader: Int, begin: Int64, end: Int64, _ outcome: CallOutcome, operation: Events.Operation = .evaluate,
    key: RequestKey = RequestKey(request: 1, cacheKey: 0)
  ) {
    begun += 1
    returned += 1
    calls.append(
      Call(
        reader: ReaderID(Int32(reader)), instance: InstanceID(0), operation: operation, key: key,
        begin: begin, end: end,
        outcome: outcome))
  }
}

extension IntervalLog.Request {
  fileprivate static func answered(_ number: UInt64, from started: Int64, to ended: Int64)
    -> IntervalLog.Request
  {
    IntervalLog.Request(
      id: RequestID(number), instance: InstanceID(0), key: RequestKey(request: 1, cacheKey: 0),
      started: started,
      ended: ended, completion: .answered(status: 200, serial: Serial(number)))
  }
}
