import SimulatedService
import Testing

/// Snapshots, their ETags, and what every answer carries.
@Suite struct FlagsSnapshotTests {
  private var project = FlagsProject(FlagsPlan(seed: 1, flags: 10, experiments: ["e"]))
  private let ada = FlagsApp.user("ada")

  @Test mutating func `a snapshot holds every flag of the reader, and its truth says the same`() throws {
    let answer = project.respond(to: ada.snapshot(), at: 0)
    #expect(answer.response.status == 200)
    #expect(answer.bodyVersion == 1)
    #expect(answer.response.serial == 1)
    #expect(answer.truth.reader == .user("ada"))
    #expect(answer.truth.context == ada.context)
    #expect(answer.truth.version == 1)
    let entries = project.resolve(.user("ada"), ada.context, at: 0)
    #expect(answer.truth.whole == entries)
    #expect(answer.truth.kind == .snapshot(entries))
    #expect(answer.truth.etag == answer.etag)
    let values = try #require(try answer.response.object()["values"] as? [String: [String: Any]])
    #expect(values.keys.sorted() == project.keys)
    for entry in entries {
      let value = try #require(values[entry.key])
      #expect(value["source"] as? String == entry.source.rawValue)
      #expect(value["experiment"] as? String == entry.experiment)
      #expect(value["variant"] as? String == entry.variant)
      switch entry.value {
      case .bool(let isOn): #expect(value["value"] as? Bool == isOn)
      case .string(let text): #expect(value["value"] as? String == text)
      case .number(let number): #expect(value["value"] as? Double == number)
      case .object(let members):
        #expect((value["value"] as? [String: Any])?.keys.sorted() == members.keys.sorted())
      case .array, .null: Issue.record("\(entry.key) is of no generated type")
      }
    }
  }

  @Test mutating func `every answer has a date, and one with a body says that it is JSON`() {
    let now: Int64 = 784_111_777_250_000_000
    let etag = project.respond(to: ada.snapshot(), at: now).etag
    for request in [
      ada.snapshot(), ada.snapshot(ifNoneMatch: etag), ada.delta(since: 1), ada.events(["a"]),
      ServiceRequest(method: "GET", path: "/nowhere"),
    ] {
      let response = project.respond(to: request, at: now).response
      #expect(response.header("Date") == "Sun, 06 Nov 1994 08:49:37 GMT")
      #expect((response.header("Content-Type") == "application/json") == !response.body.isEmpty)
    }
    #expect(project.answerCount == 6)
  }

  @Test mutating func `what is held is not sent again, whatever the version`() throws {
    let held = project.respond(to: ada.snapshot(), at: 0).etag
    let etag = try #require(held)
    #expect(project.giveUser("bob", key: "e", value: .number(1)).count == 1)
    let answer = project.respond(to: ada.snapshot(ifNoneMatch: etag), at: 0)
    #expect(answer.response.status == 304)
    #expect(answer.response.body == [])
    #expect(answer.response.header("X-Flags-Version") == "2")
    #expect(answer.truth.version == 2)
    #expect(answer.truth.kind == .notModifiedSnapshot(etag: etag))
    #expect(answer.truth.whole == project.resolve(.user("ada"), ada.context, at: 0))
    #expect(answer.etag == etag)
  }

  @Test mutating func `other content has another ETag`() throws {
    let held = project.respond(to: ada.snapshot(), at: 0).etag
    let etag = try #require(held)
    #expect(project.giveUser("ada", key: "e", value: .number(1)).count == 1)
    let answer = project.respond(to: ada.snapshot(ifNoneMatch: etag), at: 0)
    #expect(answer.response.status == 200)
    #expect(answer.etag != etag)
    #expect(answer.response.header("X-Flags-Version") == nil)
    #expect(project.takeUser("ada", key: "e").count == 1)
    #expect(project.respond(to: ada.snapshot(ifNoneMatch: etag), at: 0).response.status == 304)
  }

  @Test mutating func `an ETag is of one reader and one context, even where all get the same`() throws {
    project = FlagsProject(FlagsPlan(seed: 1, flags: 3, hasConditions: false))
    let held = project.respond(to: ada.snapshot(), at: 0).etag
    let etag = try #require(held)
    var apps = [FlagsApp.user("bob"), FlagsApp.install("ada"), ada, ada, ada, ada]
    apps[2].context.platform = "android"
    apps[3].context.appVersion = "3.1"
    apps[4].context.language = "de"
    apps[5].headers[1].value = "FR"
    for app in apps {
      let answer = project.respond(to: app.snapshot(ifNoneMatch: etag), at: 0)
      #expect(answer.response.status == 200)
      #expect(answer.etag != etag)
    }
  }

  @Test mutating func `ETags may be rotated without a change of content`() throws {
    let before = project.respond(to: ada.snapshot(), at: 0)
    project.rotateETags()
    let after = project.respond(to: ada.snapshot(ifNoneMatch: before.etag), at: 0)
    #expect(after.response.status == 200)
    #expect(after.etag != before.etag)
    #expect(after.response.body == before.response.body)
    #expect(project.version == 1)
  }

  @Test mutating func `a replica that lags answers with an earlier version`() {
    let first = project.respond(to: ada.snapshot(), at: 0)
    for _ in 0..<3 { #expect(project.publish(keys: project.keys).count == 1) }
    let late = project.respond(to: ada.snapshot(), at: 0, lag: 3)
    #expect(late.response.body == first.response.body)
    #expect(late.truth.version == 1)
    #expect(project.respond(to: ada.snapshot(), at: 0, lag: 1).bodyVersion == 3)
    #expect(project.respond(to: ada.snapshot(), at: 0, lag: 99).bodyVersion == 1)
    #expect(project.respond(to: ada.snapshot(), at: 0).bodyVersion == 4)
    let same = project.respond(to: ada.snapshot(ifNoneMatch: first.etag), at: 0, lag: 3)
    #expect(same.response.header("X-Flags-Version") == "1")
  }

  @Test mutating func `an unasked 304 goes only to a snapshot that holds nothing`() throws {
    let given = project.notModifiedUnasked(ada.snapshot(), at: 0)
    let answer = try #require(given)
    #expect(answer.response.status == 304)
    #expect(answer.response.header("X-Flags-Version") == "1")
    #expect(answer.truth.kind == .unaskedNotModified)
    #expect(answer.truth.reader == .user("ada"))
    #expect(project.notModifiedUnasked(ada.snapshot(ifNoneMatch: "\"x\""), at: 0) == nil)
    #expect(project.notModifiedUnasked(ada.delta(since: 1), at: 0) == nil)
    #expect(project.notModifiedUnasked(ServiceRequest(method: "GET", path: "/flags"), at: 0) == nil)
    #expect(project.answerCount == 1)
  }

  @Test mutating func `a fault's refusal says whose request it refused`() {
    let fields = [ServiceField("Retry-After", "3")]
    let answer = project.refuse(ada.snapshot(), status: 429, code: "slow_down", headers: fields, at: 0)
    #expect(answer.response.status == 429)
    #expect(answer.response.header("Retry-After") == "3")
    #expect(answer.code == "slow_down")
    #expect(answer.truth.kind == .refused)
    #expect(answer.truth.reader == .user("ada"))
    #expect(answer.truth.context == ada.context)
    #expect(project.refuse(ada.delta(since: 1), status: 500, code: nil, at: 0).response.text == "{}")
  }

  @Test func `equal calls in equal order give equal bytes`() {
    func run() -> [ServiceResponse] {
      var project = FlagsProject(FlagsPlan(seed: 6, flags: 30, experiments: ["e"], audiences: ["fans"]))
      var responses: [ServiceResponse] = []
      for number in 0..<20 {
        let app = number % 2 == 0 ? FlagsApp.user("u\(number)") : .install("i\(number)")
        responses.append(project.respond(to: app.snapshot(), at: Int64(number)).response)
        _ = project.publish()
        responses.append(project.respond(to: app.delta(since: project.version - 1), at: 20).response)
      }
      return responses
    }
    #expect(run() == run())
  }
}
