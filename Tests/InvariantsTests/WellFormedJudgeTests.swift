import Events
import Invariants
import Testing

@Suite struct WellFormedJudgeTests {
  /// An evaluation whose request is asked for, given a token and sent as the lines in the middle say.
  private func evaluation(_ middle: String) -> Story {
    Story("0s evaluate 1 a\n0s ask 1 a\n\(middle)\n2s arrive 1\n3s answer 1\n3s return 1 flight 1")
  }

  @Test func `each request that arrives is a check`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    arrive 1
      1s    arrive 1
      2s    answer 1
      2s    return 1 flight 1
      3s    evaluate 2 b
      3s    start 2 b
      4s    lose 2
      4s    return 2 default
      """)
    #expect(story.red == [])
    #expect(story.checks(.wellFormed) == 2)
  }

  @Test(arguments: ["path", "method", "contentType", "content", "limits", "authorization"])
  func `what the service finds fault with is red`(flaw: String) {
    let story = Story(
      "0s evaluate 1 a\n0s start 1 a\n1s arrive 1\n1s flaw 1 \(flaw)\n1s answer 1\n1s return 1 flight 1")
    #expect(story.red == ["well-formed"])
    #expect(
      story.message(.wellFormed)
        == "instance 0: request 1 is not as documented: the service finds fault with its \(flaw)")
  }

  @Test func `the token that was given may be sent`() {
    #expect(evaluation("1s give 1 7\n1s send 1 a\n1s token 1 7").red == [])
  }

  @Test(arguments: ["8", "none"])
  func `another token or none is red`(token: String) {
    let story = evaluation("1s give 1 7\n1s send 1 a\n1s token 1 \(token)")
    #expect(story.red == ["well-formed"])
    #expect(
      story.message(.wellFormed)
        == "instance 0: request 1 carries another token than the app gave for it")
  }

  @Test func `a token that nobody was asked for is red`() {
    let story = Story(
      "0s evaluate 1 a\n0s start 1 a\n0s token 1 7\n1s arrive 1\n1s answer 1\n1s return 1 flight 1")
    #expect(story.red == ["well-formed"])
    #expect(
      story.message(.wellFormed) == "instance 0: request 1 was sent without asking the app for a token")
  }

  @Test func `a token of an earlier request is red`() {
    let story = Story(
      """
      0s    begin 1 markRead
      0s    ask 1 inbox
      0s    give 1 7
      0s    send 1 inbox
      0s    token 1 7
      1s    answer 1 204
      1s    return 1 done
      2s    begin 2 markRead
      2s    ask 2 inbox
      2s    give 2 8
      2s    send 2 inbox
      2s    token 2 7
      3s    answer 2 204
      3s    return 2 done
      """)
    #expect(story.red == ["well-formed"])
  }

  @Test func `two authorizations of one request are red`() {
    let story = evaluation("1s give 1 7\n1s give 1 7\n1s send 1 a\n1s token 1 7")
    #expect(story.red == ["well-formed"])
    #expect(story.message(.wellFormed) == "instance 0: request 1 was authorized twice")
  }

  @Test func `a token that is asked for and not used is red`() {
    let story = Story(
      """
      0s    begin 1 markRead
      0s    ask 1 inbox
      0s    give 1 7
      0s    ask 2 inbox
      0s    give 2 7
      0s    send 2 inbox
      0s    token 2 7
      1s    answer 2 204
      1s    return 1 done
      """)
    #expect(story.red == ["well-formed"])
    #expect(story.message(.wellFormed) == "instance 0: request 1 was given a token and is not sent")
  }

  @Test(arguments: ["1s cancel 1\n1s return 1 cancelled", "1s close\n1s return 1 error transport"])
  func `a token may go unused where nobody waits any more`(end: String) {
    #expect(Story("0s begin 1 markRead\n0s ask 1 inbox\n1s give 1 7\n\(end)\n2s mark").red == [])
  }

  @Test func `a token may go unused at the deadline`() {
    #expect(
      Story("0s begin 1 markRead\n0s ask 1 inbox\n3s give 1 7\n3s return 1 error transport\n4s mark").red
        == [])
  }

  @Test func `a token may go unused while a Retry-After runs`() {
    let story = Story(
      """
      0s    begin 1 markRead
      0s    ask 1 inbox
      0s    begin 2 markRead
      0s    ask 2 inbox
      0s    give 2 7
      0s    send 2 inbox
      0s    token 2 7
      1s    patience 2 10s
      1s    answer 2 429
      1s    return 2 error rateLimited
      2s    give 1 7
      2s    return 1 error rateLimited
      3s    mark
      """)
    #expect(story.red == [])
  }

  @Test func `a request that got no token is nothing to judge`() {
    let story = Story("0s evaluate 1 a\n0s ask 1 a\n1s refuse 1\n1s return 1 default")
    #expect(story.red == [])
    #expect(story.verdict(.wellFormed).status == .notExercised)
  }
}
