import Events
import Invariants
import Testing

@Suite struct ExposureJudgesTests {
  private static let device = InstanceID(0)

  private func exposure(
    _ id: UInt64, of flag: Int32 = 1, _ assignment: Int32? = 7, session: UInt64 = 1
  ) -> AnalyticsEvent {
    AnalyticsEvent(id: id, session: session, kind: .exposure(flag: flag, assignment: assignment))
  }

  private func captured(_ number: UInt64, session: UInt64) -> AnalyticsEvent {
    AnalyticsEvent(id: 1_000 + number, session: session, kind: .captured(number))
  }

  /// A device that holds two flags of experiments and a third one.
  private func story(_ judged: Invariant, allows: Bool = true) -> DeviceStory {
    var story = DeviceStory([judged])
    story.launch(allows: allows)
    story.snapshot(90, [.tried(1, 10, 7), .tried(2, 20, 8), .text(3, 30)], version: 5)
    story.at(1)
    return story
  }

  // MARK: True

  @Test(arguments: [ReadMethod.string, .decode, .value])
  func `an exposure of a value that was read is a check and green`(method: ReadMethod) {
    var story = story(.exposureTrue)
    story.read(1, method, .value(10))
    story.send(1, [exposure(1)])
    #expect(story.end().red == [])
    #expect(story.checks(.exposureTrue) == 1)
  }

  @Test func `a repeat of an exposure is no further check`() {
    var story = story(.exposureTrue)
    story.read(1, .string, .value(10))
    story.send(1, [exposure(1)])
    story.lose(1)
    story.send(2, [exposure(1)], id: 1)
    #expect(story.end().red == [])
    #expect(story.checks(.exposureTrue) == 1)
  }

  @Test func `an exposure without a read that returned the value is red`() {
    var unread = story(.exposureTrue)
    unread.send(1, [exposure(1)])
    #expect(
      unread.end().message(.exposureTrue)
        == "instance 0: the exposure of flag 1 in request 1 was caused by no read of user 1 that returned a value "
        + "of that experiment and variant")
    var mismatch = story(.exposureTrue)
    mismatch.read(1, .bool, .absent)
    mismatch.read(1, .source, .source(.experiment))
    mismatch.read(-1, .all, .all(ContentDigest()))
    mismatch.send(1, [exposure(1)])
    #expect(mismatch.end().red == ["exposure-true"])
  }

  @Test func `an exposure of another flag or variant or of none is red`() {
    for wrong in [exposure(1, of: 2, 8), exposure(1, of: 1, 8), exposure(1, of: 1, nil)] {
      var story = story(.exposureTrue)
      story.read(1, .string, .value(10))
      story.send(1, [wrong])
      #expect(story.end().red == ["exposure-true"])
    }
    var plain = story(.exposureTrue)
    plain.read(3, .string, .value(30))
    plain.send(1, [exposure(1, of: 3, 7)])
    #expect(plain.end().red == ["exposure-true"])
  }

  @Test func `more exposures than reads are red`() {
    var story = story(.exposureTrue)
    story.read(1, .string, .value(10))
    story.send(1, [exposure(1), exposure(2, session: 2)])
    #expect(story.end().red == ["exposure-true"])
  }

  @Test func `a read before consent or before analytics was used causes none`() {
    var story = story(.exposureTrue, allows: false)
    story.read(1, .string, .value(10))
    story.tell(.consentChanged(Self.device, isGiven: true))
    story.read(1, .string, .value(10))
    story.tell(.analyticsUsed(Self.device))
    story.send(1, [exposure(1)])
    #expect(story.red == ["exposure-true"])
    #expect(story.end().violations(.exposureTrue) == 1)
  }

  @Test func `an exposure in another reader's name is red`() {
    var story = story(.exposureTrue)
    story.read(1, .string, .value(10))
    story.change(to: .user(2))
    story.send(1, [exposure(1)], as: .user(1))
    #expect(story.red == [])
    story.send(2, [exposure(2)], as: .user(2))
    #expect(story.end().red == ["exposure-true"])
  }

  @Test func `an exposure that is sent after consent was withdrawn is red`() {
    var story = story(.exposureTrue)
    story.read(1, .string, .value(10))
    story.read(2, .string, .value(20))
    story.tell(.consentChanged(Self.device, isGiven: false))
    story.send(1, [exposure(1)])
    #expect(story.red == [])
    story.at(2)
    story.send(2, [exposure(2, of: 2, 8)])
    #expect(story.end().red == ["exposure-true"])
  }

  @Test func `a value of a record from before the run may be of any experiment`() {
    var story = DeviceStory([.exposureTrue])
    story.tell(.launched(Self.device, .user(1), context: 0))
    let content = ContentDigest([.text(1, 10)])
    story.tell(
      .recordFound(
        Self.device, .whole(StoredFlags(subject: .user(1), context: 0, version: 3, content: content))))
    story.tell(.started(Self.device))
    story.tell(.consentChanged(Self.device, isGiven: true))
    story.tell(.analyticsUsed(Self.device))
    story.at(1)
    story.read(1, .string, .value(10))
    story.send(1, [exposure(1)])
    #expect(story.end().red == [])
  }

  /// Two records with the same values at the same version look the same on the device, whatever gave the values.
  @Test func `a record that is found may be any of those that were written and look the same`() {
    var story = DeviceStory([.exposureTrue])
    story.launch()
    let stored = StoredFlags(
      subject: .user(1), context: 0, version: 5, content: ContentDigest([.text(1, 10)]))
    for (write, value) in [FlagValue.tried(1, 10, 7), .tried(1, 10, 8), .text(1, 10)].enumerated() {
      story.at(Double(write + 1))
      story.snapshot(90 + UInt64(write), [value], version: 5)
      story.tell(.recordWriteBegan(Self.device, write: UInt64(write), stored))
      story.tell(.recordWriteEnded(Self.device, write: UInt64(write), isDone: true))
    }
    story.at(4)
    story.tell(.launched(Self.device, .user(1), context: 0))
    story.tell(.recordFound(Self.device, .whole(stored)))
    story.tell(.started(Self.device))
    story.tell(.consentChanged(Self.device, isGiven: true))
    story.tell(.analyticsUsed(Self.device))
    var second = story
    for assignment: Int32 in [7, 8] {
      var one = story
      one.read(1, .string, .value(10))
      one.send(1, [exposure(1, assignment)])
      #expect(one.end().red == [])
    }
    second.read(1, .string, .value(10))
    second.send(1, [exposure(1, 9)])
    #expect(second.end().red == ["exposure-true"])
  }

  // MARK: Once

  @Test func `exposures of several flags and sessions are green`() {
    var story = story(.exposureOnce)
    story.send(1, [exposure(1), exposure(2, of: 2, 8)])
    story.at(2_000)
    story.capture(1...1)
    story.send(2, [captured(1, session: 2), exposure(3, session: 2)])
    #expect(story.end().red == [])
    #expect(story.checks(.exposureOnce) == 3)
  }

  @Test func `the same exposure twice in a session is red`() {
    var story = story(.exposureOnce)
    story.send(1, [exposure(1)])
    story.at(2)
    story.send(2, [exposure(2)])
    #expect(story.end().red == ["exposure-once"])
    #expect(
      story.message(.exposureOnce)
        == "instance 0: the exposure of flag 1 in request 2 was recorded before in its session")
  }

  @Test func `another variant of the same experiment in a session is red and another experiment is not`() {
    var story = story(.exposureOnce)
    story.launch(1)
    // At version 5 the service gives somebody else the pair 9 for flag 1: of the same experiment as pair 7.
    story.snapshot(91, [.tried(1, 11, 9)], version: 5, on: 1)
    story.send(1, [exposure(1, of: 1, 7)])
    story.send(2, [exposure(2, of: 1, 12)])
    #expect(story.red == [])
    story.send(3, [exposure(3, of: 1, 9)])
    #expect(story.end().red == ["exposure-once"])
  }

  @Test func `a session that goes on after a change of reader is red`() {
    var subject = story(.exposureOnce)
    subject.send(1, [exposure(1)])
    subject.change(to: .user(2))
    subject.send(2, [exposure(2, of: 2, 8)], as: .user(2))
    #expect(subject.end().red == ["exposure-once"])
    var again = story(.exposureOnce)
    again.capture(1...1)
    again.change(to: .user(2))
    again.change(to: .user(1))
    again.capture(2...2)
    again.send(1, [captured(1, session: 1), captured(2, session: 1)])
    #expect(
      again.end().message(.exposureOnce)
        == "instance 0: event 2 in request 1 is of a session from before a change of reader")
  }

  @Test func `a session of two processes or devices is red`() {
    var story = story(.exposureOnce)
    story.send(1, [exposure(1)])
    story.tell(.killed(Self.device))
    story.launch()
    story.send(2, [exposure(2)])
    #expect(story.violations(.exposureOnce) == 1)
    story.launch(1)
    story.send(3, [exposure(3)], on: 1)
    #expect(story.end().violations(.exposureOnce) == 2)
  }

  @Test func `a new session within half an hour is red`() {
    var exposed = story(.exposureOnce)
    exposed.send(1, [exposure(1)])
    exposed.at(1_000)
    exposed.send(2, [exposure(2, session: 2)])
    #expect(
      exposed.end().message(.exposureOnce)
        == "instance 0: the exposure of flag 1 in request 2 has another session than what was recorded less than 30 "
        + "minutes before or after it")
    var captures = story(.exposureOnce)
    captures.capture(1...1)
    captures.at(1_800.9)
    captures.capture(2...2)
    captures.send(1, [captured(1, session: 1), captured(2, session: 2)])
    #expect(captures.end().red == ["exposure-once"])
    var later = story(.exposureOnce)
    later.capture(1...1)
    later.at(1_801)
    later.capture(2...2)
    later.send(1, [captured(1, session: 1), captured(2, session: 2)])
    #expect(later.end().red == [])
  }

  @Test func `a new session after a change of consent is green`() {
    var story = story(.exposureOnce)
    story.send(1, [exposure(1)])
    story.at(10)
    story.tell(.consentChanged(Self.device, isGiven: false))
    story.tell(.consentChanged(Self.device, isGiven: true))
    story.capture(1...1)
    story.send(2, [exposure(2, session: 2), captured(1, session: 2)])
    #expect(story.end().red == [])
  }

  @Test func `a session that outlives a pause is red`() {
    var story = story(.exposureOnce)
    story.capture(1...1)
    story.at(1_801.001)
    story.capture(2...2)
    story.send(1, [captured(1, session: 1), captured(2, session: 1)])
    #expect(
      story.end().message(.exposureOnce)
        == "instance 0: event 2 in request 1 is of a session from before a pause of more than 30 minutes")
    var alive = self.story(.exposureOnce)
    alive.capture(1...1)
    alive.at(1_000)
    alive.read(3, .string, .value(30))
    alive.at(2_000)
    alive.capture(2...2)
    alive.send(1, [captured(1, session: 1), captured(2, session: 1)])
    #expect(alive.end().red == [])
  }
}
