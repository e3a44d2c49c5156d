import ClientCore
import LCFeatureControl
import Testing

/// One flight for equal callers, and cancellation (BEHAVIOUR rules 1.2 and 1.3).
@Suite struct FlightTests {
  // MARK: Coalescing

  // Unleash/unleash-ios-sdk (20 concurrent starts, 20 requests), wordpress-mobile/WordPress-iOS#25665.
  @Test(arguments: [1, 3, 20, 300])
  func `callers that ask at once make one request`(count: Int) {
    play { stage in
      let calls = (0..<count).map { _ in stage.evaluate() }
      #expect(await stage.pending().count == 1)
      #expect(calls.allSatisfy { !$0.isAnswered })
      try await stage.answer(.flags(["a": "1"]))
      #expect(calls.allSatisfy { $0["a"] == .flight("1") })
      #expect(stage.transport.sentCount == 1)
      #expect(stage.signals.filter { $0 == .startedFlight }.count == 1)
      #expect(stage.signals.filter { $0 == .joinedFlight }.count == count - 1)
    }
  }

  // growthbook/growthbook-flutter PR#122: N callers after the TTL had expired made N requests.
  @Test func `callers that ask at once after the TTL make one request`() {
    play { stage in
      try await stage.fill("1")
      try await stage.pass(.seconds(45))
      let calls = (0..<50).map { _ in stage.evaluate() }
      #expect(await stage.pending().count == 1)
      try await stage.answer(.flags(["a": "2"]))
      #expect(calls.allSatisfy { $0["a"] == .flight("2") })
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test func `a caller that comes while a request is out joins it and does not prolong it`() {
    play { stage in
      let first = stage.evaluate()
      try await stage.pass(.seconds(2))
      let second = stage.evaluate()
      try await stage.pass(.seconds(1))
      #expect(first["a"] == .default && second["a"] == .default, "the deadline is the flight's")
      #expect(stage.transport.sentCount == 1)
    }
  }

  @Test func `evaluate and evaluateOrThrow share a flight and its answer`() {
    play { stage in
      let safe = stage.evaluate()
      let throwing = stage.evaluateOrThrow()
      #expect(await stage.pending().count == 1)
      try await stage.answer(.flags(["a": "1"]))
      #expect(safe["a"] == .flight("1") && throwing["a"] == .flight("1"))
      let later = stage.evaluateOrThrow()
      await stage.idle()
      #expect(later["a"] == .fresh("1"))
    }
  }

  @Test func `a flight that landed takes no new caller`() {
    play(Setup(cacheTTL: .zero)) { stage in
      try await stage.fill("1")
      let next = stage.evaluate()
      #expect(await stage.pending().count == 1)
      try await stage.answer(.flags(["a": "2"]))
      #expect(next["a"] == .flight("2"))
    }
  }

  @Test func `a failed flight fails all its callers, caches nothing, and the next call asks again`() {
    play { stage in
      let safe = stage.evaluate()
      let throwing = stage.evaluateOrThrow()
      try await stage.answer(.error("boom"), status: 500)
      #expect(safe["a"] == .default)
      #expect(throwing.error == .server(code: "boom", status: 500))
      let next = stage.evaluate()
      try await stage.answer(.flags(["a": "1"]))
      #expect(next["a"] == .flight("1"))
    }
  }

  // MARK: What makes callers equal

  @Test(arguments: [
    FeatureControlContext.anna.with { $0.storeId = "s2" },
    .anna.with { $0.storeId = nil },
    .anna.with { $0.subjectType = .init(rawValue: "panel") },
    .anna.with { $0.subjectId = "bert" },
    .anna.with { $0.platform = nil },
    .anna.with { $0.appVersion = "2.0" },
    .anna.with { $0.attributes = ["tier": "gold"] },
    .anna.with { $0.attributes = ["tier": nil] },
  ])
  func `callers that differ in any field of the context do not share a flight`(other: FeatureControlContext) {
    play { stage in
      let first = stage.evaluate()
      await stage.idle()
      let second = stage.evaluate("a", as: other)
      let requests = await stage.pending()
      try #require(requests.count == 2)
      try await stage.answer(.flags(["a": "2"]), to: requests[1])
      #expect(second["a"] == .flight("2"))
      #expect(!first.isAnswered)
      try await stage.answer(.flags(["a": "1"]), to: requests[0])
      #expect(first["a"] == .flight("1"))
    }
  }

  @Test func `neither the order of keys nor their number makes a difference`() {
    play { stage in
      let calls = [stage.evaluate("a", "b"), stage.evaluate("b", "a"), stage.evaluate("b", "a", "b", "a")]
      #expect(await stage.pending().count == 1)
      stage.evaluate("a")
      #expect(await stage.pending().count == 2)
      try await stage.answer(.flags(["a": "1", "b": "2"]))
      #expect(calls.allSatisfy { $0["a"] == .flight("1") && $0["b"] == .flight("2") })
    }
  }

  // statsig-kit commit 768cb21: of two requests with one key the last network answer won, not the last call.
  @Test func `of two flights with one cache key the later begun one fills the entry, whichever lands first`()
  {
    let other = FeatureControlContext.anna.with { $0.storeId = "s2" }
    for laterLandsFirst in [true, false] {
      play { stage in
        let early = stage.evaluate()
        await stage.idle()
        let late = stage.evaluate("a", as: other)
        let requests = await stage.pending()
        try #require(requests.count == 2)
        for place in laterLandsFirst ? [1, 0] : [0, 1] {
          try await stage.answer(.flags(["a": place == 0 ? "early" : "late"]), to: requests[place])
        }
        #expect(early["a"] == .flight("early"))
        #expect(late["a"] == .flight("late"))
        #expect(await stage.served() == .fresh("late"))
      }
    }
  }

  @Test func `a caller whose flight fails after another one filled the entry is not told that it is fresh`() {
    play { stage in
      let early = stage.evaluate()
      await stage.idle()
      let late = stage.evaluate("a", as: .anna.with { $0.storeId = "s2" })
      let requests = await stage.pending()
      try #require(requests.count == 2)
      try await stage.answer(.flags(["a": "late"]), to: requests[1])
      #expect(late["a"] == .flight("late"))
      try await stage.answer("", status: 500, to: requests[0])
      #expect(early["a"] == .stale("late"), "it made a request")
      #expect(await stage.served() == .fresh("late"))
    }
  }

  // MARK: Cancellation

  // duckduckgo/apple-browsers PR#3956, ReviewStage/luke PR#570, tigerduck-app PR#60.
  @Test func `the first caller's cancellation ends its own wait only`() {
    play { stage in
      let first = stage.evaluate()
      await stage.idle()
      let others = (0..<5).map { _ in stage.evaluate() }
      await stage.idle()
      first.cancel()
      await stage.idle()
      #expect(first["a"] == .default, "answered at once, from what is held")
      #expect(others.allSatisfy { !$0.isAnswered })
      #expect(stage.transport.cancelled.isEmpty)
      let late = stage.evaluate()
      #expect(await stage.pending().count == 1)
      try await stage.answer(.flags(["a": "1"]))
      #expect((others + [late]).allSatisfy { $0["a"] == .flight("1") })
    }
  }

  @Test func `the last waiter's cancellation cancels the request`() {
    play { stage in
      let calls = (0..<3).map { _ in stage.evaluate() }
      await stage.idle()
      for call in calls.dropLast() { call.cancel() }
      await stage.idle()
      #expect(stage.transport.cancelled.isEmpty)
      calls.last?.cancel()
      await stage.idle()
      #expect(stage.transport.cancelled.count == 1)
      #expect(await stage.pending().isEmpty)
      #expect(calls.allSatisfy { $0["a"] == .default })
      #expect(stage.signals.filter { $0 == .abandonedFlight }.count == 1)
    }
  }

  @Test func `a call right after the last waiter left starts a new request`() {
    play { stage in
      let first = stage.evaluate()
      await stage.idle()
      // In one step, before the cancelled request has had a turn.
      first.cancel()
      let second = stage.evaluate()
      let requests = await stage.pending()
      #expect(requests.map(\.id) == [2])
      #expect(stage.transport.cancelled.map(\.id) == [1])
      try await stage.answer(.flags(["a": "2"]))
      #expect(second["a"] == .flight("2"))
      #expect(await stage.served() == .fresh("2"))
    }
  }

  // apple/swift-openapi-urlsession PR#44 and #45: a cancellation before the request existed was lost.
  @Test func `a call whose task is cancelled already makes no request`() {
    play { stage in
      let safe = stage.cancelledBefore { await $0.evaluate(keys: ["a"], context: .anna) }
      let throwing = stage.cancelledBefore { try await $0.evaluateOrThrow(keys: ["a"], context: .anna) }
      #expect(await stage.pending().isEmpty)
      #expect(safe["a"] == .default)
      #expect(throwing.threwCancellation)
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `a cancelled evaluate answers at once from what is held`() {
    play { stage in
      try await stage.fill("1")
      let young = stage.cancelledBefore { await $0.evaluate(keys: ["a"], context: .anna) }
      await stage.idle()
      #expect(young["a"] == .fresh("1"))
      try await stage.pass(.seconds(45))
      let call = stage.evaluate()
      await stage.idle()
      let before = stage.now
      call.cancel()
      await stage.idle()
      #expect(call["a"] == .stale("1"))
      #expect(stage.now == before)
    }
  }

  @Test func `evaluateOrThrow throws the cancellation of its own task and never another's`() {
    play { stage in
      let first = stage.evaluateOrThrow()
      let second = stage.evaluateOrThrow()
      await stage.idle()
      first.cancel()
      await stage.idle()
      #expect(first.threwCancellation)
      #expect(!second.isAnswered)
      try await stage.answer(.error("boom"), status: 503)
      #expect(second.error == .server(code: "boom", status: 503))
    }
  }

  @Test func `a transport that says it was cancelled is a failed request, not a cancelled caller`() {
    struct Cancelling: Transport {
      func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }
    }
    play(Setup(transport: { _, _ in Cancelling() })) { stage in
      let call = stage.evaluateOrThrow()
      await stage.idle()
      guard case .transport? = call.error else {
        Issue.record("expected .transport, got \(String(describing: call.error))")
        return
      }
    }
  }

  // launchdarkly/ios-client-sdk#226, #235 and #236, configcat/swift-sdk PR#46: a completion or continuation called twice.
  @Test func `callers cancelled in any order around an answer are each answered once`() {
    play(seeds: 0..<60) { stage in
      let calls = (0..<12).map { _ in stage.evaluate() }
      await stage.idle()
      for call in calls[..<6] { stage.simulator.spawn { call.cancel() } }
      stage.simulator.spawn {
        guard let request = stage.transport.pending.first else { return }
        stage.transport.respond(
          to: request, with: TransportResponse(status: 200, body: Array(String.flags(["a": "1"]).utf8)))
      }
      await stage.idle()
      #expect(calls.allSatisfy { $0.isAnswered })
      #expect(calls[6...].allSatisfy { $0["a"] == .flight("1") })
      let seen = calls[..<6].compactMap { $0["a"] }
      #expect(seen.count == 6)
      #expect(seen.allSatisfy { [.default, .flight("1"), .stale("1")].contains($0) }, "\(seen)")
    }
  }

  @Test func `subjects whose names only look alike share nothing`() {
    // Swift's == takes both spellings for one text; the service is sent different bytes.
    play { stage in
      try await stage.fill("composed", as: .anna.with { $0.subjectId = "caf\u{e9}" })
      let other = stage.evaluate("a", as: .anna.with { $0.subjectId = "cafe\u{301}" })
      try await stage.failRequest()
      #expect(other["a"] == .default)
    }
  }
}
