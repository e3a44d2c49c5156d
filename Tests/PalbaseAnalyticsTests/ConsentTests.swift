import ClientCore
import Palbase
import PalbaseAnalytics
import Testing

/// Nothing is recorded without consent, and what waited goes with it (BEHAVIOUR §3, "Analytics").
@Suite struct ConsentTests {
  @Test func `without consent nothing is recorded, sent or counted`() {
    play(Setup(consent: .none)) { stage in
      stage.capture(1...50)
      stage.lifecycle.send(.background)
      stage.flush()
      try await stage.pass(.seconds(60))
      #expect(stage.transport.sentCount == 0)
      #expect(stage.counts == AnalyticsCounts())
      #expect(!stage.pb.analytics.isRecording)
    }
  }

  @Test func `consent to personalization is none to analytics`() {
    play(Setup(consent: PalbaseConsent(analytics: false, personalization: true))) { stage in
      stage.capture(1...1)
      #expect(stage.counts == AnalyticsCounts())
      stage.pb.setConsent(PalbaseConsent(analytics: true, personalization: false))
      stage.capture(2...2)
      #expect(stage.counts == .account(pending: 1))
    }
  }

  @Test func `a withdrawal empties the queue, and no flush is left waiting`() {
    play { stage in
      stage.capture(1...3)
      stage.pb.setConsent(.none)
      #expect(stage.counts == .account(dropped: 3))
      stage.capture(4...4)
      try await stage.pass(.seconds(60))
      #expect(stage.transport.sentCount == 0)
      #expect(stage.counts == .account(dropped: 3))
    }
  }

  @Test func `what is under way at a withdrawal counts as sent only if the service took it`() {
    play { stage in
      stage.capture(1...20)
      let flush = stage.flush()
      _ = try await stage.batch()
      stage.capture(21...25)
      let second = stage.flush()
      stage.pb.setConsent(.none)
      await stage.idle()
      #expect(stage.counts == .account(dropped: 5, pending: 20))
      #expect(!flush.isAnswered && !second.isAnswered)
      try await stage.answer(202)
      #expect(flush.isAnswered && second.isAnswered)
      #expect(stage.counts == .account(sent: 20, dropped: 5))
    }
  }

  @Test(arguments: [500, 413, 400])
  func `what the service did not take before a withdrawal is not tried again`(status: Int) {
    play { stage in
      stage.capture(1...20)
      _ = try await stage.batch()
      stage.pb.setConsent(.none)
      // Consent that comes back does not bring back what was withdrawn.
      stage.pb.setConsent(.all)
      stage.capture(21...21)
      try await stage.answer(status)
      #expect(stage.counts == .account(dropped: 20, pending: 1))
      try await stage.pass(.seconds(30))
      #expect(try await stage.answer(202).numbers == [21])
    }
  }

  @Test func `a batch that waits for the install's identity is not sent after a withdrawal`() {
    play { stage in
      stage.storage.setIntercept { _ in try? await stage.simulator.clock.sleep(for: .seconds(1)) }
      stage.capture(1...20)
      try await stage.pass(.milliseconds(500))
      stage.pb.setConsent(.none)
      try await stage.pass(.seconds(60))
      #expect(stage.transport.sentCount == 0)
      #expect(stage.counts == .account(dropped: 20))
    }
  }

  @Test func `a withdrawal that is told late counts, though consent is back by then`() {
    play { stage in
      stage.capture(1...3)
      // What another thread does that was held up between its two steps.
      stage.pb.module(in: .analytics)?.consentChanged(to: .none)
      #expect(stage.counts == .account(dropped: 3))
      stage.capture(4...4)
      #expect(stage.counts == .account(dropped: 3, pending: 1))
    }
  }

  @Test func `consent that comes back begins a new session`() {
    play { stage in
      stage.capture(1...1)
      stage.flush()
      let first = try await stage.answer(202)
      stage.pb.setConsent(.none)
      stage.pb.setConsent(.all)
      stage.capture(2...2)
      stage.flush()
      let second = try await stage.answer(202)
      #expect(first.sessions != second.sessions)
    }
  }
}
