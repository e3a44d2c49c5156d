import ClientCore
import Foundation
import LCFeatureControl
import Testing

/// What is sent: address, headers, body, authorization (BEHAVIOUR §2).
@Suite struct RequestTests {
  private func body(_ request: ControllableTransport.PendingRequest?) -> String {
    String(decoding: request?.request.body ?? [], as: UTF8.self)
  }

  // MARK: Address and body

  @Test func `a request is the contract's, byte for byte`() {
    play { stage in
      stage.evaluate("b", "a", as: .anna.with { $0.attributes = ["tier": "gold", "age": 41, "new": true] })
      let request = try #require(await stage.pending().first)
      #expect(request.request.method == .post)
      #expect(request.request.url == "https://api.example.com/api/feature-control/evaluate")
      #expect(
        request.request.headers == [
          HeaderField("Content-Type", "application/json"), HeaderField("Accept", "application/json"),
          HeaderField("X-BFF-Session", "s"),
        ])
      #expect(
        body(request) == #"{"context":{"appVersion":"1.0","attributes":{"age":41,"new":true,"tier":"gold"},"#
          + #""platform":"ios","storeId":"s1","subjectId":"anna","subjectType":"customer"},"#
          + #""environment":"production","keys":["a","b"]}"#)
    }
  }

  @Test func `fields that are not set are not sent`() {
    play(seeds: 0..<1) { stage in
      stage.evaluate("a", as: FeatureControlContext(subjectType: .customer, subjectId: "anna"))
      #expect(
        body(await stage.pending().first)
          == #"{"context":{"subjectId":"anna","subjectType":"customer"},"environment":"production","keys":["a"]}"#
      )
    }
  }

  @Test func `keys are sent sorted, each once, and equal requests have equal bodies`() {
    play { stage in
      let keys = (0..<40).map { "key \($0 * 7 % 40)" }
      var attributes: [String: FeatureControlValue] = [:]
      for key in keys { attributes[key] = .string(key) }
      let context = FeatureControlContext.anna.with { $0.attributes = attributes }
      var bodies: Set<[UInt8]> = []
      for rotation in 0..<5 {
        let rotated = Array(keys[rotation...] + keys[..<rotation] + keys[..<3])
        // Another manager each time would be another dictionary; this one is asked afresh.
        let manager = stage.manager
        stage.simulator.spawn { _ = await manager?.evaluate(keys: rotated, context: context) }
        let request = try #require(await stage.pending().first)
        bodies.insert(request.request.body ?? [])
        try await stage.answer("", status: 500)
      }
      #expect(bodies.count == 1)
      let listed = #""keys":["# + keys.sorted().map { "\"\($0)\"" }.joined(separator: ",") + "]"
      #expect(String(decoding: bodies.first ?? [], as: UTF8.self).contains(listed))
    }
  }

  @Test(arguments: ["https://api.example.com/", "https://api.example.com///"])
  func `a slash at the end of the base URL is ignored`(baseURL: String) {
    play(Setup(baseURL: baseURL), seeds: 0..<1) { stage in
      stage.evaluate()
      #expect(
        await stage.pending().first?.request.url == "https://api.example.com/api/feature-control/evaluate")
    }
  }

  @Test(arguments: [
    "ключ", "\"\\/\n\t", "\u{0}\u{1F}\u{7F}", "é\u{1F600}\u{2028}", "a b&c=d%20+", "</script>",
  ])
  func `texts of any kind cross as they are`(text: String) {
    play(seeds: 0..<1) { stage in
      stage.evaluate(
        text,
        as: .anna.with { context in
          context.subjectId = text
          context.attributes = [text: .string(text)]
        })
      let sent = try JSONSerialization.jsonObject(with: Data(body(await stage.pending().first).utf8))
      let request = try #require(JSONValue(foundation: sent))
      #expect(request["keys"] == [.string(text)])
      #expect(request["context"]?["subjectId"] == .string(text))
      #expect(request["context"]?["attributes"] == .object([text: .string(text)]))
    }
  }

  // PostHog/posthog-ios PR#466, segmentio/analytics-ios#936: a value that JSON cannot hold raised when it was encoded.
  @Test(
    arguments: [
      .number(.nan), .number(.infinity), ["deep": [.number(-.infinity)]],
    ] as [FeatureControlValue])
  func `an attribute that JSON cannot hold is an error with a remedy, sends nothing and leaves nothing`(
    value: FeatureControlValue
  ) {
    play { stage in
      let context = FeatureControlContext.anna.with { $0.attributes = ["x": value] }
      let safe = stage.evaluate("a", as: context)
      let throwing = stage.evaluateOrThrow("a", as: context)
      await stage.idle()
      #expect(safe["a"] == .default)
      guard case .transport(let message)? = throwing.error else {
        Issue.record("expected .transport, got \(String(describing: throwing.error))")
        return
      }
      #expect(message.contains("leave it out"))
      #expect(stage.transport.sentCount == 0)
    }
  }

  // MARK: Authorization

  @Test func `the bearer strategy asks once for every request and never for a hit`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator)
      let calls = (0..<3).map { _ in stage.evaluate() }
      let first = try #require(await stage.pending().first)
      #expect(first.request.header("Authorization") == "Bearer token 1")
      #expect(first.request.headers.filter { $0.matches("Authorization") }.count == 1)
      try await stage.answer(.flags(["a": "1"]))
      #expect(calls.allSatisfy { $0["a"] == .flight("1") })
      #expect(await stage.served() == .fresh("1"))
      #expect(tokens.askedCount == 1)
      try await stage.pass(.seconds(45))
      stage.evaluate()
      #expect(await stage.pending().first?.request.header("Authorization") == "Bearer token 2")
      #expect(tokens.askedCount == 2)
    }
  }

  private struct NoSession: Error {}

  @Test(arguments: [
    FeatureControlBearerAuth { nil },
    FeatureControlBearerAuth { throw NoSession() },
    FeatureControlBearerAuth { throw CancellationError() },
    FeatureControlBearerAuth { throw FeatureControlError.forbidden(code: "mine") },
  ])
  func `without a token there is no request`(auth: FeatureControlBearerAuth) {
    play(Setup(auth: auth)) { stage in
      let throwing = stage.evaluateOrThrow()
      let safe = stage.evaluate()
      await stage.idle()
      #expect(throwing.error == .unauthorized(code: "no_token"))
      #expect(safe["a"] == .default)
      #expect(stage.transport.sentCount == 0)
    }
  }

  // firebase/firebase-ios-sdk#15474: everybody who needed a token refreshed it at once.
  @Test func `equal callers that wait for a slow token ask for it once`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(1))
      let calls = (0..<20).map { _ in stage.evaluate() }
      try await stage.pass(.milliseconds(500))
      let late = stage.evaluate()
      try await stage.pass(.milliseconds(500))
      #expect(tokens.askedCount == 1)
      try await stage.answer(.flags(["a": "1"]))
      #expect((calls + [late]).allSatisfy { $0["a"] == .flight("1") })
      #expect(tokens.askedCount == 1)
    }
  }

  @MainActor private final class LoginScreen {
    var token: String? = "typed"
  }

  // launchdarkly/ios-client-sdk PR#454: a closure made on the main actor was run off it and crashed a Swift 6 host;
  // launchdarkly/ios-client-sdk#273: a read on the main thread waited for a queue that needed the main thread.
  @Test(.timeLimit(.minutes(1))) @MainActor
  func `a strategy made on the main actor may be asked from anywhere`() async throws {
    let screen = LoginScreen()
    let transport = ControllableTransport()
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = ControllableClock().clock
    environment.spawner = ControllableSpawner()
    environment.transport = transport
    let manager = FeatureControlManager(
      configuration: FeatureControlConfiguration(
        baseURL: "https://api.example.com", environment: "production",
        auth: FeatureControlBearerAuth { await screen.token }),
      environment: environment)
    async let snapshot = manager.evaluate(keys: ["a"], context: .anna)
    let pending = try await transport.nextRequest()
    #expect(pending.request.header("Authorization") == "Bearer typed")
    let body = Array(String.flags(["a": "1"]).utf8)
    transport.respond(to: pending, with: TransportResponse(status: 200, body: body))
    #expect(await snapshot.origin(of: "a") == .flight)
    manager.close()
  }

  @Test func `the next call asks for a token again`() {
    let tokens = TokenDesk()
    let auth = FeatureControlBearerAuth { try await tokens.token() == "token 1" ? nil : "second" }
    play(Setup(auth: auth)) { stage in
      tokens.open(on: stage.simulator)
      let first = stage.evaluateOrThrow()
      await stage.idle()
      #expect(first.error == .unauthorized(code: "no_token"))
      stage.evaluate()
      #expect(await stage.pending().first?.request.header("Authorization") == "Bearer second")
    }
  }

  @Test func `the header strategy adds exactly its headers and no authorization`() {
    let auth = FeatureControlHeaderAuth(headers: ["X-Z": "1", "X-BFF-Session": "abc", "x-a": "2"])
    play(Setup(auth: auth)) { stage in
      stage.evaluate()
      let headers = try #require(await stage.pending().first).request.headers
      #expect(!headers.contains { $0.matches("Authorization") })
      #expect(
        headers.dropFirst(2) == [
          HeaderField("X-BFF-Session", "abc"), HeaderField("X-Z", "1"), HeaderField("x-a", "2"),
        ])
    }
  }

  @Test func `an empty header strategy adds nothing`() {
    play(Setup(auth: FeatureControlHeaderAuth(headers: [:])), seeds: 0..<1) { stage in
      stage.evaluate()
      #expect(await stage.pending().first?.request.headers.map(\.name) == ["Content-Type", "Accept"])
    }
  }

  // MARK: Signals

  @Test func `what the observer is told holds neither values nor tokens nor subjects`() {
    play { stage in
      try await stage.fill("secret")
      _ = await stage.served()
      let text = "\(stage.signals)"
      #expect(stage.signals == [.startedFlight, .servedFresh])
      #expect(!text.contains("secret") && !text.contains("anna"))
    }
  }
}
