import ClientCore
import Palbase
import Simulation
import Stagecraft
import Testing

/// When the socket connects, and when again (BEHAVIOUR §3, realtime).
@Suite struct ReconnectTests {
  /// Waits for the next attempt and returns how long that took.
  private static func gap(_ stage: Stage, atMost limit: Duration = .seconds(31)) async throws -> Duration {
    let beginning = stage.now
    let attempts = stage.realtime.attemptCount
    await stage.idle()
    while stage.realtime.attemptCount == attempts, stage.now - beginning < limit {
      try await stage.pass(.milliseconds(10))
    }
    return stage.now - beginning
  }

  private static func joined(_ stage: Stage) async throws -> ControllableRealtimeConnection {
    try stage.socket.join("flags:project", listener: ProbeListener())
    let connection = try await stage.accept()
    try connection.reply(to: "join flags:project")
    await stage.idle()
    return connection
  }

  @Test func `a heartbeat goes out every thirty seconds while it is answered`() {
    play(Setup(user: .anna)) { stage in
      let connection = try await Self.joined(stage)
      for beat in 1...5 {
        try await stage.pass(.milliseconds(29_999))
        #expect(try connection.names.count { $0 == "heartbeat realtime" } == beat - 1)
        try await stage.pass(.milliseconds(1))
        #expect(try connection.names.count { $0 == "heartbeat realtime" } == beat)
        try connection.reply(to: "heartbeat realtime")
      }
      #expect(connection.isOpen && stage.realtime.attemptCount == 1)
    }
  }

  @Test func `a heartbeat without an answer by the next beat ends the connection`() {
    play(Setup(user: .anna)) { stage in
      let connection = try await Self.joined(stage)
      try await stage.pass(.seconds(30))
      try connection.reply(to: "heartbeat realtime")
      try await stage.pass(.seconds(30))
      // Other frames are no answer: the service may send without hearing.
      connection.announce(5)
      try await stage.pass(.milliseconds(29_999))
      #expect(connection.isOpen)
      try await stage.pass(.milliseconds(1))
      #expect(!connection.isOpen)
      #expect(try await Self.gap(stage) <= .seconds(1))
    }
  }

  @Test func `a join without an answer for a whole beat ends the connection`() {
    play(Setup(user: .anna)) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      let connection = try await stage.accept()
      try await stage.pass(.seconds(30))
      try connection.reply(to: "heartbeat realtime")
      try await stage.pass(.milliseconds(29_999))
      #expect(connection.isOpen)
      try await stage.pass(.milliseconds(1))
      #expect(!connection.isOpen)
    }
  }

  @Test func `the gaps grow to thirty seconds, each drawn from its upper half`() {
    play(Setup(user: .anna), seeds: 0..<12) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      for longest in [1, 2, 4, 8, 16, 30, 30, 30].map({ Duration.seconds($0) }) {
        await stage.idle()
        stage.realtime.refuse(try #require(stage.realtime.pending.first))
        let gap = try await Self.gap(stage)
        #expect(gap >= longest / 2 - .milliseconds(10) && gap <= longest + .milliseconds(10))
      }
    }
  }

  @Test func `the gaps differ between clients`() {
    let gaps = Journal()
    play(Setup(user: .anna), seeds: 0..<8) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      await stage.idle()
      stage.realtime.refuse(try #require(stage.realtime.pending.first))
      gaps.add("\(try await Self.gap(stage))")
    }
    #expect(Set(gaps.all).count >= 6)
  }

  // BEHAVIOUR rule 1.6: the service's own word on when to come again beats the client's gaps, and nothing gets round it.
  @Test func `a refusal that names a time is waited out, also by the foreground`() {
    play(Setup(user: .anna), seeds: 0..<8) { stage in
      stage.followLife()
      try stage.socket.join("flags:project", listener: ProbeListener())
      await stage.idle()
      let attempt = try #require(stage.realtime.pending.first)
      let busy = TransportResponse(status: 429, headers: [HeaderField("Retry-After", "7")], body: [])
      stage.realtime.refuse(attempt, answering: busy)
      try await stage.pass(.seconds(3))
      stage.lifecycle.send(.background)
      await stage.idle()
      stage.lifecycle.send(.foreground)
      try await stage.pass(.milliseconds(3900))
      #expect(stage.realtime.attemptCount == 1)
      try await stage.pass(.milliseconds(1100))
      #expect(stage.realtime.attemptCount == 2)
    }
  }

  @Test func `a refusal without a time is a failure like any other`() {
    play(Setup(user: .anna), seeds: 0..<8) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      await stage.idle()
      let attempt = try #require(stage.realtime.pending.first)
      stage.realtime.refuse(attempt, answering: TransportResponse(status: 503, headers: [], body: []))
      #expect(try await Self.gap(stage) <= .milliseconds(1010))
    }
  }

  @Test(arguments: [(59_999, 2), (60_000, 1)])
  func `a minute of connection starts the gaps over`(lifetime: Int, longest: Int) {
    play(Setup(user: .anna), seeds: 0..<8) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      await stage.idle()
      stage.realtime.refuse(try #require(stage.realtime.pending.first))
      _ = try await Self.gap(stage)
      let connection = try await stage.accept()
      try connection.reply(to: "join flags:project")
      try await stage.pass(.seconds(30))
      try connection.reply(to: "heartbeat realtime")
      try await stage.pass(.milliseconds(lifetime - 30_000))
      connection.fail()
      let gap = try await Self.gap(stage)
      let bounds =
        Duration.seconds(longest) / 2 - .milliseconds(10)...Duration.seconds(longest) + .milliseconds(10)
      #expect(bounds.contains(gap))
    }
  }

  @Test func `an attempt that hangs is given up after the request's patience`() {
    play(Setup(user: .anna, requestTimeout: .seconds(5))) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      try await stage.pass(.milliseconds(4999))
      #expect(stage.realtime.pending.count == 1)
      try await stage.pass(.milliseconds(1))
      #expect(stage.realtime.pending.isEmpty)
      #expect(try await Self.gap(stage) <= .seconds(1))
    }
  }

  @Test func `a platform without sockets is told once and not asked again`() {
    play(Setup(user: .anna, realtime: UnavailableRealtime())) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      try await stage.pass(.seconds(100))
      stage.client?.signIn(.ben)
      try stage.socket.join("flags:reader:ben", listener: ProbeListener())
      try await stage.pass(.seconds(100))
      #expect(stage.logged.count == 1)
      #expect(stage.logged.first?.contains("no sockets") == true)
    }
  }

  @Test func `the background ends the connection and the foreground begins one at once`() {
    play(Setup(user: .anna)) { stage in
      stage.followLife()
      let connection = try await Self.joined(stage)
      stage.lifecycle.send(.background)
      await stage.idle()
      #expect(!connection.isOpen)
      try await stage.pass(.seconds(300))
      #expect(stage.realtime.attemptCount == 1)
      stage.lifecycle.send(.foreground)
      let next = try await stage.accept()
      #expect(try next.names == ["join flags:project"])
    }
  }

  @Test func `the foreground does not sit out a gap that began before`() {
    play(Setup(user: .anna)) { stage in
      stage.followLife()
      try await Self.joined(stage).fail()
      await stage.idle()
      #expect(stage.realtime.attemptCount == 1)
      stage.lifecycle.send(.foreground)
      await stage.idle()
      #expect(stage.realtime.attemptCount == 2)
    }
  }

  @Test func `a change of reader connects anew at once, with nothing of the old reader`() {
    play(Setup(user: .anna)) { stage in
      let listener = ProbeListener()
      let socket = try stage.socket
      socket.join("flags:project", listener: listener)
      socket.join("flags:reader:anna", listener: listener)
      let old = try await stage.accept()
      try old.reply(to: "join flags:project")
      await stage.idle()
      _ = stage.client?.module(.flags) { _, _ in
        ProbeModule("flags", Journal()) { identity in
          socket.leave("flags:reader:anna")
          socket.join("flags:reader:\(identity.userID ?? "install")", listener: listener)
        }
      }
      let before = old.sent.count
      stage.client?.signIn(.ben)
      #expect(!old.isOpen, "when signIn has returned")
      old.announce(9)
      let new = try await stage.accept()
      #expect(old.sent.count == before)
      let frames = try new.frames
      #expect(frames.map(\.name) == ["join flags:project", "join flags:reader:ben"])
      #expect(frames.allSatisfy { $0.payload == ["token": "token-b"] })
      try new.reply(to: "join flags:project")
      await stage.idle()
      #expect(listener.journal.all == ["on flags:project", "again on flags:project"])
    }
  }

  @Test func `a reader that changes while the socket connects joins as the new one`() {
    play(Setup(user: .anna)) { stage in
      try stage.socket.join("flags:project", listener: ProbeListener())
      await stage.idle()
      stage.client?.signOut()
      await stage.idle()
      let connection = try await stage.accept()
      let install = try #require(try stage.core.knownInstall)
      #expect(try connection.frames.map(\.payload) == [["install": install.id, "secret": install.secret]])
      #expect(stage.realtime.open.count == 1)
    }
  }
}
