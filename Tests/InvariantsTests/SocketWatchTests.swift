import Events
import Invariants
import Testing

/// What `liveness` says of a device's socket: one that is silent is given up, one that is lost is asked for again.
@Suite struct SocketWatchTests {
  private static let device = InstanceID(0)

  /// A device whose socket is open since 1 s.
  private func connected() -> DeviceStory {
    var story = DeviceStory([.liveness])
    story.launch()
    ask(1, in: &story)
    story.at(1)
    open(1, in: &story)
    return story
  }

  private func ask(_ request: UInt64, in story: inout DeviceStory) {
    story.tell(.requestStarted(RequestID(request), Self.device, .realtime, nil))
  }

  private func open(_ request: UInt64, in story: inout DeviceStory) {
    story.answer(request, 101)
    story.tell(.socketChanged(Self.device, isOpen: true))
  }

  private func close(in story: inout DeviceStory) {
    story.tell(.socketChanged(Self.device, isOpen: false))
  }

  // MARK: Silent

  @Test(arguments: [(66.0, false), (66.2, true)])
  func `a silent socket is given up after two beats, or the device is red`(time: Double, isRed: Bool) {
    var story = connected()
    story.at(5)
    story.tell(.socketSilenced(Self.device, lastFrame: 6_000_000_000))
    story.at(time)
    close(in: &story)
    ask(2, in: &story)
    #expect((story.end().red == ["liveness"]) == isRed)
    guard isRed else { return #expect(story.checks(.liveness) == 2) }
    #expect(
      story.message(.liveness)
        == "instance 0 has a socket that carries nothing since 6 s and should have given it up by 66.1 s")
  }

  @Test func `a silent socket that nobody gives up is red at the end of the run`() {
    var story = connected()
    story.tell(.socketSilenced(Self.device, lastFrame: 1_000_000_000))
    story.at(61)
    var short = story
    #expect(short.end().red == [])
    story.at(62)
    #expect(story.end().red == ["liveness"])
  }

  @Test func `a silent socket that ends before a client can know is no check`() {
    var story = connected()
    story.tell(.socketSilenced(Self.device, lastFrame: 1_000_000_000))
    story.at(20)
    close(in: &story)
    #expect(story.checks(.liveness) == 0)
  }

  @Test func `whatever ends the socket by itself forgives that it was silent`() {
    let ends: [[DeviceEvent]] = [
      [.moved(Self.device, isForeground: false), .socketChanged(Self.device, isOpen: false)],
      [.killed(Self.device)],
    ]
    for events in ends {
      var story = connected()
      story.tell(.socketSilenced(Self.device, lastFrame: 1_000_000_000))
      story.at(30)
      for event in events { story.tell(event) }
      story.at(300)
      #expect(story.end().red == [])
    }
    var changed = connected()
    changed.tell(.socketSilenced(Self.device, lastFrame: 1_000_000_000))
    changed.tell(.readerChanging(Self.device, to: .user(2)))
    close(in: &changed)
    changed.tell(.readerChanged(Self.device))
    ask(2, in: &changed)
    changed.at(300)
    #expect(changed.end().red == [])
  }

  // MARK: Lost

  @Test(arguments: [(40.1, false), (40.2, true)])
  func `a socket that broke is asked for again within the longest gap, or the device is red`(
    time: Double, isRed: Bool
  ) {
    var story = connected()
    story.at(10)
    close(in: &story)
    story.at(time)
    ask(2, in: &story)
    #expect((story.end().red == ["liveness"]) == isRed)
    guard isRed else { return #expect(story.checks(.liveness) == 1) }
    #expect(
      story.message(.liveness)
        == "instance 0 has no socket since 10 s and should have asked for one by 40.1 s")
  }

  @Test func `a refused or cancelled attempt is followed by another, or the device is red`() {
    for isCancelled in [false, true] {
      var story = DeviceStory([.liveness])
      story.launch()
      ask(1, in: &story)
      if isCancelled { story.cancel(1) } else { story.answer(1, 503) }
      story.at(31)
      #expect(story.end().red == ["liveness"])
    }
  }

  @Test(arguments: [(110.0, false), (110.2, true)])
  func `patience that the service asks for comes first`(time: Double, isRed: Bool) {
    var story = DeviceStory([.liveness])
    story.launch()
    story.at(10)
    ask(1, in: &story)
    story.answer(1, 429, patience: 100)
    story.at(time)
    ask(2, in: &story)
    #expect((story.end().red == ["liveness"]) == isRed)
  }

  @Test func `an attempt that is out, a screen that is dark and a closed client owe no attempt`() {
    var out = connected()
    close(in: &out)
    ask(2, in: &out)
    out.at(300)
    #expect(out.end().red == [])
    var dark = connected()
    dark.tell(.moved(Self.device, isForeground: false))
    close(in: &dark)
    dark.at(300)
    dark.tell(.moved(Self.device, isForeground: true))
    dark.at(330)
    #expect(dark.red == [])
    dark.at(331)
    #expect(dark.end().red == ["liveness"])
    var closed = connected()
    closed.close()
    close(in: &closed)
    closed.at(300)
    #expect(closed.end().red == [])
  }

  @Test func `a device that never asked for a socket owes none`() {
    var story = DeviceStory([.liveness])
    story.launch()
    story.at(300)
    #expect(story.end().red == [])
  }
}
