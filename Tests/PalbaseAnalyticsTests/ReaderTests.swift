import ClientCore
import Palbase
import PalbaseAnalytics
import Testing

/// Whose events are sent under which credential, and in which session (BEHAVIOUR §3, "Analytics", and `gate-closed`).
@Suite struct ReaderTests {
  @Test func `events keep the reader of their moment, each in batches and under a credential of their own`() {
    play { stage in
      stage.capture(1...2)
      stage.pb.signIn(.anna)
      stage.capture(3...4)
      stage.pb.signIn(.bert)
      stage.capture(5...6)
      stage.pb.signOut()
      stage.capture(7...8)
      stage.flush()
      let batches = [
        try await stage.answer(202), try await stage.answer(202), try await stage.answer(202),
        try await stage.answer(202),
      ]
      #expect(batches.map(\.numbers) == [[1, 2], [3, 4], [5, 6], [7, 8]])
      #expect(batches.map(\.authorization) == [nil, "Bearer anna.1", "Bearer bert.1", nil])
      #expect(batches[0].install != nil && batches[0].install == batches[3].install)
      #expect(batches[1].install == nil && batches[2].install == nil)
      #expect(Set(batches.flatMap(\.sessions)).count == 4, "no session is that of two readers")
      #expect(stage.counts == .account(sent: 8))
    }
  }

  @Test func `the same user again is another reader, with a session and batches of its own`() {
    play(Setup(user: .anna)) { stage in
      stage.capture(1...1)
      stage.pb.signIn(.anna)
      stage.capture(2...2)
      stage.flush()
      let (first, second) = (try await stage.answer(202), try await stage.answer(202))
      #expect(first.numbers == [1] && second.numbers == [2])
      #expect(first.sessions != second.sessions)
    }
  }

  @Test func `a batch is tried again under the credential of its reader, whoever is there by then`() {
    play(Setup(user: .anna)) { stage in
      stage.capture(1...20)
      let first = try await stage.fail()
      stage.pb.signIn(.bert)
      try await stage.pass(.seconds(2))
      let again = try await stage.answer(202)
      #expect(again.bytes == first.bytes)
      #expect(again.authorization == "Bearer anna.1")
    }
  }

  @Test func `a newer token of the same reader is used by the next attempt`() {
    play(Setup(user: .anna)) { stage in
      stage.capture(1...20)
      let first = try await stage.answer(401)
      stage.pb.updateToken("anna.2")
      try await stage.pass(.seconds(2))
      let again = try await stage.answer(202)
      #expect(again.bytes == first.bytes)
      #expect(first.authorization == "Bearer anna.1" && again.authorization == "Bearer anna.2")
    }
  }

  @Test func `a former reader's batch that is not authorized is dropped and counted`() {
    play(Setup(user: .anna)) { stage in
      stage.capture(1...20)
      _ = try await stage.batch()
      stage.pb.signIn(.bert)
      stage.capture(21...40)
      try await stage.answer(401)
      #expect(stage.counts == .account(dropped: 20, pending: 20))
      let next = try await stage.answer(202)
      #expect(next.authorization == "Bearer bert.1")
      #expect(next.numbers == Array(21...40))
    }
  }

  @Test func `the credential of a split batch is that of the whole`() {
    play(Setup(user: .anna)) { stage in
      stage.capture(1...20)
      _ = try await stage.batch()
      stage.pb.signOut()
      try await stage.answer(413)
      let (left, right) = (try await stage.answer(202), try await stage.answer(202))
      #expect(left.authorization == "Bearer anna.1" && right.authorization == "Bearer anna.1")
      #expect(left.sessions == right.sessions)
    }
  }

  // MARK: Sessions

  @Test func `a session lasts while something happens and ends after half an hour without events`() {
    play { stage in
      var sessions: [String] = []
      let gaps: [Duration] = [.zero, .seconds(1_800) - .nanoseconds(1), .seconds(1_799), .seconds(1_800)]
      for (number, gap) in gaps.enumerated() {
        try await stage.pass(gap)
        stage.capture(number...number)
        stage.flush()
        sessions += try await stage.answer(202).sessions
      }
      #expect(sessions.count == 4)
      #expect(sessions[0] == sessions[1] && sessions[1] == sessions[2])
      #expect(sessions[3] != sessions[2])
    }
  }

  @Test func `every launch has a session of its own`() {
    play { stage in
      stage.capture(1...1)
      stage.flush()
      let first = try await stage.answer(202)
      let next = PalbaseClient(stage.configuration, environment: stage.environment)
      next.analytics.capture("e2")
      let close = stage.ask { await next.close() }
      let second = try await stage.answer(202)
      #expect(first.sessions != second.sessions)
      #expect(first.install == second.install)
      #expect(close.isAnswered)
    }
  }
}
