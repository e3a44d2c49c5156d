import SimulatedService
import Testing

@Suite struct AuthorizationRuleTests {
  private static let rules: [AuthorizationRule] = [.open, .session(header: "X-Session"), .bearer]

  private static func service(_ rule: AuthorizationRule) -> FeatureControlService {
    FeatureControlService(flags: 1, keys: ["a"], seed: 1, inbox: .init(items: 1), authorization: rule)
  }

  private static func field(_ name: String, _ value: String) -> ServiceField { ServiceField(name, value) }

  /// One valid request to each endpoint.
  private static func requests(_ headers: [ServiceField]) -> [ServiceRequest] {
    [
      Requests.evaluate(["a"], headers: headers), Requests.page(headers: headers),
      Requests.markRead("n-1-1", headers: headers), Requests.markAllRead(headers: headers),
      Requests.exposures([Requests.exposure(1)], headers: headers),
    ]
  }

  @Test(
    arguments: [
      (.open, []),
      (.open, [field("Authorization", "Basic x")]),
      (.session(header: "X-Session"), [field("X-Session", "user-1.0")]),
      (.session(header: "X-Session"), [field("x-SESSION", "u")]),
      (.bearer, [field("Authorization", "Bearer user-1.0")]),
      (.bearer, [field("authorization", "Bearer x")]),
    ] as [(AuthorizationRule, [ServiceField])])
  func `the right credential is taken at every endpoint`(rule: AuthorizationRule, headers: [ServiceField]) {
    for request in Self.requests(headers) {
      var service = Self.service(rule)
      let status = service.respond(to: request).status
      #expect([200, 202].contains(status), "\(request.path)")
    }
  }

  @Test(
    arguments: [
      (.session(header: "X-Session"), [], "missing_token"),
      (.session(header: "X-Session"), [field("X-Session", "")], "missing_token"),
      (.session(header: "X-Session"), [field("X-Session", "a"), field("x-session", "a")], "repeated_token"),
      (
        .session(header: "X-Session"), [field("X-Session", "a"), field("Authorization", "Bearer a")],
        "unexpected_authorization"
      ),
      (.session(header: "X-Session"), [field("authorization", "")], "unexpected_authorization"),
      (.bearer, [], "missing_token"),
      (.bearer, [field("Authorization", "Bearer ")], "missing_token"),
      (.bearer, [field("Authorization", "bearer x")], "malformed_authorization"),
      (.bearer, [field("Authorization", "Basic x")], "malformed_authorization"),
      (.bearer, [field("Authorization", "x")], "malformed_authorization"),
      (
        .bearer, [field("Authorization", "Bearer x"), field("Authorization", "Basic x")],
        "malformed_authorization"
      ),
      (.bearer, [field("Authorization", "Bearer x"), field("authorization", "Bearer x")], "repeated_token"),
      (.bearer, [field("X-Session", "x")], "missing_token"),
    ] as [(AuthorizationRule, [ServiceField], String)])
  func `any other credential is refused at every endpoint with what is wrong`(
    rule: AuthorizationRule, headers: [ServiceField], code: String
  ) {
    for request in Self.requests(headers) {
      var service = Self.service(rule)
      let response = service.respond(to: request)
      #expect(response.status == 401, "\(request.path)")
      #expect(response.code == code, "\(request.path)")
      #expect(service.acceptedEvents == 0)
      #expect(service.inbox(of: "a").allSatisfy { !$0.isRead })
    }
  }

  /// The user is what stands before the last dot.
  @Test(arguments: [
    ("user-1.0", "user-1"), ("user-1.7", "user-1"), ("a.b.3", "a.b"), ("plain", "plain"), (".5", ".5"),
    ("end.", "end"),
  ])
  func `a credential names its user, whatever its generation`(credential: String, user: String) {
    for rule in Self.rules.dropFirst() {
      let headers =
        rule == .bearer
        ? [Self.field("Authorization", "Bearer \(credential)")] : [Self.field("X-Session", credential)]
      var service = Self.service(rule)
      #expect(service.respond(to: Requests.markRead("n-1-1", headers: headers)).status == 200)
      #expect(service.inbox(of: user).map(\.isRead) == [true])
    }
  }

  @Test func `without a rule everybody is one user`() {
    var service = Self.service(.open)
    let headers = [Self.field("Authorization", "Bearer somebody")]
    #expect(service.respond(to: Requests.markRead("n-1-1", headers: headers)).status == 200)
    #expect(service.inbox(of: "anybody").map(\.isRead) == [true])
  }
}
