import Events
import Invariants
import Testing

@Suite struct FlagsBatchJudgesTests {
  private func story(_ judged: Invariant) -> DeviceStory {
    var story = DeviceStory([judged])
    story.launch()
    story.capture(1...60)
    return story
  }

  // MARK: Bounds and order

  @Test func `batches in the order of recording are green`() {
    var story = story(.batchBounds)
    story.batch(1, Array(1...50))
    story.at(1)
    story.answer(1, 202)
    story.batch(2, Array(51...60))
    #expect(story.end().red == [])
    #expect(story.checks(.batchBounds) == 2)
  }

  @Test(arguments: [0, 51])
  func `a batch of too few or too many events is red`(count: Int) {
    var story = story(.batchBounds)
    story.batch(1, (0..<count).map { UInt64($0 + 1) })
    #expect(story.end().red == ["batch-bounds"])
    #expect(
      story.message(.batchBounds)
        == "instance 0: request 1 carries \(count) events; a batch holds 1 to 50")
  }

  @Test func `an event that leaves after a later one is red`() {
    var across = story(.batchBounds)
    across.batch(1, [1, 3])
    across.answer(1, 202)
    across.batch(2, [2])
    #expect(across.end().red == ["batch-bounds"])
    var within = story(.batchBounds)
    within.batch(1, [2, 1])
    #expect(within.end().red == ["batch-bounds"])
  }

  @Test func `a batch beside another is red unless that was given up or its process is gone`() {
    var beside = story(.batchBounds)
    beside.batch(1, [1])
    beside.batch(2, [2])
    #expect(beside.end().red == ["batch-bounds"])
    var after = story(.batchBounds)
    after.batch(1, [1])
    after.at(10)
    after.cancel(1)
    after.batch(2, [1], id: 1)
    after.tell(.killed(InstanceID(0)))
    after.launch()
    after.capture(70...70)
    after.batch(3, [70])
    #expect(after.end().red == [])
  }

  @Test func `an event under another reader's credential is red`() {
    var story = story(.batchBounds)
    story.change(to: .user(2))
    story.batch(1, [1], as: .user(1))
    story.answer(1, 202)
    #expect(story.red == [])
    story.batch(2, [2], as: .user(2))
    #expect(story.end().red == ["batch-bounds"])
    #expect(
      story.message(.batchBounds)
        == "instance 0: request 2 carries event 2 of user 1 under the credential of user 2")
  }

  @Test func `an event recorded while the reader changes may be of either`() {
    var story = DeviceStory([.batchBounds])
    story.launch()
    story.tell(.readerChanging(InstanceID(0), to: .user(2)))
    story.capture(1...2)
    story.tell(.readerChanged(InstanceID(0)))
    story.batch(1, [1], as: .user(1))
    story.answer(1, 202)
    story.batch(2, [2], as: .user(2))
    #expect(story.end().red == [])
  }

  // MARK: Repeats

  @Test(arguments: [429, 500, 408, 401, 400])
  func `a batch is repeated after a failure`(status: Int) {
    var story = story(.noEventTwice)
    story.batch(1, [1, 2])
    story.at(1)
    story.answer(1, status)
    story.at(2)
    story.batch(2, [1, 2], id: 1)
    #expect(story.end().red == [])
    #expect(story.checks(.noEventTwice) == 4)
  }

  @Test func `a batch is repeated after its deadline although its answer comes then`() {
    var story = story(.noEventTwice)
    story.batch(1, [1])
    story.tell(.eventsCounted(RequestID(1), [1_001]))
    story.at(10)
    story.cancel(1)
    story.at(11)
    story.answer(1, 202)
    story.batch(2, [1], id: 1)
    story.tell(.eventsCounted(RequestID(2), []))
    #expect(story.end().red == [])
  }

  @Test func `a batch whose 202 came at the deadline may be repeated`() {
    var story = story(.noEventTwice)
    story.batch(1, [1])
    story.at(10)
    story.answer(1, 202)
    story.cancel(1)
    story.at(11)
    story.batch(2, [1], id: 1)
    #expect(story.end().red == [])
  }

  @Test func `a batch whose 202 came is not repeated`() {
    var story = story(.noEventTwice)
    story.batch(1, [1])
    story.at(1)
    story.answer(1, 202)
    story.at(2)
    story.batch(2, [1], id: 1)
    #expect(story.end().red == ["no-event-twice"])
    #expect(
      story.message(.noEventTwice)
        == "instance 0: request 2 repeats the batch of request 1, whose 202 the client had got")
  }

  @Test func `a repeat with other bytes is red and so is one beside the first`() {
    var bytes = story(.noEventTwice)
    bytes.batch(1, [1])
    bytes.lose(1)
    bytes.batch(2, [1], id: 1, bytes: 77)
    #expect(bytes.end().red == ["no-event-twice"])
    var beside = story(.noEventTwice)
    beside.batch(1, [1])
    beside.batch(2, [1], id: 1)
    #expect(beside.end().red == ["no-event-twice"])
  }

  @Test func `an event in a new batch is red unless the old one was too large`() {
    var fresh = story(.noEventTwice)
    fresh.batch(1, [1, 2])
    fresh.lose(1)
    fresh.batch(2, [1])
    #expect(fresh.end().red == ["no-event-twice"])
    var halves = story(.noEventTwice)
    halves.batch(1, [1, 2])
    halves.at(1)
    halves.answer(1, 413)
    halves.batch(2, [1])
    halves.answer(2, 202)
    halves.batch(3, [2])
    #expect(halves.end().red == [])
    var whole = story(.noEventTwice)
    whole.batch(1, [1, 2])
    whole.at(1)
    whole.answer(1, 413)
    whole.batch(2, [1, 2])
    #expect(whole.end().red == ["no-event-twice"])
  }

  @Test func `a batch that was too large is not repeated as it was`() {
    var story = story(.noEventTwice)
    story.batch(1, [1, 2])
    story.at(1)
    story.answer(1, 413)
    story.at(2)
    story.batch(2, [1, 2], id: 1)
    #expect(story.end().red == ["no-event-twice"])
  }

  @Test func `an event twice in a batch is red`() {
    var story = story(.noEventTwice)
    story.batch(1, [1, 1])
    #expect(story.end().red == ["no-event-twice"])
  }

  @Test func `an event that the service counts again is red`() {
    var story = story(.noEventTwice)
    story.batch(1, [1])
    story.tell(.eventsCounted(RequestID(1), [1_001]))
    story.lose(1)
    story.batch(2, [1], id: 1)
    story.tell(.eventsCounted(RequestID(2), [1_001]))
    #expect(story.end().red == ["no-event-twice"])
    #expect(story.message(.noEventTwice) == "the service counts event 1001 of request 2 again")
  }
}
