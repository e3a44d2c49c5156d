import ClientCore
import LCFeatureControl
import Testing

/// Flushes that overlap, wait, are cancelled or cut off: no event is lost and none is sent twice (BEHAVIOUR §2).
@Suite struct ExposureFlushTests {
  private static let tick = Duration.nanoseconds(1)

  // MARK: Overlap

  @Test func `a second flush waits for the first and then sends what is left`() {
    play { stage in
      await stage.record(0..<150)
      let first = stage.flush()
      #expect(await stage.pendingExposures() == [Array(0..<100)])
      await stage.record(150..<160)
      let second = stage.flush()
      #expect(await stage.pendingExposures().count == 1)
      try await stage.answer(.accepted, status: 202)
      #expect(
        await stage.pendingExposures() == [Array(100..<150)], "the events that were there when it began")
      #expect(!first.isAnswered)
      try await stage.answer(.accepted, status: 202)
      #expect(first.isAnswered && !second.isAnswered)
      #expect(await stage.pendingExposures() == [Array(150..<160)])
      try await stage.answer(.accepted, status: 202)
      #expect(second.isAnswered)
      #expect(stage.counts == .account(sent: 160))
    }
  }

  @Test func `ten flushes at once are one after the other and send each event once`() {
    play(seeds: 0..<10) { stage in
      await stage.record(0..<20)
      let flushes = (0..<10).map { _ in stage.flush() }
      #expect(await stage.pendingExposures() == [Array(0..<20)])
      try await stage.answer(.accepted, status: 202)
      #expect(flushes.allSatisfy { $0.isAnswered })
      #expect(stage.transport.sentCount == 1)
    }
  }

  @Test func `events recorded during a flush are kept for the next, also when a batch fails`() {
    play { stage in
      await stage.record(0..<100)
      let flush = stage.flush()
      #expect(await stage.pendingExposures() == [Array(0..<100)])
      await stage.record(100..<103)
      try await stage.answer("", status: 500)
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(failed: 100, pending: 3))
      stage.flush()
      #expect(await stage.pendingExposures() == [[100, 101, 102]])
    }
  }

  // PostHog/posthog-ios#702 and PR#708, splitio/ios-client PR#159: what had been sent was removed by its place, after more
  // had come or gone.
  @Test func `events pushed out during a flush are counted and none is sent in their place twice`() {
    play { stage in
      await stage.record(0..<1_000)
      let flush = stage.flush()
      #expect(await stage.pendingExposures() == [Array(0..<100)])
      // 900 wait: 250 more push out the oldest 150 of them, all of which this flush was to send.
      await stage.record(1_000..<1_250)
      #expect(stage.counts == .account(dropped: 150, pending: 1_000, underWay: 100))
      for start in stride(from: 250, to: 1_000, by: 100) {
        try await stage.answer(.accepted, status: 202)
        #expect(await stage.pendingExposures() == [Array(start..<min(start + 100, 1_000))])
      }
      try await stage.answer(.accepted, status: 202)
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(sent: 850, dropped: 150, pending: 250))
    }
  }

  // MARK: Retry-After

  @Test(arguments: [429, 503, 500, 400, 200])
  func `while it runs nothing is sent, nothing is lost and the order stays`(status: Int) {
    play { stage in
      await stage.record(0..<250)
      let flush = stage.flush()
      try await stage.answer(.error("wait"), status: status, headers: retryAfter("60"))
      #expect(flush.isAnswered, "a flush does not wait for it")
      #expect(await stage.pending().isEmpty)
      #expect(stage.counts == .account(failed: 100, pending: 150))
      await stage.record(250..<260)
      try await stage.pass(.seconds(60) - Self.tick)
      let early = stage.flush()
      await stage.idle()
      #expect(early.isAnswered && stage.transport.sentCount == 1)
      #expect(stage.counts == .account(failed: 100, pending: 160))
      try await stage.pass(Self.tick)
      stage.flush()
      #expect(await stage.pendingExposures() == [Array(100..<200)])
      try await stage.answer(.accepted, status: 202)
      #expect(await stage.pendingExposures() == [Array(200..<260)])
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(sent: 160, failed: 100))
    }
  }

  @Test func `while it runs the buffer still holds 1000 events and drops the oldest`() {
    play(seeds: 0..<2) { stage in
      await stage.record(0..<1_000)
      stage.flush()
      try await stage.answer("", status: 429, headers: retryAfter("60"))
      await stage.record(1_000..<1_150)
      stage.flush()
      await stage.idle()
      #expect(stage.counts == .account(failed: 100, dropped: 50, pending: 1_000))
      try await stage.pass(.seconds(60))
      stage.flush()
      #expect(await stage.pendingExposures() == [Array(150..<250)])
    }
  }

  @Test func `flushes that wait for their turn end too, and send nothing`() {
    play { stage in
      await stage.record(0..<100)
      let flushes = (0..<3).map { _ in stage.flush() }
      await stage.idle()
      await stage.record(100..<110)
      try await stage.answer("", status: 429, headers: retryAfter("60"))
      #expect(flushes.allSatisfy { $0.isAnswered })
      #expect(await stage.pending().isEmpty)
      #expect(stage.counts == .account(failed: 100, pending: 10))
    }
  }

  // MARK: Cancellation

  // launchdarkly/flutter-client-sdk PR#130 and PR#265: the last batch was lost or wrongly sent.
  @Test func `a cancelled flush returns at once, its batch counts as failed and the rest stays`() {
    play { stage in
      await stage.record(0..<250)
      let flush = stage.flush()
      try await stage.answer(.accepted, status: 202)
      #expect(await stage.pendingExposures() == [Array(100..<200)])
      flush.cancel()
      await stage.idle()
      #expect(flush.isAnswered)
      #expect(stage.transport.cancelled.count == 1)
      #expect(stage.counts == .account(sent: 100, failed: 100, pending: 50))
      stage.flush()
      #expect(await stage.pendingExposures() == [Array(200..<250)])
    }
  }

  @Test func `a cancelled flush does not take along those that wait for it`() {
    play { stage in
      await stage.record(0..<250)
      let first = stage.flush()
      await stage.idle()
      let second = stage.flush()
      let third = stage.flush()
      await stage.idle()
      second.cancel()
      await stage.idle()
      #expect(second.isAnswered, "it does not wait for its turn")
      #expect(!first.isAnswered && !third.isAnswered)
      #expect(await stage.pendingExposures() == [Array(0..<100)], "the first goes on")
      first.cancel()
      #expect(await stage.pendingExposures() == [Array(100..<200)], "the third goes on with what is left")
      #expect(first.isAnswered)
      try await stage.answer(.accepted, status: 202)
      try await stage.answer(.accepted, status: 202)
      #expect(third.isAnswered)
      #expect(stage.counts == .account(sent: 150, failed: 100))
    }
  }

  @Test func `a transport that does not heed the cancellation holds nobody up`() {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      await stage.record(0..<1)
      let flush = stage.flush()
      await stage.idle()
      flush.cancel()
      await stage.idle()
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(failed: 1))
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(failed: 1))
    }
  }

  @Test func `a task that is cancelled already flushes nothing`() {
    play { stage in
      await stage.record(0..<1)
      let manager = stage.manager
      let flush = stage.ask {
        withUnsafeCurrentTask { $0?.cancel() }
        await manager?.flushExposures()
      }
      await stage.idle()
      #expect(flush.isAnswered && stage.transport.sentCount == 0)
      #expect(stage.counts == .account(pending: 1))
    }
  }

  // MARK: Authorization

  @Test func `a batch that waits for a token when its flush is cancelled takes its old place`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(2))
      await stage.record(0..<150)
      let flush = stage.flush()
      try await stage.pass(.seconds(1))
      #expect(stage.counts == .account(pending: 50, underWay: 100))
      await stage.record(150..<160)
      flush.cancel()
      await stage.idle()
      #expect(flush.isAnswered && stage.counts == .account(pending: 160))
      try await stage.pass(.seconds(2))
      #expect(stage.transport.sentCount == 0)
      stage.flush()
      #expect(await stage.pendingExposures() == [Array(0..<100)])
    }
  }

  @Test func `a batch that comes back to a full buffer loses its oldest events`() {
    let tokens = TokenDesk()
    play(Setup(auth: FeatureControlBearerAuth(tokens.token)), seeds: 0..<2) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(2))
      await stage.record(0..<1_000)
      let flush = stage.flush()
      await stage.idle()
      await stage.record(1_000..<1_130)
      #expect(stage.counts == .account(dropped: 30, pending: 1_000, underWay: 100))
      flush.cancel()
      await stage.idle()
      #expect(stage.counts == .account(dropped: 130, pending: 1_000))
      stage.flush()
      #expect(await stage.pendingExposures() == [Array(130..<230)])
    }
  }

  @Test func `without a token a batch is dropped and the next asks for one of its own`() {
    let tokens = TokenDesk()
    let auth = FeatureControlBearerAuth { try await tokens.token() == "token 1" ? nil : "jwt" }
    play(Setup(auth: auth)) { stage in
      tokens.open(on: stage.simulator)
      await stage.record(0..<150)
      stage.flush()
      #expect(await stage.pendingExposures() == [Array(100..<150)])
      #expect(tokens.askedCount == 2)
      try await stage.answer(.accepted, status: 202)
      #expect(stage.counts == .account(sent: 50, dropped: 100), "the first hundred were in no request")
    }
  }

  // MARK: Close

  @Test func `closing drops what waits, cancels the batch under way and answers every flush`() {
    play { stage in
      await stage.record(0..<250)
      let flushes = [stage.flush(), stage.flush()]
      try await stage.answer(.accepted, status: 202)
      stage.manager?.close()
      await stage.idle()
      #expect(flushes.allSatisfy { $0.isAnswered })
      #expect(stage.transport.pending.isEmpty && stage.transport.cancelled.count == 1)
      #expect(stage.counts == .account(sent: 100, failed: 100, dropped: 50))
      stage.manager?.close()
      await stage.record(250..<253)
      let late = stage.flush()
      await stage.idle()
      #expect(late.isAnswered && stage.transport.sentCount == 2)
      #expect(stage.counts == .account(sent: 100, failed: 100, dropped: 53))
    }
  }

  @Test func `closing while a batch waits for its token drops it unsent`() {
    let tokens = TokenDesk(isStubborn: true)
    play(Setup(auth: FeatureControlBearerAuth(tokens.token))) { stage in
      tokens.open(on: stage.simulator, delays: .seconds(2))
      await stage.record(0..<150)
      let flush = stage.flush()
      try await stage.pass(.seconds(1))
      stage.manager?.close()
      await stage.idle()
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(dropped: 150))
      try await stage.pass(.seconds(10))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `a flush keeps its manager until it has ended, and then nothing does`() {
    play { stage in
      await stage.record(0..<150)
      let flush = stage.flush()
      await stage.idle()
      weak let manager = stage.manager
      stage.letGo()
      try await stage.answer(.accepted, status: 202)
      #expect(manager != nil && !flush.isAnswered)
      try await stage.answer(.accepted, status: 202)
      #expect(flush.isAnswered && manager == nil)
    }
  }
}
