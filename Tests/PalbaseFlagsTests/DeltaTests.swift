import ClientCore
import Palbase
import PalbaseFlags
import Testing

@Suite struct DeltaTests {
  @Test func `a delta changes and deletes what it names and keeps the rest`() {
    play { stage in
      try await stage.fill(5, ["a": "1", "b": "1", "c": "1"])
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=5")
      #expect(try await stage.request().query["platform"] == "ios")
      try await stage.answer(.delta(since: 5, 8, ["b": "2", "d": "4"], deleted: ["c", "never"]))
      #expect(try stage.flags.all == ["a": 1, "b": 2, "d": 4])
      #expect(try stage.flags.status.version == 8)
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=8")
      try await stage.answerUnchanged()
    }
  }

  @Test func `nothing newer leaves values and version`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      let call = try stage.refresh()
      try await stage.answerUnchanged()
      #expect(call.isDone)
      #expect(try stage.flags.status.version == 5)
      #expect(await stage.pending().isEmpty)
    }
  }

  // Unleash/unleash PR#9203: a filtered change left the client behind for ever.
  @Test func `the version moves also when nothing visible changed, and nobody is told`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      let listening = try stage.listen()
      try stage.refresh()
      try await stage.answer(.delta(since: 5, 9))
      #expect(try stage.flags.status.version == 9)
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=9")
      try await stage.answer(.delta(since: 9, 10, ["a": "1"]))
      #expect(listening.heard == [])
      #expect(stage.signals.filter { $0.hasPrefix("appliedVersion") }.count == 3)
    }
  }

  @Test func `a delta onto another base changes nothing, and a snapshot is read next`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      let call = try stage.refresh()
      try await stage.answer(.delta(since: 4, 6, ["a": "2"]))
      #expect(call.error == .server(code: "delta_base", status: 200))
      #expect(try stage.flags.int("a", default: 0) == 1)
      let next = try stage.refresh()
      #expect(try await stage.request().target == "/flags/snapshot")
      try await stage.answer(.snapshot(6, ["a": "2"]))
      #expect(next.isDone)
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test(arguments: [
    "", "{}", #"{"since":5,"version":6,"changed":{}}"#, #"{"since":5,"version":6,"deleted":[]}"#,
    #"{"since":5,"version":6,"changed":{"a":{"value":2,"source":"default"}},"deleted":[7]}"#,
    #"{"since":5,"version":6,"changed":{"a":{"value":2,"source":"default"}},"deleted":["#,
  ])
  func `a delta that does not decode is applied neither whole nor in part`(body: String) {
    play(seeds: 0..<2) { stage in
      try await stage.fill(5, ["a": "1"])
      let call = try stage.refresh()
      try await stage.answer(body)
      guard case .transport? = call.error else {
        Issue.record("the call did not fail: \(String(describing: call.error))")
        return
      }
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.status.version == 5)
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=5")
      try await stage.answer(.delta(since: 5, 6))
    }
  }

  // launchdarkly/ios-client-sdk changelog 6.2.0: a late patch revived a deleted flag.
  @Test func `an older answer changes nothing and is asked for again`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      try stage.refresh()
      try await stage.answer(.delta(since: 5, 7, deleted: ["a"]))
      let call = try stage.refresh()
      try await stage.answer(.delta(since: 7, 6, ["a": "0"]))
      #expect(call.error == .server(code: "older_answer", status: 200))
      #expect(try stage.flags.all == [:])
      #expect(try stage.flags.status.version == 7)
      #expect(try await stage.nextRequest().target == "/flags/delta?since=7")
      try await stage.answerUnchanged()
      try await stage.pass(.seconds(10))
      #expect(await stage.pending().isEmpty)
    }
  }

  @Test func `a flag of a delta that does not decode keeps what was held of it`() {
    play { stage in
      try await stage.fill(5, ["a": "1", "b": "1"])
      try stage.refresh()
      try await stage.answer(.delta(since: 5, 6, ["a": .brokenFlag, "b": "2"]))
      #expect(try stage.flags.all == ["a": 1, "b": 2])
      #expect(try stage.flags.status.version == 6)
      #expect(try stage.flags.status.skippedFlags == 1)
    }
  }

  @Test func `a rollback is old content under a new version`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      try stage.refresh()
      try await stage.answer(.delta(since: 5, 6, ["a": "2"]))
      try stage.refresh()
      try await stage.answer(.delta(since: 6, 7, ["a": "1"]))
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.status.version == 7)
    }
  }
}

@Suite struct GoneTests {
  @Test(arguments: ["context_changed", "audiences_changed", "deletions_expired"])
  func `a version that is no base any more is followed by one snapshot at once`(reason: String) {
    play { stage in
      try await stage.fill(5, ["a": "1", "b": "1"], etag: "\"five\"")
      let call = try stage.refresh()
      try await stage.answer(#"{"error":"gone","reason":"\#(reason)"}"#, status: 410)
      let request = try await stage.request()
      #expect(request.target == "/flags/snapshot")
      #expect(request.header("If-None-Match") == "\"five\"")
      #expect(!call.isAnswered)
      #expect(try stage.flags.int("a", default: 0) == 1, "the values stay until the snapshot is there")
      try await stage.answer(.snapshot(5, ["a": "2"]))
      #expect(call.isDone)
      #expect(try stage.flags.all == ["a": 2])
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=5")
      try await stage.answerUnchanged()
    }
  }

  @Test func `no delta is sent before a snapshot has been applied`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      let call = try stage.refresh()
      try await stage.answerGone()
      try await stage.answer("", status: 503)
      #expect(call.error == .server(code: "http_503", status: 503))
      for _ in 0..<5 {
        #expect(try await stage.nextRequest(within: .seconds(61)).target == "/flags/snapshot")
        try await stage.answer("", status: 503)
      }
      #expect(try await stage.nextRequest(within: .seconds(61)).target == "/flags/snapshot")
      try await stage.answer(.snapshot(6, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test func `410 for ever stays within the backoff and never repeats a delta`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      try stage.refresh()
      try await stage.answerGone()
      let first = stage.transport.sentCount
      try await stage.answerGone()
      let end = stage.now + .seconds(600)
      while stage.now < end {
        for request in await stage.pending() {
          #expect(request.target == "/flags/snapshot")
          try await stage.answerGone()
        }
        try await stage.pass(.milliseconds(100))
      }
      // Gaps of 30 s on average once they have grown, and never a burst.
      #expect((10...60).contains(stage.transport.sentCount - first))
      #expect(try stage.flags.int("a", default: 0) == 1)
      try await stage.answerLater(.snapshot(6, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test func `the version stays the floor after 410`() {
    play { stage in
      try await stage.fill(5, ["a": "1"])
      let call = try stage.refresh()
      try await stage.answerGone()
      try await stage.answer(.snapshot(4, ["a": "0"]))
      #expect(call.error == .server(code: "older_answer", status: 200))
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try await stage.nextRequest().target == "/flags/snapshot")
      try await stage.answer(.snapshot(6, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }
}

extension Stage {
  /// Answers the next request that comes within a minute.
  func answerLater(_ body: String) async throws {
    _ = try await nextRequest(within: .seconds(61))
    try await answer(body)
  }
}
