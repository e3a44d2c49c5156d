import SimulatedService
import Testing

/// Analytics: each event is counted once, and a batch that comes again is the same.
@Suite struct FlagsEventTests {
  private var project = FlagsProject(FlagsPlan())
  private let ada = FlagsApp.user("ada")

  private mutating func take(_ request: ServiceRequest) -> FlagsAnswer { project.respond(to: request, at: 0) }

  @Test mutating func `a batch is taken and says how much was`() throws {
    let answer = take(ada.events(["a", "b"]))
    #expect(answer.response.status == 202)
    #expect(answer.response.text == #"{"accepted":2}"#)
    guard case .events(let served) = answer.truth.kind else {
      Issue.record("\(answer.truth.kind)")
      return
    }
    #expect(answer.truth.reader == .user("ada"))
    #expect(served.batchID == "b1")
    #expect(served.fresh == ["a", "b"] && served.repeated == [] && !served.isRepeat)
    #expect(served.events.map(\.id) == ["a", "b"])
    #expect(served.events[0].name == "$flag_exposure" && served.events[0].session == "s1")
    #expect(served.events[0].properties == ["flag": .string("f")])
    #expect(served.events[0].at == "2026-01-01T12:00:00.000Z")
    #expect(project.countedEvents == 2)
    #expect(project.hasCounted("a") && !project.hasCounted("c"))
  }

  @Test mutating func `a batch that comes again is accepted and counts nothing`() throws {
    _ = take(ada.events(["a", "b"]))
    let answer = take(ada.events(["a", "b"]))
    #expect(answer.response.status == 202)
    guard case .events(let served) = answer.truth.kind else {
      Issue.record("\(answer.truth.kind)")
      return
    }
    #expect(served.fresh == [] && served.repeated == ["a", "b"] && served.isRepeat)
    #expect(project.countedEvents == 2)
  }

  @Test mutating func `an event in another batch is not counted again`() {
    _ = take(ada.events(["a", "b"]))
    guard case .events(let served) = take(ada.events(["b", "c"], batch: "b2")).truth.kind else {
      Issue.record("refused")
      return
    }
    #expect(served.fresh == ["c"] && served.repeated == ["b"] && !served.isRepeat)
    #expect(project.countedEvents == 3)
  }

  @Test mutating func `a batch of a known id with other bytes or of another reader is a flaw`() {
    _ = take(ada.events(["a"]))
    for request in [
      ada.events(["b"]), FlagsApp.user("bob").events(["a"]), FlagsApp.install("ada").events(["a"]),
    ] {
      #expect(project.inspect(request) == RequestFlaw(.content, "batch_changed"))
      let answer = take(request)
      #expect(answer.response.status == 400)
      #expect(answer.code == "batch_changed")
    }
    #expect(project.inspect(ada.events(["a"])) == nil)
    #expect(
      project.inspect(FlagsApp.user("ada", generation: 1).events(["a"])) == nil, "a newer token is fine")
    #expect(project.countedEvents == 1)
  }

  @Test mutating func `more events than the limit are answered 413 and none is counted`() {
    let ids = (0..<51).map { "e\($0)" }
    #expect(take(ada.events(Array(ids.dropLast()))).response.status == 202)
    let answer = take(ada.events(ids, batch: "b2"))
    #expect(answer.response.status == 413)
    #expect(project.inspect(ada.events(ids, batch: "b2")) == RequestFlaw(.limits, "too_many_events"))
    #expect(!project.hasCounted("e50"))
    project.eventLimit = 10
    let batch = ada.events((0..<11).map { "f\($0)" }, batch: "b3")
    #expect(project.inspect(batch) == nil, "the contract allows it")
    #expect(take(batch).response.status == 413)
    #expect(
      take(ada.events(["f0"], batch: "b3")).response.status == 202, "what was refused is not remembered")
  }

  @Test(arguments: [
    "", "x", "null", "[]", "{}", #"{"batch_id":"b","events":{}}"#, #"{"batch_id":"","events":[]}"#,
    #"{"batch_id":7,"events":[]}"#, #"{"events":[]}"#, #"{"batch_id":"b","events":[],"more":1}"#,
  ])
  func `a body that is no batch is refused`(body: String) {
    #expect(project.inspect(ada.events(body: body))?.kind == .content)
  }

  @Test func `an empty batch and a batch with an event twice are refused`() {
    #expect(project.inspect(ada.events([])) == RequestFlaw(.limits, "no_events"))
    #expect(project.inspect(ada.events(["a", "a"])) == RequestFlaw(.content, "repeated_event"))
  }

  @Test(arguments: ["at", "id", "name", "properties", "session"])
  func `an event needs every member, of its type, and no other`(name: String) {
    func flaw(_ event: String) -> RequestFlaw? {
      project.inspect(ada.events(body: FlagsApp.batch([FlagsApp.event("a"), event])))
    }
    let expected = RequestFlaw(.content, "invalid_event")
    #expect(flaw(FlagsApp.event("b")) == nil)
    #expect(flaw(FlagsApp.event("b", changing: name)) == expected)
    for value in ["7", "null", "\"\"", "[]"] {
      #expect(flaw(FlagsApp.event("b", changing: name, to: value)) == expected)
    }
    #expect(flaw(FlagsApp.event("b", changing: "more", to: "1")) == expected)
    #expect(flaw("7") == expected)
  }

  @Test(arguments: [
    ("2026-01-01T12:00:00Z", true), ("2026-01-01T12:00:00.5Z", true),
    ("2026-01-01T12:00:00.123456789Z", true), ("2026-01-01T12:00:00", false), ("2026-01-01", false),
    ("2026-01-01T12:00:00.Z", false), ("2026-01-01T12:00:00.1234567890Z", false),
    ("2026-01-01T25:00:00Z", false), ("2026-01-01T12:00:00+01:00", false), ("2026-01-01 12:00:00Z", false),
    ("2026-01-01T12:00:00,5Z", false), ("2026-01-01T12:00:00.5xZ", false), ("Z", false),
  ])
  func `times are in RFC 3339, in UTC`(text: String, isRight: Bool) {
    let event = FlagsApp.event("a", changing: "at", to: "\"\(text)\"")
    #expect((project.inspect(ada.events(body: FlagsApp.batch([event]))) == nil) == isRight)
  }
}
