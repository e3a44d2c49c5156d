import ClientCore
import LCFeatureControl
import Testing

/// `Retry-After` on the routes of the inbox and of telemetry, and between endpoints (BEHAVIOUR rule 1.6).
///
/// What it means for evaluations is in `RetryAfterGateTests`, for batches in `ExposureFlushTests`.
@Suite struct RoutePatienceTests {
  private static let tick = Duration.nanoseconds(1)

  /// Has a route refused with a `Retry-After` of a minute.
  private static func refuse(_ route: Route, on stage: Stage) async throws {
    route.ask(stage)
    try await stage.answer(.error("wait"), status: 429, headers: retryAfter("60"))
  }

  @Test(arguments: Route.inbox, [429, 503, 500, 400, 401, 403, 404, 408, 413, 200])
  func `the inbox's routes wait together, whatever the refusal's status`(route: Route, status: Int) {
    play(seeds: 0..<2) { stage in
      let first = route.ask(stage)
      try await stage.answer(.error("wait"), status: status, headers: retryAfter("60"))
      let refusal = try #require(first.error)
      try await stage.pass(.seconds(60) - Self.tick)
      for other in Route.inbox {
        let call = other.ask(stage)
        await stage.idle()
        #expect(call.error == refusal, "thrown at once: what the service said")
      }
      #expect(stage.transport.sentCount == 1)
      try await stage.pass(Self.tick)
      for other in Route.inbox { other.ask(stage) }
      #expect(await stage.pending().count == 3)
    }
  }

  // keenlabs/KeenClient-iOS#210: refusals counted for something else than what had refused.
  @Test func `each endpoint waits by itself`() {
    play { stage in
      try await Self.refuse(.evaluate, on: stage)
      let list = Route.list.ask(stage)
      try await stage.answer(.page([]))
      #expect(list.value != nil)
      await stage.record(0..<1)
      stage.flush()
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(sent: 1))
    }
    play { stage in
      try await Self.refuse(.markAllRead, on: stage)
      try await stage.fill("1")
      await stage.record(0..<1)
      stage.flush()
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(sent: 1))
    }
    play { stage in
      await stage.record(0..<150)
      stage.flush()
      try await stage.answer("", status: 429, headers: retryAfter("60"))
      try await stage.fill("1")
      let list = Route.list.ask(stage)
      try await stage.answer(.page([]))
      #expect(list.value != nil)
      #expect(stage.counts == .account(failed: 100, pending: 50))
    }
  }

  private static let forms: [(String, Int64)] = [
    ("30", 30), (" 30 ", 30), ("3600", 3_600), ("3601", 3_600), ("99999999999999999999", 3_600),
    ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("1994-11-06T08:50:07Z", 30), ("1994-11-06T09:50:07+01:00", 30),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 3_600),
  ]
  private static let noForms = [
    "", "soon", "-1", "0", "1.5", "30s", "+30", "0x1E", "Sun, 06 Nov 1994 08:49:37 GMT",
    "1970-01-01T00:00:00Z",
    "1994-11-06", "Sun, 31 Feb 1994 08:50:07 GMT",
  ]

  /// The device's date is a day off, the answer's own is not.
  private static func headers(_ text: String, on stage: Stage) -> [HeaderField] {
    stage.wallClock.jump(by: .seconds(86_400))
    return [HeaderField("Date", "Sun, 06 Nov 1994 08:49:37 GMT")] + retryAfter(text)
  }

  @Test(arguments: Route.inbox)
  func `each form keeps the inbox away for as long as it says`(route: Route) {
    for (text, seconds) in Self.forms {
      play(seeds: 0..<1) { stage in
        route.ask(stage)
        try await stage.answer("", status: 429, headers: Self.headers(text, on: stage))
        try await stage.pass(.seconds(seconds) - Self.tick)
        route.ask(stage)
        #expect(await stage.pending().isEmpty, "\(text)")
        try await stage.pass(Self.tick)
        route.ask(stage)
        #expect(await stage.pending().count == 1, "\(text)")
      }
    }
  }

  // RevenueCat/purchases-ios PR#4048: seconds read as milliseconds.
  @Test func `each form keeps telemetry away for as long as it says`() {
    for (text, seconds) in Self.forms {
      play(seeds: 0..<1) { stage in
        await stage.record(0..<101)
        stage.flush()
        try await stage.answer("", status: 503, headers: Self.headers(text, on: stage))
        try await stage.pass(.seconds(seconds) - Self.tick)
        stage.flush()
        #expect(await stage.pending().isEmpty, "\(text)")
        try await stage.pass(Self.tick)
        stage.flush()
        #expect(await stage.pendingExposures() == [[100]], "\(text)")
      }
    }
  }

  @Test(arguments: Route.allCases, noForms)
  func `without a delay that can be read the next call may ask`(route: Route, text: String) {
    play(seeds: 0..<1) { stage in
      route.ask(stage)
      try await stage.answer("", status: 429, headers: Self.headers(text, on: stage))
      route.ask(stage)
      #expect(await stage.pending().count == 1)
    }
  }

  @Test(arguments: noForms)
  func `without a delay that can be read the next batch is sent`(text: String) {
    play(seeds: 0..<1) { stage in
      await stage.record(0..<101)
      stage.flush()
      try await stage.answer("", status: 429, headers: Self.headers(text, on: stage))
      #expect(await stage.pendingExposures() == [[100]])
    }
  }

  @Test func `of two delays the later end binds, in either order`() {
    for (first, second) in [("100", "10"), ("10", "100")] {
      play { stage in
        Route.markRead.ask(stage)
        Route.list.ask(stage)
        let requests = await stage.pending()
        try #require(requests.count == 2)
        try await stage.answer(.error("one"), status: 429, headers: retryAfter(first), to: requests[0])
        try await stage.answer(.error("two"), status: 503, headers: retryAfter(second), to: requests[1])
        try await stage.pass(.seconds(100) - Self.tick)
        Route.markAllRead.ask(stage)
        #expect(await stage.pending().isEmpty)
        try await stage.pass(Self.tick)
        Route.markAllRead.ask(stage)
        #expect(await stage.pending().count == 1)
      }
    }
  }

  @Test func `a good answer means no delay, whatever its headers say, and ends none`() {
    play { stage in
      for route in Route.allCases {
        route.ask(stage)
        try await stage.answer(route.goodBody, headers: retryAfter("60"))
      }
      Route.list.ask(stage)
      Route.markRead.ask(stage)
      let requests = await stage.pending()
      try #require(requests.count == 2)
      try await stage.answer("", status: 429, headers: retryAfter("60"), to: requests[0])
      try await stage.answer(.page([]), to: requests[1])
      Route.list.ask(stage)
      #expect(await stage.pending().isEmpty)
    }
  }

  @Test(arguments: Route.inbox)
  func `it is asked again after the authorization`(route: Route) {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .zero, .seconds(2))
      Route.list.ask(stage)
      try await stage.pass(.milliseconds(1))
      let slow = route.ask(stage)
      try await stage.answer(.error("wait"), status: 429, headers: retryAfter("10"))
      try await stage.pass(.seconds(2))
      #expect(slow.error == .rateLimited(code: "wait"))
      #expect(stage.transport.sentCount == 1)
    }
  }

  @Test(arguments: Route.inbox)
  func `while it runs nobody is asked for a token`(route: Route) {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator)
      try await Self.refuse(route, on: stage)
      route.ask(stage)
      await stage.idle()
      #expect(tokens.askedCount == 1)
    }
  }

  @Test(arguments: Route.inbox)
  func `a refusal that comes too late keeps nobody away`(route: Route) {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      route.ask(stage)
      try await stage.pass(.seconds(3))
      try await stage.answer("", status: 429, headers: retryAfter("60"))
      let cancelled = route.ask(stage)
      await stage.idle()
      cancelled.cancel()
      try await stage.answer("", status: 429, headers: retryAfter("60"))
      let next = route.ask(stage)
      try await stage.answer(route.goodBody)
      #expect(next.value != nil)
    }
  }

  @Test func `a refusal of a batch that comes too late keeps no batch away`() {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      await stage.record(0..<101)
      stage.flush()
      let first = try #require(await stage.pending().first)
      try await stage.pass(.seconds(3))
      try await stage.answer("", status: 429, headers: retryAfter("60"), to: first)
      try await stage.answer(.accepted, status: 202)
      await stage.record(101..<102)
      stage.flush()
      #expect(await stage.pendingExposures() == [[101]])
      try await stage.answer(.accepted, status: 202)
    }
  }

  @Test func `a cancelled call is cancelled, also while it runs`() {
    play { stage in
      try await Self.refuse(.list, on: stage)
      let call = Route.list.ask(stage)
      call.cancel()
      await stage.idle()
      #expect(call.threwCancellation)
    }
  }

  @Test func `clients of one deployment wait each by itself`() {
    play { stage in
      try await Self.refuse(.list, on: stage)
      let other = FeatureControlNotificationsClient(
        configuration: stage.configuration, environment: stage.environment)
      let call = stage.ask { try await other.markAllRead() }
      try await stage.answer("{}")
      #expect(call.value != nil)
    }
  }
}
