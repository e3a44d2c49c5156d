import Events
import Invariants
import Testing

@Suite struct FlagsRetryAfterJudgeTests {
  /// A snapshot that was refused at 1 s and asks for a minute.
  private func refused() -> DeviceStory {
    var story = DeviceStory([.retryAfter])
    story.launch()
    story.sync(1)
    story.at(1)
    story.answer(1, 503, patience: 60)
    return story
  }

  @Test(arguments: [(60.9, true), (61, false), (70, false)])
  func `a request before the end is red and one at it free`(time: Double, isRed: Bool) {
    var story = refused()
    story.at(time)
    story.sync(2, since: 4)
    #expect((story.end().red == ["retry-after"]) == isRed)
    #expect(story.checks(.retryAfter) == 1)
  }

  @Test func `the message says how much too early a request is`() {
    var story = refused()
    story.at(2)
    story.sync(2)
    #expect(
      story.end().message(.retryAfter)
        == "instance 0: request 2 to snapshot started 59 s before a Retry-After of that endpoint had run out")
  }

  @Test func `analytics have a Retry-After of their own`() {
    var story = refused()
    story.at(2)
    story.batch(2, [1])
    story.at(3)
    story.answer(2, 429, patience: 10)
    story.at(13)
    story.batch(3, [1], id: 2)
    #expect(story.end().red == [])
    story = refused()
    story.batch(2, [1])
    story.answer(2, 429, patience: 10)
    story.at(5)
    story.batch(3, [1], id: 2)
    #expect(story.end().red == ["retry-after"])
  }

  @Test func `a refresh within it fails at once`() {
    var story = refused()
    story.at(2)
    story.begin(1, .refresh)
    story.finish(1, .failed(.server, status: 503))
    #expect(story.end().red == [])
    #expect(story.checks(.retryAfter) == 1)
  }

  @Test func `a refresh within it that waits or succeeds is red`() {
    var late = refused()
    late.at(2)
    late.begin(1, .refresh)
    late.at(3)
    late.finish(1, .failed(.server, status: 503))
    #expect(late.end().red == ["retry-after"])
    #expect(
      late.message(.retryAfter)
        == "reader 0: refresh, called at 2 s, returned only at 3 s, although a Retry-After was running: it is to "
        + "fail at once")
    var done = refused()
    done.at(2)
    done.begin(1, .refresh)
    done.finish(1)
    #expect(done.end().red == ["retry-after"])
  }

  @Test func `a refresh that a change of reader ends later is not judged`() {
    var story = refused()
    story.at(2)
    story.begin(1, .refresh)
    story.change(to: .user(2))
    story.at(3)
    story.finish(1, .failed(.readerChanged, status: 0))
    #expect(story.end().red == [])
  }

  @Test func `a refusal binds nobody that came late or in the instant of a change`() {
    var late = DeviceStory([.retryAfter])
    late.launch()
    late.sync(1)
    late.at(10)
    late.cancel(1)
    late.answer(1, 503, patience: 60)
    late.at(11)
    late.sync(2)
    #expect(late.end().red == [])
    var changed = refused()
    changed.change(to: .user(2))
    changed.at(2)
    changed.sync(2, as: .user(2))
    #expect(changed.end().red == [])
  }

  @Test func `a change of reader in a later instant lifts nothing`() {
    var story = refused()
    story.at(2)
    story.change(to: .user(2))
    story.sync(2, as: .user(2))
    #expect(story.end().red == ["retry-after"])
  }

  @Test func `a new process knows of no Retry-After and other devices neither`() {
    var story = refused()
    story.launch(1)
    story.at(2)
    story.sync(2, on: 1)
    story.tell(.killed(InstanceID(0)))
    story.launch()
    story.sync(3)
    #expect(story.end().red == [])
  }

  @Test func `patience that a success asks for binds nobody`() {
    var story = DeviceStory([.retryAfter])
    story.launch()
    story.batch(1, [1])
    story.at(1)
    story.answer(1, 202, patience: 60)
    story.at(2)
    story.batch(2, [2])
    #expect(story.end().red == [])
  }
}
