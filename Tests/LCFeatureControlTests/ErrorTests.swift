import ClientCore
import LCFeatureControl
import Testing

/// How a failure reaches a caller: the seed's cases, and the order of falling back (BEHAVIOUR §2).
@Suite struct ErrorTests {
  // MARK: Status and code

  @Test(arguments: [
    (400, FeatureControlError.invalidContext(code: "c")), (401, .unauthorized(code: "c")),
    (403, .forbidden(code: "c")), (429, .rateLimited(code: "c")), (404, .server(code: "c", status: 404)),
    (408, .server(code: "c", status: 408)), (409, .server(code: "c", status: 409)),
    (410, .server(code: "c", status: 410)), (413, .server(code: "c", status: 413)),
    (500, .server(code: "c", status: 500)), (502, .server(code: "c", status: 502)),
    (503, .server(code: "c", status: 503)), (504, .server(code: "c", status: 504)),
    (599, .server(code: "c", status: 599)), (301, .server(code: "c", status: 301)),
    (304, .server(code: "c", status: 304)), (200, .server(code: "c", status: 200)),
  ])
  func `each status has its case and keeps the code of the body`(status: Int, error: FeatureControlError) {
    play(seeds: 0..<2) { stage in
      let throwing = stage.evaluateOrThrow()
      let safe = stage.evaluate()
      try await stage.answer(.error("c"), status: status)
      #expect(throwing.error == error)
      #expect(safe["a"] == .default)
    }
  }

  @Test(arguments: [
    (400, FeatureControlError.invalidContext(code: "http_400")), (401, .unauthorized(code: "http_401")),
    (403, .forbidden(code: "http_403")), (429, .rateLimited(code: "http_429")),
    (404, .server(code: "http_404", status: 404)), (500, .server(code: "http_500", status: 500)),
  ])
  func `without a code in the body the status is the code`(status: Int, error: FeatureControlError) {
    for body in [
      "", "{}", "<html>", "[]", #"{"error":true}"#, #"{"code":""}"#, #"{"code":7}"#, #"{"code":null}"#,
    ] {
      play(seeds: 0..<1) { stage in
        let call = stage.evaluateOrThrow()
        try await stage.answer(body, status: status)
        #expect(call.error == error, "body \(body)")
      }
    }
  }

  @Test(arguments: [201, 202, 204, 206, 299])
  func `only 200 is a good answer`(status: Int) {
    play(seeds: 0..<1) { stage in
      let call = stage.evaluateOrThrow()
      try await stage.answer(.flags(["a": "1"]), status: status)
      #expect(call.error == .server(code: "http_\(status)", status: status))
    }
  }

  @Test(arguments: [
    (#"{"error":true,"code":"degraded"}"#, "degraded"), (#"{"error":true}"#, "http_200"),
    (#"{"flags":{"a":{"enabled":true}},"error":true,"code":"partial"}"#, "partial"),
  ])
  func `a 200 that says it is an error is one`(body: String, code: String) {
    play { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      let throwing = stage.evaluateOrThrow()
      let safe = stage.evaluate()
      try await stage.answer(body)
      #expect(throwing.error == .server(code: code, status: 200))
      #expect(safe["a"] == .stale("held"))
    }
  }

  @Test(arguments: ["false", "1", "\"true\"", "null", "{}"])
  func `a 200 whose error is not the truth value true is no error`(error: String) {
    play(seeds: 0..<1) { stage in
      let call = stage.evaluateOrThrow()
      try await stage.answer(#"{"error":\#(error),"flags":{"a":{"enabled":true,"variant":"1"}}}"#)
      #expect(call["a"] == .flight("1"))
    }
  }

  @Test func `a failed connection is a transport error`() {
    play { stage in
      let call = stage.evaluateOrThrow()
      try await stage.failRequest()
      guard case .transport(let message)? = call.error else {
        Issue.record("expected .transport, got \(String(describing: call.error))")
        return
      }
      #expect(message.contains("connectionFailed"))
    }
  }

  // MARK: Falling back

  /// Every way in which a request can fail.
  enum Failure: CaseIterable {
    case badRequest, unauthorized, forbidden, notFound, tooMany, server, envelope, garbled, connection,
      timeout

    func happen(on stage: Stage) async throws {
      switch self {
      case .badRequest: try await stage.answer("", status: 400)
      case .unauthorized: try await stage.answer("", status: 401)
      case .forbidden: try await stage.answer("", status: 403)
      case .notFound: try await stage.answer("", status: 404)
      case .tooMany: try await stage.answer("", status: 429)
      case .server: try await stage.answer("", status: 503)
      case .envelope: try await stage.answer(.error("degraded"))
      case .garbled: try await stage.answer("{")
      case .connection: try await stage.failRequest()
      case .timeout: try await stage.pass(.seconds(3))
      }
    }
  }

  @Test(arguments: Failure.allCases)
  func `each key falls back by itself: fresh, flight, stale, default, absent`(failure: Failure) {
    play { stage in
      let flight = stage.evaluate("a", "b", "c")
      try await stage.answer(.flags(["b": "1"]))
      #expect(flight["b"] == .flight("1") && flight["a"] == .default)
      let fresh = stage.evaluate("a", "b", "c")
      await stage.idle()
      #expect(fresh["b"] == .fresh("1") && fresh["a"] == .default)
      try await stage.pass(.seconds(45))
      let stale = stage.evaluate("a", "b", "c")
      try await failure.happen(on: stage)
      #expect(stale["b"] == .stale("1") && stale["a"] == .default)
      for call in [flight, fresh, stale] {
        #expect(call.snapshot?.flags["c"] == nil && call.snapshot?.origin(of: "c") == nil)
      }
      #expect(stage.signals.suffix(1) == [.servedHeld])
    }
  }

  @Test(arguments: Failure.allCases)
  func `a failure clears nothing and the next answer counts`(failure: Failure) {
    play(seeds: 0..<2) { stage in
      try await stage.fill("1")
      try await stage.pass(.seconds(45))
      for _ in 0..<3 {
        let call = stage.evaluate()
        try await failure.happen(on: stage)
        #expect(call["a"] == .stale("1"))
      }
      try await stage.fill("2")
      #expect(await stage.served() == .fresh("2"))
    }
  }

  // DataDog/dd-sdk-ios PR#3013: a failure renewed the entry.
  @Test func `a failure does not make an entry fresh`() {
    play { stage in
      try await stage.fill("1")
      try await stage.pass(.seconds(45))
      stage.evaluate()
      try await stage.answer("", status: 500)
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  @Test func `without keys nothing is asked and the snapshot is empty`() {
    let setup = Setup(transport: { _, _ in UnimplementedTransport { Issue.record("\($0)") } })
    play(setup) { stage in
      let safe = await stage.manager?.evaluate(keys: [], context: .anna)
      let throwing = try await stage.manager?.evaluateOrThrow(keys: [], context: .anna)
      #expect(safe == .empty && throwing == .empty)
      #expect(stage.signals.isEmpty)
    }
  }
}
