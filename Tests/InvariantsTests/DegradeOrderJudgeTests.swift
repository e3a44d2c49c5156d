import Events
import Invariants
import Testing

@Suite struct DegradeOrderJudgeTests {
  /// One good answer of two keys, received at 1 s.
  private let head = """
    0s    evaluate 1 a
    0s    start 1 a
    1s    answer 1
    1s    return 1 flight 1, flight 1

    """

  /// The answer is stale and the next flight fails.
  private func failing(_ outcome: String) -> Story {
    Story(
      head + """
        50s   evaluate 2 a
        50s   start 2 a
        51s   answer 2 503
        51s   return 2 \(outcome)
        """)
  }

  // MARK: The order

  @Test(arguments: [
    "answer 2 400", "answer 2 401", "answer 2 403", "answer 2 404", "answer 2 429", "answer 2 503",
    "answer 2 garbled",
    "lose 2", "abort 2", "cancel 2\n53s abort 2",
  ])
  func `however a flight fails the entry held comes before the defaults`(end: String) {
    let lines =
      head + """
        50s   evaluate 2 a
        50s   start 2 a
        53s   \(end)
        53s   return 2 stale 1, stale 1
        """
    #expect(Story(lines).red == [])
    #expect(Story(lines).checks(.degradeOrder) == 4)
    #expect(
      Story(lines.replacing("stale 1, stale 1", with: "default, default")).red == ["degrade-order"])
    #expect(Story(lines.replacing("stale 1, stale 1", with: "stale 1, default")).red == ["degrade-order"])
  }

  @Test func `a call that is kept back is given what is held`() {
    let lines =
      head + """
        50s   evaluate 2 a
        50s   start 2 a
        51s   patience 2 60s
        51s   answer 2 503
        51s   return 2 stale 1, stale 1
        52s   evaluate 3 a
        52s   return 3 stale 1, stale 1
        """
    #expect(Story(lines).red == [])
    #expect(
      Story(lines.replacing("return 3 stale 1, stale 1", with: "return 3 default, default")).red
        == ["degrade-order"])
  }

  @Test func `a default although the answer of the flight carries the key is red`() {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      1s    shape 1 1 none
      1s    answer 1
      1s    return 1 flight 1, default
      """
    #expect(Story(lines).red == [])
    #expect(Story(lines.replacing("1s    shape 1 1 none\n", with: "")).red == ["degrade-order"])
    let story = Story(lines.replacing("shape 1 1 none", with: "shape 1 none 0"))
    #expect(story.red == ["degrade-order"])
    #expect(
      story.message(.degradeOrder).hasSuffix(
        "was given key 0 as its flight's, whose answer does not carry it"))
  }

  @Test func `an origin that is not the true one is red`() {
    #expect(failing("stale 1, default=1").red == ["degrade-order"])
    #expect(failing("stale 1, stale -").red == ["answers-once", "degrade-order"])
    #expect(
      failing("stale 1, default=1").message(.degradeOrder).hasSuffix(
        "was given a value of answer 1 as a default"))
  }

  @Test func `calls for the same are answered for equally many keys`() {
    let story = failing("stale 1")
    #expect(story.red == ["degrade-order"])
    #expect(
      story.message(.degradeOrder).hasSuffix("was answered for 1 keys, another call for the same for 2"))
  }

  @Test func `of two answers the one whose flight began last is held`() {
    let lines = """
      0s      evaluate 1 a1
      0s      start 1 a1
      1s      evaluate 2 a2
      1s      start 2 a2
      2s      answer 2
      2s      return 2 flight 2
      2500ms  answer 1
      2500ms  return 1 flight 1
      3s      evaluate 3 a1
      3s      return 3 fresh 2
      60s     evaluate 4 a1
      60s     start 3 a1
      61s     lose 3
      61s     return 4 stale 2
      """
    #expect(Story(lines).red == [])
    let fresh = Story(lines.replacing("fresh 2", with: "fresh 1"))
    #expect(fresh.red == ["degrade-order"])
    #expect(
      fresh.message(.degradeOrder).hasSuffix(
        "was given a value of answer 1 as fresh, but what is held is answer 2"))
    #expect(Story(lines.replacing("stale 2", with: "stale 1")).red == ["degrade-order"])
  }

  @Test func `a call that must find a fresh entry neither fails nor waits`() {
    let lines =
      head + """
        2s    evaluateOrThrow 2 a
        2s    start 2 a
        2s    answer 2 503
        2s    return 2 error server 503
        """
    #expect(Story(lines).red == ["degrade-order"])
    #expect(Story(lines.replacing("return 2 error server 503", with: "return 2 fresh 1, fresh 1")).red == [])
    let late = lines.replacing("2s    answer 2 503", with: "3s    answer 2")
      .replacing("2s    return 2 error server 503", with: "3s    return 2 flight 2, flight 2")
    #expect(Story(late).red == ["degrade-order"])
  }

  @Test func `a cancelled call returns in the instant of its cancellation`() {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      1s    cancel 1
      1s    abort 1
      1s    return 1 default
      """
    #expect(Story(lines).red == [])
    let story = Story(lines.replacing("1s    return", with: "2s    return"))
    #expect(story.red == ["degrade-order"])
    #expect(story.message(.degradeOrder).hasSuffix("was cancelled at 1 s and returned only at 2 s"))
  }

  // MARK: Answers that lack keys

  @Test func `a garbled key keeps an earlier value and one left out falls to the default`() {
    let lines =
      head + """
        50s   evaluate 2 a
        50s   start 2 a
        51s   shape 2 0 1
        51s   answer 2
        51s   return 2 default, stale 1
        52s   evaluate 3 a
        52s   return 3 default, stale 1
        """
    var facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000, answersNameEveryKey: false)
    #expect(Story(lines, facts: facts).red == [])
    let cleared = lines.replacing("51s   return 2 default, stale 1", with: "51s   return 2 stale 1, stale 1")
    #expect(Story(cleared, facts: facts).red == ["degrade-order"])
    #expect(
      Story(cleared, facts: facts).message(.degradeOrder).hasSuffix(
        "was given a stale value for key 0, which answer 2 of its flight leaves out: that is a default"))
    facts.answersNameEveryKey = true
    let carried = lines.replacing("shape 2 0 1", with: "shape 2 none 1")
    #expect(Story(carried, facts: facts).red.contains("degrade-order"))
  }

  @Test func `an answer without any key may look like no answer`() {
    // Whether answer 1 was held is open, since an invalidation ran when its flight began; call 3 may fly.
    let lines = """
      0s      evaluate 1 a1
      0s      invalidate 9
      0s      start 1 a1
      0s      return 9 done
      1s      shape 1 0 none
      1s      answer 1
      1s      return 1 default
      2s      evaluate 3 a1
      2s      start 3 a1
      3s      evaluate 4 a2
      3s      start 4 a2
      4s      answer 4
      4s      return 4 flight 4
      4500ms  shape 3 0 none
      4500ms  answer 3
      4500ms  return 3 default
      """
    let facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000, answersNameEveryKey: false)
    #expect(Story(lines, facts: facts).red == [])
    #expect(
      Story(lines.replacing("4500ms  shape 3 0 none\n", with: ""), facts: facts).red == ["degrade-order"])
  }
}
