import Events
import Invariants
import Testing

@Suite struct RequestBudgetJudgeTests {
  private static let device = InstanceID(0)
  private static let values = [FlagValue.text(1, 10)]

  /// A device whose first fetch has succeeded.
  private func story() -> DeviceStory {
    var story = DeviceStory([.requestBudget])
    story.launch()
    story.at(1)
    story.snapshot(1, Self.values, version: 5)
    story.at(2)
    return story
  }

  @Test func `a second request without a reason is red`() {
    var story = story()
    #expect(story.red == [])
    #expect(story.checks(.requestBudget) == 1)
    story.sync(2, since: 5)
    #expect(story.end().red == ["request-budget"])
    #expect(story.message(.requestBudget).hasPrefix("instance 0: request 2 was called for by nothing"))
  }

  @Test(arguments: 0..<5)
  func `whatever calls for a request allows one and no more`(cause: Int) {
    var story = story()
    switch cause {
    case 0: story.begin(1, .refresh)
    case 1: story.change(to: .user(2))
    case 2: story.tell(.moved(Self.device, isForeground: true))
    case 3: story.tell(.noticed(Self.device, version: 6, isProjectWide: true))
    default: story.tell(.joinAsked(Self.device, .project, credential: .user(1), isAccepted: true))
    }
    story.sync(2, as: cause == 1 ? .user(2) : .user(1))
    story.at(3)
    story.serve(2, .snapshot(Self.values), version: 6, whole: Self.values)
    story.at(4)
    #expect(story.red == [])
    story.sync(3, since: 6)
    #expect(story.end().red == ["request-budget"])
  }

  @Test func `a return to the background or a refused join calls for nothing`() {
    var story = story()
    story.tell(.moved(Self.device, isForeground: false))
    story.tell(.joinAsked(Self.device, .project, credential: .user(1), isAccepted: false))
    story.sync(2, since: 5)
    #expect(story.end().red == ["request-budget"])
  }

  @Test func `a failure a 410 and a deadline each allow another request`() {
    var story = DeviceStory([.requestBudget])
    story.launch()
    story.sync(1, since: 4)
    story.at(1)
    story.serve(1, .gone(.audiencesChanged), version: 0, whole: [])
    story.sync(2)
    story.at(2)
    story.answer(2, 500)
    story.at(3)
    story.sync(3)
    story.at(13)
    story.cancel(3)
    story.tell(.requestCompleted(RequestID(3), .cancelled))
    story.at(14)
    story.sync(4)
    story.at(15)
    story.serve(4, .snapshot(Self.values), version: 5, whole: Self.values)
    #expect(story.red == [])
    story.at(16)
    story.sync(5)
    #expect(story.end().red == ["request-budget"])
  }

  @Test func `an answer older than a notice allows another request`() {
    var story = story()
    story.tell(.noticed(Self.device, version: 9, isProjectWide: false))
    story.sync(2, since: 5)
    story.serve(
      2, .delta(since: 5, changed: [], deleted: []), version: 6, whole: Self.values)
    story.at(3)
    story.sync(3, since: 6)
    #expect(story.end().red == [])
  }

  @Test func `a new process begins anew`() {
    var story = story()
    story.begin(1, .refresh)
    story.begin(2, .refresh)
    story.tell(.killed(Self.device))
    story.launch()
    story.sync(2)
    story.at(3)
    story.serve(2, .snapshot(Self.values), version: 5, whole: Self.values)
    story.sync(3)
    #expect(story.end().red == ["request-budget"])
  }
}
