import ClientCore
import Palbase
import Stagecraft
import Synchronization
import Testing

/// The install's identity: made once, kept, loaded once (BEHAVIOUR §3, headers).
@Suite struct InstallTests {
  /// The headers that prove the install to the project, of one request answered with 200.
  private static func proof(_ stage: Stage) async throws -> [String] {
    try stage.send()
    let request = try #require(await stage.pending().first?.request)
    try await stage.answer()
    return ["X-Palbase-Install", "X-Palbase-Install-Secret"].compactMap { request.header($0) }
  }

  @Test func `the first launch makes an identity and the next one finds it`() {
    let kept = Mutex<[UInt8]?>(nil)
    play(seeds: 0..<1) { stage in
      let proof = try await Self.proof(stage)
      let again = try await Self.proof(stage)
      #expect(again == proof)
      let record = try #require(stage.storage.bytes(of: "palbase.install"))
      #expect(String(decoding: record, as: UTF8.self) == #"{"id":"\#(proof[0])","secret":"\#(proof[1])"}"#)
      kept.withLock { $0 = record }
    }
    play { stage in
      stage.storage.put(kept.withLock { $0 }, for: "palbase.install")
      let drawn = stage.random.drawnCount
      let proof = try await Self.proof(stage)
      #expect(
        kept.withLock { $0 } == Array(#"{"id":"\#(proof[0])","secret":"\#(proof[1])"}"#.utf8),
        "the identity of the first launch")
      #expect(stage.random.drawnCount == drawn, "nothing was made")
    }
  }

  @Test func `requests that need it at once wait for one loading`() {
    let operations = Journal()
    play(Setup(storage: { operations.add("\($0)") }), seeds: 0..<1) { stage in
      for _ in 0..<20 { try stage.send() }
      let requests = await stage.pending()
      #expect(requests.count == 20)
      #expect(Set(requests.compactMap { $0.request.header("X-Palbase-Install") }).count == 1)
      #expect(operations.all.count == 2, "one read and one write: \(operations.all)")
      for _ in 0..<20 { try await stage.answer() }
    }
  }

  @Test(arguments: [
    "", "{", "[]", #"{"id":"short","secret":"x"}"#, #"{"id":7}"#,
    #"{"id":"GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG","secret":"0"}"#,
  ])
  func `a damaged record gives way to a new identity and is counted`(record: String) {
    play { stage in
      stage.storage.put(Array(record.utf8), for: "palbase.install")
      let proof = try await Self.proof(stage)
      #expect(try stage.core.damagedInstallRecords == 1)
      let kept = stage.storage.bytes(of: "palbase.install").map { String(decoding: $0, as: UTF8.self) }
      #expect(kept?.contains(proof[0]) == true)
      #expect(stage.logged.count == 1)
      #expect(!stage.logged.contains { $0.contains(proof[0]) })
    }
  }

  @Test func `a record that cannot be read is left alone`() {
    play { stage in
      let sound = Array(#"{"id":"\#(String(repeating: "a", count: 32))"}"#.utf8)
      stage.storage.put(sound, for: "palbase.install")
      stage.storage.setIntercept { _ in throw StorageError(.readFailed, "the device is locked") }
      let proof = try await Self.proof(stage)
      #expect(proof.count == 2)
      #expect(try await Self.proof(stage) == proof, "one identity for this launch")
      #expect(stage.storage.bytes(of: "palbase.install") == sound)
    }
  }

  @Test func `an identity that cannot be kept holds for this launch`() {
    play { stage in
      stage.storage.setIntercept { operation in
        if case .replace = operation { throw StorageError(.full, "no space") }
      }
      let proof = try await Self.proof(stage)
      #expect(proof.count == 2)
      #expect(try await Self.proof(stage) == proof)
      #expect(stage.storage.names.isEmpty)
    }
  }

  @Test func `a new identity is kept before it is used`() {
    play { stage in
      stage.storage.setIntercept { operation in
        if case .replace = operation { try? await stage.simulator.clock.sleep(for: .seconds(2)) }
      }
      try stage.send()
      try await stage.pass(.milliseconds(1999))
      #expect(stage.transport.sentCount == 0)
      try await stage.pass(.milliseconds(1))
      #expect(stage.transport.sentCount == 1)
      try await stage.answer()
    }
  }

  @Test func `the loading goes on when the request that asked for it gives up`() {
    play { stage in
      stage.storage.setIntercept { _ in try? await stage.simulator.clock.sleep(for: .seconds(2)) }
      let first = try stage.send()
      try await stage.pass(.seconds(1))
      first.cancel()
      let second = try stage.send()
      try await stage.pass(.seconds(3))
      #expect(stage.transport.sentCount == 1)
      try await stage.answer()
      #expect(first.error != nil)
      #expect(second.status == 200)
    }
  }

  @Test func `a client that closes while the disk is slow writes nothing more`() {
    play { stage in
      stage.storage.setIntercept { _ in try? await stage.simulator.clock.sleep(for: .seconds(2)) }
      let call = try stage.send()
      try await stage.pass(.seconds(1))
      await stage.client?.close()
      await stage.idle()
      #expect(call.error == .closed)
      try await stage.pass(.seconds(10))
      #expect(stage.storage.names.isEmpty)
      #expect(stage.transport.sentCount == 0)
    }
  }
}
