import ClientCore
import LCFeatureControl
import Stagecraft
import Testing

/// `invalidateCache()`: entries go, flights are fenced (BEHAVIOUR rules 1.4 and 1.5, §2).
@Suite struct InvalidationTests {
  @Test func `every entry is dropped, stale ones too`() {
    play { stage in
      try await stage.fill("old", as: .anna.with { $0.subjectId = "bert" })
      try await stage.pass(.seconds(45))
      try await stage.fill("new")
      await stage.manager?.invalidateCache()
      for context in [FeatureControlContext.anna, .anna.with { $0.subjectId = "bert" }] {
        let call = stage.evaluate("a", as: context)
        try await stage.failRequest()
        #expect(call["a"] == .default)
      }
    }
  }

  // mixpanel/mixpanel-swift PR#721, launchdarkly/ios-client-sdk#19 and #22: an answer from before the switch was kept.
  @Test func `a flight from before still answers its callers and fills no cache`() {
    play { stage in
      let before = stage.evaluate()
      await stage.idle()
      await stage.manager?.invalidateCache()
      try await stage.answer(.flags(["a": "before"]))
      #expect(before["a"] == .flight("before"))
      let after = stage.evaluate()
      #expect(await stage.pending().count == 1)
      try await stage.answer(.flags(["a": "after"]))
      #expect(after["a"] == .flight("after"))
      #expect(await stage.served() == .fresh("after"))
    }
  }

  @Test func `a call begun afterwards starts a flight of its own and whatever lands last it is the one kept`()
  {
    for oldLandsFirst in [true, false] {
      play { stage in
        let before = stage.evaluate()
        await stage.idle()
        await stage.manager?.invalidateCache()
        let after = stage.evaluate()
        let requests = await stage.pending()
        try #require(requests.count == 2)
        for place in oldLandsFirst ? [0, 1] : [1, 0] {
          try await stage.answer(.flags(["a": place == 0 ? "before" : "after"]), to: requests[place])
        }
        #expect(before["a"] == .flight("before"))
        #expect(after["a"] == .flight("after"))
        #expect(await stage.served() == .fresh("after"))
      }
    }
  }

  // clerk/clerk-ios PR#534: the old task's cleanup removed the newer in-flight entry.
  @Test func `the end of a fenced flight does not end the joining of the new one`() {
    play { stage in
      stage.evaluate()
      await stage.idle()
      await stage.manager?.invalidateCache()
      let after = stage.evaluate()
      try await stage.answer(.flags(["a": "before"]))
      let joined = stage.evaluate()
      #expect(await stage.pending().count == 1)
      try await stage.answer(.flags(["a": "after"]))
      #expect(after["a"] == .flight("after") && joined["a"] == .flight("after"))
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test func `a fenced flight is still cancelled with its last waiter`() {
    play { stage in
      let before = stage.evaluate()
      await stage.idle()
      await stage.manager?.invalidateCache()
      let after = stage.evaluate()
      await stage.idle()
      before.cancel()
      await stage.idle()
      #expect(stage.transport.cancelled.map(\.id) == [1])
      #expect(stage.transport.pending.map(\.id) == [2])
      try await stage.answer(.flags(["a": "after"]))
      #expect(after["a"] == .flight("after"))
    }
  }

  // CleverTap/clevertap-ios-sdk PR#448, supabase/supabase-swift PR#1374: the epoch is a counter, not the subject's id.
  @Test func `away and back to the same subject is a new epoch`() {
    play { stage in
      let first = stage.evaluate()
      await stage.idle()
      await stage.manager?.invalidateCache()
      await stage.manager?.invalidateCache()
      let again = stage.evaluate()
      let requests = await stage.pending()
      try #require(requests.count == 2)
      try await stage.answer(.flags(["a": "first time"]), to: requests[0])
      #expect(first["a"] == .flight("first time"))
      #expect(!again.isAnswered)
      try await stage.failRequest()
      #expect(again["a"] == .default, "nothing of the first time is held")
    }
  }

  @Test func `a fenced answer gives its callers nothing of what was dropped`() {
    play { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      let call = stage.evaluate()
      await stage.idle()
      await stage.manager?.invalidateCache()
      try await stage.answer(#"{"flags":{"a":"garbled"}}"#)
      #expect(call["a"] == .default)
    }
  }

  @Test func `a fenced answer borrows nothing from the epoch after it`() {
    play { stage in
      let before = stage.evaluate()
      let old = try #require(await stage.pending().first)
      await stage.manager?.invalidateCache()
      let after = stage.evaluate()
      let new = try #require(await stage.pending().last)
      try await stage.answer(.flags(["a": "after"]), to: new)
      #expect(after["a"] == .flight("after"))
      try await stage.answer(#"{"flags":{"a":"garbled"}}"#, to: old)
      #expect(before["a"] == .default)
      #expect(await stage.served() == .fresh("after"))
    }
  }

  @Test func `a failed flight from before degrades to the defaults`() {
    play { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      let call = stage.evaluate()
      await stage.idle()
      await stage.manager?.invalidateCache()
      try await stage.failRequest()
      #expect(call["a"] == .default)
    }
  }

  @Test func `invalidating ends no wait and opens no gate`() {
    play { stage in
      let call = stage.evaluateOrThrow()
      try await stage.answer(.error("slow_down"), status: 429, headers: [HeaderField("Retry-After", "60")])
      #expect(call.error == .rateLimited(code: "slow_down"))
      await stage.manager?.invalidateCache()
      let next = stage.evaluateOrThrow()
      #expect(await stage.pending().isEmpty)
      #expect(next.error == .rateLimited(code: "slow_down"))
    }
  }

  @Test func `no call begun after an invalidation gets an answer asked for before, in any order of steps`() {
    play(seeds: 0..<200) { stage in
      let early = (0..<4).map { _ in stage.evaluate() }
      let request = try #require(await stage.pending().first)
      let late = Call()
      stage.simulator.spawn {
        await stage.manager?.invalidateCache()
        guard let manager = stage.manager else { return }
        late.start(on: stage.simulator) { await manager.evaluate(keys: ["a"], context: .anna) }
      }
      stage.simulator.spawn {
        let before = TransportResponse(status: 200, body: Array(String.flags(["a": "before"]).utf8))
        stage.transport.respond(to: request, with: before)
      }
      await stage.idle()
      #expect(early.allSatisfy { $0["a"] == .flight("before") })
      #expect(!late.isAnswered)
      try await stage.answer(.flags(["a": "after"]))
      #expect(late["a"] == .flight("after"))
      #expect(await stage.served() == .fresh("after"))
    }
  }
}
