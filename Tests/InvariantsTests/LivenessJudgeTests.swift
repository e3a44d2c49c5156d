import Events
import Invariants
import Testing

/// The deadline of these stories is 3 s; with a largest latency of 1 s the bound is 3 + 60 + 2 = 65 s.
@Suite struct LivenessJudgeTests {
  // MARK: Getting well

  @Test func `each instance awaited is a check`() {
    let story = Story("10s heal 1s\n10s await 0\n10s await 1\n11s well 1 0\n12s well 0 0")
    #expect(story.red == [])
    #expect(story.checks(.liveness) == 2)
  }

  @Test func `a run without faults is no check`() {
    #expect(Story("0s evaluate 1 a\n0s start 1 a\n1s answer 1\n1s return 1 flight 1").checks(.liveness) == 0)
  }

  @Test func `at the bound an instance is well and after it too late`() {
    #expect(Story("10s heal 1s\n10s await 0\n75s well 0 0").red == [])
    let story = Story("10s heal 1s\n10s await 0\n75000000001ns well 0 0")
    #expect(story.red == ["liveness"])
    #expect(
      story.message(.liveness)
        == "instance 0 got an answer of the service's only at 75.000000001 s; 75 s was the limit")
  }

  @Test func `an instance that is asked long after the healing has its time from then`() {
    #expect(Story("10s heal 1s\n300s await 0\n365s well 0 0").red == [])
    #expect(Story("10s heal 1s\n300s await 0\n366s well 0 0").red == ["liveness"])
  }

  @Test(arguments: [(1, "1 key differs"), (3, "3 keys differ")])
  func `an answer that differs from the service's is red`(count: Int, words: String) {
    let story = Story("10s heal 1s\n10s await 0\n11s well 0 \(count)")
    #expect(story.red == ["liveness"])
    #expect(story.message(.liveness) == "instance 0: \(words) from what the service resolves")
  }

  @Test func `an instance that never gets well is red at the end`() {
    let story = Story("10s heal 1s\n10s await 0\n10s await 1\n11s well 0 0\n12s close")
    #expect(story.red == ["liveness"])
    #expect(story.checks(.liveness) == 2)
    #expect(
      story.message(.liveness)
        == "instance 1 got no answer of the service's, although it was asked from 10 s on and no fault was left"
    )
  }

  @Test func `a Retry-After that still runs counts for its own instance`() {
    let lines =
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    patience 1 100s
      1s    answer 1 429
      1s    return 1 default
      10s   heal 1s
      10s   await 0
      10s   await 1
      """
    #expect(Story(lines + "\n75s well 1 0\n166s well 0 0").red == [])
    #expect(Story(lines + "\n76s well 1 0\n166s well 0 0").red == ["liveness"])
    #expect(Story(lines + "\n75s well 1 0\n167s well 0 0").red == ["liveness"])
  }

  // MARK: Pending calls

  @Test func `a call pending at the healing is a check and one begun later is none`() {
    let story = Story(
      """
      9s    begin 1 markRead
      9s    send 1 inbox
      10s   heal 1s
      11s   begin 2 markRead
      11s   send 2 inbox
      12s   answer 1 204
      12s   return 1 done
      13s   answer 2 204
      13s   return 2 done
      """)
    #expect(story.red == [])
    #expect(story.checks(.liveness) == 1)
  }

  @Test func `a pending call that returns after the bound is red`() {
    #expect(Story("9s begin 1 markRead\n10s heal 1s\n75s return 1 error transport").red == [])
    let story = Story("9s begin 1 markRead\n10s heal 1s\n76s return 1 error transport")
    #expect(story.red == ["liveness"])
    #expect(
      story.message(.liveness)
        == "reader 1: markRead, called at 9 s, was pending when the last fault healed and returned only at 76 s; 75 s "
        + "was the limit")
  }

  @Test func `a pending call that never returns is red`() {
    let story = Story("9s begin 1 markRead\n10s heal 1s\n20s close")
    #expect(story.red.contains("liveness"))
    #expect(
      story.message(.liveness)
        == "reader 1: markRead, called at 9 s, was pending when the last fault healed and never returned")
  }

  @Test func `each further batch of a pending flush has a deadline more`() {
    var lines = "9s recorded 1-300\n9s begin 1 flush\n10s heal 1s\n"
    for batch in 0..<3 {
      lines +=
        "\(12 + batch)s post \(batch) \(batch * 100 + 1)-\(batch * 100 + 100)\n\(13 + batch)s answer \(batch) 202\n"
    }
    #expect(Story(lines + "84s return 1 done").red == [])
    #expect(Story(lines + "85s return 1 done").red == ["liveness"])
  }

  @Test func `each further page of a pending walk has a deadline more`() {
    let lines =
      """
      9s    begin 1 list
      9s    send 1 inbox
      10s   heal 1s
      11s   page 1 1 - 1 7
      11s   answer 1 200
      11s   send 2 inbox
      12s   page 2 1 7 2 -
      12s   answer 2 200
      """
    #expect(Story(lines + "\n81s return 1 listed 1-2").red == [])
    #expect(Story(lines + "\n82s return 1 listed 1-2").red == ["liveness"])
  }

  // MARK: Queues and standstill

  @Test func `a queue that has drained is fine`() {
    #expect(
      Story(
        "9s recorded 1\n10s heal 1s\n10s await 0\n11s well 0 0\n11s post 1 1\n12s answer 1 202\n12s counts 0 0 0"
      ).red
        == [])
  }

  @Test func `a queue that does not drain or not in time is red`() {
    let lines = "9s recorded 1\n10s heal 1s\n10s await 0\n11s well 0 0\n"
    #expect(Story(lines + "75s counts 0 0 1").red == ["liveness"])
    #expect(Story(lines + "75s counts 0 0 0").red == [])
    let story = Story(lines + "76s counts 0 0 0")
    #expect(story.red == ["liveness"])
    #expect(
      story.message(.liveness)
        == "instance 0: 0 exposures wait at 76 s; 75 s was the limit for its queue to drain")
  }

  @Test func `what waits after the close is for the other judge`() {
    let story = Story("9s recorded 1\n10s heal 1s\n20s close\n20s counts 0 0 1")
    #expect(story.red == ["no-event-lost"])
  }

  @Test func `time that stands still is red with and without faults`() {
    #expect(Story("5s stall").red == ["liveness"])
    #expect(Story("1s heal 1s\n5s stall").message(.liveness).hasPrefix("time stands still"))
  }
}
