import Events
import Invariants
import Testing

@Suite struct DiskHonestJudgeTests {
  private static let device = InstanceID(0)

  /// A device that holds one flag of version 5.
  private func story() -> DeviceStory {
    var story = DeviceStory([.diskHonest])
    story.launch()
    story.snapshot(1, [.text(1, 10)], version: 5)
    story.at(1)
    return story
  }

  private func record(
    _ version: Int64, _ values: [FlagValue] = [.text(1, 10)], of subject: Subject = .user(1)
  ) -> StoredFlags {
    StoredFlags(subject: subject, context: 0, version: version, content: ContentDigest(values))
  }

  private func write(_ number: UInt64, _ stored: StoredFlags?, in story: inout DeviceStory) {
    story.tell(.recordWriteBegan(Self.device, write: number, stored))
    story.tell(.recordWriteEnded(Self.device, write: number, isDone: true))
  }

  @Test func `a record of what is held is a check and green`() {
    var story = story()
    write(1, record(5), in: &story)
    #expect(story.end().red == [])
    #expect(story.checks(.diskHonest) == 1)
  }

  @Test func `a record may lag behind what is held`() {
    var story = story()
    story.snapshot(2, [.text(1, 11)], version: 6)
    story.at(2)
    write(1, record(5), in: &story)
    write(2, record(6, [.text(1, 11)]), in: &story)
    #expect(story.end().red == [])
  }

  @Test func `a record that the device has not held is red`() {
    for stored in [record(6), record(5, [.text(1, 11)])] {
      var story = story()
      write(1, stored, in: &story)
      #expect(story.end().red == ["disk-honest"])
      #expect(story.message(.diskHonest).hasSuffix("is none that the device has held"))
    }
  }

  @Test func `a record of another reader or context is red`() {
    var reader = story()
    write(1, record(5, of: .user(2)), in: &reader)
    #expect(reader.end().red == ["disk-honest"])
    var context = story()
    write(
      1, StoredFlags(subject: .user(1), context: 3, version: 5, content: record(5).content), in: &context)
    #expect(context.end().red == ["disk-honest"])
  }

  @Test func `a version that falls within an epoch is red`() {
    var story = story()
    story.snapshot(2, [.text(1, 10)], version: 6)
    story.at(2)
    write(1, record(6), in: &story)
    #expect(story.red == [])
    write(2, record(5), in: &story)
    #expect(story.end().red == ["disk-honest"])
  }

  @Test func `a version that falls across epochs is fine`() {
    var story = story()
    write(1, record(5), in: &story)
    story.change(to: .user(2))
    story.at(2)
    story.snapshot(2, [.text(1, 9)], version: 3, of: .user(2))
    story.at(3)
    write(2, record(3, [.text(1, 9)], of: .user(2)), in: &story)
    // The former reader's record was not removed in the instant of the change.
    #expect(story.end().violations(.diskHonest) == 1)
  }

  @Test func `an operation beside another is red and after a kill fine`() {
    var beside = story()
    beside.tell(.recordWriteBegan(Self.device, write: 1, record(5)))
    beside.tell(.recordWriteBegan(Self.device, write: 2, record(5)))
    #expect(beside.end().red == ["disk-honest"])
    var killed = story()
    killed.tell(.recordWriteBegan(Self.device, write: 1, record(5)))
    killed.tell(.killed(Self.device))
    killed.launch()
    killed.snapshot(2, [.text(1, 10)], version: 6)
    killed.tell(.recordWriteBegan(Self.device, write: 2, record(6)))
    #expect(killed.end().red == [])
  }

  // MARK: Loading

  @Test func `a record that was written is found and any other is red`() {
    var story = story()
    write(1, record(5), in: &story)
    story.tell(.killed(Self.device))
    story.tell(.launched(Self.device, .user(1), context: 0))
    story.tell(.recordFound(Self.device, .whole(record(5))))
    #expect(story.red == [])
    #expect(story.checks(.diskHonest) == 2)
    story.tell(.killed(Self.device))
    story.tell(.launched(Self.device, .user(1), context: 0))
    story.tell(.recordFound(Self.device, .whole(record(6))))
    #expect(story.end().red == ["disk-honest"])
  }

  @Test func `a record that was begun before the kill may be found`() {
    var story = story()
    story.tell(.recordWriteBegan(Self.device, write: 1, record(5)))
    story.tell(.killed(Self.device))
    story.tell(.launched(Self.device, .user(1), context: 0))
    story.tell(.recordFound(Self.device, .whole(record(5))))
    #expect(story.end().red == [])
  }

  @Test func `a damaged or unknown record is no violation`() {
    var story = DeviceStory([.diskHonest])
    story.tell(.launched(Self.device, .user(1), context: 0))
    story.tell(.recordFound(Self.device, .damaged))
    story.tell(.recordFound(Self.device, .unknownSchema))
    #expect(story.end().red == [])
  }

  // MARK: Changes of reader

  @Test func `the old reader's record goes in the instant of the change`() {
    var story = story()
    write(1, record(5), in: &story)
    story.change(to: .user(2))
    write(2, nil, in: &story)
    story.at(2)
    #expect(story.end().red == [])
    #expect(story.checks(.diskHonest) == 2)
  }

  @Test func `an old reader's record that stays is red`() {
    var story = story()
    write(1, record(5), in: &story)
    story.change(to: .user(2))
    story.at(2)
    #expect(
      story.end().message(.diskHonest)
        == "instance 0: the reader has changed, and the former reader's record stays on the device")
  }

  @Test func `a removal waits for the write under way and not longer`() {
    var story = story()
    story.tell(.recordWriteBegan(Self.device, write: 1, record(5)))
    story.change(to: .user(2))
    story.at(2)
    story.tell(.recordWriteEnded(Self.device, write: 1, isDone: true))
    write(2, nil, in: &story)
    story.at(3)
    #expect(story.end().red == [])
    var late = self.story()
    late.tell(.recordWriteBegan(Self.device, write: 1, record(5)))
    late.change(to: .user(2))
    late.at(2)
    late.tell(.recordWriteEnded(Self.device, write: 1, isDone: true))
    late.at(3)
    #expect(late.end().red == ["disk-honest"])
  }
}
