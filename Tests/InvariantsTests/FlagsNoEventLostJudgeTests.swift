import Events
import Invariants
import Testing

@Suite struct FlagsNoEventLostJudgeTests {
  /// Three events, two of them acknowledged.
  private func story() -> DeviceStory {
    var story = DeviceStory([.noEventLost])
    story.launch()
    story.capture(1...3)
    story.batch(1, [1, 2])
    story.at(1)
    story.answer(1, 202)
    return story
  }

  private func tally(_ recorded: Int, _ sent: Int, _ dropped: Int, _ pending: Int) -> DeviceEvent {
    .tallied(
      InstanceID(0), AnalyticsTally(recorded: recorded, sent: sent, dropped: dropped, pending: pending))
  }

  @Test func `what was recorded is a check each and all of it sent is green`() {
    var story = story()
    story.batch(2, [3])
    story.at(2)
    story.answer(2, 202)
    story.close()
    story.tell(tally(3, 3, 0, 0))
    #expect(story.end().red == [])
    #expect(story.checks(.noEventLost) == 3)
  }

  @Test func `counts that do not add up are red at any time`() {
    var story = story()
    story.tell(tally(3, 2, 0, 1))
    #expect(story.red == [])
    story.tell(tally(3, 2, 0, 0))
    #expect(story.end().red == ["no-event-lost"])
    #expect(
      story.message(.noEventLost)
        == "instance 0: the client counts 3 events recorded, 2 sent, 0 dropped and 0 waiting, but these do not add up"
    )
  }

  @Test(arguments: [
    ((3, 2, 0, 1), "after the close nothing may wait"), ((3, 3, 0, 0), "2 were acknowledged"),
    ((3, 1, 2, 0), "2 were acknowledged"),
    ((2, 2, 0, 0), "3 were captured and 0 others were in its requests"),
    ((3, 2, 1, 0), "nothing has happened for which any may be dropped"),
  ])
  func `untrue counts after the close are red`(counts: (Int, Int, Int, Int), fault: String) {
    var story = story()
    story.close()
    story.tell(tally(counts.0, counts.1, counts.2, counts.3))
    #expect(story.end().red == ["no-event-lost"])
    #expect(story.message(.noEventLost).hasSuffix("but \(fault)"))
  }

  @Test func `events that are missing and not dropped are red`() {
    var story = story()
    story.send(2, [AnalyticsEvent(id: 9, session: 1, kind: .exposure(flag: 1, assignment: 1))])
    story.at(2)
    story.answer(2, 202)
    story.close()
    story.tell(tally(4, 3, 0, 1))
    #expect(story.red == ["no-event-lost"])
    var hidden = self.story()
    hidden.send(2, [AnalyticsEvent(id: 9, session: 1, kind: .exposure(flag: 1, assignment: 1))])
    hidden.lose(2)
    hidden.close()
    hidden.tell(tally(4, 2, 2, 0))
    #expect(hidden.end().red == [])
  }

  @Test(arguments: [400, 401, 403])
  func `a refusal for good is a reason to drop`(status: Int) {
    var story = story()
    story.batch(2, [3])
    story.at(2)
    story.answer(2, status)
    story.close()
    story.tell(tally(3, 2, 1, 0))
    #expect(story.end().red == [])
  }

  @Test(arguments: [429, 500, 503, 408, 410])
  func `a refusal for now is none if the next attempt succeeds`(status: Int) {
    var story = story()
    story.batch(2, [3])
    story.at(2)
    story.answer(2, status)
    story.at(4)
    story.capture(4...4)
    story.batch(3, [4])
    story.at(5)
    story.answer(3, 202)
    story.close()
    story.tell(tally(4, 3, 1, 0))
    #expect(story.end().red == ["no-event-lost"])
  }

  @Test func `what is left by a last attempt that failed may be dropped`() {
    var story = story()
    story.batch(2, [3])
    story.at(2)
    story.lose(2)
    story.close()
    story.tell(tally(3, 2, 1, 0))
    #expect(story.end().red == [])
  }

  @Test func `a withdrawn consent is a reason and what is captured without it is not recorded`() {
    var story = story()
    story.tell(.consentChanged(InstanceID(0), isGiven: false))
    story.capture(4...5)
    story.close()
    story.tell(tally(3, 2, 1, 0))
    #expect(story.end().red == [])
  }

  @Test func `a 202 that ties with the deadline counts either way and once`() {
    for sent in 2...3 {
      var story = story()
      story.batch(2, [3])
      story.at(11)
      story.answer(2, 202)
      story.cancel(2)
      story.close()
      story.tell(tally(3, sent, 3 - sent, 0))
      #expect(story.end().red == [])
    }
    var repeated = story()
    repeated.batch(2, [3])
    repeated.at(11)
    repeated.answer(2, 202)
    repeated.cancel(2)
    repeated.at(12)
    repeated.batch(3, [3], id: 2)
    repeated.at(13)
    repeated.answer(3, 202)
    repeated.close()
    repeated.tell(tally(3, 3, 0, 0))
    #expect(repeated.end().red == [])
  }

  @Test func `a process that was killed owes nothing`() {
    var story = story()
    story.tell(.killed(InstanceID(0)))
    story.launch()
    story.close()
    story.tell(tally(0, 0, 0, 0))
    #expect(story.end().red == [])
  }
}
