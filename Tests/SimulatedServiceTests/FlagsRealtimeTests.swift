import SimulatedService
import Testing

/// The socket: frames, and who may join which channel.
@Suite struct FlagsRealtimeTests {
  private var project = FlagsProject(FlagsPlan())
  private static let ada: AttributeValue = .object(["token": .string("ada.0")])
  private static let install: AttributeValue = .object(["install": .string("i"), "secret": .string("s")])

  // MARK: Channels

  @Test mutating func `everybody with a credential may join the project's channel`() {
    #expect(project.join(topic: "flags:project", payload: Self.ada) == .joined(.user("ada")))
    #expect(project.join(topic: "flags:project", payload: Self.install) == .joined(.install("i")))
  }

  @Test mutating func `a reader's channel is that reader's only`() {
    #expect(project.join(topic: "flags:reader:ada", payload: Self.ada) == .joined(.user("ada")))
    #expect(project.join(topic: "flags:reader:i", payload: Self.install) == .joined(.install("i")))
    #expect(project.join(topic: "flags:reader:bob", payload: Self.ada) == .refused(reason: "forbidden"))
    #expect(project.join(topic: "flags:reader:ada", payload: Self.install) == .refused(reason: "forbidden"))
    #expect(project.join(topic: "chat", payload: Self.ada) == .refused(reason: "unknown_topic"))
  }

  @Test mutating func `a credential is looked at when a channel is joined`() {
    project.acceptedGenerations = 1...1
    #expect(project.join(topic: "flags:project", payload: Self.ada) == .refused(reason: "token_expired"))
    #expect(project.respond(to: FlagsApp.install("i").snapshot(), at: 0).response.status == 200)
    let wrong: AttributeValue = .object(["install": .string("i"), "secret": .string("other")])
    #expect(project.join(topic: "flags:project", payload: wrong) == .refused(reason: "wrong_secret"))
    #expect(project.join(topic: "flags:project", payload: Self.install) == .joined(.install("i")))
  }

  @Test mutating func `a join makes the secret of a new install the right one`() {
    _ = project.join(topic: "flags:project", payload: Self.install)
    #expect(project.inspect(FlagsApp.install("i", secret: "other").snapshot())?.code == "wrong_secret")
  }

  @Test(arguments: [
    AttributeValue.null, .object([:]), .object(["token": .string("")]), .object(["token": .number(1)]),
    .object(["install": .string("i")]), .object(["install": .string(""), "secret": .string("s")]),
    .object(["install": .string("i"), "secret": .string("")]),
    .object(["install": .string("i"), "secret": .string("s"), "token": .string("ada.0")]),
  ])
  func `a join carries exactly one form of credential`(payload: AttributeValue) {
    var project = project
    let frame = RealtimeFrame(topic: "flags:project", event: "join", payload: payload, ref: "1")
    #expect(project.inspect(frame) != nil)
    guard case .refused = project.join(topic: "flags:project", payload: payload) else {
      Issue.record("joined with \(payload)")
      return
    }
  }

  // MARK: Frames

  @Test mutating func `every frame of a client gets a reply to its ref`() {
    let cases: [(RealtimeFrame, RealtimeAction, String)] = [
      (
        RealtimeFrame(topic: "flags:project", event: "join", payload: Self.ada, ref: "1"),
        .joined(.user("ada")), #"{"status":"ok"}"#
      ),
      (
        RealtimeFrame(topic: "flags:reader:bob", event: "join", payload: Self.ada, ref: "2"),
        .refused(reason: "forbidden"), #"{"reason":"forbidden","status":"error"}"#
      ),
      (RealtimeFrame(topic: "flags:project", event: "leave", ref: "3"), .left, #"{"status":"ok"}"#),
      (RealtimeFrame(topic: "realtime", event: "heartbeat", ref: "4"), .alive, #"{"status":"ok"}"#),
      (
        RealtimeFrame(topic: "flags:project", event: "shout", ref: "5"), .refused(reason: "unknown_event"),
        #"{"reason":"unknown_event","status":"error"}"#
      ),
    ]
    for (frame, action, payload) in cases {
      let taken = project.receive(frame)
      #expect(taken.action == action)
      let text =
        #"{"event":"reply","payload":\#(payload),"ref":"\#(frame.ref ?? "")","topic":"\#(frame.topic)"}"#
      #expect(taken.reply.text == text)
    }
  }

  @Test func `a client's frame needs a ref, and a heartbeat its topic`() {
    let join = RealtimeFrame(topic: "flags:project", event: "join", payload: Self.ada)
    #expect(project.inspect(join)?.code == "missing_ref")
    for (event, topic, code) in [
      ("join", "flags:project", nil), ("leave", "flags:project", nil), ("heartbeat", "realtime", nil),
      ("heartbeat", "flags:project", "invalid_topic"), ("shout", "realtime", "unknown_event"),
    ] {
      let frame = RealtimeFrame(topic: topic, event: event, payload: Self.ada, ref: "1")
      #expect(project.inspect(frame)?.code == code)
    }
  }

  @Test func `a frame is read as it was written`() throws {
    let frames = [
      RealtimeFrame(topic: "t\"\\", event: "e", payload: Self.ada, ref: "7"),
      RealtimeFrame(FlagsNotice(topic: "flags:project", version: 12)),
    ]
    for frame in frames { #expect(try RealtimeFrame(text: frame.text) == frame) }
    #expect(
      frames[1].text
        == #"{"event":"flags_changed","payload":{"version":12},"ref":null,"topic":"flags:project"}"#)
    #expect(try RealtimeFrame(text: #"{"topic":"a","payload":{},"event":"b"}"#).ref == nil)
  }

  @Test(arguments: [
    ("", "invalid_json"), ("{", "invalid_json"), ("7", "invalid_frame"), ("{}", "invalid_frame"),
    (#"{"event":"e","payload":{},"ref":7,"topic":"t"}"#, "invalid_frame"),
    (#"{"event":"e","payload":[],"ref":"1","topic":"t"}"#, "invalid_frame"),
    (#"{"event":"","payload":{},"ref":"1","topic":"t"}"#, "invalid_frame"),
    (#"{"event":"e","payload":{},"ref":"1","topic":""}"#, "invalid_frame"),
    (#"{"event":"e","more":1,"payload":{},"ref":"1","topic":"t"}"#, "invalid_frame"),
    (#"{"event":"e","payload":{},"ref":"1"}"#, "invalid_frame"),
  ])
  func `a text that is no frame is refused`(text: String, code: String) {
    #expect(throws: RequestFlaw(.content, code)) { try RealtimeFrame(text: text) }
  }
}
