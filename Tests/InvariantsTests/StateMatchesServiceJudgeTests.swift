import Events
import Invariants
import Testing

@Suite struct StateMatchesServiceJudgeTests {
  // MARK: Values

  @Test func `each value of the service's is a check`() {
    let story = Story(
      """
      0s    evaluate 1 a
      0s    start 1 a
      1s    answer 1
      1s    return 1 flight 1 flight 1
      2s    evaluate 2 b
      2s    start 2 b
      2s    lose 2
      2s    return 2 default default
      """)
    #expect(story.red == [])
    #expect(story.checks(.stateMatchesService) == 2)
  }

  @Test func `an altered value is red`() {
    let story = Story("0s evaluate 1 a\n0s start 1 a\n1s answer 1\n1s return 1 flight 1 flight! 1")
    #expect(story.red == ["state-matches-service"])
    #expect(
      story.message(.stateMatchesService)
        == "reader 1: evaluate, called at 0 s, was given for key 1 another value than answer 1 carries under it"
    )
  }

  @Test func `an altered default is red`() {
    let story = Story("0s evaluate 1 a\n0s start 1 a\n1s lose 1\n1s return 1 default!")
    #expect(story.red == ["state-matches-service"])
    #expect(
      story.message(.stateMatchesService)
        == "reader 1: evaluate, called at 0 s, was given for key 0 another value than its default")
  }

  // MARK: Walks

  /// A walk that is brought pages and returns.
  private func walk(_ pages: String..., returns outcome: String) -> Story {
    var lines = "0s begin 1 list\n"
    for (index, page) in pages.enumerated() {
      lines += "\(index)s send \(index) inbox\n"
      lines += "\(index + 1)s page \(index) 1 \(page)\n\(index + 1)s answer \(index) 200\n"
    }
    return Story(lines + "\(pages.count)s return 1 \(outcome)")
  }

  @Test func `a walk gives the items of its pages each once`() {
    let story = walk("- 1-3 7", "7 3-5 8", "8 6 -", returns: "listed 1-6")
    #expect(story.red == [])
    #expect(story.checks(.stateMatchesService) == 1)
  }

  @Test func `an empty inbox is a page without items`() {
    #expect(walk("- none -", returns: "listed none").red == [])
  }

  @Test func `a page without items is no end`() {
    #expect(walk("- 1 7", "7 none 8", "8 2 -", returns: "listed 1-2").red == [])
    #expect(walk("- 1 7", "7 none 8", returns: "listed 1").red == ["state-matches-service"])
  }

  @Test(arguments: [
    ("listed 1-2", "gave 2 notifications; its pages carry 3, and the first that differs is number 3"),
    ("listed 2+1+3", "gave 3 notifications; its pages carry 3, and the first that differs is number 1"),
    ("listed 1-3+9", "gave 4 notifications; its pages carry 3, and the first that differs is number 4"),
    ("listed 1-3+2", "gave a notification twice"),
  ])
  func `a walk that gives anything else is red`(outcome: String, words: String) {
    let story = walk("- 1-2 7", "7 2-3 -", returns: outcome)
    #expect(story.red == ["state-matches-service"])
    #expect(
      story.message(.stateMatchesService) == "reader 1: notifications, called at 0 s, \(words)")
  }

  @Test func `a walk that ends although a page follows is red`() {
    let story = walk("- 1-2 7", returns: "listed 1-2")
    #expect(story.red == ["state-matches-service"])
    #expect(
      story.message(.stateMatchesService).hasSuffix("ended after 1 pages although the last one named a next"))
  }

  @Test func `a walk ends at a cursor that it has asked for`() {
    #expect(walk("- 1 7", "7 2 8", "8 3 7", returns: "listed 1-3").red == [])
    #expect(walk("- 1 7", "7 2 7", returns: "listed 1-2").red == [])
  }

  @Test func `a walk that goes round is red`() {
    let story = walk("- 1 7", "7 2 7", "7 2 7", returns: "listed 1-2")
    #expect(story.red == ["state-matches-service"])
    #expect(story.message(.stateMatchesService).contains("asked a second time for a cursor"))
  }

  @Test(arguments: [
    ("- 1 7", "8 2 -", "asked for another cursor than its page 1 named"),
    ("- 1 7", "- 1 -", "asked for another cursor than its page 1 named"),
    ("- 1 -", "- 1 -", "asked for a page after the last, its page 1"),
    ("4 1 7", "7 2 -", "began with a cursor that nobody had named"),
  ])
  func `a walk that asks for a page out of turn is red`(first: String, second: String, words: String) {
    let story = walk(first, second, returns: "listed 1-2")
    #expect(story.red == ["state-matches-service"])
    #expect(story.message(.stateMatchesService).contains(words))
  }

  @Test func `a walk without a page is red`() {
    #expect(Story("0s begin 1 list\n0s return 1 listed none").red == ["state-matches-service"])
  }

  @Test(arguments: ["listed 1-4 partly", "listed 1-5 partly", "listed 1-6 partly"])
  func `a reader that has seen enough stops within the last page`(outcome: String) {
    #expect(walk("- 1-3 7", "7 4-6 8", returns: outcome).red == [])
  }

  @Test(arguments: ["listed 1-3 partly", "listed 1-2 partly", "listed 2-5 partly", "listed 4-6 partly"])
  func `a walk that lags behind its pages or skips is red`(outcome: String) {
    #expect(walk("- 1-3 7", "7 4-6 8", returns: outcome).red == ["state-matches-service"])
  }

  @Test(arguments: ["error transport", "cancelled"])
  func `a walk that failed is no check`(outcome: String) {
    let story = walk("- 1-3 7", returns: outcome)
    #expect(story.red == [])
    #expect(story.verdict(.stateMatchesService).status == .notExercised)
  }

  @Test func `walks side by side have pages of their own`() {
    let story = Story(
      """
      0s    begin 1 list
      0s    begin 2 list@1
      0s    send 1 inbox
      0s    send 2 inbox@1
      1s    page 1 1 - 1-2 -
      1s    page 2 2 - 3-4 -
      1s    answer 1 200
      1s    answer 2 200
      1s    return 1 listed 1-2
      1s    return 2 listed 3-4
      2s    page 2 2 - 5 -
      """)
    #expect(story.red == [])
    #expect(story.checks(.stateMatchesService) == 2)
  }
}
