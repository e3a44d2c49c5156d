import ClientCore
import LCFeatureControl
import Testing

/// `Retry-After` keeps the endpoint's requests back, whoever asks (BEHAVIOUR rule 1.6).
@Suite struct RetryAfterGateTests {
  private static let tick = Duration.nanoseconds(1)

  private func retryAfter(_ text: String) -> [HeaderField] { [HeaderField("Retry-After", text)] }

  // RevenueCat/purchases-ios PR#4048 (429 ignored, seconds read as milliseconds), keenlabs/KeenClient-iOS#210 (the
  // limit counted per query and not per project).
  @Test(arguments: [429, 503, 500, 400, 401, 403, 404])
  func `until it has passed nobody's request starts`(status: Int) {
    play { stage in
      let first = stage.evaluateOrThrow()
      try await stage.answer(.error("wait"), status: status, headers: retryAfter("120"))
      let refusal = try #require(first.error)
      let others = [
        FeatureControlContext.anna, .anna.with { $0.subjectId = "bert" }, .anna.with { $0.storeId = "s2" },
      ]
      try await stage.pass(.seconds(120) - Self.tick)
      for context in others {
        let safe = stage.evaluate("a", as: context)
        let throwing = stage.evaluateOrThrow("a", as: context)
        #expect(await stage.pending().isEmpty)
        #expect(safe["a"] == .default, "degrades at once")
        #expect(throwing.error == refusal, "throws at once what the service said")
      }
      try await stage.pass(Self.tick)
      let next = stage.evaluate()
      try await stage.answer(.flags(["a": "1"]))
      #expect(next["a"] == .flight("1"))
    }
  }

  @Test func `while it runs evaluate degrades to the stale entry and a fresh one is still fresh`() {
    play { stage in
      try await stage.fill("1")
      let other = stage.evaluate("b")
      try await stage.answer("", status: 429, headers: retryAfter("3600"))
      #expect(other.snapshot?.flags.isEmpty == true)
      #expect(await stage.served() == .fresh("1"))
      try await stage.pass(.seconds(45))
      #expect(await stage.served() == .stale("1"))
    }
  }

  @Test(
    arguments: [
      ("30", 30), ("3601", 3_600), ("99999999999999999999", 3_600),
      ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sunday, 06-Nov-94 08:50:07 GMT", 30),
      ("Sun Nov  6 08:50:07 1994", 30), ("1994-11-06T08:50:07Z", 30), ("1994-11-06T09:50:07+01:00", 30),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 3_600),
    ] as [(String, Int64)])
  func `each form holds for as long as it says, from the answer's own date`(text: String, seconds: Int64) {
    play(seeds: 0..<2) { stage in
      // A device whose date is a day off.
      stage.wallClock.jump(by: .seconds(86_400))
      stage.evaluate()
      try await stage.answer(
        "", status: 429,
        headers: retryAfter(text) + [HeaderField("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
      try await stage.pass(.seconds(seconds) - Self.tick)
      stage.evaluate()
      #expect(await stage.pending().isEmpty)
      try await stage.pass(Self.tick)
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  @Test func `a date in an answer without one counts from the wall clock of its receipt`() {
    play { stage in
      stage.evaluate()
      try await stage.answer("", status: 503, headers: retryAfter("Sun, 06 Nov 1994 08:50:07 GMT"))
      stage.wallClock.jump(by: .seconds(86_400))
      try await stage.pass(.seconds(30) - Self.tick)
      stage.evaluate()
      #expect(await stage.pending().isEmpty, "the jump came later and changes nothing")
      try await stage.pass(Self.tick)
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  // okta/okta-mobile-swift PR#93: missing and garbled headers.
  @Test(arguments: [nil, "", "soon", "-1", "0", "Sun, 06 Nov 1994 08:49:37 GMT", "1970-01-01T00:00:00Z"])
  func `without a delay that can be read the next call may ask`(text: String?) {
    play { stage in
      stage.evaluate()
      try await stage.answer("", status: 429, headers: text.map(retryAfter) ?? [])
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  @Test func `while it runs nobody is asked for a token either`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .zero, .seconds(1))
      stage.evaluate()
      try await stage.answer(.error("wait"), status: 429, headers: retryAfter("10"))
      let safe = stage.evaluate()
      let throwing = stage.evaluateOrThrow()
      await stage.idle()
      #expect(safe["a"] == .default)
      #expect(throwing.error == .rateLimited(code: "wait"))
      #expect(tokens.askedCount == 1)
      #expect(stage.signals.filter { $0 == .startedFlight }.count == 1)
    }
  }

  @Test func `a shorter delay does not shorten a longer one`() {
    play { stage in
      stage.evaluate("a")
      stage.evaluate("b")
      let requests = await stage.pending()
      try #require(requests.count == 2)
      try await stage.answer("", status: 429, headers: retryAfter("100"), to: requests[0])
      try await stage.answer("", status: 429, headers: retryAfter("10"), to: requests[1])
      try await stage.pass(.seconds(100) - Self.tick)
      stage.evaluate("a")
      #expect(await stage.pending().isEmpty)
    }
  }

  @Test func `a good answer meanwhile opens no gate`() {
    play { stage in
      stage.evaluate("a")
      stage.evaluate("b")
      let requests = await stage.pending()
      try #require(requests.count == 2)
      try await stage.answer("", status: 429, headers: retryAfter("100"), to: requests[0])
      try await stage.answer(.flags(["b": "1"]), to: requests[1])
      stage.evaluate("c")
      #expect(await stage.pending().isEmpty)
    }
  }

  @Test func `it is asked again after the authorization`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .zero, .seconds(2))
      let quick = stage.evaluateOrThrow("a")
      try await stage.pass(.milliseconds(1))
      let slow = stage.evaluateOrThrow("b")
      try await stage.answer(.error("wait"), status: 429, headers: retryAfter("10"))
      #expect(quick.error == .rateLimited(code: "wait"))
      try await stage.pass(.seconds(2))
      #expect(await stage.pending().isEmpty)
      #expect(slow.error == .rateLimited(code: "wait"))
      #expect(stage.transport.sentCount == 1)
    }
  }

  @Test func `the Retry-After of an error in a 200 counts too`() {
    play { stage in
      stage.evaluate()
      try await stage.answer(.error("degraded"), headers: [HeaderField("Retry-After", "60")])
      stage.evaluate()
      #expect(await stage.pending().isEmpty)
    }
  }

  @Test func `a refusal that comes after the deadline holds nobody back`() {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      stage.evaluate()
      try await stage.pass(.seconds(3))
      try await stage.answer("", status: 429, headers: [HeaderField("Retry-After", "60")])
      stage.evaluate()
      #expect(await stage.pending().count == 1)
      try await stage.answer("")
    }
  }
}
