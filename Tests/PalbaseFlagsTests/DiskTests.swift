import ClientCore
import Palbase
import PalbaseFlags
import Testing

/// The record on the device between launches (BEHAVIOUR §3, Persistence).
@Suite struct DiskTests {
  /// Fills a device, lets the app be killed and gives what is on the disk then.
  private static func fillAndKill(_ stage: Stage, as user: PalbaseUser? = .anna) async throws -> [UInt8] {
    if let user { try stage.client.signIn(user) }
    try await stage.fill(5, ["a": "1", "b": "\"text\""], etag: "\"five\"")
    await stage.idle()
    let record = try #require(stage.storage.bytes(of: Stage.recordName))
    await stage.kill()
    return record
  }

  @Test func `a launch offline reads what the last one held`() {
    play { stage in
      _ = try await Self.fillAndKill(stage)
      stage.launch(as: .anna)
      let flags = try stage.flags
      let call = stage.ask { await flags.start() }
      await stage.idle()
      #expect(call.isDone)
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.string("b", default: "") == "text")
      #expect(try stage.flags.status.version == 5)
      #expect(try await stage.request().target == "/flags/delta?since=5")
      try await stage.failRequest()
      #expect(try stage.flags.int("a", default: 0) == 1)
    }
  }

  // keenlabs/KeenClient-iOS#3: an empty file that a failed write had left ended every launch.
  @Test(arguments: [0, 1, 20, 100, -1, -30])
  func `a record that is cut off anywhere is as absent, and counted`(length: Int) {
    play { stage in
      let record = try await Self.fillAndKill(stage)
      stage.storage.put(
        Array(record.prefix(length < 0 ? record.count + length : length)), for: Stage.recordName)
      try await Self.expectDiscarded(stage)
    }
  }

  @Test func `a record with any byte changed is as absent, and counted`() {
    play(seeds: 0..<1) { stage in
      let record = try await Self.fillAndKill(stage)
      for place in stride(from: 0, to: record.count, by: 7) {
        var changed = record
        changed[place] ^= 1
        stage.storage.put(changed, for: Stage.recordName)
        try await Self.expectDiscarded(stage)
        await stage.kill()
      }
    }
  }

  @Test func `a record of another reader is as absent`() {
    play { stage in
      _ = try await Self.fillAndKill(stage)
      try await Self.expectDiscarded(stage, as: .ben)
    }
  }

  @Test func `a record of another project is as absent`() {
    play { stage in
      _ = try await Self.fillAndKill(stage)
      stage.launch(as: .anna) { $0.baseURL = "https://other.example" }
      #expect(try stage.flags.all == [:])
      await stage.idle()
      #expect(try stage.flags.all == [:])
      #expect(try stage.flags.status.discardedRecords == 1)
      try await stage.failRequest()
    }
  }

  // growthbook/growthbook-kotlin#242: after an update of the app nothing was held, and a fleet started on defaults.
  @Test func `after an update of the app the old values are served, and are no base`() {
    play { stage in
      _ = try await Self.fillAndKill(stage)
      stage.launch(as: .anna) { $0.appVersion = "3.0.0" }
      let flags = try stage.flags
      stage.ask { await flags.start() }
      await stage.idle()
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.status.version == nil)
      let request = try await stage.request()
      #expect(request.target == "/flags/snapshot")
      #expect(request.header("If-None-Match") == nil)
      try await stage.answer(.snapshot(4, ["a": "9"]))
      #expect(try stage.flags.int("a", default: 0) == 9)
    }
  }

  @Test func `values that lack a skipped flag are no base for a later launch either`() {
    play { stage in
      try stage.client.signIn(.anna)
      try await stage.fill(5, ["a": "1", "b": .brokenFlag], etag: "\"five\"")
      await stage.idle()
      await stage.kill()
      stage.launch(as: .anna)
      #expect(try stage.flags.all.count <= 1)
      #expect(try await stage.request().target == "/flags/snapshot")
      try await stage.answer(.snapshot(5, ["a": "1", "b": "2"]))
    }
  }

  @Test func `a full disk keeps no read and no refresh waiting, and is tried again`() {
    play { stage in
      stage.storage.setIntercept { operation in
        if case .replace = operation { throw StorageError(.full, "no space left") }
      }
      try await stage.fill(5, ["a": "1"])
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.status.failedWrites >= 1)
      stage.storage.setIntercept(nil)
      try await stage.pass(.seconds(10))
      #expect(stage.storage.bytes(of: Stage.recordName) != nil)
    }
  }

  @Test func `a slow reading of the record never replaces a newer answer`() {
    play { stage in
      let record = try await Self.fillAndKill(stage)
      stage.storage.put(record, for: Stage.recordName)
      let clock = stage.environment.clock
      stage.storage.setIntercept { operation in
        guard case .read(Stage.recordName) = operation else { return }
        try await clock.sleep(until: clock.now.advanced(by: .seconds(4)))
      }
      stage.launch(as: .anna)
      try stage.refresh()
      try await stage.pass(.seconds(1))
      try await stage.answer(.snapshot(8, ["a": "8"]))
      try await stage.pass(.seconds(5))
      #expect(try stage.flags.int("a", default: 0) == 8)
      #expect(try stage.flags.status.version == 8)
    }
  }

  @Test func `a change of reader takes the old reader's record from the disk`() {
    play { stage in
      try stage.client.signIn(.anna)
      try await stage.fill(5, ["a": "1"])
      await stage.idle()
      #expect(stage.storage.bytes(of: Stage.recordName) != nil)
      try stage.client.signIn(.ben)
      await stage.idle()
      #expect(stage.storage.bytes(of: Stage.recordName) == nil)
      try await stage.answer(.snapshot(6, ["a": "2"]))
      await stage.idle()
      let record = try #require(stage.storage.bytes(of: Stage.recordName))
      #expect(String(decoding: record, as: UTF8.self).contains("user:ben"))
    }
  }

  private static func expectDiscarded(_ stage: Stage, as user: PalbaseUser = .anna) async throws {
    stage.launch(as: user)
    #expect(try stage.flags.all == [:])
    await stage.idle()
    #expect(try stage.flags.all == [:])
    #expect(try stage.flags.status.discardedRecords == 1)
    #expect(try await stage.request().target == "/flags/snapshot")
    try await stage.failRequest()
  }
}
