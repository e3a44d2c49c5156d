import Events
import Invariants
import Testing

@Suite struct TTLJudgeTests {
  private let head = """
    0s    evaluate 1 a
    0s    start 1 a
    1s    answer 1
    1s    return 1 flight 1

    """

  @Test func `one nanosecond before the TTL is fresh`() {
    let story = Story(
      """
      0s             evaluate 1 a
      0s             start 1 a
      1s             shape 1 2 none
      1s             answer 1
      1s             return 1 flight 1, flight 1, default
      45999999999ns  evaluate 2 a
      45999999999ns  return 2 fresh 1, fresh 1, default
      """)
    #expect(story.red == [])
    #expect(story.checks(.ttl) == 3)
  }

  @Test(arguments: [("46000000000ns", "45 s"), ("46000000001ns", "45.000000001 s")])
  func `at the TTL and after it nothing is fresh`(time: String, age: String) {
    let story = Story(head + "\(time) evaluate 17 a\n\(time) return 17 fresh 1")
    #expect(story.red == ["ttl"])
    #expect(
      story.message(.ttl).hasSuffix("was given a value \(age) old as fresh; the TTL is 45 s"))
    #expect(story.message(.ttl).hasPrefix("reader 17: evaluate, called at 46"))
  }

  @Test func `at the TTL a call makes or joins a request`() {
    let story = Story(
      head + """
        46s   evaluate 2 a
        46s   evaluate 3 a
        46s   start 2 a
        46s   answer 2 500
        46s   return 2 stale 1
        46s   return 3 stale 1
        """)
    #expect(story.red == [])
    #expect(story.checks(.ttl) == 3)
  }

  @Test func `a stale value without a request is red`() {
    let story = Story(head + "46s evaluate 2 a\n46s return 2 stale 1")
    #expect(story.red == ["answers-once", "ttl"])
    #expect(
      story.message(.ttl).hasSuffix(
        "found nothing younger than the TTL and neither made nor joined a request"))
  }

  @Test func `a young value called stale is red`() {
    let story = Story(
      head + """
        2s   evaluate 2 a
        2s   start 2 a
        3s   answer 2 500
        3s   return 2 stale 1
        """)
    #expect(story.red == ["ttl", "degrade-order"])
    #expect(story.message(.ttl).hasSuffix("was given a value 1 s old as stale; the TTL is 45 s"))
  }

  @Test func `a fresh value that waited for a request is red`() {
    let story = Story(
      head + """
        2s   evaluate 2 a
        2s   start 2 a
        3s   answer 2
        3s   return 2 fresh 1
        """)
    #expect(story.red == ["ttl", "degrade-order"])
  }

  @Test(arguments: [("stale", []), ("fresh", ["ttl"])])
  func `a call that waited may degrade to an entry filled meanwhile, but not call it fresh`(
    origin: String, red: [String]
  ) {
    let story = Story(
      """
      0s    evaluate 1 a1
      0s    start 1 a1
      1s    evaluate 2 a2
      1s    start 2 a2
      2s    answer 2
      2s    return 2 flight 2
      3s    abort 1
      3s    return 1 \(origin) 2
      """)
    #expect(story.red == red)
  }

  @Test func `two stores share a cache entry but no flight`() {
    let story = Story(
      """
      0s    evaluate 1 a1
      0s    start 1 a1
      1s    answer 1
      1s    return 1 flight 1
      2s    evaluate 2 a2
      2s    return 2 fresh 1
      46s   evaluate 3 a2
      46s   start 2 a2
      46s   evaluate 4 a1
      46s   start 3 a1
      47s   answer 3
      47s   return 4 flight 3
      48s   answer 2
      48s   return 3 flight 2
      49s   evaluate 5 a2
      49s   return 5 fresh 3
      """)
    #expect(story.red == [])
    #expect(story.checks(.ttl) == 5)
  }

  @Test func `a fill in the instant of the call may or may not be seen`() {
    for outcome in ["return 3 fresh 2", "start 3 a\n47s return 3 flight 3"] {
      let story = Story(
        head + """
          46s   evaluate 2 a2
          46s   start 2 a2
          47s   answer 2
          47s   return 2 flight 2
          47s   evaluate 3 a
          47s   \(outcome.replacing("47s return", with: "47s answer 3\n47s return"))
          """)
      #expect(story.red == [])
    }
  }

  @Test func `an evicted entry is fetched again`() {
    let lines = """
      0s   evaluate 1 a
      0s   start 1 a
      1s   answer 1
      1s   return 1 flight 1
      1s   evaluate 2 b
      1s   start 2 b
      2s   answer 2
      2s   return 2 flight 2
      2s   evaluate 3 a
      2s   start 3 a
      3s   answer 3
      3s   return 3 flight 3
      """
    var facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000)
    #expect(Story(lines, facts: facts).red == ["degrade-order"])
    facts.cacheCapacity = 1
    #expect(Story(lines, facts: facts).red == [])
    #expect(Story(lines, facts: facts).checks(.ttl) == 2)
  }

  @Test func `after an invalidation a call that asks for nothing is red`() {
    let story = Story(
      head + """
        2s   invalidate 9
        2s   return 9 done
        3s   evaluate 2 a
        3s   return 2 default
        """)
    #expect(story.red == ["answers-once", "ttl"])
  }
}
