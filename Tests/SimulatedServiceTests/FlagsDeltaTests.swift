import SimulatedService
import Testing

/// Deltas: what they hold, and when the service has none to give.
@Suite struct FlagsDeltaTests {
  private var project: FlagsProject
  private let ada = FlagsApp.user("ada")

  init() {
    project = FlagsProject(
      FlagsPlan(
        seed: 1, keys: ["a", "b", "c", "d"], hasConditions: false, audiences: ["fans"], deletionsKept: 3))
    #expect(project.respond(to: ada.snapshot(), at: 0).response.status == 200)
  }

  private mutating func delta(since: Int64, lag: Int = 0) -> FlagsAnswer {
    project.respond(to: ada.delta(since: since), at: 0, lag: lag)
  }

  @Test mutating func `nothing newer is a 304`() {
    let answer = delta(since: 1)
    #expect(answer.response.status == 304)
    #expect(answer.response.body == [])
    #expect(answer.truth.kind == .notModifiedDelta)
    #expect(answer.truth.version == 1)
    #expect(answer.truth.whole == project.resolve(.user("ada"), ada.context, at: 0))
  }

  @Test mutating func `what changed, what is new and what is gone`() throws {
    #expect(project.publish(keys: ["b"]).count == 1)
    #expect(project.delete("c").count == 1)
    #expect(project.define(FlagDefinition(key: "bb", value: .string("new"))).count == 1)
    #expect(project.publish(keys: ["b"]).count == 1)
    let answer = delta(since: 1)
    #expect(answer.response.status == 200)
    #expect(answer.bodyVersion == 5)
    let object = try answer.response.object()
    #expect(object["since"] as? Int == 1)
    #expect(object["deleted"] as? [String] == ["c"])
    #expect(try answer.flags("changed") == ["b=b@5 default", "bb=new default"])
    guard case .delta(1, let changed, ["c"]) = answer.truth.kind else {
      Issue.record("\(answer.truth.kind)")
      return
    }
    #expect(changed.map(\.key) == ["b", "bb"])
    #expect(answer.truth.whole.map(\.key) == ["a", "b", "bb", "d"])
    #expect(try delta(since: 3).response.object()["deleted"] as? [String] == [])
  }

  @Test mutating func `the last flags may be the ones that are gone`() throws {
    _ = project.delete("d")
    _ = project.delete("c")
    #expect(try delta(since: 1).response.object()["deleted"] as? [String] == ["c", "d"])
  }

  @Test mutating func `a new version without visible change is an empty delta`() throws {
    _ = project.giveUser("bob", key: "a", value: .number(7))
    let answer = delta(since: 1)
    #expect(answer.response.status == 200)
    #expect(answer.bodyVersion == 2)
    #expect(answer.truth.kind == .delta(since: 1, changed: [], deleted: []))
  }

  @Test mutating func `another source of an equal value is a change`() throws {
    let flag = try #require(project.definition(of: "b"))
    _ = project.giveUser("ada", key: "b", value: flag.value)
    #expect(try delta(since: 1).flags("changed") == ["b=b@1 user"])
  }

  // MARK: 410

  @Test mutating func `another context is gone even if the version is current`() {
    for change in [\ReaderContext.platform, \.appVersion, \.language] {
      var other = ada
      other.context[keyPath: change] = "9"
      let answer = project.respond(to: other.delta(since: 1), at: 0)
      #expect(answer.reason == "context_changed")
      #expect(answer.truth.kind == .gone(.contextChanged))
      #expect(answer.truth.context == other.context)
    }
    var elsewhere = ada
    elsewhere.headers[1].value = "FR"
    #expect(project.respond(to: elsewhere.delta(since: 1), at: 0).reason == "context_changed")
    #expect(delta(since: 1).response.status == 304, "a delta that was refused is not remembered")
    _ = project.respond(to: elsewhere.snapshot(), at: 0)
    #expect(project.respond(to: elsewhere.delta(since: 1), at: 0).response.status == 304)
    #expect(delta(since: 1).reason == "context_changed")
  }

  @Test mutating func `a reader who never got a snapshot has no base`() {
    #expect(project.respond(to: FlagsApp.user("bob").delta(since: 1), at: 0).reason == "context_changed")
  }

  @Test mutating func `a 304 of a snapshot makes its context known as well`() throws {
    var other = ada
    other.context.language = "de"
    let held = project.respond(to: other.snapshot(), at: 0).etag
    let etag = try #require(held)
    _ = project.respond(to: ada.snapshot(), at: 0)
    #expect(project.respond(to: other.snapshot(ifNoneMatch: etag), at: 0).response.status == 304)
    #expect(project.respond(to: other.delta(since: 1), at: 0).response.status == 304)
  }

  @Test mutating func `versions before a change of the reader's audiences are gone`() {
    let reader = FlagsReader.user("ada")
    let notices =
      project.setConsent(of: reader, personalization: false)
      + project.changeAudience("fans", of: reader, isMember: true)
      + project.setConsent(of: reader, personalization: true)
    let told = notices.map { "\($0.topic) \($0.version)" }
    // Whether ada was among the fans from the start, the seed decides; without consent no membership counts.
    #expect(told.last == "flags:reader:ada \(project.version)")
    #expect(delta(since: project.version - 1).reason == "audiences_changed")
    #expect(delta(since: 1).reason == "audiences_changed")
    #expect(delta(since: project.version).response.status == 304)
    _ = project.respond(to: FlagsApp.user("bob").snapshot(), at: 0)
    #expect(project.respond(to: FlagsApp.user("bob").delta(since: 1), at: 0).response.status != 410)
  }

  @Test mutating func `an unannounced change of audiences makes the current version no base`() {
    let reader = FlagsReader.user("ada")
    _ = project.changeAudience("fans", of: reader, isMember: true)
    let before = project.version
    #expect(project.changeAudience("fans", of: reader, isMember: false, isAnnounced: false) == [])
    #expect(project.version == before)
    let refused = delta(since: before)
    #expect(refused.reason == "audiences_changed")
    #expect(refused.truth.version == before + 1)
    #expect(project.respond(to: ada.snapshot(), at: 0).bodyVersion == before + 1)
    #expect(delta(since: before + 1).response.status == 304)
    #expect(project.advance(to: 1) == [])
  }

  @Test mutating func `what does not change the audiences that count changes nothing`() {
    let reader = FlagsReader.user("ada")
    _ = project.changeAudience("fans", of: reader, isMember: true)
    let version = project.version
    #expect(project.changeAudience("fans", of: reader, isMember: true) == [])
    #expect(project.changeAudience("strangers", of: reader, isMember: true) == [])
    #expect(project.setConsent(of: reader, personalization: true) == [])
    #expect(project.changeAudience("fans", of: reader, isMember: true, isAnnounced: false) == [])
    #expect(delta(since: version).response.status == 304)
    #expect(project.version == version)
  }

  @Test mutating func `a deletion is remembered for so many versions`() {
    _ = project.delete("a")
    for _ in 0..<2 { _ = project.publish(keys: ["b"]) }
    #expect(delta(since: 1).response.status == 200, "the deletion of version 2 is two versions old")
    _ = project.publish(keys: ["b"])
    #expect(delta(since: 1).reason == "deletions_expired")
    #expect(delta(since: 1).truth.kind == .gone(.deletionsExpired))
    #expect(delta(since: 2).response.status == 200, "version 2 knows of the deletion")
    _ = project.delete("b")
    _ = project.delete("c")
    for _ in 0..<3 { _ = project.publish(keys: ["d"]) }
    #expect(delta(since: 6).reason == "deletions_expired")
    #expect(delta(since: 7).response.status == 200)
  }

  @Test mutating func `without deletions the kept versions are the bound`() {
    for _ in 0..<64 { _ = project.publish(keys: ["b"]) }
    #expect(delta(since: 1).response.status == 200)
    _ = project.publish(keys: ["b"])
    #expect(delta(since: 1).reason == "deletions_expired")
    #expect(delta(since: 2).response.status == 200)
  }

  @Test mutating func `a version that never was is no base`() {
    #expect(delta(since: 0).reason == "deletions_expired")
    #expect(delta(since: 2).reason == "deletions_expired")
    #expect(delta(since: .max).reason == "deletions_expired")
  }

  @Test mutating func `a replica that lags has nothing newer than what it has not heard of`() throws {
    for _ in 0..<3 { _ = project.publish(keys: ["b"]) }
    let answer = delta(since: 4, lag: 1)
    #expect(answer.response.status == 304)
    #expect(answer.truth.version == 3)
    #expect(try delta(since: 1, lag: 1).flags("changed") == ["b=b@3 default"])
    #expect(delta(since: 5, lag: 1).reason == "deletions_expired")
  }

  @Test mutating func `a fault's 410 looks like a true one`() {
    let answer = project.gone(ada.delta(since: 1), reason: .audiencesChanged, at: 0)
    #expect(answer.reason == "audiences_changed")
    #expect(answer.truth.kind == .gone(.audiencesChanged))
    #expect(answer.truth.reader == .user("ada"))
  }
}
