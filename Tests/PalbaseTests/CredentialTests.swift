import ClientCore
import Palbase
import Testing

/// Which credential crosses the wire, and that it is never the wrong one (BEHAVIOUR §3, headers; `gate-closed`).
@Suite struct CredentialTests {
  @Test func `a user's request carries the bearer token and nothing of the install`() {
    play(Setup(user: .anna)) { stage in
      let call = try stage.send()
      let request = try #require(await stage.pending().first?.request)
      #expect(request.url == "https://shop.example/flags/snapshot")
      #expect(request.header("apikey") == "key")
      #expect(request.header("Authorization") == "Bearer token-a")
      #expect(request.header("X-Palbase-Install") == nil)
      #expect(request.header("X-Palbase-Install-Secret") == nil)
      try await stage.answer()
      #expect(call.status == 200)
      #expect(stage.storage.names.isEmpty, "a user needs no install")
    }
  }

  @Test func `with no one signed in a request carries the install and no token`() {
    play { stage in
      try stage.send()
      let request = try #require(await stage.pending().first?.request)
      #expect(request.header("apikey") == "key")
      #expect(request.header("Authorization") == nil)
      #expect(request.header("X-Palbase-Install")?.count == 32)
      #expect(request.header("X-Palbase-Install-Secret")?.count == 64)
      try await stage.answer()
    }
  }

  @Test func `the query is encoded and a body says what it is`() {
    play(Setup(user: .anna, baseURL: "https://shop.example/base//")) { stage in
      let core = try stage.core
      try stage.send(
        PalbaseRequest(
          .post, "/flags/delta", query: [("since", "7")] + core.contextQuery,
          headers: [HeaderField("If-None-Match", "\"e\"")], body: [0x7B, 0x7D]))
      let request = try #require(await stage.pending().first?.request)
      #expect(
        request.url
          == "https://shop.example/base/flags/delta?since=7&platform=ios&app_version=2.4%20beta&language=de")
      #expect(request.header("Content-Type") == "application/json")
      #expect(request.header("Accept") == "application/json")
      #expect(request.header("If-None-Match") == "\"e\"")
      #expect(request.body == [0x7B, 0x7D])
      try await stage.answer()
    }
  }

  @Test func `a request of one reader is not sent in another one's time`() {
    // The disk is slow, so that the reader changes between the call and the sending.
    play { stage in
      let gate = stage.storage
      gate.setIntercept { _ in try? await stage.simulator.clock.sleep(for: .seconds(1)) }
      let core = try stage.core
      let identity = core.identity
      let call = try stage.send(as: identity) { core.epoch == identity.epoch ? nil : .readerChanged }
      try await stage.pass(.milliseconds(500))
      stage.client?.signIn(.anna)
      try await stage.pass(.seconds(5))
      #expect(stage.transport.sentCount == 0)
      #expect(call.error == .readerChanged)
    }
  }

  @Test func `a newer token is carried by what is sent later, as the same reader`() {
    play(Setup(user: .anna)) { stage in
      let core = try stage.core
      let identity = core.identity
      stage.client?.updateToken("token-a2")
      #expect(core.epoch == identity.epoch, "the reader stays")
      #expect(stage.client?.user == PalbaseUser(id: "anna", token: "token-a2"))
      try stage.send(as: identity)
      #expect(await stage.pending().first?.request.header("Authorization") == "Bearer token-a2")
      try await stage.answer()
    }
  }

  @Test func `what is sent for an earlier reader carries that reader's own credential`() {
    play(Setup(user: .anna)) { stage in
      let anna = try stage.core.identity
      stage.client?.updateToken("token-a2")
      stage.client?.signIn(.ben)
      stage.client?.updateToken("token-b2")
      try stage.send(as: anna)
      #expect(await stage.pending().first?.request.header("Authorization") == "Bearer token-a2")
      try await stage.answer()
      stage.client?.signOut()
      try stage.send()
      let request = try #require(await stage.pending().first?.request)
      #expect(request.header("Authorization") == nil)
      #expect(request.header("X-Palbase-Install") != nil)
      try await stage.answer()
    }
  }

  @Test func `a token for no one is told to the logger and shown nowhere`() {
    play { stage in
      stage.client?.updateToken("token-x")
      #expect(stage.client?.user == nil)
      #expect(stage.logged == ["Palbase: updateToken was called with no one signed in"])
    }
  }

  @Test func `neither a user nor an install shows what proves it`() {
    let install = InstallIdentity(id: "install-id", secret: "install-secret")
    for text in ["\(PalbaseUser.anna)", "\(install)", String(reflecting: PalbaseUser.anna)] {
      #expect(!text.contains("anna") && !text.contains("token") && !text.contains("install-"))
    }
    var dumped = ""
    dump(PalbaseUser.anna, to: &dumped)
    dump(install, to: &dumped)
    #expect(!dumped.contains("token-a") && !dumped.contains("install-secret"))
  }
}
