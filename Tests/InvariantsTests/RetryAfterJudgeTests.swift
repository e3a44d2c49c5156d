import Events
import Invariants
import Testing

@Suite struct RetryAfterJudgeTests {
  /// A refusal of 1 s that asks for a minute.
  private let head = """
    0s    evaluate 1 a
    0s    start 1 a
    1s    patience 1 60s
    1s    answer 1 503
    1s    return 1 default

    """

  // MARK: Requests

  @Test(arguments: [("60999999999ns", ["retry-after"]), ("61s", []), ("61000000001ns", [])])
  func `a request before the end is red and one at it free`(time: String, red: [String]) {
    let story = Story(
      head + """
        \(time) evaluate 2 a
        \(time) start 2 a
        \(time) answer 2
        \(time) return 2 flight 2
        """)
    #expect(story.red == red)
    #expect(story.checks(.retryAfter) == (red.isEmpty ? 1 : 2))
  }

  @Test func `the message says how much too early a request is`() {
    let story = Story(head + "2s evaluate 2 b\n2s start 2 b\n2s answer 2\n2s return 2 flight 2")
    #expect(story.red == ["retry-after"])
    #expect(
      story.message(.retryAfter)
        == "instance 0: request 2 to evaluate started 59 s before a Retry-After of that endpoint had run out")
    #expect(story.verdict(.retryAfter).firstViolation?.reader == ReaderID(2))
  }

  @Test func `other instances and other endpoints are free`() {
    let story = Story(
      head + """
        2s    evaluate 2 a@1
        2s    start 2 a@1
        2s    begin 3 flush@0
        2s    send 3 telemetry@0
        2s    answer 3 202
        2s    return 3 done
        3s    answer 2
        3s    return 2 flight 2
        """)
    #expect(story.verdict(.retryAfter).status == .notExercised)
    #expect(!story.red.contains("retry-after"))
  }

  @Test(arguments: ["telemetry", "inbox"])
  func `every endpoint has a Retry-After of its own`(endpoint: String) {
    let operation = endpoint == "inbox" ? "markRead" : "flush"
    let story = Story(
      """
      0s    begin 1 \(operation)@0
      0s    send 1 \(endpoint)@0
      1s    patience 1 10s
      1s    answer 1 429
      1s    return 1 done
      2s    begin 2 \(operation)@0
      2s    send 2 \(endpoint)@0
      3s    answer 2 429
      3s    return 2 done
      11s   begin 3 \(operation)@0
      11s   send 3 \(endpoint)@0
      12s   answer 3 202
      12s   return 3 done
      """)
    #expect(story.verdict(.retryAfter).violations == 1)
    #expect(story.checks(.retryAfter) == 3)
  }

  @Test(arguments: [("60s", "10s"), ("10s", "59s")])
  func `of two the later end binds`(first: String, second: String) {
    let lines = """
      0s    evaluate 1 a
      0s    start 1 a
      0s    evaluate 2 b
      0s    start 2 b
      1s    patience 1 \(first)
      1s    answer 1 503
      1s    return 1 default
      2s    patience 2 \(second)
      2s    answer 2 503
      2s    return 2 default
      60s   evaluate 3 c
      60s   start 3 c
      60s   answer 3
      60s   return 3 flight 3
      """
    #expect(Story(lines).red == ["retry-after"])
    #expect(Story(lines.replacing("60s   ", with: "61s   ")).red == [])
  }

  @Test func `a request in the instant of the refusal may have been first`() {
    let story = Story(
      head + """
        1s    evaluate 2 b
        1s    start 2 b
        2s    answer 2
        2s    return 2 flight 2
        """)
    #expect(story.red == [])
  }

  @Test func `a refusal binds nobody that came in the instant of a cancellation or too late`() {
    let next = """
      5s    evaluate 2 a
      5s    start 2 a
      5s    answer 2
      5s    return 2 flight 2
      """
    let cancelled = """
      0s    evaluate 1 a
      0s    start 1 a
      1s    patience 1 60s
      1s    answer 1 503
      1s    cancel 1
      1s    return 1 default

      """
    #expect(Story(cancelled + next).red == [])
    let late = """
      0s    evaluate 1 a
      0s    start 1 a
      3s    return 1 default
      3s    abort 1
      4s    patience 1 60s
      4s    answer 1 503

      """
    #expect(Story(late + next).red == [])
    #expect(Story(late.replacing("4s ", with: "3s ") + next).red == [])
  }

  // MARK: Calls

  @Test func `an evaluation within it is answered at once and with a refusal`() {
    let lines =
      head + """
        2s    evaluate 2 a
        2s    return 2 default
        3s    evaluateOrThrow 3 a
        3s    return 3 error server 503
        """
    #expect(Story(lines).red == [])
    #expect(Story(lines).checks(.retryAfter) == 2)
    let late = Story(lines.replacing("3s    return 3", with: "4s    return 3"))
    #expect(late.red == ["retry-after"])
    #expect(
      late.message(.retryAfter).hasSuffix(
        "was answered only at 4 s, although a Retry-After was running: it is to be answered at once"))
    for error in ["transport", "other"] {
      #expect(Story(lines.replacing("error server 503", with: "error \(error)")).red == ["retry-after"])
    }
  }

  @Test func `a fresh entry is given within it`() {
    let story = Story(
      """
      0s    evaluate 1 b
      0s    start 1 b
      1s    answer 1
      1s    return 1 flight 1
      1s    evaluate 2 a
      1s    start 2 a
      2s    patience 2 60s
      2s    answer 2 429
      2s    return 2 default
      3s    evaluate 3 b
      3s    return 3 fresh 1
      """)
    #expect(story.red == [])
  }

  // MARK: Authorization

  @Test func `a request is kept back after its authorization`() {
    let lines = """
      0s    evaluate 1 a
      0s    ask 1 a
      0s    evaluate 2 b
      0s    ask 2 b
      0s    give 2 7
      0s    send 2 b
      0s    token 2 7
      1s    patience 2 60s
      1s    answer 2 503
      1s    return 2 default
      2s    give 1 7
      2s    return 1 default
      3s    evaluate 3 a
      3s    return 3 default
      """
    #expect(Story(lines).red == [])
    let sent = lines.replacing(
      "2s    return 1 default",
      with: "2s    send 1 a\n2s    token 1 7\n2s    answer 1\n2s    return 1 flight 1"
    )
    .replacing("return 3 default", with: "return 3 fresh 1")
    #expect(Story(sent).red == ["retry-after"])
  }

  @Test(arguments: [("error unauthorized", []), ("error unauthorized 401", ["answers-once"])])
  func `without a token nothing is sent and the error has no status`(outcome: String, red: [String]) {
    let story = Story(
      """
      0s    evaluateOrThrow 1 a
      0s    ask 1 a
      1s    refuse 1
      1s    return 1 \(outcome)
      """)
    #expect(story.red == red)
  }

  @Test func `the deadline runs from the asking for the authorization`() {
    let lines = """
      0s    evaluate 1 a
      0s    ask 1 a
      2s    give 1 7
      2s    send 1 a
      2s    token 1 7
      3s    abort 1
      3s    return 1 default
      """
    #expect(Story(lines).red == [])
    #expect(Story(lines.replacing("3s ", with: "5s ")).red == ["answers-once"])
  }
}
