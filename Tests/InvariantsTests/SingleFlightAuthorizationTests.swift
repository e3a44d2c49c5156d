import Events
import Invariants
import Testing

/// Flights that begin with the asking for a token.
@Suite struct SingleFlightAuthorizationTests {
  @Test func `a flight that was cancelled before it asked for its token is none`() {
    // The flight of call 1 was let go before its task ran; call 2 flies already.
    let lines = """
      0s    evaluate 1 a
      0s    cancel 1
      0s    return 1 default
      0s    evaluate 2 a
      0s    ask 2 a
      0s    give 2 7
      0s    ask 1 a
      0s    give 1 7
      0s    send 2 a
      0s    token 2 7
      1s    answer 2
      1s    return 2 flight 2
      """
    #expect(Story(lines).red == [])
    let sent = lines.replacing("0s    send 2 a", with: "0s    send 1 a\n0s    token 1 7\n0s    send 2 a")
    #expect(Story(sent).red.contains("single-flight"))
    let slow = lines.replacing("0s    give 1 7\n", with: "0s    evaluate 3 b\n0s    start 3 b\n")
    #expect(Story(slow).red.contains("single-flight"))
  }

  @Test func `two flights that were given tokens in one instant are red when both send`() {
    let lines = """
      0s    evaluate 1 a
      0s    evaluate 2 a
      0s    ask 1 a
      0s    give 1 7
      0s    ask 2 a
      0s    give 2 7
      0s    send 1 a
      0s    token 1 7
      0s    send 2 a
      0s    token 2 7
      1s    answer 1
      1s    answer 2
      1s    return 1 flight 1
      1s    return 2 flight 2
      """
    #expect(Story(lines).red == ["single-flight"])
    #expect(Story(lines).verdict(.singleFlight).violations == 1)
  }
}
