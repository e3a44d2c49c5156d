import ClientCore
import Palbase
import PalbaseFlags
import Testing

@Suite struct FetchTests {
  @Test func `a read of the project carries key, credential and context`() {
    play(Setup(user: .anna)) { stage in
      try stage.refresh()
      let request = try await stage.request()
      #expect(request.method == .get)
      #expect(request.url.hasPrefix("https://shop.example/flags/snapshot?"))
      #expect(request.query == ["platform": "ios", "app_version": "2.4.0", "language": "de"])
      #expect(request.header("apikey") == "key")
      #expect(request.header("Authorization") == "Bearer token-anna")
      #expect(request.header("X-Palbase-Install") == nil)
      #expect(request.header("If-None-Match") == nil)
    }
  }

  @Test func `with no one signed in the install proves itself`() {
    play { stage in
      try stage.refresh()
      let request = try await stage.request()
      #expect(request.header("Authorization") == nil)
      #expect(request.header("X-Palbase-Install")?.count == 32)
      #expect(request.header("X-Palbase-Install-Secret")?.count == 64)
    }
  }

  @Test func `many callers of a cold start make one request`() {
    play { stage in
      let calls = try (0..<20).map { _ in try stage.refresh() }
      try await stage.answer(.snapshot(1, ["a": "1"]))
      #expect(calls.map(\.isDone) == calls.map { _ in true })
      #expect(stage.transport.sentCount == 1)
      #expect(try stage.flags.int("a", default: 0) == 1)
    }
  }

  @Test func `a refresh joins the fetch that is under way, and starts one otherwise`() {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      let first = try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=1")
      let second = try stage.refresh()
      try await stage.answer(.delta(since: 1, 2, ["a": "2"]))
      #expect(first.isDone && second.isDone)
      #expect(try stage.flags.int("a", default: 0) == 2)
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test func `a cancelled caller ends only its own wait`() {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      let first = try stage.refresh()
      let second = try stage.refresh()
      _ = try await stage.request()
      first.cancel()
      await stage.idle()
      #expect(first.threwCancellation)
      #expect(!second.isAnswered)
      try await stage.answer(.delta(since: 1, 2, ["a": "2"]))
      #expect(second.isDone)
    }
  }

  @Test func `a request that nobody waits for any more is cancelled`() {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      let call = try stage.refresh()
      _ = try await stage.request()
      call.cancel()
      #expect(await stage.pending().isEmpty)
      #expect(stage.transport.cancelled.count == 1)
      let next = try stage.refresh()
      try await stage.answer(.delta(since: 1, 2, ["a": "2"]))
      #expect(next.isDone)
    }
  }

  @Test func `the first fetch goes on when its callers have left`() {
    play { stage in
      let call = try stage.refresh()
      _ = try await stage.request()
      call.cancel()
      await stage.idle()
      #expect(call.threwCancellation)
      try await stage.answer(.snapshot(1, ["a": "1"]))
      #expect(try stage.flags.int("a", default: 0) == 1)
    }
  }

  @Test func `a call whose task is cancelled before it begins asks nothing`() {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      let flags = try stage.flags
      let call = stage.ask {
        withUnsafeCurrentTask { $0?.cancel() }
        try await flags.refresh()
      }
      #expect(await stage.pending().isEmpty)
      #expect(call.threwCancellation)
    }
  }

  @Test(arguments: [
    (401, PalbaseError.unauthorized(code: "why")), (403, .forbidden(code: "why")),
    (429, .rateLimited(code: "why")), (404, .server(code: "why", status: 404)),
    (503, .server(code: "why", status: 503)),
  ])
  func `an error is told to every caller and clears nothing`(status: Int, error: PalbaseError) {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      let calls = [try stage.refresh(), try stage.refresh()]
      try await stage.answer(#"{"error":"why"}"#, status: status)
      #expect(calls.map(\.error) == [error, error])
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.status.version == 1)
    }
  }

  @Test(arguments: [
    "", "{", "[]", "null", #"{"version":2}"#, #"{"values":{}}"#, #"{"version":-1,"values":{}}"#,
    #"{"version":1.5,"values":{}}"#, #"{"version":"2","values":{}}"#, #"{"version":2,"values":[]}"#,
    #"{"version":true,"values":{}}"#,
  ])
  func `a snapshot that does not decode changes nothing`(body: String) {
    play(seeds: 0..<2) { stage in
      try await stage.fill(1, ["a": "1"])
      try stage.refresh()
      try await stage.answerGone()
      try await stage.answer(body)
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.status.version == 1)
    }
  }

  @Test func `the deadline ends the wait, and a late answer is not applied`() {
    play { stage in
      let call = try stage.refresh()
      _ = try await stage.request()
      try await stage.pass(.seconds(10))
      guard case .transport? = call.error else {
        Issue.record("the call did not time out: \(String(describing: call.error))")
        return
      }
      #expect(stage.transport.cancelled.count == 1)
      #expect(try stage.flags.all == [:])
    }
  }

  @Test func `unknown members are ignored, and of two members of one name the last one counts`() {
    play { stage in
      try stage.refresh()
      try await stage.answer(
        #"{"version":3,"extra":[],"values":{"a":{"value":1,"source":"default","more":{}},"#
          + #""a":{"value":2,"source":"default"}}}"#)
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test func `a flag that does not decode is skipped and counted, the rest is kept`() {
    play { stage in
      try await stage.fill(1, ["a": "1", "b": "1"])
      #expect(try stage.flags.status.skippedFlags == 0)
      try stage.refresh()
      try await stage.answerGone()
      try await stage.answer(.snapshot(2, ["a": .brokenFlag, "b": "2", "c": .brokenFlag]))
      #expect(try stage.flags.int("a", default: 0) == 1, "what was held of it stays")
      #expect(try stage.flags.int("b", default: 0) == 2)
      #expect(try stage.flags.value("c") == nil)
      #expect(try stage.flags.status.skippedFlags == 2)
      #expect(stage.signals.contains("skippedFlags(2)"))
    }
  }
}
