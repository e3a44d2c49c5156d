import SimulatedService
import Testing

/// `inspect` and `respond` are two doors to one reading: what the one finds wrong, the other refuses.
@Suite struct InspectionTests {
  private static func service() -> FeatureControlService {
    FeatureControlService(
      flags: 3, keys: ["a", "b"], seed: 1, inbox: .init(items: 5),
      authorization: .session(header: "X-Session"))
  }

  private static let session = [ServiceField("X-Session", "user-1.0")]

  private static func changed(
    _ request: ServiceRequest, _ change: (inout ServiceRequest) -> Void
  ) -> ServiceRequest {
    var request = request
    change(&request)
    return request
  }

  private static let evaluate = Requests.evaluate(["a", "b"], headers: session)
  private static let batch = Requests.exposures([Requests.exposure(1)], headers: session)

  static let valid: [ServiceRequest] = [
    evaluate, batch, Requests.page(headers: session),
    Requests.page([("limit", "3"), ("status", "unread")], headers: session),
    Requests.markRead("n-1-1", headers: session), Requests.markAllRead(headers: session),
    Requests.evaluate(["nobody"], headers: session),
  ]

  static let flawed: [(request: ServiceRequest, kind: RequestFlaw.Kind, status: Int)] = [
    (changed(evaluate) { $0.path += "/" }, .path, 404),
    (changed(evaluate) { $0.path = "" }, .path, 404),
    (changed(batch) { $0.path = "/api/feature-control/telemetry" }, .path, 404),
    (Requests.markRead("", headers: session), .path, 404),
    (changed(evaluate) { $0.method = "PUT" }, .method, 405),
    (changed(Requests.page(headers: session)) { $0.method = "POST" }, .method, 405),
    (changed(Requests.markAllRead(headers: session)) { $0.method = "GET" }, .method, 405),
    (changed(Requests.markRead("n-1-1", headers: session)) { $0.method = "GET" }, .method, 405),
    (Requests.evaluate(["a"]), .authorization, 401),
    (Requests.page(), .authorization, 401),
    (changed(evaluate) { $0.headers.append(ServiceField("Authorization", "Bearer x")) }, .authorization, 401),
    (changed(evaluate) { $0.headers = session }, .contentType, 400),
    (
      changed(batch) { $0.headers = session + [ServiceField("Content-Type", "text/html")] }, .contentType, 400
    ),
    (Requests.evaluate(["b", "a"], headers: session), .content, 400),
    (changed(evaluate) { $0.body.removeLast() }, .content, 400),
    (Requests.exposures([Requests.exposure(1, changing: "featureKey")], headers: session), .content, 400),
    (Requests.page([("status", "x")], headers: session), .content, 400),
    (Requests.exposures([], headers: session), .limits, 400),
    (Requests.exposures((0...100).map { Requests.exposure($0) }, headers: session), .limits, 400),
    (Requests.page([("limit", "0")], headers: session), .limits, 400),
  ]

  @Test(arguments: valid.indices) func `what is answered has no flaw`(index: Int) {
    let request = Self.valid[index]
    var service = Self.service()
    #expect(service.inspect(request) == nil)
    #expect([200, 202].contains(service.respond(to: request).status))
  }

  @Test(arguments: flawed.indices) func `what has a flaw is refused with its code`(index: Int) throws {
    let (request, kind, status) = Self.flawed[index]
    var service = Self.service()
    let flaw = try #require(service.inspect(request))
    #expect(flaw.kind == kind)
    let response = service.respond(to: request)
    #expect(response.status == status)
    #expect(response.code == flaw.code)
    #expect(response.headers.contains { $0.name == "Allow" } == (kind == .method))
  }

  @Test func `a refused method is told which one is taken`() {
    var service = Self.service()
    func allowed(_ request: ServiceRequest) -> [String] {
      service.respond(to: request).headers.filter { $0.name == "Allow" }.map(\.value)
    }
    #expect(allowed(Self.changed(Self.evaluate) { $0.method = "GET" }) == ["POST"])
    #expect(allowed(Self.changed(Requests.page()) { $0.method = "DELETE" }) == ["GET"])
  }

  @Test func `looking changes nothing`() {
    var looked = Self.service()
    var other = Self.service()
    for request in Self.valid + Self.flawed.map(\.request) {
      for _ in 0..<3 { _ = looked.inspect(request) }
      #expect(looked.respond(to: request) == other.respond(to: request))
    }
    #expect(looked.answerCount == UInt64(Self.valid.count + Self.flawed.count))
    #expect(looked.acceptedEvents == 1)
  }

  @Test func `what only the answer can know is no flaw of the request`() {
    var service = Self.service()
    for request in [
      Requests.markRead("n-9-9", headers: Self.session),
      Requests.page([("cursor", "x")], headers: Self.session),
    ] {
      #expect(service.inspect(request) == nil)
      #expect([400, 404].contains(service.respond(to: request).status))
    }
  }

  @Test func `every answer, a refusal too, takes the next serial`() {
    var service = Self.service()
    var expected: UInt64 = 0
    for request in Self.valid + Self.flawed.map(\.request) + [
      Requests.markRead("n-9-9", headers: Self.session)
    ] {
      expected += 1
      #expect(service.respond(to: request).serial == expected)
    }
    #expect(service.refuse(status: 503, code: nil, headers: []).serial == expected + 1)
  }

  @Test(
    arguments: [(nil, #"{"error":true}"#), ("busy", #"{"code":"busy","error":true}"#)] as [(String?, String)])
  func `a refusal that a fault wants is as it wants it`(code: String?, body: String) {
    var service = Self.service()
    let response = service.refuse(status: 429, code: code, headers: [ServiceField("Retry-After", "3")])
    #expect(response.status == 429)
    #expect(response.text == body)
    #expect(
      response.headers == [
        ServiceField("Content-Type", "application/json"), ServiceField("Retry-After", "3"),
      ])
  }
}
