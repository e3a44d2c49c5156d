import ClientCore
import Palbase
import PalbaseAnalytics
import Testing

/// What is recorded of an event, and what is refused.
@Suite struct RecordingTests {
  @Test func `an event is sent with its id, name, properties, session and time`() {
    play { stage in
      stage.pb.analytics.capture(
        "opened", properties: ["items": 3, "coupon": "A\"B", "nested": ["list": [1.5, true, nil]]])
      stage.wallClock.jump(by: .milliseconds(250))
      stage.pb.analytics.capture("closed")
      stage.flush()
      let batch = try await stage.answer(202)
      #expect(batch.pending.request.method == .post)
      #expect(batch.pending.request.url == "https://shop.palbase.example/analytics/events")
      #expect(batch.pending.request.header("Content-Type") == "application/json")
      #expect(batch.pending.request.header("apikey") == "key")
      #expect(batch.names == ["opened", "closed"])
      #expect(
        batch.events[0].properties
          == ["items": 3, "coupon": "A\"B", "nested": ["list": [1.5, true, nil]]])
      #expect(batch.events[1].properties == [:])
      #expect(batch.events.map(\.at) == ["1994-11-06T08:49:37.000Z", "1994-11-06T08:49:37.250Z"])
      let identifiers = [batch.id] + batch.ids + [batch.sessions[0]]
      #expect(identifiers.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
      #expect(Set(identifiers).count == 4)
      #expect(batch.sessions[0] == batch.sessions[1])
    }
  }

  // segmentio/analytics-ios#936, PostHog/posthog-ios PR#466: a value that JSON cannot hold failed the whole batch.
  @Test func `what JSON cannot hold is dropped alone, counted, and told once`() {
    play { stage in
      let analytics = stage.pb.analytics
      analytics.capture("good")
      analytics.capture("bad", properties: ["ratio": .number(.infinity)])
      analytics.capture("bad", properties: ["list": [["deep": .number(.nan)]]])
      analytics.capture("")
      #expect(analytics.counts == .account(dropped: 3, pending: 1))
      stage.flush()
      let batch = try await stage.answer(202)
      #expect(batch.names == ["good"])
      #expect(stage.lines.count == 1)
      #expect(stage.lines.allSatisfy { !$0.contains("bad") && !$0.contains("ratio") })
    }
  }

  @Test func `before there is a configuration nothing is recorded`() {
    play(Setup(isConfigured: false)) { stage in
      let analytics = stage.pb.analytics
      analytics.capture("early")
      await analytics.flush()
      #expect(analytics.counts == AnalyticsCounts())
      #expect(!analytics.isRecording)
      stage.pb.configure(stage.configuration, environment: stage.environment)
      analytics.capture("later")
      #expect(analytics.isRecording)
      stage.flush()
      let batch = try await stage.answer(202)
      #expect(batch.names == ["later"])
    }
  }

  @Test func `what comes after the close is dropped and counted`() {
    play { stage in
      let analytics = stage.pb.analytics
      analytics.capture("before")
      let close = stage.ask { [pb = stage.pb] in await pb.close() }
      try await stage.answer(202)
      #expect(close.isAnswered)
      analytics.capture("after")
      stage.pb.analytics.capture("after")
      await analytics.flush()
      #expect(stage.counts == .account(sent: 1, dropped: 2))
      #expect(!analytics.isRecording)
      #expect(await stage.sent().isEmpty)
    }
  }

  @Test func `an event captured while the client closes is counted`() {
    play { stage in
      stage.capture(1...3)
      stage.ask { [pb = stage.pb] in await pb.close() }
      _ = try await stage.batch()
      stage.capture(4...4)
      #expect(stage.counts == .account(pending: 4))
      try await stage.answer(202)
      #expect(stage.counts == .account(sent: 3, dropped: 1))
    }
  }

  @Test func `more than a thousand events wait for nobody: the oldest goes`() {
    play(seeds: 0..<2) { stage in
      stage.capture(1...20)
      let first = try await stage.batch()
      stage.capture(21...1_030)
      // The batch under way is tried, so the oldest of the others made room.
      #expect(stage.counts == .account(dropped: 30, pending: 1_000))
      try await stage.fail()
      stage.capture(1_031...1_031)
      #expect(stage.counts == .account(dropped: 31, pending: 1_000))
      stage.flush()
      #expect(try await stage.answer(202).bytes == first.bytes)
      var numbers: [Int] = []
      while let batch = await stage.sent().first {
        numbers += batch.numbers
        try await stage.answer(202)
      }
      #expect(numbers == Array(52...1_031))
      #expect(stage.counts == .account(sent: 1_000, dropped: 31))
    }
  }

  @Test func `the time of day may jump and nothing else changes`() {
    play { stage in
      stage.capture(1...1)
      stage.wallClock.jump(by: .seconds(-86_400))
      try await stage.pass(.seconds(29))
      #expect(await stage.sent().isEmpty)
      stage.wallClock.jump(by: .seconds(2 * 86_400))
      #expect(await stage.sent().isEmpty)
      try await stage.pass(.seconds(1))
      let batch = try await stage.answer(202)
      #expect(batch.numbers == [1])
    }
  }
}
