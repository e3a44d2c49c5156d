import ClientCore
import Palbase
import PalbaseFlags
import Testing

// Keeping up to date (seed), and the row Sync of BEHAVIOUR §3.
@Suite struct NoticeTests {
  private static let setup = Setup(user: .anna, hasSockets: true)
  private static let reader = "flags:reader:anna"

  /// A client that holds version 5, is on both channels and has nothing left to do.
  private static func settled(_ stage: Stage) async throws -> Channel {
    try await stage.fill(5, ["a": "1"])
    let channel = try await stage.connect()
    #expect(try await stage.nextRequest().target == "/flags/delta?since=5")
    try await stage.answerUnchanged()
    try await stage.pass(.seconds(4))
    #expect(await stage.pending().isEmpty)
    return channel
  }

  @Test func `both channels are joined`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      #expect(channel.joins.sorted() == ["flags:project", Self.reader])
      #expect(channel.sent.contains { $0.contains("token-anna") })
    }
  }

  @Test func `the install's channel bears its name`() {
    play(Setup(hasSockets: true)) { stage in
      try stage.refresh()
      let install = try #require(try await stage.request().header("X-Palbase-Install"))
      let channel = try await stage.connect()
      #expect(channel.joins.sorted() == ["flags:project", "flags:reader:\(install)"])
      try await stage.answer(.snapshot(1, [:]))
    }
  }

  @Test func `a change for this reader is fetched at once`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      channel.tell(6, on: Self.reader)
      #expect(try await stage.request().target == "/flags/delta?since=5")
      try await stage.answer(.delta(since: 5, 6, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test func `a change for all is fetched after a random time of at most three seconds`() {
    play(Self.setup, seeds: 0..<20) { stage in
      let channel = try await Self.settled(stage)
      channel.tell(6)
      await stage.idle()
      let told = stage.now
      #expect(try await stage.nextRequest(within: .seconds(3)).target == "/flags/delta?since=5")
      #expect(stage.now - told <= .seconds(3))
      try await stage.answer(.delta(since: 5, 6))
    }
  }

  @Test func `notices of what is held are ignored`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      channel.tell(5, on: Self.reader)
      channel.tell(4)
      channel.tell(5)
      try await stage.pass(.seconds(60))
      channel.answerJoins()
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test func `a burst of notices makes one fetch`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      for version in 6...30 { channel.tell(version) }
      _ = try await stage.nextRequest()
      try await stage.answer(.delta(since: 5, 30, ["a": "30"]))
      try await stage.pass(.seconds(10))
      #expect(stage.transport.sentCount == 3)
    }
  }

  // PostHog/posthog-ios#456: what came during a fetch was dropped.
  @Test func `a notice that lands during a fetch is followed by one more`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      try stage.refresh()
      _ = try await stage.request()
      channel.tell(7, on: Self.reader)
      #expect(await stage.pending().count == 1)
      try await stage.answer(.delta(since: 5, 6))
      #expect(try await stage.nextRequest().target == "/flags/delta?since=6")
      try await stage.answer(.delta(since: 6, 7))
      try await stage.pass(.seconds(10))
      #expect(await stage.pending().isEmpty)
    }
  }

  // Unleash/unleash PR#8967: the notice came before the server's own revision had moved.
  @Test func `data that lags behind its notice is asked for three times, then with gaps`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      channel.tell(6, on: Self.reader)
      var times: [Duration] = []
      for _ in 0..<8 {
        _ = try await stage.nextRequest(within: .seconds(61))
        times.append(stage.now)
        try await stage.answerUnchanged()
        channel.answerJoins()
      }
      let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
      #expect(gaps.prefix(3).filter { $0 > .milliseconds(3010) } == [])
      #expect(gaps.dropFirst(3).filter { $0 < .milliseconds(100) } == [])
      _ = try await stage.nextRequest(within: .seconds(61))
      try await stage.answer(.delta(since: 5, 6, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
      let sent = stage.transport.sentCount
      try await stage.pass(.seconds(20))
      #expect(stage.transport.sentCount == sent)
    }
  }

  @Test(arguments: ["{}", #"{"version":"x"}"#, "null", #"{"version":-3}"#])
  func `a notice without a version brings one fetch`(payload: String) {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      channel.tell(payload)
      #expect(try await stage.nextRequest().target == "/flags/delta?since=5")
      try await stage.answerUnchanged()
      try await stage.pass(.seconds(10))
      #expect(await stage.pending().isEmpty)
    }
  }

  @Test func `other events are none of the flags' business`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      channel.connection.deliver(
        #"{"topic":"flags:project","event":"other","ref":null,"payload":{"version":99}}"#)
      try await stage.pass(.seconds(10))
      #expect(await stage.pending().isEmpty)
    }
  }

  // supabase/supabase-swift#196: after a reconnect it was joined and heard nothing of what it had missed.
  @Test func `a rejoin is always followed by a fetch`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      channel.connection.fail()
      try await stage.pass(.seconds(2))
      let again = try await stage.connect()
      #expect(again.joins.sorted() == ["flags:project", Self.reader])
      #expect(try await stage.nextRequest().target == "/flags/delta?since=5")
      try await stage.answer(.delta(since: 5, 8, ["a": "8"]))
      try await stage.pass(.seconds(10))
      #expect(stage.transport.sentCount == 3, "one fetch for both channels")
    }
  }

  @Test func `a fetch that began after the join is enough`() {
    play(Self.setup) { stage in
      try await stage.fill(5, ["a": "1"])
      try await stage.connect()
      try stage.refresh()
      try await stage.answerUnchanged()
      try await stage.pass(.seconds(10))
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test func `a refused channel leaves reads and refresh working`() {
    play(Self.setup) { stage in
      try await stage.fill(5, ["a": "1"])
      try await stage.connect(refusing: ["flags:project", Self.reader])
      try await stage.pass(.seconds(10))
      #expect(stage.transport.sentCount == 1)
      let call = try stage.refresh()
      try await stage.answer(.delta(since: 5, 6, ["a": "2"]))
      #expect(call.isDone)
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test func `after a change of reader only the new reader's channel is joined`() {
    play(Self.setup) { stage in
      let channel = try await Self.settled(stage)
      try stage.client.signIn(.ben)
      try await stage.answer(.snapshot(5, ["a": "2"]))
      #expect(!channel.connection.isOpen)
      let next = try await stage.connect()
      #expect(next.joins.sorted() == ["flags:project", "flags:reader:ben"])
      #expect(next.sent.filter { $0.contains("token-anna") } == [])
      next.tell(9, on: Self.reader)
      _ = try await stage.nextRequest()
      try await stage.answerUnchanged()
      try await stage.pass(.seconds(20))
      next.answerJoins()
      #expect(await stage.pending().isEmpty, "a channel of the reader before says nothing any more")
    }
  }
}
