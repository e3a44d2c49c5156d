import ClientCore
import Palbase
import PalbaseFlags
import Testing

@Suite struct ETagTests {
  /// Brings the stage to the snapshot that follows a 410, and gives its `If-None-Match`.
  private static func snapshotETag(_ stage: Stage) async throws -> String? {
    try stage.refresh()
    try await stage.answerGone()
    return try await stage.request().header("If-None-Match")
  }

  // adobe/aepsdk-core-ios PR#105: a 304 has no body, and code decoded nothing from it.
  @Test func `304 keeps the values and moves the version`() {
    play { stage in
      try await stage.fill(5, ["a": "1"], etag: "\"five\"")
      let listening = try stage.listen()
      #expect(try await Self.snapshotETag(stage) == "\"five\"")
      try await stage.answerUnchanged(version: 9)
      #expect(try stage.flags.int("a", default: 0) == 1)
      #expect(try stage.flags.status.version == 9)
      #expect(listening.heard == [])
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=9")
      try await stage.answerUnchanged()
    }
  }

  @Test func `the version of a 304 never falls`() {
    play { stage in
      try await stage.fill(5, ["a": "1"], etag: "\"five\"")
      _ = try await Self.snapshotETag(stage)
      try await stage.answerUnchanged(version: 3)
      #expect(try stage.flags.status.version == 5)
      #expect(try await stage.nextRequest().header("If-None-Match") == "\"five\"")
      try await stage.answerUnchanged(version: 5)
    }
  }

  @Test func `after a delta the values have no ETag any more`() {
    play { stage in
      try await stage.fill(5, ["a": "1"], etag: "\"five\"")
      try stage.refresh()
      try await stage.answer(.delta(since: 5, 6, ["a": "2"]))
      #expect(try await Self.snapshotETag(stage) == nil)
      try await stage.answer(.snapshot(6, ["a": "2"]))
    }
  }

  // What was skipped comes in no later delta, and the ETag names an answer that is not what is held.
  @Test func `an answer that was held in part is followed by a snapshot without an ETag`() {
    play { stage in
      try await stage.fill(5, ["a": "1", "b": .brokenFlag], etag: "\"five\"")
      try stage.refresh()
      let request = try await stage.request()
      #expect(request.target == "/flags/snapshot")
      #expect(request.header("If-None-Match") == nil)
      try await stage.answer(.snapshot(5, ["a": "1", "b": "2"]))
      #expect(try stage.flags.int("b", default: 0) == 2)
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/delta?since=5")
      try await stage.answerUnchanged()
    }
  }

  @Test func `a delta that was held in part is followed by a snapshot`() {
    play { stage in
      try await stage.fill(5, ["a": "1", "b": "1"], etag: "\"five\"")
      try stage.refresh()
      try await stage.answer(.delta(since: 5, 6, ["b": .brokenFlag]))
      #expect(try stage.flags.status.version == 6)
      #expect(try stage.flags.int("b", default: 0) == 1)
      try stage.refresh()
      #expect(try await stage.request().target == "/flags/snapshot")
      try await stage.answer(.snapshot(6, ["a": "1", "b": "2"]))
    }
  }

  // Unleash/unleash-ios-sdk PR#6: look-ups that minded the case missed the ETag.
  @Test func `header names are read in any case`() {
    play { stage in
      try stage.refresh()
      try await stage.answer(.snapshot(5, ["a": "1"]), headers: [HeaderField("etag", "\"five\"")])
      #expect(try await Self.snapshotETag(stage) == "\"five\"")
      try await stage.answer("", status: 304, headers: [HeaderField("x-flags-version", "6")])
      #expect(try stage.flags.status.version == 6)
    }
  }

  // Unleash/unleash PR#11284: equal content under another ETag for each node behind a balancer.
  @Test func `equal content under another ETag is no change`() {
    play { stage in
      try await stage.fill(5, ["a": "1", "b": "2"], etag: "\"one\"")
      let listening = try stage.listen()
      _ = try await Self.snapshotETag(stage)
      try await stage.answer(
        .snapshot(5, ["b": "2", "a": "1"]), headers: [HeaderField("ETag", "\"other\"")])
      #expect(listening.heard == [])
      #expect(try await Self.snapshotETag(stage) == "\"other\"")
      try await stage.answerUnchanged(version: 5)
    }
  }

  @Test func `304 with nothing held is followed by one unconditional read`() {
    play { stage in
      let call = try stage.refresh()
      try await stage.answerUnchanged(version: 5)
      #expect(!call.isAnswered)
      #expect(try await stage.request().header("If-None-Match") == nil)
      try await stage.answer(.snapshot(5, ["a": "1"]))
      #expect(call.isDone)
    }
  }

  @Test func `304 again is a failure, and the sync backs off`() {
    play { stage in
      let call = try stage.refresh()
      try await stage.answerUnchanged(version: 5)
      try await stage.answerUnchanged(version: 5)
      #expect(call.error == .server(code: "http_304", status: 304))
      #expect(await stage.pending().isEmpty)
      #expect(try await stage.nextRequest().target == "/flags/snapshot")
      try await stage.answer(.snapshot(5, ["a": "1"]))
    }
  }

  @Test func `the ETag of one reader is never sent for another`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(5, ["a": "1"], etag: "\"five\"")
      try stage.client.signIn(.ben)
      let request = try await stage.request()
      #expect(request.target == "/flags/snapshot")
      #expect(request.header("If-None-Match") == nil)
      try await stage.answer(.snapshot(5, ["a": "2"]))
    }
  }
}
