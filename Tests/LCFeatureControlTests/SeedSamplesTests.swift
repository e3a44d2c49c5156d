import ClientCore
import LCFeatureControl
import Testing

// The samples of the seed's evaluate part as its readers will type them, and its sentences as tests.
//
// Notifications and exposures are not here: their samples belong with their code.

/// The app around the samples, with the names that they use.
private enum App {
  actor Session {
    func currentJWT() -> String? { "jwt" }
  }
  struct Thing: Sendable { let id: String }

  static let session = Session()
  static let user = Thing(id: "u1")
  static let store = Thing(id: "s1")
  static let appVersion = "1.0"
  static let sessionToken = "abc"
}

/// Takes what the samples leave unused, so that they compile as they stand without a warning.
@resultBuilder private enum Sample {
  static func buildExpression(_ value: Bool?) -> [Bool?] { [value] }
  static func buildExpression(_ nothing: Void) -> [Bool?] { [] }
  static func buildBlock(_ parts: [Bool?]...) -> [Bool?] { parts.flatMap(\.self) }
}

@Suite struct SeedSamplesTests {
  private let session = App.session
  private let user = App.user
  private let store = App.store
  private let appVersion = App.appVersion
  private let sessionToken = App.sessionToken

  // MARK: The samples

  // Kept as the seed prints them, line for line.

  // swift-format-ignore
  private func configurationSample() -> FeatureControlConfiguration {
    let configuration = FeatureControlConfiguration(
        baseURL: "https://api.example.com",
        environment: "production",
        auth: FeatureControlBearerAuth { await session.currentJWT() }
    )
    return configuration
  }

  // swift-format-ignore
  private func bearerSample() -> FeatureControlBearerAuth {
    // Internal/admin app hitting Atomenta directly with a panel-role JWT.
    let auth = FeatureControlBearerAuth { await session.currentJWT() }
    return auth
  }

  // swift-format-ignore
  private func headerSample() -> FeatureControlHeaderAuth {
    // Customer app calling its own BFF, which enforces its own auth —
    // adds exactly the given headers, never synthesizes Authorization.
    let auth = FeatureControlHeaderAuth(headers: ["X-BFF-Session": sessionToken])
    return auth
  }

  // swift-format-ignore
  @Sample private func evaluateSample(_ configuration: FeatureControlConfiguration) async -> [Bool?] {
    let manager = FeatureControlManager(
        configuration: configuration,
        defaults: ["fc.checkout_v2": FeatureControlFlag(enabled: false, variant: nil,
                                                         payload: nil, reason: "default")]
    )

    let context = FeatureControlContext(subjectType: .customer, subjectId: user.id,
                                        storeId: store.id, platform: "ios",
                                        appVersion: appVersion)

    let snapshot = await manager.evaluate(keys: ["fc.checkout_v2"], context: context)
    snapshot.flags["fc.checkout_v2"]?.enabled   // Bool

    await manager.invalidateCache()   // call on user/store change
  }

  @Test func `the evaluate sample works as written`() async {
    let configuration = configurationSample()
    // Cancelled, so that the real transport it is made with is not asked.
    let sample = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await evaluateSample(configuration)
    }
    #expect(await sample.value == [false])
  }

  // MARK: Setup, sentence by sentence

  @Test func `the configuration has the documented defaults`() {
    let configuration = configurationSample()
    #expect(configuration.baseURL == "https://api.example.com")
    #expect(configuration.environment == "production")
    #expect(configuration.auth is FeatureControlBearerAuth)
    #expect(configuration.cacheTTL == .seconds(45))
    #expect(configuration.requestTimeout == .seconds(3))
    #expect(configuration.evaluatePath == "/api/feature-control/evaluate")
    #expect(configuration.notificationsPath == "/api/feature-control/notifications")
    #expect(configuration.telemetryPath == "/api/feature-control/telemetry/exposures")
  }

  @Test func `paths are overridden for a BFF that mounts the module elsewhere`() {
    let configuration = FeatureControlConfiguration(
      baseURL: "https://bff.example.com", environment: "staging", auth: headerSample(), cacheTTL: .seconds(1),
      requestTimeout: .milliseconds(500), evaluatePath: "/e", notificationsPath: "/n", telemetryPath: "/t")
    #expect(configuration.cacheTTL == .seconds(1))
    #expect(configuration.requestTimeout == .milliseconds(500))
    #expect(configuration.evaluatePath == "/e")
    #expect(configuration.notificationsPath == "/n")
    #expect(configuration.telemetryPath == "/t")
  }

  @Test func `the bearer strategy carries the present JWT`() async throws {
    let headers = try await bearerSample().authorizationHeaders()
    #expect(headers.map(\.name) == ["Authorization"])
    #expect(headers.map(\.value) == ["Bearer jwt"])
  }

  @Test func `the header strategy adds exactly the given headers and never synthesizes Authorization`()
    async throws
  {
    let headers = try await headerSample().authorizationHeaders()
    #expect(headers.map(\.name) == ["X-BFF-Session"])
    #expect(headers.map(\.value) == ["abc"])
  }

  // MARK: Evaluating flags, sentence by sentence

  private static let key = "fc.checkout_v2"
  private static let setup = Setup(
    auth: FeatureControlBearerAuth { "jwt" },
    defaults: [key: FeatureControlFlag(enabled: false, variant: nil, payload: nil, reason: "default")])

  /// The sample's context.
  private static let context = FeatureControlContext(
    subjectType: .customer, subjectId: App.user.id, storeId: App.store.id, platform: "ios",
    appVersion: App.appVersion)

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
}
