import Events
import Invariants
import Testing

@Suite struct FleetJudgeTests {
  private static func facts(
    alpha: Double = 10, beta: Double = 10, jitter: Int64 = 10_000_000_000, readers: Int = 100
  ) -> RunFacts {
    var facts = RunFacts(cacheTTL: 45_000_000_000, requestTimeout: 3_000_000_000)
    facts.fleet = FleetBounds(alpha: alpha, beta: beta, jitterWindow: jitter, readers: readers)
    return facts
  }

  /// Requests that arrive at some second, each a line.
  private static func arrivals(_ count: Int, at second: Int) -> String {
    String(repeating: "\(second)s arrive 1\n", count: count)
  }

  @Test func `without bounds it is not applicable`() {
    #expect(Story("0s mark\n1s arrive 1").verdict(.fleet).status == .notApplicable)
  }

  // MARK: Peaks

  @Test func `a mark after which requests arrive is a check and one without is none`() {
    let story = Story(
      "0s arrive 1\n100s mark\n101s arrive 1\n110s mark\n120s mark\n121s arrive 1\n500s mark\n561s arrive 1",
      facts: Self.facts(alpha: 1000))
    #expect(story.red == [])
    #expect(story.checks(.fleet) == 3)
  }

  /// One request a second for 100 s, a mark, then a burst.
  private static func burst(_ count: Int, at second: Int = 101) -> String {
    var lines = ""
    for second in 0...100 { lines += arrivals(1, at: second) }
    return lines + "100s mark\n" + arrivals(count, at: second)
  }

  @Test func `the peak may be alpha times the mean and no more`() {
    // 101 arrivals in the 100 s before the mark.
    #expect(Story(Self.burst(10), facts: Self.facts()).red == [])
    let story = Story(Self.burst(11), facts: Self.facts())
    #expect(story.red == ["fleet"])
    #expect(
      story.message(.fleet)
        == "11 requests arrived in second 101, within 60 s of a mark: 10.891 times the mean of 1.01 per second; "
        + "10 is the bound")
  }

  @Test func `a burst a minute after the mark is none of the mark's`() {
    #expect(Story(Self.burst(50, at: 159), facts: Self.facts()).red == ["fleet"])
    #expect(Story(Self.burst(50, at: 160), facts: Self.facts()).red == [])
  }

  @Test func `what arrived in the second of the mark but before it does not count`() {
    let lines = Self.arrivals(50, at: 100) + "100s mark\n" + Self.arrivals(1, at: 101)
    #expect(Story(lines, facts: Self.facts(alpha: 1)).red == [])
    #expect(Story("100s mark\n" + lines, facts: Self.facts(alpha: 1)).red == ["fleet"])
  }

  @Test func `where nothing arrives otherwise the jitter window sets the mean`() {
    // 100 readers in 10 s are 10 a second; alpha 2 makes that 20.
    let facts = Self.facts(alpha: 2)
    #expect(Story("0s mark\n" + Self.arrivals(20, at: 1), facts: facts).red == [])
    let story = Story("0s mark\n" + Self.arrivals(21, at: 1), facts: facts)
    #expect(story.red == ["fleet"])
    #expect(story.message(.fleet).contains("2.1 times the mean of 10 per second; 2 is the bound"))
  }

  @Test func `marks that overlap share their minutes`() {
    // Calm: 0 s to 100 s and 190 s to 200 s, 110 s with 112 arrivals.
    var lines = ""
    for second in 0...100 { lines += Self.arrivals(1, at: second) }
    lines += "100s mark\n130s mark\n" + Self.arrivals(10, at: 131)
    for second in 190...200 { lines += Self.arrivals(1, at: second) }
    #expect(Story(lines, facts: Self.facts(alpha: 9.83)).red == [])
    #expect(Story(lines, facts: Self.facts(alpha: 9.81)).red == ["fleet"])
  }

  // MARK: Amplification

  @Test func `each need is a check and a need met by one request is fine`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 a
      1s    answer 1
      1s    return 1 flight 1
      1s    return 2 flight 1
      2s    evaluate 3 a
      2s    return 3 fresh 1
      46s   evaluate 4 a
      46s   start 2 a
      47s   answer 2
      47s   return 4 flight 2
      47s   evaluate 5 a@1
      47s   start 3 a@1
      48s   answer 3
      48s   return 5 flight 3
      """, facts: Self.facts(beta: 1))
    #expect(story.red == [])
    #expect(story.checks(.fleet) == 3)
  }

  @Test func `an invalidation is a new need`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1
      1s    return 1 flight 1
      2s    invalidate 2
      2s    return 2 done
      3s    evaluate 3 a
      3s    start 2 a
      4s    answer 2
      4s    return 3 flight 2
      """, facts: Self.facts(beta: 1))
    #expect(story.red == [])
    #expect(story.checks(.fleet) == 2)
  }

  @Test func `requests that fail go to the account of one need`() {
    let lines =
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1 500
      1s    return 1 default
      2s    evaluate 2 a
      2s    start 2 a
      3s    lose 2
      3s    return 2 default
      4s    evaluate 3 a
      4s    start 3 a
      5s    answer 3
      5s    return 3 flight 3
      """
    #expect(Story(lines, facts: Self.facts(beta: 3)).red == [])
    let story = Story(lines, facts: Self.facts(beta: 2.5))
    #expect(story.red == ["fleet"])
    #expect(story.checks(.fleet) == 1)
    #expect(
      story.message(.fleet) == "3 evaluate requests for 1 needs are 3 for each; 2.5 is the bound")
  }

  @Test func `an answer that came too late meets no need`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      3s    abort 1
      3s    return 1 default
      4s    answer 1
      5s    evaluate 2 a
      5s    start 2 a
      6s    answer 2
      6s    return 2 flight 2
      """, facts: Self.facts(beta: 1.5))
    #expect(story.red == ["fleet"])
    #expect(story.checks(.fleet) == 1)
  }

  @Test func `other requests are no part of the amplification`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      0s    begin 2 markRead
      0s    send 2 inbox
      1s    answer 1
      1s    answer 2 204
      1s    return 1 flight 1
      1s    return 2 done
      """, facts: Self.facts(beta: 1))
    #expect(story.red == [])
  }
}
