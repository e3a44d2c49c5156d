import Events
import Invariants
import Testing

@Suite struct FlagsClosingJudgesTests {
  // MARK: Nothing left

  @Test func `each kind of leftover looked for is a check`() {
    var story = DeviceStory([.nothingLeft])
    story.launch()
    story.close()
    for kind in [Leftover.task, .timer, .request] {
      story.tell(.leftover(InstanceID(0), kind, count: 0))
    }
    #expect(story.end().red == [])
    #expect(story.checks(.nothingLeft) == 3)
  }

  @Test func `a timer that is left is red`() {
    var story = DeviceStory([.nothingLeft])
    story.launch()
    story.close()
    story.tell(.leftover(InstanceID(0), .timer, count: 1))
    #expect(story.end().message(.nothingLeft) == "instance 0 left 1 armed timer after close")
  }

  @Test(arguments: 0..<4)
  func `whatever begins after the close is red`(deed: Int) {
    func tell(_ story: inout DeviceStory) {
      switch deed {
      case 0: story.sync(1)
      case 1: story.tell(.socketChanged(InstanceID(0), isOpen: true))
      case 2:
        story.tell(.joinAsked(InstanceID(0), .project, credential: .user(1), isAccepted: true))
      default: story.tell(.recordWriteBegan(InstanceID(0), write: 1, nil))
      }
    }
    var story = DeviceStory([.nothingLeft])
    story.launch()
    story.at(1)
    story.close()
    tell(&story)
    #expect(story.red == [])
    story.at(2)
    tell(&story)
    #expect(story.end().red == ["nothing-left"])
  }

  @Test func `the next process may begin what it likes`() {
    var story = DeviceStory([.nothingLeft])
    story.launch()
    story.close()
    story.at(1)
    story.launch()
    story.sync(1)
    #expect(story.end().red == [])
  }

  // MARK: No escape

  @Test func `a step that leaves the simulation is red and a closed device a check`() {
    var story = DeviceStory([.noEscape])
    story.launch()
    story.close()
    #expect(story.red == [])
    #expect(story.checks(.noEscape) == 1)
    story.tell(.escaped(.globalExecutor))
    #expect(story.end().red == ["no-escape"])
  }

  // MARK: Well formed

  @Test func `a request that arrives is a check and a flaw is red`() {
    var story = DeviceStory([.wellFormed])
    story.launch()
    story.sync(1)
    story.tell(.requestArrived(RequestID(1)))
    #expect(story.red == [])
    #expect(story.checks(.wellFormed) == 1)
    story.tell(.requestFlawed(RequestID(1), .authorization))
    #expect(
      story.end().message(.wellFormed)
        == "instance 0: request 1 is not as documented: the service finds fault with its authorization")
  }

  @Test func `a join of an unknown topic or without a credential is red`() {
    let refused = DeviceEvent.joinAsked(
      InstanceID(0), .reader(.user(1)), credential: .user(1), isAccepted: false)
    var story = DeviceStory([.wellFormed])
    story.launch()
    story.tell(refused)
    #expect(story.red == [])
    story.tell(.joinAsked(InstanceID(0), .unknown, credential: .user(1), isAccepted: false))
    story.tell(.joinAsked(InstanceID(0), .project, credential: nil, isAccepted: false))
    #expect(story.end().violations(.wellFormed) == 2)
  }
}
