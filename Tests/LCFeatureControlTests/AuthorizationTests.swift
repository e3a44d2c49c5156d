import ClientCore
import LCFeatureControl
import Synchronization
import Testing

/// How the requests of every route are authorized (BEHAVIOUR §2); what equal evaluations share is in `RequestTests`.
@Suite struct AuthorizationTests {
  private struct NoSession: Error {}

  /// A session whose token changes.
  private final class Session: Sendable {
    private let token = Mutex<String?>("first")

    func change(to token: String?) { self.token.withLock { $0 = token } }
    @Sendable func current() -> String? { token.withLock { $0 } }
  }

  private static func authorization(_ stage: Stage) async -> [String] {
    await stage.pending().map {
      $0.request.headers.filter { $0.matches("Authorization") }.map(\.value).joined()
    }
  }

  // supabase/supabase-js#1732, supabase-py#1655, supabase/realtime-js PR#126: the old token was used for ever.
  @Test(arguments: Route.allCases)
  func `the token is asked for at each request and never kept`(route: Route) {
    let session = Session()
    play(Setup(cacheTTL: .zero, auth: FeatureControlBearerAuth { session.current() })) { stage in
      for token in ["first", "second", "first"] {
        session.change(to: token)
        route.ask(stage)
        #expect(await Self.authorization(stage) == ["Bearer \(token)"])
        try await stage.answer(route.goodBody)
      }
    }
  }

  @Test func `the token is asked for at each batch and never kept`() {
    let session = Session()
    play(Setup(auth: FeatureControlBearerAuth { session.current() })) { stage in
      session.change(to: "first")
      await stage.record(0..<350)
      stage.flush()
      #expect(await Self.authorization(stage) == ["Bearer first"])
      session.change(to: "second")
      try await stage.answer(.accepted, status: 202)
      #expect(await Self.authorization(stage) == ["Bearer second"])
      session.change(to: nil)
      try await stage.answer(.accepted, status: 202)
      #expect(await stage.pending().isEmpty)
      #expect(stage.counts == .account(sent: 200, dropped: 150))
    }
  }

  @Test(arguments: Route.allCases)
  func `a refused token is asked for again by the next call only`(route: Route) {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator)
      let refused = route.ask(stage)
      try await stage.answer(.error("expired"), status: 401)
      #expect(refused.error == .unauthorized(code: "expired"))
      #expect(await stage.pending().isEmpty && tokens.askedCount == 1)
      route.ask(stage)
      #expect(await Self.authorization(stage) == ["Bearer token 2"])
    }
  }

  @Test(
    arguments: Route.allCases,
    [
      FeatureControlBearerAuth { nil }, FeatureControlBearerAuth { throw NoSession() },
      FeatureControlBearerAuth { throw CancellationError() },
      FeatureControlBearerAuth { throw FeatureControlError.rateLimited(code: "mine") },
    ])
  func `without a token there is no request`(route: Route, auth: FeatureControlBearerAuth) {
    play(Setup(auth: auth), seeds: 0..<2) { stage in
      let call = route.ask(stage)
      await stage.idle()
      #expect(call.error == .unauthorized(code: "no_token"))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test(arguments: [
    FeatureControlBearerAuth { nil }, FeatureControlBearerAuth { throw NoSession() },
    FeatureControlBearerAuth { throw CancellationError() },
  ])
  func `without a token batches are dropped and counted, and a flush ends`(auth: FeatureControlBearerAuth) {
    play(Setup(auth: auth), seeds: 0..<2) { stage in
      await stage.record(0..<250)
      let flush = stage.flush()
      await stage.idle()
      #expect(flush.isAnswered && stage.transport.sentCount == 0)
      #expect(stage.counts == .account(dropped: 250))
    }
  }

  @Test(arguments: Route.allCases)
  func `a slow token counts into the time of the request`(route: Route) {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(2))
      let call = route.ask(stage)
      try await stage.pass(.seconds(2))
      #expect(await stage.pending().count == 1)
      try await stage.pass(.seconds(1) - .nanoseconds(1))
      #expect(!call.isAnswered)
      try await stage.pass(.nanoseconds(1))
      #expect(isTransport(call.error, "no answer within 3"))
    }
  }

  @Test(arguments: Route.allCases, [false, true])
  func `a token that comes after the deadline sends nothing, whether its closure heeds cancellation or not`(
    route: Route, isStubborn: Bool
  ) {
    let tokens = TokenDesk(isStubborn: isStubborn)
    play(Setup(auth: FeatureControlBearerAuth(tokens.token)), seeds: 0..<3) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(60))
      let call = route.ask(stage)
      try await stage.pass(.seconds(3))
      #expect(isTransport(call.error, "no answer within 3"))
      try await stage.pass(.seconds(60))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test(arguments: [false, true])
  func `a token that comes after the deadline drops its batch, and the next has a time of its own`(
    isStubborn: Bool
  ) {
    let tokens = TokenDesk(isStubborn: isStubborn)
    play(Setup(auth: FeatureControlBearerAuth(tokens.token)), seeds: 0..<3) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(60), .seconds(2))
      await stage.record(0..<150)
      let flush = stage.flush()
      try await stage.pass(.seconds(5))
      #expect(await stage.pendingExposures() == [Array(100..<150)])
      try await stage.answer(.accepted, status: 202)
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(sent: 50, dropped: 100))
      try await stage.pass(.seconds(60))
      #expect(stage.transport.sentCount == 1)
    }
  }

  @Test(arguments: Route.allCases, [false, true])
  func `a caller that is cancelled while a token is fetched does not wait for it`(
    route: Route, isStubborn: Bool
  ) {
    let tokens = TokenDesk(isStubborn: isStubborn)
    play(Setup(auth: FeatureControlBearerAuth(tokens.token)), seeds: 0..<3) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(2))
      let call = route.ask(stage)
      try await stage.pass(.seconds(1))
      call.cancel()
      await stage.idle()
      #expect(call.threwCancellation)
      try await stage.pass(.seconds(2))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test(arguments: Route.allCases)
  func `the header strategy adds exactly its headers and no authorization`(route: Route) {
    let auth = FeatureControlHeaderAuth(headers: ["X-Z": "1", "X-BFF-Session": "abc"])
    play(Setup(auth: auth), seeds: 0..<2) { stage in
      route.ask(stage)
      let headers = try #require(await stage.pending().first).request.headers
      #expect(headers.suffix(2) == [HeaderField("X-BFF-Session", "abc"), HeaderField("X-Z", "1")])
      #expect(Set(headers.dropLast(2).map(\.name)).isSubset(of: ["Accept", "Content-Type"]))
    }
  }

  @Test func `the header strategy adds exactly its headers to a batch`() {
    play(seeds: 0..<1) { stage in
      await stage.record(0..<1)
      stage.flush()
      let headers = try #require(await stage.pending().first).request.headers
      #expect(headers.map(\.name) == ["Content-Type", "Accept", "X-BFF-Session"])
    }
  }

  @Test(arguments: Route.allCases)
  func `a strategy of the app's own adds what it gives`(route: Route) {
    struct Signature: FeatureControlAuthorizing {
      func authorizationHeaders() async throws -> [(name: String, value: String)] {
        [(name: "X-Signature", value: "s1"), (name: "X-Signature", value: "s2")]
      }
    }
    play(Setup(auth: Signature()), seeds: 0..<1) { stage in
      route.ask(stage)
      let headers = try #require(await stage.pending().first).request.headers
      #expect(headers.suffix(2) == [HeaderField("X-Signature", "s1"), HeaderField("X-Signature", "s2")])
    }
  }
}
