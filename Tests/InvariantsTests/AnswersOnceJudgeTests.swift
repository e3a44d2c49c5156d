import Events
import Invariants
import Testing

@Suite struct AnswersOnceJudgeTests {
  @Test func `values errors and degraded answers of own requests are right`() {
    let story = Story(
      """
      0s     evaluate 1 a
      0s     evaluateOrThrow 2 a
      0s     start 1 a
      80ms   shape 1 1 none
      80ms   answer 1
      80ms   return 1 flight 1, default
      80ms   return 2 flight 1, default
      50s    evaluate 3 a
      50s    evaluateOrThrow 4 a
      50s    start 2 a
      51s    answer 2 503
      51s    return 4 error server 503
      51s    return 3 stale 1, default
      60s    invalidate 5
      60s    return 5 done
      """)
    #expect(story.red == [])
    #expect(story.checks(.answersOnce) == 5)
  }

  @Test(arguments: [
    ("400", "error invalidContext"), ("401", "error unauthorized"), ("403", "error forbidden"),
    ("429", "error rateLimited"), ("404", "error server 404"), ("409", "error server 409"),
    ("500", "error server 500"), ("garbled", "error transport"), ("garbled", "error server 200"),
  ])
  func `an error that its request explains is right`(end: String, error: String) {
    let story = Story(
      """
      0s    evaluateOrThrow 1 a
      0s    start 1 a
      80ms  answer 1 \(end)
      80ms  return 1 \(error)
      """)
    #expect(story.red == [])
  }

  @Test(arguments: [
    ("400", "error server 400"), ("401", "error forbidden"), ("500", "error server 503"),
    ("500", "error transport"), ("garbled", "error other"), ("503", "cancelled"), ("503", "default"),
    ("503", "stale 7"), ("503", "done"),
  ])
  func `an error that its request does not explain is red`(end: String, error: String) {
    let story = Story(
      """
      0s    evaluateOrThrow 1 a
      0s    start 1 a
      80ms  answer 1 \(end)
      80ms  return 1 \(error)
      """)
    #expect(story.red == ["answers-once"])
  }

  @Test func `a lost request and a passed deadline are transport errors`() {
    let story = Story(
      """
      0s    evaluateOrThrow 1 a
      0s    start 1 a
      80ms  lose 1
      80ms  return 1 error transport
      1s    evaluateOrThrow 2 a
      1s    start 2 a
      4s    return 2 error transport
      4s    abort 2
      """)
    #expect(story.red == [])
  }

  @Test(arguments: ["flight 1", "default", "stale 9"])
  func `where the answer and the deadline meet either may win`(outcome: String) {
    let story = Story(
      """
      0s    evaluate 9 b
      0s    start 8 b
      1s    answer 8
      1s    return 9 flight 8
      10s   evaluate 1 a
      10s   start 1 a
      13s   answer 1
      13s   return 1 \(outcome == "stale 9" ? "nothing" : outcome)
      """)
    #expect(story.red == [])
  }

  @Test func `a deadline may be met a step before its request is cancelled or a step after`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    evaluate 2 a
      3s    abort 1
      3s    evaluate 3 a
      3s    return 1 default
      3s    return 3 default
      3s    answer 1
      3s    return 2 default
      3s    evaluate 4 a
      3s    start 2 a
      4s    answer 2
      4s    return 4 flight 2
      """)
    #expect(story.red == [])
  }

  @Test func `a second return is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  return 1 flight 1
      """)
    #expect(story.red == ["answers-once"])
    #expect(
      story.message(.answersOnce)
        == "call 1 returned a second time: it was given answer 1 as its flight's")
  }

  @Test func `a return of a call that never began is red`() {
    #expect(Story("0s return 5 default").message(.answersOnce).contains("never began"))
  }

  @Test func `a call that never returns is red at the end`() {
    let story = Story(
      """
      2s    evaluate 1 a
      2s    start 1 a
      3s    cancel 1
      3s    abort 1
      9s    close
      """)
    #expect(story.red == ["answers-once"])
    #expect(story.message(.answersOnce) == "reader 1: evaluate, called at 2 s, never returned")
    #expect(story.verdict(.answersOnce).firstViolation?.reader == ReaderID(1))
  }

  @Test func `a hang after a passed deadline is red when time moves on`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      3s    abort 1
      5s    evaluate 2 b
      5s    start 2 b
      6s    answer 2
      6s    return 2 flight 2
      """)
    #expect(story.red == ["answers-once"])
    #expect(story.verdict(.answersOnce).firstViolation?.stamp.nanoseconds == 3_000_000_000)
    #expect(story.verdict(.answersOnce).violations == 2)
  }

  @Test func `an invalidation that never returns is red`() {
    #expect(
      Story("1s invalidate 3").message(.answersOnce)
        == "reader 3: invalidateCache, called at 1 s, never returned")
  }

  @Test func `a flight keyed without the store is red`() {
    let story = Story(
      """
      0s    evaluate 1 a1
      0s    start 1 a1
      10ms  evaluate 2 a2
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  return 2 flight 1
      """)
    #expect(story.red.first == "answers-once")
    #expect(
      story.message(.answersOnce) == "reader 2: evaluate, called at 0.01 s, was given a value of answer 1 as "
        + "flight, but request 1, which fetched it, asked for something else")
  }

  @Test func `a value of another instance or another cache key is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 flight 1
      1s    evaluate 2 a@1
      1s    return 2 fresh 1
      1s    evaluate 3 b
      1s    return 3 fresh 1
      1s    evaluate 4 a2
      1s    return 4 fresh 1
      1s    evaluate 5 a
      1s    return 5 fresh 77
      """)
    #expect(story.verdict(.answersOnce).violations == 3)
  }

  @Test func `a late answer that is given out is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      3s    return 1 default
      3s    abort 1
      4s    answer 1
      5s    evaluate 2 a
      5s    return 2 fresh 1
      """)
    #expect(story.red == ["answers-once"])
    #expect(story.message(.answersOnce).hasSuffix("answer 1, which its client never received in time"))
  }

  @Test(arguments: ["default", "nothing"])
  func `a default in place of a good answer is red`(outcome: String) {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 \(outcome)
      """
    #expect(Story(lines).red == ["answers-once"])
    let facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000, answersNameEveryKey: false)
    #expect(Story(lines, facts: facts).red == [])
  }

  @Test func `a fresh entry that names none of the keys gives defaults without a request`() {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  shape 1 0 none
      80ms  answer 1
      80ms  return 1 default
      1s    evaluate 2 a
      1s    return 2 default
      """
    let facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000, answersNameEveryKey: false)
    #expect(Story(lines, facts: facts).red == [])
  }

  @Test func `an early default is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  return 1 default
      80ms  abort 1
      """)
    #expect(story.red == ["answers-once"])
    #expect(
      story.message(.answersOnce)
        == "reader 1: evaluate, called at 0 s, was given only defaults while its request 1 was still outstanding"
    )
  }

  @Test func `a late return is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      90ms  return 1 flight 1
      """)
    #expect(story.red == ["answers-once"])
    #expect(
      story.message(.answersOnce)
        == "reader 1: evaluate, called at 0 s, still waits although request 1 is over")
    #expect(story.verdict(.answersOnce).violations == 1)
    #expect(story.verdict(.answersOnce).firstViolation?.stamp.nanoseconds == 80_000_000)
  }

  @Test func `a default without any request is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    return 1 default
      """)
    #expect(story.red == ["answers-once", "ttl"])
    #expect(story.message(.answersOnce).hasSuffix("was given only defaults, but no request was made for it"))
  }

  @Test func `a mix of two flights is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1
      80ms  return 1 flight 1, flight 1
      50s   evaluate 2 a
      50s   start 2 a
      51s   answer 2
      51s   return 2 flight 2, flight 1
      """)
    #expect(story.red == ["answers-once"])
  }

  @Test func `evaluate that throws is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      80ms  answer 1 503
      80ms  return 1 error server 503
      """)
    #expect(story.red == ["answers-once"])
  }

  @Test func `a waiter of a fenced flight gets that flight's answer`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  invalidate 9
      10ms  return 9 done
      20ms  evaluate 2 a
      20ms  start 2 a
      80ms  answer 2
      80ms  return 2 flight 2
      90ms  answer 1
      90ms  return 1 flight 1
      """)
    #expect(story.red == [])
  }

  @Test func `a caller that was cancelled may be given anything held`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1
      1s    return 1 flight 1
      2s    evaluate 2 a
      2s    cancel 2
      2s    return 2 fresh 1
      60s   evaluate 3 a
      60s   evaluateOrThrow 4 a
      60s   start 2 a
      60s   cancel 3
      60s   cancel 4
      60s   return 3 stale 1
      60s   return 4 cancelled
      60s   abort 2
      """)
    #expect(story.red == [])
  }

  @Test func `calls pending at close must return with anything`() {
    let lines = """
      0s    evaluate 1 a
      0s    evaluateOrThrow 2 a
      0s    start 1 a
      1s    close
      1s    abort 1
      1s    return 1 default
      1s    return 2 cancelled
      2s    evaluate 3 a
      2s    return 3 default
      """
    #expect(Story(lines).red == [])
    #expect(Story(lines.replacing("1s    return 2 cancelled\n", with: "")).red == ["answers-once"])
  }

  @Test func `while a Retry-After may run calls degrade at once`() {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      1s    patience 1 60s
      1s    answer 1 429
      1s    return 1 default
      2s    evaluate 2 a
      2s    return 2 default
      2s    evaluateOrThrow 3 a
      2s    return 3 error rateLimited
      """
    #expect(Story(lines).red == [])
    let impatient = lines.replacing("1s    patience 1 60s\n", with: "")
    #expect(Story(impatient).red == ["single-flight", "answers-once", "ttl"])
  }

  @Test func `a call without keys is answered without a request`() {
    let story = Story(
      """
      0s    evaluate 1
      0s    return 1 nothing
      """)
    #expect(story.red == [])
    #expect(story.checks(.answersOnce) == 1)
  }
}
