import ClientCore
import Palbase
import PalbaseFlags
import Testing

// A signed-in user's values (seed), and the row Reader of BEHAVIOUR §3.
@Suite struct ReaderTests {
  // mixpanel/mixpanel-swift PR#721: a reset kept the flags, and the old user's variants could be read.
  @Test func `a gate closes for the next user in the step of the change`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["beta": "true", "shared": "1"])
      #expect(try stage.flags.bool("beta", default: false))
      try stage.client.signIn(.ben)
      #expect(try !stage.flags.bool("beta", default: false))
      #expect(try stage.flags.all == [:])
      #expect(try stage.flags.source("beta") == nil)
      #expect(try stage.flags.status.version == nil)
      let request = try await stage.request()
      #expect(request.target == "/flags/snapshot")
      #expect(request.header("Authorization") == "Bearer token-ben")
      try await stage.answer(.snapshot(5, ["shared": "2"]))
      #expect(try stage.flags.all == ["shared": 2])
    }
  }

  @Test func `listeners are told the old keys, and then the new reader's`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["a": "1", "b": "1"])
      let listening = try stage.listen()
      await stage.idle()
      try stage.client.signIn(.ben)
      await stage.idle()
      #expect(listening.heard == [["a", "b"]])
      try await stage.answer(.snapshot(5, ["b": "1", "c": "1"]))
      #expect(listening.heard == [["a", "b"], ["b", "c"]])
    }
  }

  @Test func `a pending refresh ends with a typed error`() {
    play(Setup(user: .anna)) { stage in
      let call = try stage.refresh()
      _ = try await stage.request()
      try stage.client.signOut()
      await stage.idle()
      #expect(call.error == .readerChanged)
      try await stage.answer(.snapshot(1, ["a": "1"]))
    }
  }

  // Flagsmith, CleverTap/clevertap-ios-sdk PR#448: some handlers lacked the check.
  @Test func `the answer of an earlier reader's request is not applied`() {
    play(Setup(user: .anna)) { stage in
      try stage.refresh()
      await stage.idle()
      let old = try #require(stage.transport.pending.first)
      try stage.client.signIn(.ben)
      stage.transport.respond(
        to: old, with: TransportResponse(status: 200, body: Array(String.snapshot(9, ["a": "1"]).utf8)))
      await stage.idle()
      #expect(try stage.flags.all == [:])
      #expect(try await stage.request().header("Authorization") == "Bearer token-ben")
      try await stage.answer(.snapshot(2, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
      #expect(try stage.flags.status.version == 2, "versions are compared within an epoch only")
    }
  }

  @Test func `the same user again is a new beginning`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["a": "1"], etag: "\"five\"")
      try stage.refresh()
      await stage.idle()
      let old = try #require(stage.transport.pending.first)
      try stage.client.signOut()
      try stage.client.signIn(.anna)
      stage.transport.respond(
        to: old,
        with: TransportResponse(status: 200, body: Array(String.delta(since: 5, 6, ["a": "2"]).utf8)))
      await stage.idle()
      #expect(try stage.flags.all == [:])
      let request = try await stage.request()
      #expect(request.target == "/flags/snapshot")
      #expect(request.header("If-None-Match") == nil)
      try await stage.answer(.snapshot(6, ["a": "2"]))
    }
  }

  @Test func `signing out starts the install's own fetch`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["a": "1"])
      try stage.client.signOut()
      let request = try await stage.request()
      #expect(request.header("Authorization") == nil)
      #expect(request.header("X-Palbase-Install") != nil)
      try await stage.answer(.snapshot(5, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test func `a newer token of the same reader changes nothing that is held`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["a": "1"])
      try stage.client.updateToken("newer")
      #expect(try stage.flags.int("a", default: 0) == 1)
      try stage.refresh()
      #expect(try await stage.request().header("Authorization") == "Bearer newer")
      try await stage.answerUnchanged()
    }
  }

  @Test func `a change while nothing is held tells nobody`() {
    play(Setup(user: .anna)) { stage in
      let listening = try stage.listen()
      _ = try await stage.request()
      try stage.client.signIn(.ben)
      await stage.idle()
      #expect(listening.heard == [])
      try await stage.answer(.snapshot(1, [:]))
      #expect(listening.heard == [])
    }
  }

  @Test func `a change before the device was read keeps the old reader's record out`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["a": "1"])
      await stage.kill()
      stage.launch(as: .anna)
      // Started, and the reader changes before the reading of the device has had its turn.
      _ = try stage.flags.all
      try stage.client.signIn(.ben)
      await stage.idle()
      #expect(try stage.flags.all == [:])
      #expect(stage.storage.bytes(of: Stage.recordName) == nil)
      try await stage.answer(.snapshot(5, ["a": "2"]))
      #expect(try stage.flags.int("a", default: 0) == 2)
    }
  }

  @Test func `many changes in a row leave the last reader's values only`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["a": "1"])
      for index in 0..<20 {
        try stage.client.signIn(PalbaseUser(id: "u\(index)", token: "t\(index)"))
        if index % 3 == 0 { await stage.idle() }
        if index % 5 == 0 { try stage.client.signOut() }
      }
      #expect(try await stage.request().header("Authorization") == "Bearer t19")
      try await stage.answer(.snapshot(5, ["a": "19"]))
      #expect(try stage.flags.all == ["a": 19])
    }
  }
}
