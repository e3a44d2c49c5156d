import ClientCore
import LCFeatureControl
import Testing

/// Age, and what a cache entry belongs to (BEHAVIOUR rules 1.1 and 1.3, §2).
@Suite struct FreshnessTests {
  private static let tick = Duration.nanoseconds(1)

  // MARK: The half-open TTL

  @Test func `an entry is fresh for one nanosecond less than the TTL and asks at the TTL`() {
    play { stage in
      try await stage.fill("1")
      try await stage.pass(.seconds(45) - Self.tick)
      let young = stage.evaluate()
      #expect(await stage.pending().isEmpty, "a fresh hit makes no request")
      #expect(young["a"] == .fresh("1"))
      try await stage.pass(Self.tick)
      let old = stage.evaluate()
      #expect(await stage.pending().count == 1)
      #expect(!old.isAnswered)
      try await stage.answer(.flags(["a": "2"]))
      #expect(old["a"] == .flight("2"))
    }
  }

  @Test func `age counts from the receipt of the answer and not from its request`() {
    play { stage in
      let slow = stage.evaluate()
      try await stage.pass(.seconds(2))
      try await stage.answer(.flags(["a": "1"]))
      #expect(slow["a"] == .flight("1"))
      try await stage.pass(.seconds(45) - Self.tick)
      let young = stage.evaluate()
      await stage.idle()
      #expect(young["a"] == .fresh("1"))
      try await stage.pass(Self.tick)
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  @Test func `a hit does not make an entry younger`() {
    play { stage in
      try await stage.fill("1")
      for _ in 0..<8 {
        try await stage.pass(.seconds(5))
        #expect(await stage.served() == .fresh("1"))
      }
      try await stage.pass(.seconds(5))
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  // spotify/SPTDataLoader PR#189, getsentry/sentry-java PR#6100, bitwarden/mobile PR#1175: intervals computed from the
  // wall clock were stretched or cut when somebody set it.
  @Test(arguments: [-86_400, 86_400] as [Int64])
  func `a wall clock that jumps by a day changes nothing`(seconds: Int64) {
    play { stage in
      try await stage.fill("1")
      stage.wallClock.jump(by: .seconds(seconds))
      #expect(await stage.served() == .fresh("1"))
      try await stage.pass(.seconds(45) - Self.tick)
      #expect(await stage.served() == .fresh("1"))
      stage.wallClock.jump(by: .seconds(-seconds))
      try await stage.pass(Self.tick)
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  @Test func `without a TTL every call asks and the entry is still what it falls back on`() {
    play(Setup(cacheTTL: .zero)) { stage in
      try await stage.fill("1")
      let call = stage.evaluate()
      try await stage.failRequest()
      #expect(call["a"] == .stale("1"))
    }
  }

  // rudderlabs/rudder-sdk-ios#46: a TTL in the wrong unit; Flagsmith/flagsmith#6003: the server's cache headers
  // overrode the caller's TTL.
  @Test func `the TTL is the caller's whatever the answer's headers say`() {
    play(Setup(cacheTTL: .milliseconds(1_500))) { stage in
      let call = stage.evaluate()
      try await stage.answer(
        .flags(["a": "1"]),
        headers: [HeaderField("Cache-Control", "max-age=3600"), HeaderField("Expires", "0")])
      #expect(call["a"] == .flight("1"))
      try await stage.pass(.milliseconds(1_500) - Self.tick)
      #expect(await stage.served() == .fresh("1"))
      try await stage.pass(Self.tick)
      stage.evaluate()
      #expect(await stage.pending().count == 1)
    }
  }

  // MARK: What an entry belongs to

  @Test(arguments: [
    FeatureControlContext.anna.with { $0.storeId = "s2" },
    .anna.with { $0.storeId = nil },
    .anna.with { $0.attributes = ["tier": "gold"] },
    .anna.with { $0.subjectType = .init(rawValue: "panel") },
  ])
  func `store and attributes are no part of the cache key`(context: FeatureControlContext) {
    play { stage in
      try await stage.fill("1")
      let call = stage.evaluate("a", as: context)
      await stage.idle()
      #expect(call["a"] == .fresh("1"))
      #expect(stage.transport.sentCount == 1)
    }
  }

  // statsig-kit commits 92c7aa7, 52d8be2 and deb12f4, Flagsmith/flagsmith-ios-client#105: keys that left out an input.
  // growthbook/growthbook-swift PR#130: values and the context they belong to were not swapped together.
  @Test(arguments: [
    FeatureControlContext.anna.with { $0.subjectId = "bert" },
    .anna.with { $0.platform = "android" },
    .anna.with { $0.platform = nil },
    .anna.with { $0.appVersion = "1.0.1" },
    .anna.with { $0.appVersion = nil },
  ])
  func `subject, platform and version are part of the cache key`(context: FeatureControlContext) {
    play { stage in
      try await stage.fill("1")
      let call = stage.evaluate("a", as: context)
      try await stage.failRequest()
      #expect(call["a"] == .default, "no stale value of another cache key")
    }
  }

  // DataDog/dd-sdk-ios PR#3167: the new user's request timed out and reads gave the other user's variation.
  @Test func `a new subject whose request times out gets nothing of the one before`() {
    play { stage in
      try await stage.fill("anna's")
      let call = stage.evaluate("a", as: .anna.with { $0.subjectId = "bert" })
      try await stage.pass(.seconds(3))
      #expect(call["a"] == .default)
      #expect(await stage.served() == .fresh("anna's"))
    }
  }

  @Test func `the keys are part of the cache key as a set`() {
    play { stage in
      let first = stage.evaluate("b", "a", "b")
      try await stage.answer(.flags(["a": "1", "b": "2"]))
      #expect(first["b"] == .flight("2"))
      let reordered = stage.evaluate("a", "b")
      await stage.idle()
      #expect(reordered["a"] == .fresh("1"))
      let part = stage.evaluate("a")
      try await stage.failRequest()
      #expect(part["a"] == .default, "an entry of other keys is another entry")
    }
  }

  @Test func `composite keys cannot run together`() {
    play { stage in
      let contexts = [("a|b", "c"), ("a", "b|c"), ("a|b|c", ""), ("", "a|b|c")].map { subject, platform in
        FeatureControlContext.anna.with { context in
          context.subjectId = subject
          context.platform = platform
        }
      }
      let calls = contexts.map { stage.evaluate("a", as: $0) }
      #expect(await stage.pending().count == contexts.count)
      for request in await stage.pending() { try await stage.answer(.flags(["a": "1"]), to: request) }
      #expect(calls.allSatisfy { $0["a"] == .flight("1") })
      for keys in [["a|b", "c"], ["a", "b|c"], ["a,b", "c"], ["a", "b,c"]] {
        stage.evaluate(keys[0], keys[1])
      }
      #expect(await stage.pending().count == 4)
    }
  }

  // launchdarkly/ios-client-sdk PR#347: a second environment used the first one's store.
  @Test func `managers share nothing`() {
    play { first in
      try await first.fill("1")
      play(seeds: 0..<1) { second in
        let call = second.evaluate()
        try await second.failRequest()
        #expect(call["a"] == .default)
      }
      #expect(await first.served() == .fresh("1"))
    }
  }

  // MARK: Capacity

  @Test func `128 entries are kept and the least recently used goes first`() {
    play(seeds: 0..<1) { stage in
      func user(_ number: Int) -> FeatureControlContext { .anna.with { $0.subjectId = "\(number)" } }
      for number in 0..<128 { try await stage.fill("\(number)", as: user(number)) }
      #expect(
        await stage.served(as: user(0)) == .fresh("0"), "all are held, and this one is now the youngest")
      try await stage.fill("128", as: user(128))
      #expect(stage.transport.sentCount == 129)
      for number in [0, 2, 3, 127, 128] {
        #expect(await stage.served(as: user(number)) == .fresh("\(number)"))
      }
      let gone = stage.evaluate("a", as: user(1))
      try await stage.failRequest()
      #expect(gone["a"] == .default)
    }
  }

  @Test func `a cancelled caller that had made a request calls nothing fresh`() {
    play { stage in
      let first = stage.evaluate()
      await stage.idle()
      stage.evaluate("a", as: .anna.with { $0.storeId = "s2" })
      let requests = await stage.pending()
      try await stage.answer(.flags(["a": "2"]), to: requests[1])
      first.cancel()
      await stage.idle()
      #expect(first["a"] == .stale("2"))
    }
  }
}

extension Stage {
  /// What a call is answered that must need no request.
  func served(as context: FeatureControlContext = .anna) async -> Seen? {
    let sent = transport.sentCount
    let call = evaluate("a", as: context)
    await idle()
    #expect(transport.sentCount == sent, "a request was made")
    return call["a"]
  }
}
