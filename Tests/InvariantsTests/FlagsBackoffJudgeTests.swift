import Events
import Invariants
import Testing

@Suite struct FlagsBackoffJudgeTests {
  private func story() -> DeviceStory {
    var story = DeviceStory([.backoff])
    story.launch()
    return story
  }

  /// A sync request that fails after a tenth of a second; each follows the one before by a gap.
  private func fail(_ gaps: [Double], in story: inout DeviceStory) -> Double {
    var now = 0.0
    for (index, gap) in gaps.enumerated() {
      now += gap
      story.at(now)
      story.sync(UInt64(index) + 1)
      now += 0.1
      story.at(now)
      story.answer(UInt64(index) + 1, 503)
    }
    return now
  }

  @Test(arguments: [(0.1, false), (2.0, false), (0.0999, true), (0.0, true)])
  func `a first gap is a check and not shorter than a tenth of a second`(gap: Double, isRed: Bool) {
    var story = story()
    let now = fail([0], in: &story)
    story.at(now + gap)
    story.sync(2)
    #expect((story.end().red == ["backoff"]) == isRed)
    #expect(story.checks(.backoff) == 1)
  }

  @Test func `the message says how short the gap was`() {
    var story = story()
    let now = fail([0], in: &story)
    story.at(now + 0.05)
    story.sync(2)
    #expect(
      story.end().message(.backoff)
        == "instance 0: request 2 to snapshot started only 0.05 s after a failure; the shortest gap is 0.1 s")
  }

  @Test func `a deadline that passed is a failure`() {
    var story = story()
    story.sync(1)
    story.at(10)
    story.cancel(1)
    story.tell(.requestCompleted(RequestID(1), .cancelled))
    story.sync(2)
    #expect(story.end().red == ["backoff"])
  }

  @Test(arguments: [false, true])
  func `a batch that was out when consent went need not be sent again, though consent is back`(
    isWithdrawn: Bool
  ) {
    var story = story()
    story.capture(1...2)
    story.batch(1, [1, 2])
    story.at(5)
    if isWithdrawn {
      for isGiven in [false, true] { story.tell(.consentChanged(InstanceID(0), isGiven: isGiven)) }
    }
    story.at(10)
    story.cancel(1)
    story.tell(.requestCompleted(RequestID(1), .cancelled))
    story.at(30)
    story.batch(2, [1, 2])
    #expect(story.end().red == (isWithdrawn ? [] : ["backoff"]))
  }

  @Test func `a snapshot right after a 410 is no retry and one after a 410 to a snapshot is`() {
    var gone = story()
    gone.sync(1, since: 4)
    gone.at(1)
    gone.serve(1, .gone(.contextChanged), version: 0, whole: [])
    gone.sync(2)
    #expect(gone.end().red == [])
    var lost = story()
    lost.sync(1)
    lost.at(1)
    lost.lose(1)
    lost.sync(2)
    #expect(lost.end().red == ["backoff"])
  }

  @Test func `a refresh may go at once`() {
    var story = story()
    let now = fail([0], in: &story)
    story.at(now + 0.01)
    story.begin(1, .refresh)
    story.sync(2)
    #expect(story.end().red == [])
    #expect(story.checks(.backoff) == 0)
  }

  @Test func `a notice after a refresh that failed begins a row`() {
    var story = story()
    story.begin(1, .refresh)
    story.sync(1)
    story.at(1)
    story.answer(1, 503)
    story.finish(1, .failed(.server, status: 503))
    story.at(1.01)
    story.tell(.noticed(InstanceID(0), version: 3, isProjectWide: false))
    story.sync(2)
    #expect(story.end().red == [])
  }

  @Test func `a new reader's fetch may go at once`() {
    var story = story()
    _ = fail([0], in: &story)
    story.change(to: .user(2))
    story.sync(2, as: .user(2))
    #expect(story.end().red == [])
  }

  // MARK: Too late

  @Test func `a gap is not longer than its place in the row allows`() {
    var story = story()
    let now = fail([0, 1], in: &story)
    story.at(now + 7)
    story.sync(3)
    #expect(story.red == [])
    var late = self.story()
    let end = fail([0, 1], in: &late)
    late.at(end + 7.1)
    late.sync(3)
    #expect(late.end().red == ["backoff"])
    #expect(
      late.message(.backoff)
        == "instance 0: after failure 2 in a row, at 1.2 s, the sync should have been tried again by 8.2 s")
  }

  @Test func `a loop that ends is red when the process does`() {
    var killed = story()
    let now = fail([0], in: &killed)
    killed.at(now + 100)
    killed.tell(.killed(InstanceID(0)))
    #expect(killed.end().red == ["backoff"])
    var closed = story()
    let end = fail([0], in: &closed)
    closed.at(end + 100)
    closed.close()
    #expect(closed.end().red == ["backoff"])
  }

  @Test func `a refusal for good and a device in the background need not be tried again`() {
    var final = story()
    final.sync(1)
    final.at(1)
    final.answer(1, 403)
    final.at(200)
    final.close()
    #expect(final.end().red == [])
    var resting = story()
    resting.tell(.moved(InstanceID(0), isForeground: false))
    let now = fail([0], in: &resting)
    resting.at(now + 100)
    resting.close()
    #expect(resting.end().red == [])
  }

  @Test func `a failure that asks for patience has no gap of its own`() {
    var story = story()
    story.sync(1)
    story.at(1)
    story.answer(1, 503, patience: 3_600)
    story.at(3_601)
    story.sync(2)
    #expect(story.end().red == [])
    #expect(story.checks(.backoff) == 0)
  }

  // MARK: Growth

  @Test func `gaps that do not grow are red after a while`() {
    var story = story()
    let now = fail([0] + Array(repeating: 1, count: 12), in: &story)
    #expect(story.red == [])
    story.at(now + 1)
    story.sync(99)
    #expect(story.end().red == ["backoff"])
    #expect(
      story.message(.backoff).hasSuffix("ten gaps in a row were as short for their place: they do not grow"))
  }

  @Test func `a success or a gap that somebody cuts short breaks the row`() {
    for isCut in [true, false] {
      var story = story()
      var now = fail([0] + Array(repeating: 1, count: 11), in: &story)
      now += 1
      story.at(now)
      if isCut { story.begin(1, .refresh) }
      story.sync(80)
      if isCut {
        story.at(now + 0.1)
        story.answer(80, 503)
        story.finish(1, .failed(.server, status: 503))
      } else {
        story.serve(80, .snapshot([]), version: 5, whole: [])
      }
      for index in 1...5 {
        story.at(now + Double(index) * 1.1)
        story.sync(80 + UInt64(index))
        story.at(now + Double(index) * 1.1 + 0.1)
        story.answer(80 + UInt64(index), 503)
      }
      #expect(story.end().red == [])
    }
  }

  // MARK: Analytics

  @Test func `a batch that starts early is red once the device lives on`() {
    var story = story()
    story.capture(1...1)
    story.batch(1, [1])
    story.at(1)
    story.lose(1)
    story.at(1.05)
    story.batch(2, [1], id: 1)
    #expect(story.red == [])
    story.at(2)
    story.capture(2...2)
    #expect(story.end().red == ["backoff"])
  }

  @Test func `a flush and the close may send at once and so may the way off the screen`() {
    for deed in 0..<3 {
      var story = story()
      story.capture(1...1)
      story.batch(1, [1])
      story.at(1)
      story.lose(1)
      story.at(1.05)
      if deed == 0 { story.begin(1, .flush) }
      if deed == 1 { story.tell(.moved(InstanceID(0), isForeground: false)) }
      story.batch(2, [1], id: 1)
      story.at(2)
      if deed == 2 { story.close() } else { story.capture(2...2) }
      #expect(story.end().red == [])
    }
  }

  @Test func `a queue that gives up for good is red`() {
    var story = story()
    story.capture(1...1)
    story.batch(1, [1])
    story.at(1)
    story.answer(1, 500)
    story.at(7)
    story.batch(2, [1], id: 1)
    #expect(story.end().red == ["backoff"])
    #expect(story.message(.backoff).contains("analytics should have been tried again by 6 s"))
  }
}
