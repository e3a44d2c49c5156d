import SimulatedService
import Testing

/// What the service finds wrong with a request, and what it answers then.
@Suite struct FlagsInspectionTests {
  private var project = FlagsProject(FlagsPlan(flags: 2))
  private let ada = FlagsApp.user("ada")

  private static let wellFormed: [ServiceRequest] = [
    FlagsApp.user("ada").snapshot(), FlagsApp.user("ada").snapshot(ifNoneMatch: "\"abc\""),
    FlagsApp.install("i").delta(since: 0), FlagsApp.install("i").events(["a"]),
    ServiceRequest(method: "GET", path: "/realtime", headers: [ServiceField("ApiKey", "key")]),
  ]

  /// Expects a flaw, and that the answer is its refusal.
  private mutating func expect(
    _ request: ServiceRequest, _ kind: RequestFlaw.Kind, _ code: String, status: Int,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(project.inspect(request) == RequestFlaw(kind, code), sourceLocation: location)
    let answer = project.respond(to: request, at: 0)
    #expect(answer.response.status == status, sourceLocation: location)
    #expect(answer.code == code, sourceLocation: location)
    #expect(answer.truth.kind == .refused, sourceLocation: location)
  }

  @Test func `requests as documented have no flaw`() {
    for request in Self.wellFormed {
      #expect(project.inspect(request) == nil, "\(request.path)")
      var project = project
      #expect(project.respond(to: request, at: 0).response.status < 500)
      #expect(project.respond(to: request, at: 0).truth.kind != .refused)
    }
    #expect(project.answerCount == 0, "looking has no effect")
  }

  @Test mutating func `paths that are not served, and methods that they do not take`() {
    for path in ["/", "/flags", "/flags/snapshot/", "/analytics", "/flags/snapshots"] {
      expect(ServiceRequest(method: "GET", path: path), .path, "not_found", status: 404)
    }
    for var request in Self.wellFormed {
      let method = request.method
      request.method = method == "GET" ? "POST" : "GET"
      expect(request, .method, "method_not_allowed", status: 405)
      #expect(project.respond(to: request, at: 0).response.header("Allow") == method)
    }
  }

  @Test mutating func `the key must be there once and be the right one`() {
    for var request in Self.wellFormed {
      request.headers.removeAll { $0.name.lowercased() == "apikey" }
      expect(request, .authorization, "missing_apikey", status: 401)
      request.headers.append(ServiceField("apikey", "other"))
      expect(request, .authorization, "invalid_apikey", status: 401)
      request.headers = [ServiceField("apikey", "key"), ServiceField("APIKEY", "key")]
      expect(request, .authorization, "invalid_apikey", status: 401)
    }
  }

  @Test mutating func `exactly one form of credential`() {
    let id = ServiceField("X-Palbase-Install", "i")
    let secret = ServiceField("X-Palbase-Install-Secret", "s")
    let token = ServiceField("Authorization", "Bearer ada.0")
    let cases: [([ServiceField], String)] = [
      ([], "missing_credential"), ([id], "missing_credential"), ([secret], "missing_credential"),
      ([id, ServiceField(secret.name, "")], "missing_credential"),
      ([ServiceField(id.name, ""), secret], "missing_credential"),
      ([ServiceField("Authorization", "Bearer ")], "missing_credential"),
      ([ServiceField("Authorization", "ada.0")], "malformed_authorization"),
      ([token, id, secret], "two_credentials"), ([token, secret], "two_credentials"),
      ([token, token], "repeated_credential"), ([id, secret, secret], "repeated_credential"),
    ]
    for (fields, code) in cases {
      for make in [{ $0.snapshot() }, { $0.delta(since: 1) }, { $0.events(["a"]) }]
        as [(FlagsApp) -> ServiceRequest]
      {
        expect(make(FlagsApp(credential: fields)), .authorization, code, status: 401)
      }
    }
  }

  @Test mutating func `the first secret of an install is the right one`() {
    #expect(project.inspect(FlagsApp.install("i", secret: "any").snapshot()) == nil)
    #expect(
      project.respond(to: FlagsApp.install("i", secret: "one").snapshot(), at: 0).response.status == 200)
    expect(FlagsApp.install("i", secret: "two").snapshot(), .authorization, "wrong_secret", status: 401)
    #expect(
      project.respond(to: FlagsApp.install("i", secret: "one").snapshot(), at: 0).response.status == 200)
  }

  @Test mutating func `a token that is no longer accepted is refused, which is no flaw`() {
    project.acceptedGenerations = 2...3
    for (generation, status) in [(1, 401), (2, 200), (3, 200), (4, 401)] {
      let request = FlagsApp.user("ada", generation: generation).snapshot()
      #expect(project.inspect(request) == nil)
      let answer = project.respond(to: request, at: 0)
      #expect(answer.response.status == status)
      if status == 401 { #expect(answer.code == "token_expired") }
      #expect(answer.truth.reader == .user("ada"))
    }
  }

  @Test(arguments: [
    ("ada.3", "ada"), ("a.b.3", "a.b"), ("ada", "ada"), ("ada.x", "ada.x"), (".3", ".3"),
    ("ada.-1", "ada.-1"),
  ])
  func `a token names its user before the generation`(token: String, user: String) {
    var project = project
    let app = FlagsApp(credential: [ServiceField("Authorization", "Bearer \(token)")])
    #expect(project.respond(to: app.snapshot(), at: 0).truth.reader == .user(user))
  }

  @Test mutating func `the context must be whole, and nothing may be beside it`() {
    for request in [ada.snapshot(), ada.delta(since: 1)] {
      for place in 0..<3 {
        var lacking = request
        lacking.query.remove(at: place)
        expect(lacking, .content, "invalid_context", status: 400)
        var empty = request
        empty.query[place].value = ""
        expect(empty, .content, "invalid_context", status: 400)
        var twice = lacking
        twice.query.append(request.query[place == 0 ? 1 : 0])
        expect(twice, .content, "invalid_context", status: 400)
      }
      var more = request
      more.query.append(ServiceField("more", "1"))
      expect(more, .content, "invalid_query", status: 400)
      var body = request
      body.body = [1]
      expect(body, .content, "unexpected_body", status: 400)
    }
  }

  @Test mutating func `since is a whole number from zero`() {
    for text in ["", "-1", "+1", "1.0", "x", " 1", "99999999999999999999"] {
      var request = ada.delta(since: 1)
      request.query[3].value = text
      expect(request, .content, "invalid_since", status: 400)
    }
    var request = ada.delta(since: 1)
    request.query.removeLast()
    expect(request, .content, "invalid_since", status: 400)
  }

  @Test mutating func `one strong ETag with its quotes`() {
    for text in ["", "abc", "\"", "W/\"abc\"", "\"a\", \"b\"", "*"] {
      expect(ada.snapshot(ifNoneMatch: text), .content, "invalid_if_none_match", status: 400)
    }
    var request = ada.snapshot(ifNoneMatch: "\"a\"")
    request.headers.append(ServiceField("if-none-match", "\"a\""))
    expect(request, .content, "invalid_if_none_match", status: 400)
  }

  @Test mutating func `events are JSON and have no query`() {
    var request = ada.events(["a"])
    request.headers.removeAll { $0.name == "Content-Type" }
    expect(request, .contentType, "invalid_content_type", status: 400)
    request.headers.append(ServiceField("content-type", "Application/JSON; charset=utf-8"))
    #expect(project.inspect(request) == nil)
    request.query = [ServiceField("platform", "ios")]
    expect(request, .content, "invalid_query", status: 400)
  }
}
