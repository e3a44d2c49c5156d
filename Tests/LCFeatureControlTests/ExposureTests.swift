import ClientCore
import LCFeatureControl
import Testing

/// Recording and flushing exposures: what is sent, in which batches, and what is counted (BEHAVIOUR §2, "Exposure
/// buffer").
@Suite struct ExposureTests {
  // MARK: What is sent

  @Test func `a batch is the contract's, byte for byte`() {
    play(seeds: 0..<2) { stage in
      // 1994-11-06T08:49:37Z is the stage's time of day.
      await stage.manager?.recordExposure(
        FeatureControlExposureEvent(
          featureKey: "fc.checkout_v2", variant: "on", subjectType: .customer, storeId: "s1",
          attributes: ["z": 1.5, "a": [nil, true]]))
      stage.wallClock.jump(by: .milliseconds(1_250))
      await stage.manager?.recordExposure(
        FeatureControlExposureEvent(featureKey: "é\"", variant: nil, subjectType: .init(rawValue: "courier")))
      stage.flush()
      let request = try #require(await stage.pending().first)
      #expect(request.request.method == .post)
      #expect(request.request.url == "https://api.example.com/api/feature-control/telemetry/exposures")
      #expect(
        request.request.headers == [
          HeaderField("Content-Type", "application/json"), HeaderField("Accept", "application/json"),
          HeaderField("X-BFF-Session", "s"),
        ])
      #expect(
        request.body == #"{"events":[{"attributes":{"a":[null,true],"z":1.5},"featureKey":"fc.checkout_v2","#
          + #""occurredAt":"1994-11-06T08:49:37.000Z","storeId":"s1","subjectType":"customer","variant":"on"},"#
          + #"{"featureKey":"é\"","occurredAt":"1994-11-06T08:49:38.250Z","subjectType":"courier"}]}"#)
    }
  }

  // statsig-kit#16: an exposure was logged against what was held later.
  @Test func `an event is sent as it was recorded, with the time of its recording`() {
    play { stage in
      var event = FeatureControlExposureEvent.numbered(1)
      await stage.manager?.recordExposure(event)
      event.attributes["number"] = 2
      stage.wallClock.jump(by: .seconds(86_400))
      try await stage.pass(.seconds(60))
      stage.flush()
      let request = try #require(await stage.pending().first)
      #expect(request.exposures == [1])
      #expect(request.body.contains(#""occurredAt":"1994-11-06T08:49:37.000Z""#))
    }
  }

  @Test func `nothing is sent until a flush`() {
    play { stage in
      await stage.record(0..<150)
      try await stage.pass(.seconds(86_400))
      #expect(stage.transport.sentCount == 0)
      #expect(stage.counts == .account(pending: 150))
    }
  }

  @Test func `a flush without events sends nothing`() {
    play { stage in
      let empty = stage.flush()
      await stage.idle()
      #expect(empty.isAnswered)
      await stage.record(0..<1)
      stage.flush()
      try await stage.answer(.accepted, status: 202)
      let again = stage.flush()
      await stage.idle()
      #expect(again.isAnswered && stage.transport.sentCount == 1)
    }
  }

  // MARK: Batches

  // snowplow/snowplow-ios-tracker#854 (a full buffer in one payload), DevCycleHQ/ios-client-sdk PR#193 and PR#197.
  @Test(arguments: [1, 99, 100, 101, 200, 250, 1_000])
  func `batches are of at most 100, in order, one after the other`(count: Int) {
    play(seeds: 0..<2) { stage in
      await stage.record(0..<count)
      let flush = stage.flush()
      for start in stride(from: 0, to: count, by: 100) {
        #expect(await stage.pendingExposures() == [Array(start..<min(start + 100, count))])
        #expect(!flush.isAnswered)
        try await stage.answer(.accepted, status: 202)
      }
      #expect(flush.isAnswered)
      #expect(await stage.pending().isEmpty)
      #expect(stage.counts == .account(sent: count))
    }
  }

  // DevCycleHQ/ios-client-sdk PR#197: the outcome of a chunk must be its own.
  @Test(arguments: [400, 401, 403, 404, 413, 429, 500, 503])
  func `a failed batch is dropped and counted and the later ones are still sent`(status: Int) {
    play { stage in
      await stage.record(0..<300)
      let flush = stage.flush()
      try await stage.answer(.accepted, status: 202)
      try await stage.answer(.error("no"), status: status)
      #expect(await stage.pendingExposures() == [Array(200..<300)])
      try await stage.answer(.accepted, status: 202)
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(sent: 200, failed: 100))
      stage.flush()
      #expect(await stage.pending().isEmpty, "no batch is tried again")
    }
  }

  @Test func `a batch without an answer fails at the timeout and a lost connection fails it at once`() {
    play { stage in
      await stage.record(0..<300)
      let flush = stage.flush()
      try await stage.pass(.seconds(3) - .nanoseconds(1))
      #expect(await stage.pendingExposures() == [Array(0..<100)])
      try await stage.pass(.nanoseconds(1))
      #expect(await stage.pendingExposures() == [Array(100..<200)])
      #expect(stage.transport.cancelled.count == 1)
      try await stage.failRequest()
      #expect(stage.counts == .account(failed: 200, underWay: 100))
      try await stage.answer(.accepted, status: 202)
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(sent: 100, failed: 200))
    }
  }

  // statsig-kit commit 6aefac8: what had been sent was put back and sent again.
  @Test func `a late answer acknowledges nothing and repeats nothing`() {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      await stage.record(0..<1)
      let flush = stage.flush()
      try await stage.pass(.seconds(3))
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(failed: 1))
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(failed: 1))
      stage.flush()
      #expect(await stage.pending().isEmpty)
    }
  }

  @Test(arguments: [200, 201, 202, 204, 299], ["", .accepted, "{}", #"{"accepted":0}"#])
  func `any good status acknowledges a batch, with a body or without`(status: Int, body: String) {
    play(seeds: 0..<1) { stage in
      await stage.record(0..<3)
      stage.flush()
      try await stage.answer(body, status: status)
      #expect(stage.counts == .account(sent: 3))
    }
  }

  @Test(arguments: [.error("degraded"), "<html>Sign in to the network</html>", "{", "[]", "null"])
  func `a good status with the body of somebody else, or of an error, acknowledges nothing`(body: String) {
    play(seeds: 0..<1) { stage in
      await stage.record(0..<3)
      stage.flush()
      try await stage.answer(body)
      #expect(stage.counts == .account(failed: 3))
    }
  }

  // MARK: The buffer

  // PostHog/posthog-ios PR#116 (the limit was not applied on capture), PostHog/sdk-specs tracker spec (at capacity evict
  // the oldest, never clear).
  @Test func `of more than 1000 events the oldest are dropped and counted`() {
    play(seeds: 0..<2) { stage in
      await stage.record(0..<1_000)
      #expect(stage.counts == .account(pending: 1_000))
      await stage.record(1_000..<1_001)
      #expect(stage.counts == .account(dropped: 1, pending: 1_000))
      await stage.record(1_001..<2_345)
      #expect(stage.counts == .account(dropped: 1_345, pending: 1_000))
      stage.flush()
      for start in stride(from: 1_345, to: 2_345, by: 100) {
        #expect(await stage.pendingExposures() == [Array(start..<start + 100)])
        try await stage.answer(.accepted, status: 202)
      }
      #expect(stage.counts == .account(sent: 1_000, dropped: 1_345))
    }
  }

  // PostHog/posthog-ios PR#466, segmentio/analytics-ios#936: a value that is no JSON raised when it was encoded.
  @Test(
    arguments: [.number(.nan), .number(.infinity), ["deep": [.number(-.infinity)]]] as [FeatureControlValue])
  func `an event that JSON cannot hold is dropped when it is recorded and spoils no batch`(
    value: FeatureControlValue
  ) {
    play { stage in
      await stage.record(0..<1)
      var bad = FeatureControlExposureEvent.numbered(1)
      bad.attributes["bad"] = value
      await stage.manager?.recordExposure(bad)
      await stage.record(2..<3)
      #expect(stage.counts == .account(dropped: 1, pending: 2))
      stage.flush()
      #expect(await stage.pendingExposures() == [[0, 2]])
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(sent: 2, dropped: 1))
    }
  }

  @Test func `equal events are as many as were recorded`() {
    play { stage in
      await stage.record([7, 7, 7])
      stage.flush()
      #expect(await stage.pendingExposures() == [[7, 7, 7]])
    }
  }

  // launchdarkly/ios-client-sdk PR#347 and PR#516: clients shared what was each one's own.
  @Test func `managers share no exposures`() {
    play { stage in
      let other = FeatureControlManager(
        configuration: stage.configuration, environment: stage.environment)
      await stage.record(0..<2)
      await other.recordExposure(.numbered(9))
      stage.flush()
      #expect(await stage.pendingExposures() == [[0, 1]])
      #expect(other.exposureCounts == .account(pending: 1))
      other.close()
    }
  }

  // mixpanel/mixpanel-swift PR#715: reads waited for the queue of telemetry.
  @Test func `a flush under way holds up no evaluation, and an invalidation drops no exposure`() {
    play { stage in
      try await stage.fill("1")
      await stage.record(0..<2)
      stage.flush()
      #expect(await stage.pendingExposures() == [[0, 1]])
      await stage.record(2..<3)
      #expect(await stage.served() == .fresh("1"))
      await stage.manager?.invalidateCache()
      #expect(stage.counts == .account(pending: 1, underWay: 2))
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(sent: 2, pending: 1))
    }
  }
}
