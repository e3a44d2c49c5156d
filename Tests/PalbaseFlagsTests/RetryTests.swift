import ClientCore
import Palbase
import PalbaseFlags
import Testing

@Suite struct RetryTests {
  @Test(arguments: [0, 400, 401, 403, 404, 408, 500, 503])
  func `a first fetch that failed is tried again with growing gaps until it succeeds`(status: Int) {
    play { stage in
      _ = try stage.flags.all
      var times: [Duration] = []
      for _ in 0..<10 {
        _ = try await stage.nextRequest(within: .seconds(61))
        times.append(stage.now)
        if status == 0 { try await stage.failRequest() } else { try await stage.answer("", status: status) }
      }
      let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
      for (index, gap) in gaps.enumerated() {
        let bound = min(.seconds(60), Duration.seconds(1 << (index + 1))) + .milliseconds(10)
        #expect(gap >= .milliseconds(100) && gap <= bound, "gap \(index + 1) is \(gap)")
      }
      _ = try await stage.nextRequest(within: .seconds(61))
      try await stage.answer(.snapshot(1, ["a": "1"]))
      #expect(try stage.flags.int("a", default: 0) == 1)
      let sent = stage.transport.sentCount
      try await stage.pass(.seconds(300))
      #expect(stage.transport.sentCount == sent)
    }
  }

  @Test func `a refresh does not wait for the backoff`() {
    play { stage in
      _ = try stage.flags.all
      for _ in 0..<6 {
        _ = try await stage.nextRequest(within: .seconds(61))
        try await stage.failRequest()
      }
      let call = try stage.refresh()
      try await stage.answer(.snapshot(1, ["a": "1"]))
      #expect(call.isDone)
      try await stage.pass(.seconds(120))
      #expect(await stage.pending().isEmpty, "what was to be tried again has been fetched")
    }
  }

  @Test func `a refresh that failed while nothing was owed is not repeated behind the caller's back`() {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      let call = try stage.refresh()
      try await stage.failRequest()
      #expect(call.error != nil)
      try await stage.pass(.seconds(300))
      #expect(await stage.pending().isEmpty)
    }
  }

  // RevenueCat/purchases-ios PR#4048: a 429 was ignored, then tried again after nothing at all.
  @Test(arguments: [429, 503, 401, 410])
  func `Retry-After binds whatever asks`(status: Int) {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(1, ["a": "1"])
      let call = try stage.refresh()
      try await stage.answer(
        #"{"error":"wait"}"#, status: status, headers: [HeaderField("Retry-After", "120")])
      let refusal = try #require(call.error)
      #expect(stage.transport.sentCount == 2)
      let closed = stage.now
      try await stage.pass(.seconds(60))
      let kept = try stage.refresh()
      await stage.idle()
      #expect(kept.error == refusal)
      stage.lifecycle.send(.foreground)
      try stage.client.signIn(.ben)
      await stage.idle()
      #expect(stage.transport.sentCount == 2)
      _ = try await stage.nextRequest(within: .seconds(70))
      #expect(stage.now - closed >= .seconds(120))
      #expect(stage.now - closed <= .milliseconds(123_010))
      try await stage.answer(.snapshot(2, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test(arguments: ["soon", "-5", "", "Thu, 01 Jan 1970 00:00:00 GMT"])
  func `a garbled or past Retry-After means the client's own gaps`(value: String) {
    play(seeds: 0..<3) { stage in
      let call = try stage.refresh()
      try await stage.answer("", status: 503, headers: [HeaderField("Retry-After", value)])
      #expect(call.error == .server(code: "http_503", status: 503))
      #expect(try await stage.nextRequest(within: .seconds(3)).target == "/flags/snapshot")
      try await stage.answer(.snapshot(1, [:]))
    }
  }

  // DataDog/dd-sdk-ios PR#3013: every return to the foreground fetched.
  @Test func `a return to the foreground fetches only what is older than half a minute`() {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      try await stage.pass(.seconds(29))
      stage.lifecycle.send(.background)
      stage.lifecycle.send(.foreground)
      #expect(await stage.pending().isEmpty)
      try await stage.pass(.seconds(1))
      stage.lifecycle.send(.background)
      stage.lifecycle.send(.foreground)
      #expect(try await stage.request().target == "/flags/delta?since=1")
      try await stage.answerUnchanged()
    }
  }

  @Test func `a jump of the wall clock changes nothing`() {
    play { stage in
      try await stage.fill(1, ["a": "1"])
      let wallClock = try #require(stage.environment.wallClock as? ControllableWallClock)
      wallClock.jump(by: .seconds(86_400))
      stage.lifecycle.send(.foreground)
      #expect(await stage.pending().isEmpty)
      wallClock.jump(by: .seconds(-2 * 86_400))
      try await stage.pass(.seconds(30))
      stage.lifecycle.send(.foreground)
      #expect(await stage.pending().count == 1)
      try await stage.answerUnchanged()
    }
  }
}
