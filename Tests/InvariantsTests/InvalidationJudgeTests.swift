import Events
import Invariants
import Testing

@Suite struct InvalidationJudgeTests {
  private let head = """
    0s    evaluate 1 a
    0s    start 1 a
    10ms  invalidate 9
    10ms  return 9 done

    """

  @Test func `a call after an invalidation gets a new answer`() {
    let story = Story(
      head + """
        20ms  evaluate 2 a
        20ms  start 2 a
        80ms  answer 1
        80ms  return 1 flight 1
        90ms  answer 2
        90ms  return 2 flight 2
        1s    evaluate 3 a
        1s    return 3 fresh 2
        """)
    #expect(story.red == [])
    #expect(story.checks(.invalidation) == 2)
  }

  @Test(arguments: ["fresh 1", "stale 1"])
  func `an answer in flight that fills the cache after an invalidation is red`(outcome: String) {
    let story = Story(
      head + """
        80ms  answer 1
        80ms  return 1 flight 1
        90ms  evaluate 2 a
        90ms  return 2 \(outcome)
        """)
    #expect(story.red.contains("invalidation"))
    #expect(
      story.message(.invalidation).hasPrefix(
        "reader 2: evaluate, called at 0.09 s, was given a value of answer 1"))
    #expect(
      story.message(.invalidation).hasSuffix(
        "requested at 0 s, before an invalidateCache() that had returned"))
  }

  @Test func `a fenced flight takes no new waiter`() {
    let story = Story(
      head + """
        20ms  evaluate 2 a
        80ms  answer 1
        80ms  return 1 flight 1
        80ms  return 2 flight 1
        """)
    #expect(story.red.contains("invalidation"))
  }

  @Test func `a call begun before the invalidation returned may get either`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      10ms  invalidate 9
      10ms  evaluate 2 a
      10ms  return 9 done
      80ms  answer 1
      80ms  return 1 flight 1
      80ms  return 2 flight 1
      """)
    #expect(story.red == [])
    #expect(story.checks(.invalidation) == 0)
  }

  @Test func `a request that starts while the invalidation runs is judged neither way`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    invalidate 9
      0s    start 1 a
      0s    return 9 done
      1s    answer 1
      1s    return 1 flight 1
      2s    evaluate 2 a
      2s    return 2 fresh 1
      """)
    #expect(story.red == [])
    #expect(story.checks(.invalidation) == 1)
  }

  @Test func `another instance keeps its cache`() {
    let story = Story(
      """
      0s    evaluate 1 a@1
      0s    start 1 a@1
      1s    answer 1
      1s    return 1 flight 1
      2s    invalidate 9
      2s    return 9 done
      3s    evaluate 2 a@1
      3s    return 2 fresh 1
      """)
    #expect(story.red == [])
    #expect(story.verdict(.invalidation).status == .notExercised)
  }

  @Test func `a cancelled call gets nothing of before either`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1
      1s    return 1 flight 1
      2s    invalidate 9
      2s    return 9 done
      3s    evaluate 2 a
      3s    start 2 a
      4s    cancel 2
      4s    return 2 stale 1
      4s    abort 2
      """)
    #expect(story.red == ["invalidation"])
  }
}
