import Events
import Invariants
import Testing

@Suite struct ObserversJudgeTests {
  private static let device = InstanceID(0)

  /// A device that holds two flags at version 5, of which subscriber 1 was told.
  private func story() -> DeviceStory {
    var story = DeviceStory([.observers])
    story.launch()
    story.at(1)
    story.snapshot(1, [.text(1, 10), .text(2, 20)], version: 5)
    story.tell(told([1, 2]))
    story.at(2)
    return story
  }

  private func told(_ flags: [Int32], _ subscriber: Int32 = 1) -> DeviceEvent {
    .told(Self.device, subscriber: subscriber, flags: flags)
  }

  /// A snapshot that changes flag 1.
  private func change(_ story: inout DeviceStory, _ request: UInt64 = 2, to digest: UInt64 = 11) {
    story.snapshot(request, [.text(1, digest), .text(2, 20)], version: 4 + Int64(request))
  }

  // MARK: Subscribers

  @Test func `each notice is a check and one of each change is green`() {
    var story = story()
    change(&story)
    story.tell(told([1]))
    story.at(3)
    #expect(story.end().red == [])
    #expect(story.checks(.observers) == 2)
  }

  @Test func `a notice of equal content is red`() {
    var story = story()
    change(&story, to: 10)
    story.tell(told([1]))
    #expect(
      story.end().message(.observers)
        == "instance 0: subscriber 1 was told of flag 1, whose value has not changed since")
  }

  @Test func `a notice of a flag that did not change is red and so is a second one`() {
    var other = story()
    change(&other)
    other.tell(told([1, 2]))
    #expect(other.end().red == ["observers"])
    var twice = story()
    change(&twice)
    twice.tell(told([1]))
    twice.tell(told([1]))
    #expect(twice.end().red == ["observers"])
  }

  @Test func `a notice of no flag is red`() {
    var story = story()
    story.tell(told([]))
    #expect(story.end().red == ["observers"])
  }

  @Test func `two subscribers are told apart`() {
    var story = story()
    change(&story)
    story.tell(told([1], 1))
    story.tell(told([1], 2))
    #expect(story.end().red == [])
  }

  @Test func `a key that was dropped shows at the next notice`() {
    var story = story()
    change(&story)
    story.at(3)
    #expect(story.red == [])
    story.snapshot(3, [.text(1, 11), .text(2, 21)], version: 7)
    story.tell(told([2]))
    #expect(
      story.end().message(.observers)
        == "instance 0: subscriber 1 was told of flags [2], but never of flag 1, which changed at 2 s")
  }

  @Test func `keys that a slow subscriber hears of together are green`() {
    var story = story()
    change(&story)
    story.at(3)
    story.snapshot(3, [.text(1, 11), .text(2, 21)], version: 7)
    story.tell(told([1, 2]))
    #expect(story.end().red == [])
  }

  @Test func `a notice after the close is red and in its instant fine`() {
    var story = story()
    change(&story)
    story.close()
    story.tell(told([1]))
    #expect(story.red == [])
    story.at(3)
    story.tell(told([1]))
    #expect(story.end().red == ["observers"])
  }

  // MARK: Changes of reader

  @Test func `the old keys are told once at a change of reader and the new ones when they come`() {
    var story = story()
    story.change(to: .user(2))
    story.tell(told([1, 2]))
    story.at(3)
    story.snapshot(2, [.text(1, 30)], version: 5, of: .user(2))
    story.tell(told([1]))
    story.at(4)
    #expect(story.end().red == [])
  }

  @Test func `old keys that are told twice or in part or never are red`() {
    var twice = story()
    twice.change(to: .user(2))
    twice.tell(told([1, 2]))
    twice.tell(told([1, 2]))
    #expect(twice.end().red == ["observers"])
    for flags in [[Int32(1)], []] {
      var story = story()
      story.change(to: .user(2))
      if !flags.isEmpty { story.tell(told(flags)) }
      story.at(3)
      story.snapshot(2, [.text(3, 30)], version: 5, of: .user(2))
      story.tell(told([3]))
      #expect(story.end().red == ["observers"])
    }
  }

  // MARK: Reads

  @Test func `a read after the notice that gives the replaced value is red`() {
    var story = story()
    change(&story)
    story.read(1, .string, .value(10))
    #expect(story.red == [])
    story.tell(told([1]))
    story.read(1, .string, .value(10))
    #expect(story.end().red == ["observers"])
    #expect(story.message(.observers).hasSuffix("the value from before the change that was just told"))
  }

  @Test func `a read after the notice that gives the new value or a default is green`() {
    var story = story()
    change(&story)
    story.tell(told([1]))
    story.read(1, .bool, .absent)
    story.read(1, .string, .value(11))
    story.at(3)
    story.read(1, .string, .value(11))
    #expect(story.end().red == [])
  }

  // MARK: Observers

  @Test func `an observer is woken by its own flag and one of all by any`() {
    var story = story()
    change(&story)
    story.tell(.observed(Self.device, flag: 1))
    story.tell(.observed(Self.device, flag: nil))
    #expect(story.end().red == [])
    #expect(story.checks(.observers) == 3)
  }

  @Test func `an observer that is woken again without a change is red`() {
    var story = story()
    change(&story)
    story.tell(.observed(Self.device, flag: 1))
    story.tell(.observed(Self.device, flag: nil))
    story.at(3)
    story.snapshot(3, [.text(1, 11), .text(2, 20)], version: 7)
    story.tell(.observed(Self.device, flag: 1))
    story.tell(.observed(Self.device, flag: nil))
    #expect(story.violations(.observers) == 2)
    #expect(
      story.message(.observers)
        == "instance 0: the observer of flag 1 was woken although its value has not changed")
  }

  @Test func `an observer that is woken by another flag is red`() {
    var story = DeviceStory([.observers])
    story.launch()
    story.tell(.observed(Self.device, flag: 3))
    #expect(story.end().red == ["observers"])
  }
}
