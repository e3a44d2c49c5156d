import Events
import Invariants
import Testing

/// The deadline of these stories is 10 s; with a largest latency of 1 s the bound of `liveness` is 10 + 60 + 2 = 72 s.
@Suite struct FlagsRecoveryJudgesTests {
  private static let device = InstanceID(0)

  private func healed() -> DeviceStory {
    var story = DeviceStory([.liveness])
    story.launch()
    story.begin(1, .refresh)
    story.at(10)
    story.tell(.healed(largestLatency: 1_000_000_000))
    return story
  }

  // MARK: Liveness

  @Test(arguments: [(82.0, false), (82.1, true)])
  func `a call that was pending has until the bound`(time: Double, isRed: Bool) {
    var story = healed()
    story.at(time)
    story.finish(1)
    #expect((story.end().red == ["liveness"]) == isRed)
    #expect(story.checks(.liveness) == 1)
    guard isRed else { return }
    #expect(
      story.message(.liveness)
        == "reader 0: refresh, called at 0 s, was pending when the last fault healed and returned only at 82.1 s; 82 s "
        + "was the limit")
  }

  @Test func `a call that never returns is red unless its process is gone`() {
    var silent = healed()
    silent.at(20)
    #expect(silent.end().red == ["liveness"])
    var killed = healed()
    killed.tell(.killed(Self.device))
    #expect(killed.end().red == [])
  }

  @Test func `each request since the healing gives its device more time`() {
    var story = healed()
    story.sync(1, since: 4)
    story.at(20)
    story.cancel(1)
    story.sync(2)
    story.at(102)
    story.finish(1)
    #expect(story.end().red == [])
  }

  @Test func `a device that is awaited gets well in time or is red`() {
    var well = healed()
    well.finish(1)
    well.tell(.recoveryAwaited(Self.device))
    well.at(82)
    well.tell(.recovered(Self.device, differing: 0))
    #expect(well.end().red == [])
    #expect(well.checks(.liveness) == 2)
    var differing = healed()
    differing.finish(1)
    differing.tell(.recoveryAwaited(Self.device))
    differing.tell(.recovered(Self.device, differing: 2))
    #expect(
      differing.end().message(.liveness) == "instance 0: 2 keys differ from what the service resolves")
    var never = healed()
    never.finish(1)
    never.tell(.recoveryAwaited(Self.device))
    #expect(never.end().red == ["liveness"])
  }

  @Test func `a queue that does not drain is red after the bound`() {
    let tally = AnalyticsTally(recorded: 3, sent: 1, dropped: 0, pending: 2)
    var story = healed()
    story.finish(1)
    story.at(82)
    story.tell(.tallied(Self.device, tally))
    #expect(story.red == [])
    story.at(83)
    story.tell(.tallied(Self.device, tally))
    #expect(
      story.end().message(.liveness)
        == "instance 0: 2 events wait at 83 s; 82 s was the limit for its queue to drain")
  }

  @Test func `time that stands still is red`() {
    var story = DeviceStory([.liveness])
    story.launch()
    story.tell(.stalled)
    #expect(story.end().red == ["liveness"])
  }

  // MARK: Fleet

  private func fleet(alpha: Double = 100, beta: Double) -> DeviceStory {
    DeviceStory(
      [.fleet], fleet: FleetBounds(alpha: alpha, beta: beta, jitterWindow: 10_000_000_000, readers: 10))
  }

  @Test func `an epoch and each newer version are needs`() {
    for beta in [1, 0.99] {
      var story = fleet(beta: beta)
      story.launch()
      story.snapshot(1, [.text(1, 10)], version: 5)
      story.at(10)
      // A burst of notices, answered by one request.
      story.tell(.noticed(Self.device, version: 6, isProjectWide: true))
      story.tell(.noticed(Self.device, version: 7, isProjectWide: true))
      story.tell(.noticed(Self.device, version: 6, isProjectWide: true))
      story.snapshot(2, [.text(1, 10)], version: 7)
      story.at(20)
      story.change(to: .user(2))
      story.snapshot(3, [.text(1, 10)], version: 8, of: .user(2))
      story.at(30)
      // Without a notice.
      story.begin(1, .refresh)
      story.snapshot(4, [.text(1, 11)], version: 9, of: .user(2))
      story.at(40)
      story.begin(2, .refresh)
      story.snapshot(5, [.text(1, 11)], version: 9, of: .user(2))
      #expect(story.end().red == (beta < 1 ? ["fleet"] : []))
      #expect(story.checks(.fleet) == 5)
      guard beta < 1 else { continue }
      #expect(
        story.message(.fleet) == "5 sync requests for 5 needs are 1 for each; 0.99 is the bound")
    }
  }

  @Test func `a notice before the first answer is a need only if it is newer`() {
    for version in [Int64(5), 6] {
      var story = fleet(beta: 10)
      story.launch()
      story.tell(.noticed(Self.device, version: version, isProjectWide: true))
      story.snapshot(1, [.text(1, 10)], version: 5)
      #expect(story.end().checks(.fleet) == Int(version - 4))
    }
  }

  @Test func `the peak after a mark is bounded`() {
    for count in [20, 21] {
      var story = fleet(alpha: 20, beta: 100)
      story.launch()
      story.tell(.marked(.published))
      story.at(1)
      for request in 1...count { story.tell(.requestArrived(RequestID(UInt64(request)))) }
      #expect(story.end().red == (count > 20 ? ["fleet"] : []))
    }
  }

  @Test func `without bounds the fleet is not judged`() {
    var story = DeviceStory([.fleet])
    #expect(story.end().verdict(.fleet)?.status == .notApplicable)
  }
}
