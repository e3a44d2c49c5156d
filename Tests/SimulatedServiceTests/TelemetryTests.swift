import SimulatedService
import Testing

@Suite struct TelemetryTests {
  private var service = FeatureControlService(flags: 1, keys: [], seed: 1)

  @Test(arguments: [1, 2, 99, 100]) mutating func `a batch of up to a hundred events is taken`(count: Int)
    throws
  {
    let response = service.respond(to: Requests.exposures((1...count).map { Requests.exposure($0) }))
    #expect(response.status == 202)
    #expect(response.text == "{\"accepted\":\(count)}")
    #expect(service.acceptedEvents == count)
    #expect(service.duplicateEvents == 0)
  }

  @Test(arguments: [0, 101, 500]) mutating func `no events and more than a hundred are refused`(count: Int) {
    let response = service.respond(to: Requests.exposures((0..<count).map { Requests.exposure($0 + 1) }))
    #expect(response.status == 400)
    #expect(response.code == "invalid_batch")
    #expect(service.acceptedEvents == 0)
  }

  @Test(arguments: ["variant", "storeId", "attributes"])
  mutating func `what an event may leave out may be missing`(name: String) {
    #expect(service.respond(to: Requests.exposures([Requests.exposure(1, changing: name)])).status == 202)
  }

  @Test(
    arguments: [
      ("featureKey", nil), ("featureKey", #""""#), ("featureKey", "1"), ("featureKey", "null"),
      ("subjectType", nil), ("subjectType", #""""#), ("subjectType", "{}"),
      ("occurredAt", nil), ("occurredAt", "1767268800"), ("occurredAt", #""2026-01-01T12:00:00Z""#),
      ("occurredAt", #""2026-01-01 12:00:00.000Z""#), ("occurredAt", #""2026-13-01T12:00:00.000Z""#),
      ("occurredAt", #""2026-01-01T12:00:00.000+00:00""#),
      ("variant", "1"), ("variant", "null"), ("storeId", "null"), ("storeId", "[]"),
      ("attributes", "null"), ("attributes", "[]"), ("attributes", #""x""#),
      ("subjectId", #""s1""#), ("extra", "1"),
    ] as [(String, String?)])
  mutating func `an event with a field that is wrong spoils its batch`(name: String, value: String?) {
    let events = [
      Requests.exposure(1), Requests.exposure(2, changing: name, to: value), Requests.exposure(3),
    ]
    let response = service.respond(to: Requests.exposures(events))
    #expect(response.status == 400)
    #expect(response.code == "invalid_event")
    #expect(service.acceptedEvents == 0, "all or nothing")
  }

  @Test(arguments: [
    ("", "invalid_json"), ("{", "invalid_json"), ("[]", "invalid_body"), ("{}", "invalid_body"),
    (#"{"events":{}}"#, "invalid_body"), (#"{"events":null}"#, "invalid_body"),
    (#"{"events":[],"more":1}"#, "invalid_body"), (#"{"events":[]}"#, "invalid_batch"),
    (#"{"events":[1]}"#, "invalid_event"), (#"{"events":[null]}"#, "invalid_event"),
  ])
  mutating func `a body that is no batch is refused with what is wrong`(body: String, code: String) {
    let response = service.respond(to: Requests.telemetry(body))
    #expect(response.status == 400)
    #expect(response.code == code)
  }

  @Test mutating func `events taken before are counted as duplicates`() {
    func send(_ numbers: [Int]) {
      _ = service.respond(to: Requests.exposures(numbers.map { Requests.exposure($0) }))
    }
    send([1, 2, 3])
    send([3, 4])
    send([1, 1])
    #expect(service.acceptedEvents == 7)
    #expect(service.duplicateEvents == 3)
  }

  @Test mutating func `events without a number are no duplicates of each other`() {
    for _ in 0..<2 {
      let response = service.respond(to: Requests.exposures([Requests.exposure(1, changing: "attributes")]))
      #expect(response.status == 202)
    }
    #expect(service.acceptedEvents == 2)
    #expect(service.duplicateEvents == 0)
  }

  @Test mutating func `a refused batch leaves no event behind`() {
    let spoiled = [Requests.exposure(1), Requests.exposure(2, changing: "featureKey")]
    #expect(service.respond(to: Requests.exposures(spoiled)).status == 400)
    #expect(service.respond(to: Requests.exposures([Requests.exposure(1)])).status == 202)
    #expect(service.duplicateEvents == 0)
  }

  @Test mutating func `the media type must be JSON`() {
    var request = Requests.exposures([Requests.exposure(1)])
    request.headers = [ServiceField("Content-Type", "text/plain")]
    let response = service.respond(to: request)
    #expect(response.status == 400)
    #expect(response.code == "invalid_content_type")
  }
}
