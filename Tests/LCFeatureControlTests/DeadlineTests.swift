import ClientCore
import LCFeatureControl
import Testing

/// `requestTimeout` runs from the flight's start and is raced on the injected clock (BEHAVIOUR rule 1.7).
@Suite struct DeadlineTests {
  private static let tick = Duration.nanoseconds(1)

  private func isTimeout(_ error: FeatureControlError?) -> Bool {
    if case .transport(let message)? = error { message.contains("no answer within 3") } else { false }
  }

  @Test func `a request without an answer ends at the timeout and not a nanosecond earlier`() {
    play { stage in
      let safe = stage.evaluate()
      let throwing = stage.evaluateOrThrow()
      try await stage.pass(.seconds(3) - Self.tick)
      #expect(!safe.isAnswered && !throwing.isAnswered)
      try await stage.pass(Self.tick)
      #expect(safe["a"] == .default)
      #expect(isTimeout(throwing.error))
      #expect(stage.transport.cancelled.count == 1, "the request is cancelled")
    }
  }

  @Test func `an answer a nanosecond before the timeout is in time`() {
    play { stage in
      let call = stage.evaluate()
      try await stage.pass(.seconds(3) - Self.tick)
      try await stage.answer(.flags(["a": "1"]))
      #expect(call["a"] == .flight("1"))
      try await stage.pass(.seconds(10))
      #expect(await stage.served() == .fresh("1"))
    }
  }

  @Test func `a timed-out call degrades to the stale entry and the next call asks again`() {
    play { stage in
      try await stage.fill("1")
      try await stage.pass(.seconds(45))
      let call = stage.evaluate()
      try await stage.pass(.seconds(3))
      #expect(call["a"] == .stale("1"))
      let next = stage.evaluate()
      try await stage.answer(.flags(["a": "2"]))
      #expect(next["a"] == .flight("2"))
    }
  }

  @Test func `the authorization counts`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(2))
      let call = stage.evaluateOrThrow()
      try await stage.pass(.seconds(2))
      #expect(await stage.pending().count == 1)
      try await stage.pass(.seconds(1) - Self.tick)
      #expect(!call.isAnswered)
      try await stage.pass(Self.tick)
      #expect(isTimeout(call.error))
    }
  }

  @Test(arguments: [false, true])
  func `an authorization that takes too long sends no request, whether it heeds its cancellation or not`(
    isStubborn: Bool
  ) {
    let tokens = TokenDesk(isStubborn: isStubborn)
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(60))
      let call = stage.evaluateOrThrow()
      try await stage.pass(.seconds(3))
      #expect(isTimeout(call.error), "the caller does not wait for it")
      try await stage.pass(.seconds(60))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `a transport that does not heed its cancellation holds nobody up and its answer is not applied`()
  {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      let safe = stage.evaluate()
      let throwing = stage.evaluateOrThrow()
      try await stage.pass(.seconds(3))
      #expect(safe["a"] == .default)
      #expect(isTimeout(throwing.error))
      let next = stage.evaluate()
      let requests = await stage.pending()
      try #require(requests.count == 2, "the late one is still out")
      try await stage.answer(.flags(["a": "late"]), to: requests[0])
      #expect(!next.isAnswered, "a late answer answers nobody")
      try await stage.answer(.error("boom"), status: 500, to: requests[1])
      #expect(next["a"] == .default, "and fills no cache")
      try await stage.fill("2")
    }
  }

  @Test func `a late answer does not replace a newer one`() {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      stage.evaluate()
      try await stage.pass(.seconds(3))
      stage.evaluate()
      let requests = await stage.pending()
      try #require(requests.count == 2)
      try await stage.answer(.flags(["a": "new"]), to: requests[1])
      try await stage.answer(.flags(["a": "late"]), to: requests[0])
      #expect(await stage.served() == .fresh("new"))
    }
  }

  @Test func `an answer at the very instant of the timeout is one or the other, whole`() {
    play(seeds: 0..<40) { stage in
      let calls = (0..<4).map { _ in stage.evaluate() }
      let request = try #require(await stage.pending().first)
      stage.simulator.spawn {
        try? await stage.simulator.clock.sleep(for: .seconds(3))
        let body = Array(String.flags(["a": "1"]).utf8)
        stage.transport.respond(to: request, with: TransportResponse(status: 200, body: body))
      }
      try await stage.pass(.seconds(3))
      let seen = calls.map { $0["a"] }
      #expect(Set(seen.map { "\($0?.description ?? "waits")" }).count == 1, "\(seen)")
      #expect(seen[0] == .flight("1") || seen[0] == .default)
      if seen[0] == .default {
        stage.evaluate()
        #expect(await stage.pending().count == 1, "nothing was kept")
      }
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `without any time every request times out at once`(timeout: Duration) {
    play(Setup(requestTimeout: timeout)) { stage in
      let call = stage.evaluateOrThrow()
      await stage.idle()
      guard case .transport? = call.error else {
        Issue.record("expected .transport, got \(String(describing: call.error))")
        return
      }
    }
  }
}
