import ClientCore
import LCFeatureControl
import Testing

/// The sentences of the seed as tests, in its order; its samples are in `SeedSamplesTests`.
@Suite struct SeedSentencesTests {
  // MARK: Evaluating flags, sentence by sentence

  private static let key = "fc.checkout_v2"
  private static let setup = Setup(
    auth: FeatureControlBearerAuth { "jwt" },
    defaults: [key: FeatureControlFlag(enabled: false, variant: nil, payload: nil, reason: "default")])

  /// The sample's context.
  private static let context = FeatureControlContext(
    subjectType: .customer, subjectId: "u1", storeId: "s1", platform: "ios",
    appVersion: "1.0")

  private func on(_ variant: String) -> String { .flags([Self.key: variant]) }

  @Test func `evaluate never throws: fresh fetch, then stale cache, then the defaults, in that order`() {
    play(Self.setup) { stage in
      let cold = stage.evaluate(Self.key, as: Self.context)
      try await stage.failRequest()
      #expect(cold.snapshot?.flags[Self.key]?.enabled == false)
      #expect(cold.snapshot?.flags[Self.key]?.reason == "default")
      #expect(cold.snapshot?.origin(of: Self.key) == .default)

      let fetched = stage.evaluate(Self.key, as: Self.context)
      try await stage.answer(on("v"))
      #expect(fetched.snapshot?.flags[Self.key]?.enabled == true)
      #expect(fetched.snapshot?.origin(of: Self.key) == .flight)

      try await stage.pass(.seconds(45))
      let stale = stage.evaluate(Self.key, as: Self.context)
      try await stage.failRequest()
      #expect(stale.snapshot?.flags[Self.key]?.enabled == true)
      #expect(stale.snapshot?.origin(of: Self.key) == .stale)
    }
  }

  @Test func `evaluateOrThrow surfaces the real failure instead`() {
    play(Self.setup) { stage in
      let call = stage.evaluateOrThrow(Self.key, as: Self.context)
      try await stage.answer(.error("no_such_store"), status: 400)
      #expect(call.error == .invalidContext(code: "no_such_store"))
    }
  }

  @Test
  func `three callers evaluating the same key at once on a cold cache produce one network call, not three`() {
    play(Self.setup) { stage in
      let callers = (0..<3).map { _ in stage.evaluate(Self.key, as: Self.context) }
      #expect(await stage.pending().count == 1)
      try await stage.answer(on("v"))
      #expect(stage.transport.sentCount == 1)
      #expect(callers.allSatisfy { $0[Self.key] == .flight("v") })
    }
  }

  @Test func `the cache window is 45 seconds and on the client`() {
    play(Self.setup) { stage in
      stage.evaluate(Self.key, as: Self.context)
      try await stage.answer(on("v"))
      try await stage.pass(.seconds(44))
      let call = stage.evaluate(Self.key, as: Self.context)
      await stage.idle()
      #expect(call[Self.key] == .fresh("v"))
      #expect(stage.transport.sentCount == 1)
    }
  }

  @Test func `a request has 3 seconds`() {
    play(Self.setup) { stage in
      let call = stage.evaluateOrThrow(Self.key, as: Self.context)
      try await stage.pass(.seconds(3))
      guard case .transport? = call.error else {
        Issue.record("expected .transport, got \(String(describing: call.error))")
        return
      }
    }
  }

  @Test func `the cache key does not include the store, so a store switch calls invalidateCache`() {
    let otherStore = Self.context.with { context in
      context.storeId = "s2"
      context.attributes = ["tier": "gold"]
    }
    play(Self.setup) { stage in
      stage.evaluate(Self.key, as: Self.context)
      try await stage.answer(on("store 1"))
      let unswitched = stage.evaluate(Self.key, as: otherStore)
      await stage.idle()
      #expect(unswitched[Self.key] == .fresh("store 1"))
      await stage.manager?.invalidateCache()
      let switched = stage.evaluate(Self.key, as: otherStore)
      try await stage.answer(on("store 2"))
      #expect(switched[Self.key] == .flight("store 2"))
    }
  }

  @Test(arguments: [
    FeatureControlContext.anna.with { $0.subjectId = "u2" }, .anna.with { $0.platform = "android" },
    .anna.with { $0.appVersion = "2.0" },
  ])
  func `the cache key includes subject, platform and version`(other: FeatureControlContext) {
    play(Self.setup) { stage in
      stage.evaluate(Self.key)
      try await stage.answer(on("v"))
      stage.evaluate(Self.key, as: other)
      #expect(await stage.pending().count == 1)
    }
  }

  // MARK: Notifications inbox, sentence by sentence

  @Test func `the inbox sends the panel user's JWT with every request`() {
    play(Self.setup) { stage in
      for route in Route.inbox {
        route.ask(stage)
        #expect(await stage.pending().first?.request.header("Authorization") == "Bearer jwt")
        try await stage.answer(route.goodBody)
      }
    }
  }

  // MARK: Exposure telemetry, sentence by sentence

  @Test func `exposures are buffered locally, and nothing is sent until flushExposures() is called`() {
    play(Self.setup) { stage in
      await stage.record(0..<500)
      try await stage.pass(.seconds(3_600))
      #expect(stage.transport.sentCount == 0)
      stage.flush()
      #expect(await stage.pending().count == 1)
    }
  }

  @Test func `a flush splits into batches of at most 100`() {
    play(Self.setup) { stage in
      await stage.record(0..<201)
      stage.flush()
      var sizes: [Int] = []
      while let request = await stage.pending().first {
        sizes.append(request.exposures.count)
        try await stage.answer(.accepted, status: 202)
      }
      #expect(sizes == [100, 100, 1])
    }
  }

  @Test func `a failed batch is dropped, never retried indefinitely`() {
    play(Self.setup) { stage in
      await stage.record(0..<100)
      for _ in 0..<3 {
        let flush = stage.flush()
        if await !stage.pending().isEmpty { try await stage.failRequest() }
        await stage.idle()
        #expect(flush.isAnswered, "it is best effort and throws nothing")
      }
      #expect(stage.transport.sentCount == 1)
    }
  }

  // MARK: Errors, sentence by sentence

  @Test(arguments: [
    (400, FeatureControlError.invalidContext(code: "c")), (401, .unauthorized(code: "c")),
    (403, .forbidden(code: "c")), (429, .rateLimited(code: "c")), (500, .server(code: "c", status: 500)),
  ])
  func `each status is the case it is listed with`(status: Int, error: FeatureControlError) {
    play(Self.setup, seeds: 0..<1) { stage in
      let call = stage.evaluateOrThrow(Self.key, as: Self.context)
      try await stage.answer(.error("c"), status: status)
      #expect(call.error == error)
    }
  }

  @Test func `a decode failure and an error that is not HTTP's are transport errors`() {
    play(Self.setup) { stage in
      let garbled = stage.evaluateOrThrow(Self.key, as: Self.context)
      try await stage.answer("<html>")
      let offline = stage.evaluateOrThrow(Self.key, as: Self.context)
      try await stage.failRequest()
      for error in [garbled.error, offline.error] {
        guard case .transport(let message)? = error else {
          Issue.record("expected .transport, got \(String(describing: error))")
          continue
        }
        #expect(!message.isEmpty)
      }
    }
  }

  @Test func `evaluateOrThrow throws a server error for a 200 with an error envelope`() {
    play(Self.setup) { stage in
      let throwing = stage.evaluateOrThrow(Self.key, as: Self.context)
      let safe = stage.evaluate(Self.key, as: Self.context)
      try await stage.answer(#"{"error": true, "code": "degraded"}"#)
      #expect(throwing.error == .server(code: "degraded", status: 200))
      #expect(safe.snapshot?.origin(of: Self.key) == .default, "the safe path never surfaces this")
    }
  }

  @Test func `the errors come from the notifications client too`() {
    play(Self.setup) { stage in
      for route in Route.inbox {
        let call = route.ask(stage)
        try await stage.answer(.error("c"), status: 403)
        #expect(call.error == .forbidden(code: "c"))
      }
    }
  }
}
