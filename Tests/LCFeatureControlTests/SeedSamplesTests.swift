import ClientCore
import LCFeatureControl
import Testing

// The samples of the seed as its readers will type them, in its order, and what they do.
//
// The sentences around them are in `SeedSentencesTests`. The package manifest's sample is not here: it is no code of a
// program.

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
  static let notification = Thing(id: "n1")
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
  private let notification = App.notification

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

  // swift-format-ignore
  private func inboxSample(
    _ client: FeatureControlNotificationsClient
  ) async throws -> [[FeatureControlNotification]] {
    let (items, nextCursor) = try await client.list(status: .unread, limit: 20)
    let (more, _) = try await client.list(status: .unread, limit: 20, cursor: nextCursor)

    try await client.markRead(id: notification.id)
    try await client.markAllRead()
    return [items, more]
  }

  /// The line of the inbox sample that makes its client.
  // swift-format-ignore
  private func inboxClientSample(
    _ configuration: FeatureControlConfiguration
  ) -> FeatureControlNotificationsClient {
    let client = FeatureControlNotificationsClient(configuration: configuration)
    return client
  }

  // swift-format-ignore
  private func exposureSample(_ manager: FeatureControlManager) async {
    await manager.recordExposure(FeatureControlExposureEvent(
        featureKey: "fc.checkout_v2", variant: "on",
        subjectType: .customer, storeId: store.id
    ))
    // ... later, e.g. on app background or a periodic timer:
    await manager.flushExposures()
  }

  /// The declaration of the errors, as a switch that compiles only if these are all the cases and their values.
  private func errorSample(_ error: FeatureControlError) -> String {
    switch error {
    case .invalidContext(code: let code): "400 \(code)"
    case .unauthorized(code: let code): "401 \(code)"
    case .forbidden(code: let code): "403 \(code)"
    case .rateLimited(code: let code): "429 \(code)"
    case .server(code: let code, status: let status): "\(status) \(code)"
    case .transport(message: let message): message
    }
  }

  // MARK: What they do

  @Test func `the evaluate sample works as written`() async {
    let configuration = configurationSample()
    // Cancelled, so that the real transport it is made with is not asked.
    let sample = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await evaluateSample(configuration)
    }
    #expect(await sample.value == [false])
  }

  @Test func `the inbox sample asks for two pages, marks one and marks all`() {
    let setup = Setup(auth: FeatureControlBearerAuth { "jwt" })
    play(setup) { stage in
      let client = try #require(stage.inbox)
      let sample = stage.ask { try await inboxSample(client) }
      for (method, path, body) in [
        ("GET", "?status=unread&limit=20", .page(["n1", "n2"], next: "\"next\"")),
        ("GET", "?status=unread&limit=20&cursor=next", .page(["n3"])), ("POST", "/n1/read", "{}"),
        ("POST", "/read-all", "{}"),
      ] as [(String, String, String)] {
        let request = try #require(await stage.pending().first).request
        #expect(request.method.name == method)
        #expect(request.url == "https://api.example.com/api/feature-control/notifications" + path)
        #expect(request.header("Authorization") == "Bearer jwt")
        try await stage.answer(body)
      }
      #expect(sample.value?.map { $0.map(\.id) } == [["n1", "n2"], ["n3"]])
    }
  }

  @Test func `the inbox's client is made of a configuration alone`() async {
    let client = inboxClientSample(configurationSample())
    client.close()
    await #expect(throws: FeatureControlError.transport(message: "the client is closed")) {
      try await inboxSample(client)
    }
  }

  @Test func `the exposure sample sends what it records`() {
    play { stage in
      let manager = try #require(stage.manager)
      let sample = stage.ask { await exposureSample(manager) }
      let request = try #require(await stage.pending().first)
      #expect(
        request.json == [
          "events": [
            [
              "featureKey": "fc.checkout_v2", "variant": "on", "subjectType": "customer", "storeId": "s1",
              "occurredAt": "1994-11-06T08:49:37.000Z",
            ]
          ]
        ])
      try await stage.answer(.accepted, status: 202)
      #expect(sample.isAnswered)
      #expect(manager.exposureCounts == .account(sent: 1))
    }
  }

  @Test func `the errors are the documented ones`() {
    #expect(errorSample(.invalidContext(code: "c")) == "400 c")
    #expect(errorSample(.unauthorized(code: "c")) == "401 c")
    #expect(errorSample(.forbidden(code: "c")) == "403 c")
    #expect(errorSample(.rateLimited(code: "c")) == "429 c")
    #expect(errorSample(.server(code: "c", status: 404)) == "404 c")
    #expect(errorSample(.transport(message: "m")) == "m")
    #expect(FeatureControlError.server(code: "c", status: 500) != .server(code: "c", status: 502))
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
}
