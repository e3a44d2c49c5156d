import ClientCore
import Palbase
import Testing

/// Joining channels and hearing what is said on them (BEHAVIOUR §3, realtime).
@Suite struct SocketTests {
  @Test func `the first join connects and the channels are joined with the reader's credential`() {
    play(Setup(user: .anna)) { stage in
      let listener = ProbeListener()
      let socket = try stage.socket
      #expect(stage.realtime.attemptCount == 0, "nothing before somebody wants something")
      socket.join("flags:project", listener: listener)
      socket.join("flags:reader:anna", listener: listener)
      await stage.idle()
      let attempt = try #require(stage.realtime.pending.first)
      #expect(attempt.request.url == "https://shop.example/realtime")
      #expect(attempt.request.header("apikey") == "key")
      #expect(attempt.request.header("Authorization") == nil, "the credential is taken at join time")
      let connection = try await stage.accept()
      let frames = try connection.frames
      #expect(frames.map(\.name) == ["join flags:project", "join flags:reader:anna"])
      #expect(frames.allSatisfy { $0.payload == ["token": "token-a"] })
      #expect(frames[0].ref != frames[1].ref)
      try connection.reply(to: "join flags:project")
      connection.announce(7)
      try connection.reply(to: "join flags:reader:anna")
      connection.announce(8, on: "flags:reader:anna")
      await stage.idle()
      #expect(
        listener.journal.all == [
          "on flags:project", "flags:project: flags_changed 7", "on flags:reader:anna",
          "flags:reader:anna: flags_changed 8",
        ])
      #expect(stage.realtime.attemptCount == 1)
    }
  }

  @Test func `an install joins with its name and secret, loaded before it connects`() {
    play { stage in
      stage.storage.setIntercept { _ in try? await stage.simulator.clock.sleep(for: .seconds(1)) }
      let listener = ProbeListener()
      try stage.socket.join("flags:project", listener: listener)
      try await stage.pass(.seconds(1))
      #expect(stage.realtime.attemptCount == 0)
      try await stage.pass(.seconds(1))
      let connection = try await stage.accept()
      let install = try #require(try stage.core.knownInstall)
      #expect(try connection.frames.first?.payload == ["install": install.id, "secret": install.secret])
    }
  }

  @Test func `a token that is renewed is used for the joins that follow`() {
    play(Setup(user: .anna)) { stage in
      let listener = ProbeListener()
      try stage.socket.join("flags:project", listener: listener)
      await stage.idle()
      stage.client?.updateToken("token-a2")
      let connection = try await stage.accept()
      #expect(try connection.frames.last?.payload == ["token": "token-a2"])
      stage.client?.updateToken("token-a3")
      try stage.socket.join("flags:reader:anna", listener: listener)
      await stage.idle()
      #expect(try connection.frames.last?.payload == ["token": "token-a3"])
      #expect(stage.realtime.attemptCount == 1, "a newer token is no reason to connect again")
    }
  }

  @Test func `a refused channel is asked for again on the next connection only, the other goes on`() {
    play(Setup(user: .anna)) { stage in
      let listener = ProbeListener()
      try stage.socket.join("flags:project", listener: listener)
      try stage.socket.join("flags:reader:anna", listener: listener)
      var connection = try await stage.accept()
      try connection.reply(to: "join flags:project", "error")
      try connection.reply(to: "join flags:reader:anna")
      connection.announce(1)
      connection.announce(2, on: "flags:reader:anna")
      await stage.idle()
      for _ in 0..<4 {
        try await stage.pass(.seconds(30))
        try connection.reply(to: "heartbeat realtime")
      }
      #expect(
        listener.journal.all == [
          "refused flags:project", "on flags:reader:anna", "flags:reader:anna: flags_changed 2",
        ])
      #expect(try connection.names.count { $0 == "join flags:project" } == 1)
      connection.fail()
      try await stage.pass(.seconds(1))
      connection = try await stage.accept()
      try connection.reply(to: "join flags:project")
      try connection.reply(to: "join flags:reader:anna")
      await stage.idle()
      #expect(listener.journal.all.suffix(2) == ["on flags:project", "again on flags:reader:anna"])
    }
  }

  @Test func `a channel that is left is not heard any more, and the last one ends the connection`() {
    play(Setup(user: .anna)) { stage in
      let listener = ProbeListener()
      let socket = try stage.socket
      socket.join("flags:project", listener: listener)
      socket.join("flags:reader:anna", listener: listener)
      let connection = try await stage.accept()
      try connection.reply(to: "join flags:project")
      await stage.idle()
      socket.leave("flags:project")
      connection.announce(3)
      await stage.idle()
      #expect(try connection.names.last == "leave flags:project")
      #expect(listener.journal.all == ["on flags:project"])
      socket.leave("nowhere")
      socket.leave("flags:reader:anna")
      await stage.idle()
      #expect(!connection.isOpen)
      try await stage.pass(.seconds(300))
      #expect(stage.realtime.attemptCount == 1)
      socket.join("flags:project", listener: listener)
      try await stage.accept()
    }
  }

  @Test func `what makes no sense is ignored`() {
    play(Setup(user: .anna)) { stage in
      let listener = ProbeListener()
      try stage.socket.join("flags:project", listener: listener)
      let connection = try await stage.accept()
      for text in [
        "", "{", "[]", #"{"topic":7,"event":"reply"}"#, #"{"topic":"flags:project"}"#,
        #"{"topic":"flags:project","event":"reply","payload":{"status":"ok"},"ref":"999"}"#,
        #"{"topic":"flags:project","event":"reply","payload":{"status":"ok"}}"#,
        #"{"topic":"elsewhere","event":"flags_changed","payload":{"version":1},"ref":null}"#,
        #"{"topic":"realtime","event":"reply","payload":{},"ref":"1"}"#,
      ] { connection.deliver(text) }
      await stage.idle()
      #expect(listener.journal.all.isEmpty)
      try connection.reply(to: "join flags:project")
      try connection.reply(to: "join flags:project")
      connection.deliver(#"{"topic":"flags:project","event":"flags_changed","extra":1}"#)
      await stage.idle()
      #expect(listener.journal.all == ["on flags:project", "flags:project: flags_changed ?"])
    }
  }

  @Test func `a listener is not kept alive by its channel`() {
    play(Setup(user: .anna), seeds: 0..<1) { stage in
      var listener: ProbeListener? = ProbeListener()
      weak let trace = listener
      try stage.socket.join("flags:project", listener: try #require(listener))
      let connection = try await stage.accept()
      listener = nil
      #expect(trace == nil)
      try connection.reply(to: "join flags:project")
      await stage.idle()
    }
  }

  @Test func `after the close nothing is left of the socket and nothing begins`() {
    play(Setup(user: .anna)) { stage in
      let listener = ProbeListener()
      let socket = try stage.socket
      socket.join("flags:project", listener: listener)
      let connection = try await stage.accept()
      await stage.client?.close()
      connection.announce(1)
      await stage.idle()
      #expect(!connection.isOpen)
      #expect(listener.journal.all.isEmpty)
      socket.join("flags:reader:anna", listener: listener)
      stage.client?.signIn(.ben)
      try await stage.pass(.seconds(100))
      #expect(stage.realtime.attemptCount == 1)
    }
  }
}
