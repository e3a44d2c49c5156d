import ClientCore
import LCFeatureControl
import Testing

/// Bugs of other flag clients that no other suite here is about.
///
/// Most reports are cited where their rule is tested; this is the rest, each as the kind of bug that it is.
@Suite struct ReportedBugsTests {
  // Unleash/unleash-ios-sdk PR#6: a header was looked up in one spelling only.
  @Test(arguments: ["retry-after", "RETRY-AFTER", "Retry-after"])
  func `headers are found in any case`(name: String) {
    for route in Route.allCases {
      play(seeds: 0..<1) { stage in
        route.ask(stage)
        let headers = [HeaderField(name, "60"), HeaderField("dAtE", "Sun, 06 Nov 1994 08:49:37 GMT")]
        try await stage.answer("", status: 429, headers: headers)
        route.ask(stage)
        #expect(await stage.pending().isEmpty)
      }
    }
  }

  // PostHog/posthog-ios PR#623, #674, #693 and #701: after 408, 502, 504 or a lost connection nothing was asked again.
  @Test(arguments: Route.allCases, [nil, 408, 502, 504, 500, 401, 404, 410, 413, 429] as [Int?])
  func `no failure keeps the next call from asking`(route: Route, status: Int?) {
    play(seeds: 0..<2) { stage in
      for _ in 0..<3 {
        let failed = route.ask(stage)
        if let status { try await stage.answer("", status: status) } else { try await stage.failRequest() }
        #expect(failed.error != nil)
      }
      let good = route.ask(stage)
      try await stage.answer(route.goodBody)
      #expect(good.value != nil)
      #expect(stage.transport.sentCount == 4)
    }
  }

  // adobe/aepsdk-core-ios PR#105, launchdarkly/ios-client-sdk changelog 5.4.3: a 304 without a body was decoded as no
  // flags, or never completed the call.
  @Test func `a 304 that nobody asked for clears and renews nothing`() {
    play { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      for _ in 0..<2 {
        let safe = stage.evaluate()
        let throwing = stage.evaluateOrThrow()
        try await stage.answer("", status: 304, headers: [HeaderField("ETag", "\"1\"")])
        #expect(safe["a"] == .stale("held"))
        #expect(throwing.error == .server(code: "http_304", status: 304))
      }
      stage.evaluate()
      let request = try #require(await stage.pending().first).request
      #expect(!request.headers.contains { $0.matches("If-None-Match") })
    }
  }

  // statsig-kit commit 768cb21: of contexts with the same ids the last answer won, not the last call;
  // spotify/confidence-sdk-swift PR#103 and PR#212, open-feature/swift-sdk PR#84 and PR#114: contexts set in parallel.
  @Test
  func `of calls with one cache key the last call's answer is kept, in whatever order they are answered`() {
    let stores = ["s1", "s2", "s3"]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      play(seeds: 0..<2) { stage in
        var calls: [Call] = []
        for store in stores {
          calls.append(stage.evaluate("a", as: .anna.with { $0.storeId = store }))
          await stage.idle()
        }
        let requests = await stage.pending()
        try #require(requests.count == 3)
        for index in order { try await stage.answer(.flags(["a": stores[index]]), to: requests[index]) }
        for (call, store) in zip(calls, stores) {
          #expect(call["a"] == .flight(store), "each its own answer")
        }
        #expect(await stage.served() == .fresh("s3"))
      }
    }
  }

  // PostHog/posthog-ios#456 and PR#501: a call for another subject was dropped while one was under way.
  @Test func `a call for another subject while one is out is asked and answered too`() {
    play { stage in
      let anna = stage.evaluate()
      let bert = stage.evaluate("a", as: .anna.with { $0.subjectId = "bert" })
      let requests = await stage.pending()
      try #require(requests.count == 2)
      for request in requests {
        let subject = request.json?["context"]?["subjectId"]?.stringValue ?? "nobody"
        try await stage.answer(.flags(["a": subject]), to: request)
      }
      #expect(anna["a"] == .flight("anna") && bert["a"] == .flight("bert"))
    }
  }

  // Flagsmith/flagsmith-ios-client PR#90 and PR#91: what was to come from the cache alone reached the network.
  @Test func `what the cache can answer reaches neither network nor token`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator)
      try await stage.fill("1")
      for _ in 0..<10 {
        try await stage.pass(.seconds(4))
        #expect(await stage.served() == .fresh("1"))
        let throwing = stage.evaluateOrThrow()
        await stage.idle()
        #expect(throwing["a"] == .fresh("1"))
      }
      #expect(stage.transport.sentCount == 1 && tokens.askedCount == 1)
    }
  }

  // wordpress-mobile/WordPress-iOS#25665, DataDog/dd-sdk-ios PR#3013: every path that could ask did ask.
  @Test func `a day of callers asks once for each window`() {
    play(Setup(cacheTTL: .seconds(3_600)), seeds: 0..<1) { stage in
      for _ in 0..<24 {
        let first = (0..<3).map { _ in stage.evaluate() }
        try await stage.answer(.flags(["a": "1"]))
        #expect(first.allSatisfy { $0["a"] == .flight("1") })
        for _ in 0..<11 {
          try await stage.pass(.seconds(300))
          #expect(await stage.served() == .fresh("1"))
        }
        try await stage.pass(.seconds(300))
      }
      #expect(stage.transport.sentCount == 24)
    }
  }

  // PostHog/posthog-ios#211 and PR#232, Eppo-exp/eppo-ios-sdk PR#34 and PR#53, splitio/ios-client PR#260: what a client
  // leaves out as a repetition, its app cannot count. Telling repetitions apart is the app's here.
  @Test func `every exposure that is recorded is sent, whatever was recorded or evaluated before`() {
    play { stage in
      await stage.record([1, 1])
      stage.flush()
      #expect(await stage.pendingExposures() == [[1, 1]])
      try await stage.answer(.accepted, status: 202)
      try await stage.fill("1")
      _ = await stage.served()
      await stage.record([1])
      stage.flush()
      #expect(await stage.pendingExposures() == [[1]], "and an evaluation records nothing by itself")
    }
  }

  // rudderlabs/rudder-sdk-ios#46: hours and seconds were mixed up.
  @Test func `times are durations, with their unit`() {
    let configuration = FeatureControlConfiguration(
      baseURL: "https://api.example.com", environment: "production",
      auth: FeatureControlHeaderAuth(headers: [:]), cacheTTL: .milliseconds(1_500),
      requestTimeout: .seconds(2))
    #expect(configuration.cacheTTL == .seconds(1.5))
    let setup = Setup(cacheTTL: configuration.cacheTTL, requestTimeout: configuration.requestTimeout)
    play(setup) { stage in
      let call = stage.evaluate()
      try await stage.pass(.milliseconds(1_999))
      #expect(!call.isAnswered)
      try await stage.answer(.flags(["a": "1"]))
      try await stage.pass(.milliseconds(1_499))
      #expect(await stage.served() == .fresh("1"))
      try await stage.pass(.milliseconds(1))
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }
}
