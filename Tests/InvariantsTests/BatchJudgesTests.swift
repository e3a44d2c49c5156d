import Events
import Invariants
import Testing

@Suite struct BatchBoundsJudgeTests {
  @Test func `each batch is a check and full ones are fine`() {
    let story = Story(
      """
      0s    recorded 1-250
      1s    begin 1 flush
      1s    post 1 1-100
      2s    answer 1 202
      2s    post 2 101-200
      3s    answer 2 500
      3s    post 3 201-250
      4s    answer 3 202
      4s    return 1 done
      5s    close
      5s    counts 0 100 0
      """)
    #expect(story.red == [])
    #expect(story.checks(.batchBounds) == 3)
  }

  @Test(arguments: [("none", "carries 0 events"), ("1-101", "carries 101 events")])
  func `a batch of too few or too many is red`(batch: String, words: String) {
    let story = Story(
      """
      0s    recorded 1-101
      1s    begin 1 flush
      1s    post 1 \(batch)
      2s    answer 1 202
      2s    cancel 1
      2s    return 1 done
      """)
    #expect(story.red == ["batch-bounds"])
    #expect(
      story.message(.batchBounds) == "instance 0: request 1 \(words); a batch holds 1 to 100")
  }

  @Test func `the limit is the one of the run`() {
    var facts = RunFacts(cacheTTL: 1, requestTimeout: 1_000_000_000)
    facts.batchLimit = 2
    #expect(Story("0s recorded 1-2\n0s post 1 1-2\n0s answer 1 202", facts: facts).red == [])
    #expect(
      Story("0s recorded 1-3\n0s post 1 1-3\n0s answer 1 202", facts: facts).red == ["batch-bounds"])
  }

  @Test func `an event after a later one of the same batch is red`() {
    let story = Story("0s recorded 1-3\n1s post 1 1+3+2\n2s answer 1 202")
    #expect(story.red == ["batch-bounds"])
    #expect(
      story.message(.batchBounds)
        == "instance 0: request 1 carries event 2 after one that was recorded later")
  }

  @Test func `an event after a later one of an earlier batch is red`() {
    let story = Story(
      "0s recorded 1-3\n1s post 1 2\n2s answer 1 202\n3s post 2 1+3\n4s answer 2 202")
    #expect(story.red == ["batch-bounds"])
  }

  @Test func `recordings that overlap may leave in either order`() {
    let story = Story(
      """
      0s    begin 1 record
      0s    expose 1 11
      0s    begin 2 record
      0s    expose 2 12
      1s    return 1 done
      1s    return 2 done
      1s    recorded 13
      2s    post 1 12+11+13
      3s    answer 1 202
      """)
    #expect(story.red == [])
  }

  @Test func `instances keep orders of their own`() {
    let story = Story(
      """
      0s    recorded 1@0
      0s    recorded 2@1
      1s    post 1 2@1
      1s    post 2 1@0
      2s    answer 1 202
      2s    answer 2 202
      """)
    #expect(story.red == [])
    #expect(story.checks(.batchBounds) == 2)
  }

  @Test func `a batch beside one that is out is red`() {
    let story = Story("0s recorded 1-2\n1s post 1 1\n1s post 2 2\n2s answer 1 202\n2s answer 2 202")
    #expect(story.red == ["batch-bounds"])
    #expect(
      story.message(.batchBounds)
        == "instance 0: request 2 carries a batch while that of request 1 is out: one flush at a time")
  }

  @Test func `a batch after one that was let go is fine`() {
    let story = Story(
      """
      0s    recorded 1-3
      1s    begin 1 flush
      1s    post 1 1
      4s    abort 1
      4s    post 2 2
      5s    lose 2
      5s    post 3 3
      6s    answer 3 202
      6s    return 1 done
      9s    aborted 1
      """)
    #expect(story.red == [])
  }
}

@Suite struct NoEventTwiceJudgeTests {
  @Test func `each event in a request is a check`() {
    let story = Story("0s recorded 1-5\n1s post 1 1-3\n2s answer 1 202\n2s post 2 4-5\n3s lose 2")
    #expect(story.red == [])
    #expect(story.checks(.noEventTwice) == 5)
  }

  @Test func `a failed batch that is tried again is red once for each event`() {
    let story = Story("0s recorded 1-3\n1s post 1 1-3\n2s answer 1 500\n3s post 2 1-3\n4s answer 2 202")
    #expect(story.red == ["no-event-twice"])
    #expect(story.verdict(.noEventTwice).violations == 3)
    #expect(
      story.message(.noEventTwice) == "event 1 is in request 2 and was in request 1 before")
  }

  @Test func `an event that one request carries twice is red`() {
    let story = Story("0s recorded 1-2\n1s post 1 1+1+2\n2s answer 1 202")
    #expect(story.red == ["no-event-twice"])
    #expect(story.message(.noEventTwice) == "event 1 is in request 1 more than once")
  }

  @Test func `an answer that is lost is no reason to try again`() {
    let story = Story("0s recorded 1\n1s post 1 1\n1s arrive 1\n2s lose 1\n3s post 2 1\n4s answer 2 202")
    #expect(story.red == ["no-event-twice"])
  }
}
