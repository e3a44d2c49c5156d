import Events
import Invariants
import Testing

@Suite struct SingleFlightJudgeTests {
  @Test(arguments: [2, 3, 100, 5000])
  func `equal callers on a cold cache are one check fewer than callers`(count: UInt64) {
    var court = Court(
      judging: Invariant.judged, facts: RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000))
    let key = RequestKey(request: 7, cacheKey: 3)
    let begin = Stamp(nanoseconds: 0, step: 1)
    for call in 0..<count {
      court.observe(
        .callBegan(CallID(call), ReaderID(Int32(call)), InstanceID(0), .evaluate, key), at: begin)
      if call == count / 2 {
        court.observe(.requestStarted(RequestID(0), InstanceID(0), .evaluate, key), at: begin)
      }
    }
    court.timeAdvances(from: begin)
    let end = Stamp(nanoseconds: 80_000_000, step: 2)
    court.observe(.requestCompleted(RequestID(0), .answered(status: 200, serial: Serial(1))), at: end)
    for call in (0..<count).reversed() {
      let answer = KeyAnswer(key: 0, origin: .flight, serial: Serial(1))
      court.observe(.callReturned(CallID(call), .answered([answer])), at: end)
    }
    court.finish(at: end)
    #expect(court.violationCount == 0)
    let verdict = court.verdicts()[0]
    #expect(verdict.invariant == .singleFlight)
    #expect(verdict.status == .passed)
    #expect(verdict.checks == Int(count) - 1)
  }

  @Test func `a lone caller exercises nothing`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 flight 1
      81ms  evaluate 2 a
      81ms  return 2 fresh 1
      """)
    #expect(story.red == [])
    #expect(story.verdict(.singleFlight).status == .notExercised)
    #expect(story.verdict(.ttl).checks == 2)
  }

  @Test func `a second request beside an outstanding one is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  evaluate 2 a
      10ms  start 2 a
      80ms  answer 1
      80ms  return 1 flight 1
      90ms  answer 2
      90ms  return 2 flight 2
      """)
    #expect(story.red == ["single-flight"])
    #expect(
      story.message(.singleFlight) == "instance 0: request 2 started while request 1, equal to it, was "
        + "outstanding since 0 s")
    #expect(story.verdict(.singleFlight).firstViolation?.stamp.nanoseconds == 10_000_000)
    #expect(story.verdict(.singleFlight).firstViolation?.request == RequestID(2))
  }

  @Test func `two leaders of one instant are red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    evaluate 2 a
      0s    start 1 a
      0s    start 2 a
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  answer 2
      80ms  return 2 flight 2
      """)
    #expect(story.red == ["single-flight"])
  }

  @Test func `different requests instances and keys fly side by side`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 a2
      0s    start 2 a2
      0s    evaluate 3 b
      0s    start 3 b
      0s    evaluate 4 a@1
      0s    start 4 a@1
      80ms  answer 4
      80ms  answer 2
      80ms  answer 3
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  return 2 flight 2
      80ms  return 3 flight 3
      80ms  return 4 flight 4
      """)
    #expect(story.red == [])
    #expect(story.checks(.singleFlight) == 0)
  }

  @Test func `a new flight after the last waiter was cancelled is right in the same instant`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  cancel 1
      10ms  abort 1
      10ms  aborted 1
      10ms  return 1 default
      10ms  evaluate 2 a
      10ms  start 2 a
      90ms  answer 2
      90ms  return 2 flight 2
      """)
    #expect(story.red == [])
    #expect(story.checks(.cancelIsolated) == 1)
    #expect(story.checks(.singleFlight) == 0)
  }

  @Test func `a new flight beside one being let go is red until its cancellation is asked for`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  cancel 1
      10ms  return 1 default
      10ms  evaluate 2 a
      10ms  start 2 a
      10ms  abort 1
      90ms  answer 2
      90ms  return 2 flight 2
      """)
    #expect(story.red == ["single-flight"])
  }

  @Test func `a request cancelled in the step of its start never left the device`() {
    var court = Court(judging: [.singleFlight], facts: RunFacts(cacheTTL: 1000, requestTimeout: 1000))
    let key = RequestKey(request: 0, cacheKey: 0)
    func stamp(_ step: UInt64) -> Stamp { Stamp(nanoseconds: 0, step: step) }
    court.observe(.callBegan(CallID(1), ReaderID(1), InstanceID(0), .evaluate, key), at: stamp(1))
    court.observe(.callCancelled(CallID(1)), at: stamp(2))
    court.observe(.callBegan(CallID(2), ReaderID(2), InstanceID(0), .evaluate, key), at: stamp(3))
    court.observe(.requestStarted(RequestID(2), InstanceID(0), .evaluate, key), at: stamp(4))
    court.observe(.requestStarted(RequestID(1), InstanceID(0), .evaluate, key), at: stamp(5))
    court.observe(.requestCancelled(RequestID(1)), at: stamp(5))
    court.observe(.callReturned(CallID(1), .answered([])), at: stamp(6))
    #expect(court.violationCount == 0)
    court.observe(.requestStarted(RequestID(3), InstanceID(0), .evaluate, key), at: stamp(7))
    court.observe(.requestCancelled(RequestID(3)), at: stamp(8))
    #expect(court.violationCount == 1)
  }

  @Test func `while an invalidation runs either epoch may fly`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  invalidate 9
      10ms  evaluate 2 a
      10ms  start 2 a
      10ms  return 9 done
      80ms  answer 1
      80ms  return 1 flight 1
      90ms  answer 2
      90ms  return 2 flight 2
      """)
    #expect(story.red == [])
  }

  @Test func `after an invalidation one new flight may start and no second`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  invalidate 9
      10ms  return 9 done
      20ms  evaluate 2 a
      20ms  start 2 a
      30ms  evaluate 3 a
      30ms  start 3 a
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  answer 2
      80ms  return 2 flight 2
      80ms  answer 3
      80ms  return 3 flight 3
      """)
    #expect(story.red == ["single-flight"])
    #expect(story.verdict(.singleFlight).violations == 1)
  }

  @Test func `a call may join between the answer and its publication`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  evaluate 2 a
      80ms  return 1 flight 1
      80ms  return 2 flight 1
      80ms  evaluate 3 a
      80ms  return 3 fresh 1
      """)
    #expect(story.red == [])
  }

  @Test func `a flight that another caller has returned from takes no new waiter`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  evaluate 2 a
      80ms  return 2 flight 1
      """)
    #expect(story.red == ["single-flight"])
    #expect(
      story.message(.singleFlight).hasPrefix(
        "reader 2: evaluate, called at 0.08 s, was given answer 1 as its flight's from request 1, which had finished"
      ))
  }

  @Test func `a flight of an earlier instant takes no new waiter`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 flight 1
      50s   evaluate 2 a
      50s   return 2 flight 1
      """)
    #expect(story.red == ["single-flight"])
  }

  @Test func `a failed flight that another caller has returned from takes no new waiter`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1 503
      80ms  return 1 default
      80ms  evaluate 2 a
      80ms  return 2 default
      """)
    #expect(story.red == ["single-flight"])
  }

  @Test func `an error without a request comes from a flight that has finished`() {
    let story = Story(
      """
      0s    evaluateOrThrow 1 a
      0s    start 1 a
      80ms  answer 1 503
      80ms  return 1 error server 503
      9s    evaluateOrThrow 2 a
      9s    return 2 error server 503
      """)
    #expect(story.red == ["single-flight"])
  }

  @Test func `a call that waits for a finished flight for ever is red at the end`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1 503
      80ms  return 1 default
      9s    evaluate 2 a
      99s   evaluate 3 b
      99s   start 2 b
      99s   answer 2
      99s   return 3 flight 2
      """)
    #expect(story.red == ["single-flight", "answers-once"])
    #expect(
      story.message(.singleFlight)
        == "reader 2: evaluate, called at 9 s, never returned: no request was made for it, and request 1, equal to "
        + "it, had finished before: a finished flight takes no new waiter")
    #expect(story.court.firstViolation?.invariant == .singleFlight)
  }

  @Test func `a call may join a failed flight before its outcome is published`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1 503
      80ms  evaluate 2 a
      80ms  return 2 default
      80ms  return 1 default
      80ms  evaluate 3 a
      80ms  start 2 a
      90ms  answer 2
      90ms  return 3 flight 2
      """)
    #expect(story.red == [])
  }

  @Test func `a request for nobody is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 flight 1
      45s   start 2 a
      46s   answer 2
      """)
    #expect(story.red == ["single-flight", "cancel-isolated", "request-economy"])
    #expect(
      story.message(.singleFlight) == "instance 0: request 2 started although no reader was waiting for it")
  }

  @Test func `a request may start after its only caller was cancelled in the same instant`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    cancel 1
      0s    return 1 default
      0s    start 1 a
      0s    abort 1
      0s    aborted 1
      1s    evaluate 2 a
      1s    start 2 a
      2s    answer 2
      2s    return 2 flight 2
      """)
    #expect(story.red == [])
  }

  @Test func `a cancelled caller that had joined is a check too`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  evaluate 2 a
      20ms  cancel 2
      20ms  return 2 default
      80ms  answer 1
      80ms  return 1 flight 1
      """)
    #expect(story.red == [])
    #expect(story.checks(.singleFlight) == 1)
    #expect(story.checks(.cancelIsolated) == 1)
  }
}
