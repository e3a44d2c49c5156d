import Events
import Invariants
import Testing

/// What `liveness` says of a device that was told of a version and does not ask for it.
@Suite struct NoticeWatchTests {
  private static let device = InstanceID(0)

  /// A device that holds version 5 and is told of another one at 10 s.
  private func told(_ version: Int64) -> DeviceStory {
    var story = DeviceStory([.liveness])
    story.launch()
    story.at(1)
    story.snapshot(90, [.text(1, 10)], version: 5)
    story.at(10)
    story.tell(.noticed(Self.device, version: version, isProjectWide: true))
    return story
  }

  @Test(arguments: [(14.1, false), (14.2, true)])
  func `a version that is newer is asked for after the random wait, or the device is red`(
    time: Double, isRed: Bool
  ) {
    var story = told(6)
    story.at(time)
    story.sync(1, since: 5)
    #expect((story.end().red == ["liveness"]) == isRed)
    guard isRed else { return #expect(story.checks(.liveness) == 1) }
    #expect(
      story.message(.liveness)
        == "instance 0 was told of version 6 at 10 s, holds an older one and should have asked for it by 14.1 s"
    )
  }

  @Test func `a version that is held already is nobody's debt`() {
    var story = told(5)
    story.at(300)
    story.sync(1, since: 5)
    #expect(story.end().red == [])
    #expect(story.checks(.liveness) == 0)
  }

  @Test func `an answer that does not bring the version leaves it owed`() {
    var story = told(6)
    story.sync(1, since: 5)
    story.serve(1, .notModified, version: 5, whole: [.text(1, 10)])
    story.at(17)
    story.sync(2, since: 5)
    #expect(story.red == ["liveness"])
  }

  @Test(arguments: [(120.0, false), (180.0, true)])
  func `patience that the service asks for comes first`(time: Double, isRed: Bool) {
    var story = told(6)
    story.sync(1, since: 5)
    story.answer(1, 429, patience: 100)
    story.at(time)
    story.sync(2, since: 5)
    #expect((story.end().red == ["liveness"]) == isRed)
  }

  @Test func `patience that comes with a success is nobody's`() {
    var story = told(6)
    story.sync(1, since: 5)
    story.tell(.patienceAsked(RequestID(1), nanoseconds: 1_000_000_000_000))
    story.serve(1, .notModified, version: 5, whole: [.text(1, 10)])
    story.at(120)
    story.sync(2, since: 5)
    #expect(story.red == ["liveness"])
  }

  @Test func `what lets a client start over forgives the debt`() {
    let events: [DeviceEvent] = [
      .moved(Self.device, isForeground: false), .killed(Self.device),
      .readerChanging(Self.device, to: .user(2)), .socketChanged(Self.device, isOpen: false),
    ]
    for event in events {
      var story = told(6)
      story.tell(event)
      story.at(300)
      story.sync(1)
      #expect(story.end().red == [], "\(event)")
    }
  }
}
