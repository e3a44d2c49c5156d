import Events
import Invariants
import Testing

@Suite struct CancelIsolatedJudgeTests {
  @Test func `waiters beside a cancelled one get the answer`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 a
      10ms  evaluate 3 a
      20ms  cancel 1
      20ms  return 1 default
      80ms  answer 1
      80ms  return 3 flight 1
      80ms  return 2 flight 1
      """)
    #expect(story.red == [])
    #expect(story.checks(.cancelIsolated) == 2)
    #expect(story.checks(.singleFlight) == 2)
  }

  @Test func `without a cancellation nothing is exercised`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 a
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  return 2 flight 1
      """)
    #expect(story.verdict(.cancelIsolated).status == .notExercised)
  }

  @Test(arguments: ["default", "cancelled"])
  func `a cancelled first caller that ends the others' wait is red`(outcome: String) {
    let operation = outcome == "default" ? "evaluate" : "evaluateOrThrow"
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    \(operation) 2 a
      20ms  cancel 1
      20ms  abort 1
      20ms  return 1 default
      20ms  return 2 \(outcome)
      """)
    #expect(story.red == ["cancel-isolated"])
    #expect(story.verdict(.cancelIsolated).firstViolation?.reader == ReaderID(2))
    #expect(story.message(.cancelIsolated).contains("after another caller of request 1 was cancelled"))
  }

  @Test func `a waiter that sleeps on after the answer is red when time moves`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 a
      20ms  cancel 1
      20ms  return 1 default
      80ms  answer 1
      90ms  evaluate 3 a
      90ms  return 3 fresh 1
      95ms  return 2 flight 1
      """)
    #expect(story.red == ["cancel-isolated"])
    #expect(story.verdict(.cancelIsolated).violations == 1)
    #expect(story.verdict(.cancelIsolated).firstViolation?.stamp.nanoseconds == 80_000_000)
    #expect(
      story.message(.cancelIsolated)
        == "reader 2: evaluate, called at 0 s, still waits although request 1 is "
        + "over; another caller of it was cancelled")
  }

  @Test func `a sleeper is found beside a new flight of the same instant`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 a
      20ms  cancel 1
      20ms  return 1 default
      80ms  answer 1 500
      80ms  evaluate 3 a
      80ms  start 2 a
      90ms  answer 2
      90ms  return 2 flight 2
      90ms  return 3 flight 2
      """)
    #expect(story.red == ["cancel-isolated"])
    #expect(story.verdict(.cancelIsolated).firstViolation?.call == CallID(2))
  }

  @Test func `a sleeper past its deadline is red even if the client has no timer`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 a
      20ms  cancel 1
      20ms  return 1 default
      9s    evaluate 3 b
      9s    start 2 b
      10s   answer 2
      10s   return 3 flight 2
      11s   return 2 default
      """)
    #expect(story.red.contains("cancel-isolated"))
  }

  @Test func `a request whose last waiter was cancelled is cancelled before time moves`() {
    let green = Story(
      """
      0s    evaluate 1 a
      0s    evaluate 2 a
      0s    start 1 a
      10ms  cancel 2
      10ms  return 2 default
      10ms  cancel 1
      10ms  return 1 default
      10ms  abort 1
      """)
    #expect(green.red == [])
    #expect(green.checks(.cancelIsolated) == 1)
    let late = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  cancel 1
      10ms  return 1 default
      20ms  abort 1
      """)
    #expect(late.red == ["cancel-isolated"])
    #expect(
      late.message(.cancelIsolated)
        == "instance 0: request 1 of 0 s is still outstanding at 0.01 s, but nobody "
        + "waits for it any more")
  }

  @Test func `a request left running at its deadline is red`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      3s    return 1 default
      4s    answer 1
      """)
    #expect(story.red == ["cancel-isolated"])
  }

  @Test func `a caller may join in the instant in which all others are cancelled`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  cancel 1
      10ms  evaluate 2 a
      10ms  return 1 default
      80ms  answer 1
      80ms  return 2 flight 1
      """)
    #expect(story.red == [])
    #expect(story.checks(.cancelIsolated) == 1)
  }

  @Test func `a fenced request and its successor are told apart`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  invalidate 9
      10ms  return 9 done
      20ms  evaluate 2 a
      20ms  start 2 a
      30ms  cancel 1
      30ms  return 1 default
      40ms  abort 1
      80ms  answer 2
      80ms  return 2 flight 2
      """)
    #expect(story.red == ["cancel-isolated"])
    #expect(story.verdict(.cancelIsolated).firstViolation?.request == RequestID(1))
    #expect(story.verdict(.cancelIsolated).firstViolation?.stamp.nanoseconds == 30_000_000)
  }

  @Test func `the deadline frees all waiters beside a cancelled one`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    evaluate 2 a
      0s    evaluateOrThrow 3 a
      0s    start 1 a
      1s    cancel 2
      1s    return 2 default
      3s    abort 1
      3s    return 3 error transport
      3s    return 1 default
      """)
    #expect(story.red == [])
    #expect(story.checks(.cancelIsolated) == 2)
  }
}
