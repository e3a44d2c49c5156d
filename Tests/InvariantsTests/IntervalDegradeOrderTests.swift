import Events
import Invariants
import Testing

@Suite struct IntervalDegradeOrderTests {
  private static let key = RequestKey(request: 1, cacheKey: 0)
  private static let facts = RunFacts(cacheTTL: 45_000, requestTimeout: 3_000)

  private func red(_ log: IntervalLog, _ facts: RunFacts = facts) -> [String] {
    judgeIntervals(log, judging: [.degradeOrder], facts: facts).filter { $0.status == .violated }.map(
      \.invariant.id)
  }

  private func call(
    _ reader: Int32, from begin: Int64, to end: Int64, _ origin: Origin, _ serial: UInt64?,
    instance: Int32 = 0,
    key: RequestKey = key
  ) -> IntervalLog.Call {
    IntervalLog.Call(
      reader: ReaderID(reader), instance: InstanceID(instance), operation: .evaluate, key: key, begin: begin,
      end: end,
      outcome: .answered([KeyAnswer(key: 0, origin: origin, serial: serial.map { Serial($0) })]))
  }

  private func request(
    _ id: UInt64, from started: Int64, to ended: Int64, _ completion: RequestCompletion,
    key: RequestKey = key
  ) -> IntervalLog.Request {
    IntervalLog.Request(
      id: RequestID(id), instance: InstanceID(0), key: key, started: started, ended: ended,
      completion: completion)
  }

  /// An answer that a waiter was given at 1 µs, and a call whose flight is lost half a minute later.
  private func log(_ origin: Origin, _ serial: UInt64?) -> IntervalLog {
    var log = IntervalLog()
    log.calls = [call(1, from: 0, to: 1_000, .flight, 1), call(2, from: 50_000, to: 51_000, origin, serial)]
    log.requests = [
      request(1, from: 10, to: 900, .answered(status: 200, serial: Serial(1))),
      request(2, from: 50_010, to: 50_900, .lost),
    ]
    log.begun = 2
    log.returned = 2
    return log
  }

  @Test func `each key that is not fresh is a check`() {
    let verdict = judgeIntervals(log(.stale, 1), judging: [.degradeOrder], facts: Self.facts)[0]
    #expect(verdict.status == .passed)
    #expect(verdict.checks == 2)
    #expect(Invariant.degradeOrder.isJudgedOnWallClock)
  }

  @Test func `only a value that no answer carried is a default`() {
    #expect(red(log(.default, 1)) == ["degrade-order"])
    #expect(red(log(.stale, nil)) == ["degrade-order"])
    #expect(red(log(.fresh, nil)) == ["degrade-order"])
  }

  @Test func `a stale value was received for its cache key before the return`() {
    var log = log(.stale, 1)
    log.requests[0].key = RequestKey(request: 2, cacheKey: 0)
    #expect(red(log) == [])
    log.requests[0].key = RequestKey(request: 1, cacheKey: 1)
    #expect(red(log) == ["degrade-order"])
    log.requests[0].key = Self.key
    log.requests[0].ended = 51_000
    #expect(red(log) == [])
    log.requests[0].ended = 51_001
    #expect(red(log) == ["degrade-order"])
    log.requests[0].ended = 900
    log.requests[0].instance = InstanceID(1)
    #expect(red(log) == ["degrade-order"])
  }

  @Test func `a default although an answer is certainly held is red`() {
    let log = log(.default, nil)
    let verdict = judgeIntervals(log, judging: [.degradeOrder], facts: Self.facts)[0]
    #expect(verdict.violations == 1)
    #expect(
      verdict.firstViolation?.message
        == "reader 2: evaluate, called at 0.00005 s, was given the default for key 0, although answer 1 had been given to "
        + "a call that returned at 0.000001 s")
  }

  @Test func `a default is right while nothing is certainly held`() {
    var overlapping = log(.default, nil)
    overlapping.calls[0].end = 50_000
    #expect(red(overlapping) == [])
    var unknown = log(.default, nil)
    unknown.calls[0].outcome = .answered([KeyAnswer(key: 0, origin: .default, serial: nil)])
    #expect(red(unknown) == [])
    var closed = log(.default, nil)
    closed.closed[InstanceID(0)] = 51_000
    #expect(red(closed) == [])
    closed.closed[InstanceID(0)] = 51_001
    #expect(red(closed) == ["degrade-order"])
    var garbling = Self.facts
    garbling.answersNameEveryKey = false
    #expect(red(log(.default, nil), garbling) == [])
  }

  @Test func `an invalidation may have dropped what was held`() {
    var log = log(.default, nil)
    func invalidated(from begin: Int64, to end: Int64?) -> [String] {
      log.invalidations = [IntervalLog.Invalidation(instance: InstanceID(0), begin: begin, end: end)]
      return red(log)
    }
    #expect(invalidated(from: 2_000, to: 2_100) == [])
    #expect(invalidated(from: 51_000, to: nil) == [])
    #expect(invalidated(from: 51_001, to: nil) == ["degrade-order"])
    #expect(invalidated(from: -4_000, to: -2_990) == [])
    #expect(invalidated(from: -4_000, to: -2_991) == ["degrade-order"])
  }

  @Test func `past the limit of the cache any entry may be gone`() {
    var log = log(.default, nil)
    log.requests.append(
      request(
        3, from: 2_000, to: 2_900, .answered(status: 200, serial: Serial(3)),
        key: RequestKey(request: 7, cacheKey: 7)))
    var facts = Self.facts
    facts.cacheCapacity = 2
    #expect(red(log, facts) == ["degrade-order"])
    facts.cacheCapacity = 1
    #expect(red(log, facts) == [])
  }
}
