import ClientCore
import Palbase
import PalbaseAnalytics
import Testing

/// What analytics makes of the exposures that come through Palbase's slot (BEHAVIOUR §3, Exposure).
@Suite struct ExposureTests {
  @Test func `an exposure is an event of its session and of its reader`() {
    play(Setup(user: .anna)) { stage in
      stage.capture(1...1)
      let session = stage.session
      #expect(session > 0)
      stage.expose("checkout", session)
      await stage.idle()
      stage.flush()
      let batch = try await stage.answer(202)
      #expect(batch.names == ["e1", "$flag_exposure"])
      #expect(
        batch.events[1].properties == ["flag": "checkout", "experiment": "x-checkout", "variant": "b"])
      #expect(batch.sessions[0] == batch.sessions[1])
      #expect(batch.authorization == "Bearer anna.1")
    }
  }

  @Test func `before analytics was used no session is open`() {
    play { stage in
      #expect(stage.session == 0)
      _ = stage.pb.analytics
      #expect(stage.session > 0)
      #expect(stage.counts == AnalyticsCounts())
    }
  }

  @Test func `without consent no session is open, and a withdrawal closes it`() {
    play(Setup(consent: .none)) { stage in
      _ = stage.pb.analytics
      #expect(stage.session == 0)
      stage.pb.setConsent(.all)
      #expect(stage.session > 0)
      stage.pb.setConsent(.none)
      #expect(stage.session == 0)
    }
  }

  @Test func `an exposure that arrives after a withdrawal is dropped and counted`() {
    play { stage in
      stage.capture(1...1)
      let (session, identity) = (stage.session, stage.pb.identity)
      stage.pb.setConsent(.none)
      stage.expose("checkout", session, identity)
      await stage.idle()
      #expect(stage.counts == .account(dropped: 2))
    }
  }

  @Test func `an exposure from before a withdrawal stays withdrawn when consent comes back`() {
    play { stage in
      stage.capture(1...1)
      let session = stage.session
      stage.pb.setConsent(.none)
      stage.pb.setConsent(.all)
      stage.expose("checkout", session)
      stage.expose("banner", stage.session)
      await stage.idle()
      #expect(stage.counts == .account(dropped: 2, pending: 1))
    }
  }

  @Test
  func `an exposure that arrives after a change of reader is the former reader's, in a session of theirs`() {
    play(Setup(user: .anna)) { stage in
      stage.capture(1...1)
      let (session, identity) = (stage.session, stage.pb.identity)
      stage.pb.signIn(.bert)
      stage.capture(2...2)
      stage.expose("checkout", session, identity)
      // Its session was asked for just after the change.
      stage.expose("banner", stage.session, identity)
      await stage.idle()
      stage.flush()
      let batches = [
        try await stage.answer(202), try await stage.answer(202), try await stage.answer(202),
      ]
      #expect(batches.map(\.authorization) == ["Bearer anna.1", "Bearer bert.1", "Bearer anna.1"])
      #expect(batches.map(\.names.count) == [1, 1, 2])
      let late = batches[2].events.first { $0.properties?["flag"] == "checkout" }
      #expect(late?.session == batches[0].sessions[0])
      #expect(batches[2].sessions.allSatisfy { $0 != batches[1].sessions[0] })
    }
  }

  @Test func `a change of reader begins a session, and half an hour without events too`() {
    play { stage in
      _ = stage.pb.analytics
      let first = stage.session
      stage.pb.signIn(.anna)
      let second = stage.session
      #expect(second > first)
      try await stage.pass(.seconds(1_800))
      #expect(stage.session > second)
    }
  }

  @Test func `after the close no session is open`() {
    play { stage in
      _ = stage.pb.analytics
      await stage.pb.close()
      #expect(stage.session == 0)
    }
  }
}

extension Stage {
  /// The session in which a flag would be read now; 0 if no exposure may be recorded.
  fileprivate var session: UInt64 { pb.exposures.session(at: environment.clock.now) }

  /// Hands over the exposure of a flag, as the flags do.
  fileprivate func expose(_ flag: String, _ session: UInt64, _ identity: PalbaseIdentity? = nil) {
    pb.exposures.record(
      flag: flag, experiment: "x-\(flag)", variant: "b", session: session, identity: identity ?? pb.identity,
      spawner: environment.spawner)
  }
}
