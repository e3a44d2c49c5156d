import ClientCore
import LCFeatureControl
import Testing

/// What a bad answer changes: as little as possible, and it never traps (BEHAVIOUR rule 1.8).
@Suite struct BadInputTests {
  // MARK: A flag that does not decode

  /// Flags of a wrong shape, each of which stands for `a` in an answer in which `b` is good.
  static let undecodable = [
    "null", "true", "1", "\"on\"", "[]", "[{}]", "{}",
    #"{"variant":"x"}"#, #"{"enabled":null}"#, #"{"enabled":1}"#, #"{"enabled":0}"#, #"{"enabled":"true"}"#,
    #"{"enabled":[true]}"#, #"{"enabled":true,"variant":1}"#, #"{"enabled":true,"variant":true}"#,
    #"{"enabled":true,"variant":["x"]}"#, #"{"enabled":true,"reason":0}"#, #"{"enabled":true,"reason":{}}"#,
  ]

  @Test(arguments: undecodable)
  func `a flag that does not decode is skipped and counted, keeps its stale value, and the rest is kept`(
    flag: String
  ) {
    play(seeds: 0..<2) { stage in
      let first = stage.evaluate("a", "b")
      try await stage.answer(.flags(["a": "old a", "b": "old b"]))
      #expect(first["a"] == .flight("old a"))
      try await stage.pass(.seconds(45))
      let call = stage.evaluate("a", "b")
      try await stage.answer(#"{"flags":{"a":\#(flag),"b":{"enabled":true,"variant":"new b"}}}"#)
      #expect(call["a"] == .stale("old a"))
      #expect(call["b"] == .flight("new b"))
      #expect(stage.manager?.skippedFlagCount == 1)
      #expect(stage.signals.contains(.skippedFlags(1)))
      let hit = stage.evaluate("b", "a")
      await stage.idle()
      #expect(hit["b"] == .fresh("new b"))
      #expect(hit["a"] == .stale("old a"), "no answer younger than the TTL carried it")
    }
  }

  @Test(arguments: ["null", #"{"enabled":1}"#])
  func `a flag that does not decode and has no stale value goes to the defaults`(flag: String) {
    play { stage in
      let call = stage.evaluate("a", "b")
      try await stage.answer(#"{"flags":{"a":\#(flag),"b":\#(flag)}}"#)
      #expect(call["a"] == .default)
      #expect(call.snapshot?.flags["b"] == nil && call.snapshot?.origin(of: "b") == nil)
      #expect(stage.manager?.skippedFlagCount == 2)
    }
  }

  @Test func `a key missing from a good answer goes to the defaults, held or not`() {
    play { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      let call = stage.evaluate()
      try await stage.answer(#"{"flags":{}}"#)
      #expect(call["a"] == .default)
      #expect(await stage.served() == .default, "a good answer is kept, also an empty one")
      #expect(stage.manager?.skippedFlagCount == 0)
    }
  }

  @Test func `that the service knows no such flag is an answer like any other`() {
    play { stage in
      let call = stage.evaluate("unknown")
      try await stage.answer(#"{"flags":{}}"#)
      #expect(call.snapshot == .empty)
      let hit = stage.evaluate("unknown")
      #expect(await stage.pending().isEmpty, "held for the TTL")
      #expect(hit.snapshot == .empty)
    }
  }

  // MARK: Fields

  @Test func `unknown fields and keys that were not asked for are ignored`() {
    play { stage in
      let call = stage.evaluate()
      try await stage.answer(
        #"""
        {"flags":{"a":{"enabled":true,"variant":"1","reason":"r","rollout":{"percent":5}},"b":{"enabled":3}},
        "error":false,"version":7,"took":null}
        """#)
      #expect(call.snapshot?.flags == ["a": .init(enabled: true, variant: "1", payload: nil, reason: "r")])
      #expect(stage.manager?.skippedFlagCount == 0, "nobody asked for b")
    }
  }

  @Test(arguments: [
    #"{"enabled":false}"#, #"{"enabled":false,"variant":null,"payload":null,"reason":null}"#,
  ])
  func `fields that are missing or null are none`(flag: String) {
    play(seeds: 0..<2) { stage in
      let call = stage.evaluate()
      try await stage.answer(#"{"flags":{"a":\#(flag)}}"#)
      #expect(call.snapshot?.flags["a"] == .init(enabled: false, variant: nil, payload: nil, reason: nil))
    }
  }

  // Eppo-exp/eppo-ios-sdk PR#97 (types confused), launchdarkly/ios-client-sdk changelog 5.4.2 to 5.4.4 (null inside an
  // array crashed the cache).
  @Test(
    arguments: [
      ("0", 0), ("1", 1), ("true", true), ("\"1\"", "1"), ("[null,1,true]", [nil, 1, true]), ("[]", []),
      ("{}", [:]), (#"{"a":{"b":[1.5,false]}}"#, ["a": ["b": [1.5, false]]]),
      ("12345678901234567890", 12345678901234567890.0),
    ] as [(String, FeatureControlValue)])
  func `a payload keeps its types`(text: String, payload: FeatureControlValue) {
    play(seeds: 0..<1) { stage in
      let call = stage.evaluate()
      try await stage.answer(#"{"flags":{"a":{"enabled":true,"payload":\#(text)}}}"#)
      #expect(call.snapshot?.flags["a"]?.payload == payload)
    }
  }

  // launchdarkly/ios-client-sdk changelog 5.4.2 to 5.4.4, amplitude PR#96: numbers too large for their type.
  @Test(arguments: ["1e400", "-1e400", "1e-400", String(repeating: "9", count: 500)])
  func `a number of any size does not trap, and what is held is an evaluation's answer`(text: String) {
    play(seeds: 0..<1) { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      let call = stage.evaluate()
      try await stage.answer(
        #"{"flags":{"a":{"enabled":true,"variant":"new","payload":\#(text)}}}"#)
      #expect(call["a"] == .flight("new") || call["a"] == .stale("held"))
      #expect(call.snapshot?.flags["a"]?.payload?.isWritable != false, "no infinite number reaches a caller")
    }
  }

  @Test func `of two members of one name the last one counts`() {
    play { stage in
      let call = stage.evaluate()
      try await stage.answer(
        #"{"flags":{"z":1},"flags":{"a":{"enabled":false},"a":{"enabled":false,"enabled":true,"variant":"last"}}}"#
      )
      #expect(call.snapshot?.flags["a"]?.enabled == true)
      #expect(call["a"] == .flight("last"))
    }
  }

  // MARK: A body that does not decode

  static let garbled: [String] = [
    "", " ", "null", "[]", "1", "\"flags\"", "true", "{", "{}", "}", "<html>504</html>", #"{"flags":null}"#,
    #"{"flags":[]}"#, #"{"flags":"a"}"#, #"{"flags":1}"#, #"{"flag":{}}"#, #"{"flags":{"a":{"enabled":true}"#,
    #"{"flags":{"a":{"enabled":true}}} trailing"#, #"{"flags":{"a":{"enabled":tru}}}"#, #"{'flags':{}}"#,
    String(repeating: "[", count: 100_000), #"{"flags":"# + String(repeating: #"{"a":"#, count: 10_000),
  ]

  // PostHog/posthog-ios PR#438 and #368: an answer without flags wiped good values.
  @Test(arguments: garbled)
  func `a body that does not decode changes nothing`(body: String) {
    play(seeds: 0..<1) { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      let safe = stage.evaluate()
      let throwing = stage.evaluateOrThrow()
      try await stage.answer(body)
      #expect(safe["a"] == .stale("held"))
      guard case .transport? = throwing.error else {
        Issue.record("expected .transport, got \(String(describing: throwing.error))")
        return
      }
      let next = stage.evaluate()
      #expect(await stage.pending().count == 1, "nothing negative is cached")
      try await stage.answer(.flags(["a": "new"]))
      #expect(next["a"] == .flight("new"))
    }
  }

  @Test func `bytes that are no text are a body that does not decode`() {
    play { stage in
      let call = stage.evaluateOrThrow()
      let request = try #require(await stage.pending().first)
      stage.transport.respond(
        to: request, with: TransportResponse(status: 200, body: [0xFF, 0xFE, 0x00, 0xC3, 0x28]))
      await stage.idle()
      guard case .transport? = call.error else {
        Issue.record("expected .transport, got \(String(describing: call.error))")
        return
      }
    }
  }

  @Test func `a deep payload within the reader's limit is kept and one beyond it changes nothing`() {
    play(seeds: 0..<1) { stage in
      func answer(_ depth: Int) -> String {
        let payload = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        return #"{"flags":{"a":{"enabled":true,"variant":"\#(depth)","payload":\#(payload)}}}"#
      }
      let shallow = stage.evaluate()
      try await stage.answer(answer(400))
      #expect(shallow["a"] == .flight("400"))
      try await stage.pass(.seconds(45))
      let deep = stage.evaluate()
      try await stage.answer(answer(100_000))
      #expect(deep["a"] == .stale("400"))
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `damaged answers never trap and never clear`(seed: UInt64) {
    play(seeds: 0..<1) { stage in
      let random = ControllableRandomSource(seed: seed)
      try await stage.fill("held")
      let whole = Array(
        #"{"flags":{"a":{"enabled":true,"variant":"v","payload":{"n":[1,null,true]},"reason":"r"}}}"#.utf8)
      for _ in 0..<20 {
        try await stage.pass(.seconds(45))
        var body = whole
        for _ in 0...(random.next() % 3) {
          body[Int(random.next() % UInt64(body.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        if random.next().isMultiple(of: 3) { body.removeLast(Int(random.next() % UInt64(body.count))) }
        let call = stage.evaluate()
        let request = try #require(await stage.pending().first)
        stage.transport.respond(to: request, with: TransportResponse(status: 200, body: body))
        await stage.idle()
        #expect(call.snapshot?.flags["a"] != nil)
      }
    }
  }
}
