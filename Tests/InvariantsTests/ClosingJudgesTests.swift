import Events
import Invariants
import Testing

@Suite struct RequestEconomyJudgeTests {
  @Test func `each request is a check`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1
      1s    return 1 flight 1
      2s    evaluate 2 a
      2s    return 2 fresh 1
      60s   evaluate 3 a
      60s   start 2 a
      61s   answer 2
      61s   return 3 flight 2
      """)
    #expect(story.red == [])
    #expect(story.checks(.requestEconomy) == 2)
  }

  @Test func `a request on behalf of fresh hits is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1
      1s    return 1 flight 1
      40s   evaluate 2 a
      40s   return 2 fresh 1
      40s   start 2 a
      41s   answer 2
      """)
    #expect(story.red.contains("request-economy"))
    #expect(
      story.message(.requestEconomy)
        == "instance 0: request 2 is more than there were calls that missed the cache")
  }

  @Test func `a hit in the instant of the fill may have been a miss`() {
    let story = Story(
      """
      0s    evaluate 1 a1
      0s    start 1 a1
      0s    answer 1
      0s    return 1 flight 1
      0s    evaluate 2 a2
      0s    start 2 a2
      0s    answer 2 500
      0s    return 2 fresh 1
      """)
    #expect(story.red == [])
  }
}

@Suite struct NothingLeftJudgeTests {
  @Test func `each kind looked for is a check`() {
    let story = Story(
      """
      1s  close
      1s  left task 0
      1s  left timer 0
      1s  left request 0
      1s  left continuation 0
      1s  left memory 0
      """)
    #expect(story.red == [])
    #expect(story.checks(.nothingLeft) == 5)
  }

  @Test(arguments: [
    ("task 1", "1 task that has not ended"), ("timer 2", "2 armed timers"),
    ("request 1", "1 outstanding request"), ("continuation 3", "3 calls without an answer"),
    ("memory 4096", "4096 bytes that a second, identical run added"),
  ])
  func `anything left is red`(left: String, words: String) {
    let story = Story("1s close\n1s left \(left)")
    #expect(story.red == ["nothing-left"])
    #expect(story.message(.nothingLeft) == "instance 0 left \(words) after close")
  }

  @Test func `a request of a closed client is red`() {
    let story = Story("1s close\n2s evaluate 1 a\n2s start 1 a")
    #expect(story.red.contains("nothing-left"))
    #expect(
      story.message(.nothingLeft) == "instance 0: request 1 started after the client was closed")
  }
}

@Suite struct NoEscapeJudgeTests {
  @Test func `a closed instance and an equal second run are a check each`() {
    let story = Story("1s close\n1s close 1\n2s rerun same")
    #expect(story.red == [])
    #expect(story.checks(.noEscape) == 3)
  }

  @Test(arguments: ["escape global", "escape thread", "rerun different"])
  func `an escape and a different second run are red`(event: String) {
    #expect(Story("1s \(event)").red == ["no-escape"])
  }
}

@Suite struct CourtTests {
  @Test func `only the invariants asked for are judged in their order`() {
    let story = Story("1s escape global", judging: [.noEscape, .ttl, .answersOnce])
    #expect(story.court.verdicts().map(\.invariant) == [.answersOnce, .ttl, .noEscape])
    #expect(story.court.verdicts().map(\.status) == [.notExercised, .notExercised, .violated])
  }

  @Test func `every invariant has a judge for one client at least`() {
    let unjudged = Invariant.known.filter { !$0.isJudged }
    #expect(unjudged == [])
    let story = Story("1s close", judging: [.backoff, .noEscape])
    #expect(story.court.verdicts().map(\.status) == [.notApplicable, .passed])
  }

  @Test func `judges of the other client are not applicable`() {
    let facts = RunFacts(clientKind: .flags, cacheTTL: 0, requestTimeout: 0)
    let story = Story("1s close\n1s left task 0", facts: facts)
    #expect(story.verdict(.ttl).status == .notApplicable)
    #expect(story.verdict(.nothingLeft).status == .passed)
  }

  @Test func `the first violation and the count are there at once`() {
    var court = Court(judging: Invariant.judged, facts: RunFacts(cacheTTL: 1, requestTimeout: 1))
    #expect(court.firstViolation == nil)
    court.observe(.escaped(.globalExecutor), at: Stamp(nanoseconds: 5, step: 2))
    #expect(court.violationCount == 1)
    court.observe(.callReturned(CallID(4), .cancelled), at: Stamp(nanoseconds: 6, step: 3))
    #expect(court.violationCount == 2)
    #expect(court.firstViolation?.invariant == .noEscape)
    #expect(court.firstViolation?.stamp == Stamp(nanoseconds: 5, step: 2))
  }

  @Test func `one call may stay open while very many come and go`() {
    var court = Court(
      judging: Invariant.judged, facts: RunFacts(cacheTTL: 1_000_000, requestTimeout: 1_000_000))
    let key = RequestKey(request: 0, cacheKey: 0)
    let slow = RequestKey(request: 1, cacheKey: 1)
    let first: UInt64 = 10_000_000
    let start = Stamp(nanoseconds: 1, step: 1)
    court.observe(.callBegan(CallID(first), ReaderID(0), InstanceID(0), .evaluate, slow), at: start)
    court.observe(.requestStarted(RequestID(900), InstanceID(0), .evaluate, slow), at: start)
    for number in 1...20_000 as ClosedRange<UInt64> {
      let stamp = Stamp(nanoseconds: Int64(number), step: number)
      let isCold = number == 1
      court.observe(.callBegan(CallID(first + number), ReaderID(1), InstanceID(0), .evaluate, key), at: stamp)
      if isCold {
        court.observe(.requestStarted(RequestID(901), InstanceID(0), .evaluate, key), at: stamp)
        court.observe(.requestCompleted(RequestID(901), .answered(status: 200, serial: Serial(7))), at: stamp)
      }
      let answer = KeyAnswer(key: 0, origin: isCold ? .flight : .fresh, serial: Serial(7))
      court.observe(.callReturned(CallID(first + number), .answered([answer])), at: stamp)
    }
    #expect(court.violationCount == 0)
    let end = Stamp(nanoseconds: 20_001, step: 20_001)
    court.observe(.callReturned(CallID(first + 5), .answered([])), at: end)
    #expect(court.firstViolation?.message.contains("returned a second time") == true)
    court.finish(at: end)
    #expect(court.violationCount == 2)
    #expect(court.verdicts().first { $0.invariant == .answersOnce }?.checks == 20_002)
  }

  @Test func `time that moves unannounced is noticed`() {
    var court = Court(judging: [.cancelIsolated], facts: RunFacts(cacheTTL: 9, requestTimeout: 9))
    let key = RequestKey(request: 0, cacheKey: 0)
    let start = Stamp(nanoseconds: 0, step: 1)
    court.observe(.callBegan(CallID(0), ReaderID(0), InstanceID(0), .evaluate, key), at: start)
    court.observe(.requestStarted(RequestID(0), InstanceID(0), .evaluate, key), at: start)
    court.observe(.callCancelled(CallID(0)), at: start)
    court.observe(.callReturned(CallID(0), .answered([])), at: start)
    #expect(court.violationCount == 0)
    court.observe(.published(version: 2), at: Stamp(nanoseconds: 1, step: 2))
    #expect(court.firstViolation?.stamp == start)
  }
}
