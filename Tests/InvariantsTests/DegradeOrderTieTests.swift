import Events
import Invariants
import Testing

/// What may have happened in either order is judged by neither.
@Suite struct DegradeOrderTieTests {
  private let head = """
    0s    evaluate 1 a
    0s    start 1 a
    1s    answer 1
    1s    return 1 flight 1

    """

  @Test(arguments: ["return 2 fresh 1", "start 2 a\n2s answer 2\n2s return 2 flight 2"])
  func `an answer in the instant of its caller's cancellation may be dropped`(next: String) {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1
      1s    cancel 1
      1s    return 1 default
      2s    evaluate 2 a
      2s    \(next)
      """
    #expect(Story(lines).red == [])
    let uncancelled = lines.replacing("1s    cancel 1\n", with: "").replacing(
      "return 1 default", with: "return 1 flight 1")
    #expect(Story(uncancelled).red == (next.hasPrefix("start") ? ["degrade-order"] : []))
  }

  @Test(
    arguments: ["default", "flight 1"], ["return 2 fresh 1", "start 2 a\n4s answer 2\n4s return 2 flight 2"])
  func `an answer in the instant of the deadline may be too late`(outcome: String, next: String) {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      3s    answer 1
      3s    return 1 \(outcome)
      4s    evaluate 2 a
      4s    \(next)
      """
    #expect(Story(lines).red == [])
  }

  @Test func `an entry may be dropped by an invalidation in the instant of the call`() {
    let lines =
      head + """
        2s    evaluate 2 a
        2s    invalidate 9
        2s    start 2 a
        2s    return 9 done
        3s    answer 2
        3s    return 2 flight 2
        """
    #expect(Story(lines).red == [])
    let earlier = lines.replacing("2s    invalidate 9\n", with: "").replacing(
      "2s    return 9 done\n", with: "")
    #expect(Story(earlier).red == ["degrade-order"])
  }

  @Test(arguments: ["stale 1", "default"])
  func `what an invalidation drops in the instant of the return may still be given`(outcome: String) {
    let story = Story(
      head + """
        50s   evaluate 2 a
        50s   start 2 a
        51s   invalidate 9
        51s   answer 2 503
        51s   return 2 \(outcome)
        51s   return 9 done
        """)
    #expect(story.red == [])
  }

  @Test func `what an invalidation drops may be given although a newer answer comes in the same instant`() {
    let lines =
      head + """
        50s   evaluate 2 a
        50s   start 2 a
        51s   invalidate 9
        51s   evaluate 3 a2
        51s   start 3 a2
        51s   answer 2 503
        51s   answer 3
        51s   return 9 done
        51s   return 2 stale 1
        51s   return 3 flight 3
        """
    #expect(Story(lines).red == [])
    let later =
      lines.replacing("51s   answer 2 503\n", with: "")
      .replacing("51s   return 2 stale 1\n", with: "") + "\n52s   answer 2 503\n52s   return 2 stale 1"
    #expect(Story(later).red == ["degrade-order"])
  }

  @Test func `a call that is cancelled in the instant of its answer may be given it`() {
    let lines = """
      0s    evaluate 1 a1
      0s    start 1 a1
      1s    evaluate 2 a2
      1s    start 2 a2
      2s    answer 2
      2s    return 2 flight 2
      """
    let facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000, answersNameEveryKey: false)
    let end = "\n2500ms shape 1 0 none\n2500ms answer 1\n2500ms cancel 1\n2500ms return 1 default"
    #expect(Story(lines + end, facts: facts).red == [])
    let earlier = "\n2500ms cancel 1\n2500ms abort 1\n2500ms return 1 default"
    #expect(Story(lines + earlier, facts: facts).red == ["degrade-order"])
  }

  @Test(arguments: [1, 2])
  func `of two flights that begin in one instant either may be the later`(held: Int) {
    let story = Story(
      """
      0s    evaluate 1 a1
      0s    evaluate 2 a2
      0s    start 1 a1
      0s    start 2 a2
      1s    answer 2
      1s    return 2 flight 2
      2s    answer 1
      2s    return 1 flight 1
      3s    evaluate 3 a1
      3s    return 3 fresh \(held)
      """)
    #expect(story.red == [])
  }

  @Test(arguments: ["stale 1", "stale 2"])
  func `an answer in the instant of the return may or may not be held`(outcome: String) {
    let story = Story(
      """
      0s    evaluate 1 a1
      0s    start 1 a1
      1s    answer 1
      1s    return 1 flight 1
      50s   evaluate 2 a2
      50s   start 2 a2
      50s   evaluate 3 a1
      50s   start 3 a1
      51s   answer 2
      51s   answer 3 503
      51s   return 2 flight 2
      51s   return 3 \(outcome)
      """)
    #expect(story.red == [])
  }

  @Test func `an older answer may fill an entry that was evicted`() {
    let lines = """
      0s      evaluate 1 a1
      0s      start 1 a1
      1s      evaluate 2 a2
      1s      start 2 a2
      1500ms  evaluate 3 b
      1500ms  start 3 b
      2s      answer 2
      2s      return 2 flight 2
      2100ms  answer 3
      2100ms  return 3 flight 3
      2500ms  answer 1
      2500ms  return 1 flight 1
      3s      evaluate 4 a1
      3s      return 4 fresh 1
      """
    var facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000)
    #expect(Story(lines, facts: facts).red == ["degrade-order"])
    facts.cacheCapacity = 1
    #expect(Story(lines, facts: facts).red == [])
    // What was there before the newer answer came is gone for good.
    let replaced = lines.replacing("2500ms  answer 1\n2500ms  return 1 flight 1\n", with: "")
      .replacing(
        "2s      answer 2\n", with: "1900ms  answer 1\n1900ms  return 1 flight 1\n2s      answer 2\n")
    #expect(Story(replaced, facts: facts).red == ["degrade-order"])
  }

  @Test func `a closed client is left alone`() {
    let story = Story(
      head + """
        2s    close
        3s    evaluate 2 a
        3s    return 2 default
        """)
    #expect(story.red == [])
  }
}
