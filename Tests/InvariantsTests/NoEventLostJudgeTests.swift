import Events
import Invariants
import Testing

@Suite struct NoEventLostJudgeTests {
  @Test func `ten instances of a thousand events are ten thousand checks`() {
    var lines = ""
    for instance in 0..<10 {
      let first = instance * 1000
      lines += "0s recorded \(first + 1)-\(first + 1000)@\(instance)\n"
    }
    for instance in 0..<10 {
      lines += "1s begin \(instance) flush@\(instance)\n"
      for batch in 0..<10 {
        let request = instance * 10 + batch
        let first = instance * 1000 + batch * 100
        lines += "1s post \(request) \(first + 1)-\(first + 100)@\(instance)\n1s answer \(request) 202\n"
      }
      lines += "1s return \(instance) done\n"
    }
    for instance in 0..<10 { lines += "2s close \(instance)\n2s counts 0 0 0@\(instance)\n" }
    let story = Story(lines)
    #expect(story.red == [])
    #expect(story.checks(.noEventLost) == 10_000)
    #expect(story.checks(.noEventTwice) == 10_000)
    #expect(story.checks(.batchBounds) == 100)
  }

  @Test func `nothing is checked where nobody is asked for counts`() {
    let story = Story("0s recorded 1-3\n1s close")
    #expect(story.verdict(.noEventLost).status == .notExercised)
  }

  // MARK: Strangers

  @Test func `an event that was never recorded is red at once`() {
    let story = Story("0s recorded 1\n1s post 1 1+2\n2s answer 1 202")
    #expect(story.red == ["no-event-lost"])
    #expect(
      story.message(.noEventLost)
        == "request 1 carries event 2, which was never recorded on instance 0")
  }

  @Test func `an event of another instance is red`() {
    #expect(Story("0s recorded 1@1\n1s post 1 1@0\n2s answer 1 202").red == ["no-event-lost"])
  }

  @Test func `an event that is sent again is for the other judge`() {
    let story = Story("0s recorded 1\n1s post 1 1\n2s answer 1 202\n3s post 2 1\n4s answer 2 202")
    #expect(story.red == ["no-event-twice"])
  }

  // MARK: The counts of a closed client

  @Test func `the three parts make up what was recorded`() {
    let story = Story(
      """
      0s    recorded 1-6
      1s    post 1 1-2
      2s    answer 1 202
      2s    post 2 3
      3s    answer 2 500
      3s    post 3 4
      4s    lose 3
      4s    post 4 5
      5s    abort 4
      5s    aborted 4
      6s    close
      6s    counts 1 3 0
      """)
    #expect(story.red == [])
    #expect(story.checks(.noEventLost) == 6)
  }

  @Test(arguments: ["1 0 0", "0 1 0", "2 1 0", "1 2 0", "1 1 1", "0 1 1"])
  func `counts that do not add up are red`(counts: String) {
    let story = Story(
      """
      0s    recorded 1-4
      1s    post 1 1-2
      2s    answer 1 202
      2s    post 2 3
      3s    answer 2 503
      4s    close
      4s    counts \(counts)
      """)
    #expect(story.red == ["no-event-lost"])
    let words = counts.split(separator: " ")
    #expect(
      story.message(.noEventLost)
        == "instance 0: of 4 events 2 were acknowledged, 1 were in failed requests and 1 in none, but the client "
        + "counts \(words[1]) failed, \(words[0]) dropped and \(words[2]) waiting")
  }

  @Test func `counts of a client that was given nothing are zero`() {
    #expect(Story("1s close\n1s counts 0 0 0").red == [])
    #expect(Story("1s close\n1s counts 1 0 0").red == ["no-event-lost"])
  }

  @Test func `an event recorded after the close is dropped`() {
    #expect(Story("1s close\n2s recorded 1\n3s counts 1 0 0").red == [])
    #expect(Story("1s close\n2s recorded 1\n3s counts 0 0 0").red == ["no-event-lost"])
  }

  @Test func `counts told before the close are not judged here`() {
    #expect(!Story("0s recorded 1-3\n1s counts 0 0 3").red.contains("no-event-lost"))
  }

  @Test func `an answer of no use is no acknowledgement`() {
    let lines = "0s recorded 1\n1s post 1 1\n2s answer 1 garbled\n3s close\n3s counts"
    #expect(Story("\(lines) 0 1 0").red == [])
    #expect(Story("\(lines) 0 0 0").red == ["no-event-lost"])
  }

  @Test func `an acknowledgement after the deadline has failed`() {
    let lines = "0s recorded 1\n1s post 1 1\n5s answer 1 202\n6s close\n6s counts"
    #expect(Story("\(lines) 0 1 0").red == [])
    #expect(Story("\(lines) 0 0 0").red == ["no-event-lost"])
  }

  @Test(arguments: ["0 1 0", "0 0 0"])
  func `an acknowledgement at the deadline is either`(counts: String) {
    #expect(
      Story("0s recorded 1\n1s post 1 1\n4s answer 1 202\n6s close\n6s counts \(counts)").red == [])
  }

  @Test func `the deadline runs from the asking for authorization`() {
    let lines =
      "0s recorded 1\n1s ask 1 telemetry\n3s give 1 7\n3s post 1 1\n3s token 1 7\n5s answer 1 202\n6s close\n6s counts"
    #expect(Story("\(lines) 0 1 0").red == [])
    #expect(Story("\(lines) 0 0 0").red == ["no-event-lost"])
  }

  @Test(arguments: ["0 1 0", "0 0 0"])
  func `an acknowledgement in the instant of a cancellation is either`(counts: String) {
    let before = Story(
      """
      0s    recorded 1
      1s    begin 1 flush
      1s    post 1 1
      2s    cancel 1
      2s    answer 1 202
      2s    return 1 done
      3s    close
      3s    counts \(counts)
      """)
    #expect(before.red == [])
    let after = Story(
      """
      0s    recorded 1
      1s    begin 1 flush
      1s    post 1 1
      2s    answer 1 202
      2s    cancel 1
      2s    return 1 done
      3s    close
      3s    counts \(counts)
      """)
    #expect(after.red == [])
  }

  @Test(arguments: ["0 1 0", "0 0 0"])
  func `an acknowledgement in the instant of the close is either`(counts: String) {
    #expect(
      Story("0s recorded 1\n1s post 1 1\n2s answer 1 202\n2s close\n3s counts \(counts)").red == [])
  }

  @Test func `an evaluation's cancellation leaves no doubt about a batch`() {
    let lines =
      "0s recorded 1\n1s begin 1 markRead\n1s post 1 1\n2s answer 1 202\n2s cancel 1\n2s return 1 done\n3s close\n3s counts"
    #expect(Story("\(lines) 0 0 0").red == [])
    #expect(Story("\(lines) 0 1 0").red == ["no-event-lost"])
  }

  @Test(arguments: ["0 0 0", "1 0 0"])
  func `a recording that never returned may have been taken in or not`(counts: String) {
    let story = Story("0s begin 1 record\n0s expose 1 9\n1s close\n1s counts \(counts)")
    #expect(!story.red.contains("no-event-lost"))
  }

  // MARK: What a flush leaves

  @Test func `a flush that leaves an earlier event is red`() {
    let story = Story(
      "0s recorded 1-3\n1s begin 1 flush\n1s post 1 1-2\n2s answer 1 202\n2s return 1 done")
    #expect(story.red == ["no-event-lost"])
    #expect(
      story.message(.noEventLost)
        == "reader 1: flushExposures, called at 1 s, returned although 1 of the events recorded before it have been "
        + "in no request and cannot have been dropped")
  }

  @Test func `an event recorded during the flush may wait`() {
    let story = Story(
      """
      0s    recorded 1
      1s    begin 1 flush
      1s    post 1 1
      1s    recorded 2
      2s    answer 1 202
      2s    return 1 done
      """)
    #expect(story.red == [])
  }

  @Test func `an event whose recording ran when the flush began may wait`() {
    let story = Story(
      """
      0s    begin 1 record
      0s    expose 1 5
      0s    begin 2 flush
      0s    return 2 done
      0s    return 1 done
      """)
    #expect(story.red == [])
  }

  @Test func `a flush that was cancelled may leave anything`() {
    #expect(Story("0s recorded 1-3\n1s begin 1 flush\n1s cancel 1\n1s return 1 done").red == [])
  }

  @Test func `a flush of a closed client may leave anything`() {
    #expect(Story("0s recorded 1-3\n1s close\n1s begin 1 flush\n1s return 1 done\n2s counts 3 0 0").red == [])
  }

  @Test func `a flush goes on after a failed batch`() {
    let story = Story(
      "0s recorded 1-101\n1s begin 1 flush\n1s post 1 1-100\n2s answer 1 500\n2s return 1 done")
    #expect(story.red == ["no-event-lost"])
  }

  @Test func `a Retry-After excuses a flush until it has passed`() {
    let lines =
      """
      0s    recorded 1-2
      1s    begin 1 flush
      1s    post 1 1
      2s    patience 1 10s
      2s    answer 1 429
      2s    return 1 done
      5s    begin 2 flush
      5s    return 2 done
      """
    #expect(Story(lines).red == [])
    #expect(Story(lines + "\n12s begin 3 flush\n12s return 3 done").red == ["no-event-lost"])
  }

  @Test func `a batch without authorization is given up`() {
    let lines =
      "0s recorded 1-150\n1s begin 1 flush\n1s ask 1 telemetry\n1s refuse 1\n"
    #expect(Story(lines + "1s ask 2 telemetry\n1s refuse 2\n1s return 1 done").red == [])
    // One flight takes at most a hundred events with it.
    #expect(Story(lines + "1s return 1 done").red == ["no-event-lost"])
  }

  @Test func `a full buffer pushes out and no more`() {
    let lines = "0s recorded 1-1005\n1s begin 1 flush\n"
    func batches(from first: Int, to last: Int) -> String {
      var text = ""
      for start in stride(from: first, through: last, by: 100) {
        text += "1s post \(start) \(start)-\(min(start + 99, last))\n1s answer \(start) 202\n"
      }
      return text
    }
    let end = "1s return 1 done\n2s close\n2s counts"
    #expect(Story(lines + batches(from: 6, to: 1005) + end + " 5 0 0").red == [])
    #expect(Story(lines + batches(from: 6, to: 1005) + end + " 4 0 0").red == ["no-event-lost"])
    #expect(Story(lines + batches(from: 7, to: 1005) + end + " 6 0 0").red == ["no-event-lost"])
  }
}
