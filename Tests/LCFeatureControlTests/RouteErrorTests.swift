import ClientCore
import LCFeatureControl
import Testing

/// The error table on every route (BEHAVIOUR §2 and §5); the parts that evaluations alone have are in `ErrorTests`.
@Suite struct RouteErrorTests {
  private static let table: [(Int, @Sendable (String) -> FeatureControlError)] = [
    (400, { .invalidContext(code: $0) }), (401, { .unauthorized(code: $0) }),
    (403, { .forbidden(code: $0) }), (429, { .rateLimited(code: $0) }),
    (301, { .server(code: $0, status: 301) }), (304, { .server(code: $0, status: 304) }),
    (404, { .server(code: $0, status: 404) }), (408, { .server(code: $0, status: 408) }),
    (409, { .server(code: $0, status: 409) }), (410, { .server(code: $0, status: 410) }),
    (413, { .server(code: $0, status: 413) }), (418, { .server(code: $0, status: 418) }),
    (500, { .server(code: $0, status: 500) }), (502, { .server(code: $0, status: 502) }),
    (503, { .server(code: $0, status: 503) }), (504, { .server(code: $0, status: 504) }),
    (599, { .server(code: $0, status: 599) }), (100, { .server(code: $0, status: 100) }),
  ]

  @Test(arguments: Route.allCases)
  func `each status is the case it is listed with and keeps the code of the body`(route: Route) {
    for (status, error) in Self.table {
      play(seeds: 0..<1) { stage in
        let call = route.ask(stage)
        try await stage.answer(.error("c"), status: status)
        #expect(call.error == error("c"), "\(status)")
      }
    }
  }

  @Test(
    arguments: Route.allCases,
    [
      "", "{}", "<html>", "[]", "null", "{", #"{"error":true}"#, #"{"code":""}"#, #"{"code":7}"#,
      #"{"code":null}"#, #"{"code":["c"]}"#, #"{"code":true}"#, #"{"error":{"code":"c"}}"#,
    ])
  func `without a code that is a text the status is the code`(route: Route, body: String) {
    for (status, error) in Self.table {
      play(seeds: 0..<1) { stage in
        let call = route.ask(stage)
        try await stage.answer(body, status: status)
        #expect(call.error == error("http_\(status)"), "\(status)")
      }
    }
  }

  @Test(arguments: Route.allCases)
  func `the code counts whether the body says that it is an error or not`(route: Route) {
    for body in [#"{"code":"c"}"#, #"{"error":false,"code":"c"}"#, #"{"code":"x","code":"c","more":[]}"#] {
      play(seeds: 0..<1) { stage in
        let call = route.ask(stage)
        try await stage.answer(body, status: 400)
        #expect(call.error == .invalidContext(code: "c"), "\(body)")
      }
    }
  }

  @Test(arguments: Route.allCases)
  func `a 200 that says it is an error is one`(route: Route) {
    for (body, code) in [
      (.error("degraded"), "degraded"), (#"{"error":true}"#, "http_200"),
      (#"{"error":true,"code":"partial","items":[],"flags":{}}"#, "partial"),
    ] as [(String, String)] {
      play(seeds: 0..<1) { stage in
        let call = route.ask(stage)
        try await stage.answer(body)
        #expect(call.error == .server(code: code, status: 200))
      }
    }
  }

  @Test(arguments: [Route.evaluate, .list], [201, 202, 204, 206])
  func `what is to be read needs a 200`(route: Route, status: Int) {
    play(seeds: 0..<1) { stage in
      let call = route.ask(stage)
      try await stage.answer(status == 204 ? "" : route.goodBody, status: status)
      #expect(call.error == .server(code: "http_\(status)", status: status))
    }
  }

  @Test(arguments: Route.allCases)
  func `no connection, no answer in time and a garbled body are transport errors`(route: Route) {
    play { stage in
      let offline = route.ask(stage)
      try await stage.failRequest()
      #expect(isTransport(offline.error, "connectionFailed"))
      let garbled = route.ask(stage)
      try await stage.answer("{\"flags")
      #expect(isTransport(garbled.error))
      let late = route.ask(stage)
      try await stage.pass(.seconds(3) - .nanoseconds(1))
      #expect(!late.isAnswered)
      try await stage.pass(.nanoseconds(1))
      #expect(isTransport(late.error, "no answer within 3"))
      #expect(stage.transport.cancelled.count == 1)
      let good = route.ask(stage)
      try await stage.answer(route.goodBody)
      #expect(good.value != nil, "none of it has consequences")
    }
  }

  @Test(arguments: Route.allCases)
  func `an answer a nanosecond before the timeout is in time`(route: Route) {
    play(seeds: 0..<2) { stage in
      let call = route.ask(stage)
      try await stage.pass(.seconds(3) - .nanoseconds(1))
      try await stage.answer(route.goodBody)
      #expect(call.value != nil)
    }
  }

  @Test(arguments: Route.allCases)
  func `a call that is answered in the instant of its timeout ends in one way`(route: Route) {
    play(seeds: 0..<20) { stage in
      let call = route.ask(stage)
      let request = try #require(await stage.pending().first)
      stage.simulator.spawn {
        try? await stage.simulator.clock.sleep(for: .seconds(3))
        stage.transport.respond(
          to: request, with: TransportResponse(status: 200, body: Array(route.goodBody.utf8)))
      }
      try await stage.pass(.seconds(3))
      #expect((call.value != nil) != isTransport(call.error))
    }
  }

  @Test(arguments: Route.allCases)
  func `a transport that does not heed its cancellation holds nobody up and its answer counts for nothing`(
    route: Route
  ) {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      let call = route.ask(stage)
      try await stage.pass(.seconds(3))
      #expect(isTransport(call.error, "no answer within 3"))
      try await stage.answer(.page(["late"]))
      #expect(stage.inbox?.skippedItemCount == 0)
      let cancelled = route.ask(stage)
      await stage.idle()
      cancelled.cancel()
      await stage.idle()
      #expect(cancelled.threwCancellation)
      try await stage.answer(#"{"items":[7]}"#)
      #expect(stage.inbox?.skippedItemCount == 0, "nobody was given that page")
    }
  }

  // MARK: Cancellation

  @Test(arguments: Route.allCases)
  func `the caller's own cancellation is a CancellationError at once and cancels the request`(route: Route) {
    play { stage in
      let call = route.ask(stage)
      #expect(await stage.pending().count == 1)
      call.cancel()
      await stage.idle()
      #expect(call.threwCancellation)
      #expect(stage.transport.pending.isEmpty && stage.transport.cancelled.count == 1)
    }
  }

  // apple/swift-openapi-urlsession PR#44 and #45, Automattic/wordpress-rs#1517 and #1518: a cancellation before the
  // request existed was lost.
  @Test(arguments: Route.allCases)
  func `a task that is cancelled already sends nothing`(route: Route) {
    play { stage in
      let call = route.ask(stage)
      call.cancel()
      await stage.idle()
      #expect(call.threwCancellation)
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test(arguments: Route.inbox)
  func `the cancellation of one call of the inbox is no other's`(route: Route) {
    play { stage in
      let calls = (0..<3).map { _ in route.ask(stage) }
      await stage.idle()
      calls[1].cancel()
      await stage.idle()
      #expect(calls[1].threwCancellation)
      #expect(!calls[0].isAnswered && !calls[2].isAnswered)
      for _ in 0..<2 { try await stage.answer(route.goodBody) }
      #expect(calls[0].value != nil && calls[2].value != nil)
    }
  }

  // MARK: Close

  @Test(arguments: Route.allCases)
  func `closing ends what is under way and later calls say so without a request`(route: Route) {
    play { stage in
      let call = route.ask(stage)
      await stage.idle()
      stage.manager?.close()
      stage.inbox?.close()
      await stage.idle()
      #expect(call.error == .transport(message: "the client is closed"))
      #expect(stage.transport.cancelled.count == 1)
      let late = route.ask(stage)
      await stage.idle()
      #expect(late.error == .transport(message: "the client is closed"))
      #expect(stage.transport.sentCount == 1)
    }
  }

  @Test(arguments: Route.inbox)
  func `a call keeps the inbox until it is answered, and then nothing does`(route: Route) {
    play { stage in
      let call = route.ask(stage)
      await stage.idle()
      weak let inbox = stage.inbox
      stage.letGo()
      await stage.idle()
      #expect(inbox != nil && !call.isAnswered)
      try await stage.answer(route.goodBody)
      #expect(call.value != nil && inbox == nil)
    }
  }

  @Test func `letting go of an inbox ends what its callers gave up on`() {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      let call = Route.list.ask(stage)
      await stage.idle()
      call.cancel()
      weak let inbox = stage.inbox
      stage.letGo()
      await stage.idle()
      #expect(call.threwCancellation && inbox == nil)
      try await stage.answer(.page([]))
    }
  }
}
