import Foundation
import SimulatedService
import Testing

struct FeatureControlServiceTests {
  private static let key = "fc.checkout_v2"
  private var service = FeatureControlService(flags: 200, keys: [key], seed: 1)

  private static func request(
    _ body: String,
    method: String = "POST",
    path: String = "/api/feature-control/evaluate",
    contentType: String? = "application/json"
  ) -> ServiceRequest {
    ServiceRequest(
      method: method,
      path: path,
      headers: contentType.map { [ServiceField("content-type", $0)] } ?? [],
      body: Array(body.utf8)
    )
  }

  private static func body(
    keys: [String],
    subject: String = "s1",
    environment: String = "production",
    more: String = ""
  ) -> String {
    let keys = keys.map { "\"\($0)\"" }.joined(separator: ",")
    return "{\"environment\":\"\(environment)\",\"keys\":[\(keys)],"
      + "\"context\":{\"subjectType\":\"customer\",\"subjectId\":\"\(subject)\"\(more)}}"
  }

  private static func flags(of response: ServiceResponse) throws -> [String: [String: Any]] {
    let parsed = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    return try #require(parsed?["flags"] as? [String: [String: Any]])
  }

  // MARK: Evaluating

  @Test mutating func `an answer names each known key once and leaves out the others`() throws {
    let keys = [Self.key, "fc.generated_0001", "fc.nobody"]
    let response = service.respond(to: Self.request(Self.body(keys: keys)))
    #expect(response.status == 200)
    #expect(response.headers == [ServiceField("Content-Type", "application/json")])
    let flags = try Self.flags(of: response)
    #expect(flags.keys.sorted() == [Self.key, "fc.generated_0001"])
    for flag in flags.values { #expect(flag.keys.sorted() == ["enabled", "payload", "reason", "variant"]) }
  }

  @Test mutating func `every answer has the next serial and every flag carries it with the version`() throws {
    for serial in 1...3 {
      let response = service.respond(to: Self.request(Self.body(keys: [Self.key, "fc.generated_0002"])))
      #expect(response.serial == UInt64(serial))
      for flag in try Self.flags(of: response).values {
        let payload = try #require(flag["payload"] as? [String: Int])
        #expect(payload.keys.sorted() == ["check", "serial", "version"])
        #expect(payload["serial"] == serial)
        #expect(payload["version"] == 1)
      }
    }
    #expect(service.respond(to: Self.request("")).serial == 4)
    #expect(service.answerCount == 4)
  }

  @Test mutating func `an answer says what the truth says`() throws {
    let attributes: [String: AttributeValue] = [
      "beta": .bool(true), "count": .number(1), "ratio": .number(0.5), "none": .null,
      "tags": .array([.string("a")]),
      "nested": .object(["b": .number(2), "a": .bool(false)]),
    ]
    let more = """
      ,"storeId":"st","platform":"ios","appVersion":"3.1","attributes":{"ratio":0.5,"beta":true,"count":1,\
      "none":null,"tags":["a"],"nested":{"a":false,"b":2.0}}
      """
    let keys = service.keys.sorted()
    for publication in 0..<5 {
      for subject in ["s1", "s2", "s\u{e4}"] {
        let response = service.respond(to: Self.request(Self.body(keys: keys, subject: subject, more: more)))
        let flags = try Self.flags(of: response)
        let context = EvaluationContext(
          subjectType: "customer",
          subjectId: subject,
          storeId: "st",
          platform: "ios",
          appVersion: "3.1",
          attributes: attributes
        )
        for key in keys {
          let truth = try #require(service.truth(key: key, environment: "production", context: context))
          #expect(flags[key]?["enabled"] as? Bool == truth.isEnabled, "\(key), \(subject), \(publication)")
          #expect(flags[key]?["variant"] as? String == truth.variant, "\(key), \(subject), \(publication)")
          #expect(flags[key]?["reason"] as? String == truth.reason, "\(key), \(subject), \(publication)")
        }
      }
      service.publish()
    }
  }

  @Test mutating func `equal requests in equal order give equal bytes`() {
    var other = FeatureControlService(flags: 200, keys: [Self.key], seed: 1)
    for number in 0..<20 {
      let request = Self.request(Self.body(keys: service.keys.sorted(), subject: "s\(number)"))
      #expect(service.respond(to: request) == other.respond(to: request))
      #expect(service.publish() == other.publish())
    }
  }

  @Test func `the bytes are the same in every process and on every machine`() {
    // The checks were computed apart, from the definition of the hash.
    let expected =
      #"{"flags":{"fc.checkout_v2":{"enabled":true,"payload":{"check":3481310899,"serial":1,"version":2},"#
      + #""reason":"rollout","variant":"on"},"fc.generated_0001":{"enabled":true,"payload":{"#
      + #""check":1750306169,"serial":1,"version":2},"reason":"static","variant":null}}}"#
    var service = FeatureControlService(flags: 2, keys: [Self.key], seed: 1)
    service.publish()
    let response = service.respond(to: Self.request(Self.body(keys: service.keys.sorted())))
    #expect(String(decoding: response.body, as: UTF8.self) == expected)
  }

  /// Each field of the context on its own changes what some flag resolves to.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 6])
  func `everything the client says counts`(field: Int) {
    let base = EvaluationContext(subjectType: "customer", subjectId: "s1", storeId: "a")
    var changed = base
    var environment = "production"
    switch field {
    case 0: environment = "staging"
    case 1: changed.subjectType = "staff"
    case 2: changed.subjectId = "s2"
    case 3: changed.storeId = nil
    case 4: changed.platform = "a"
    case 5: changed.appVersion = "a"
    default: changed.attributes = ["a": .bool(true)]
    }
    let differing = service.keys.filter {
      service.truth(key: $0, environment: "production", context: base)
        != service.truth(key: $0, environment: environment, context: changed)
    }
    #expect(differing.count > 50)
  }

  @Test func `a text moved from one field to the next is another reader`() {
    let left = EvaluationContext(subjectType: "ab", subjectId: "c", platform: "x")
    let right = EvaluationContext(subjectType: "a", subjectId: "bc", appVersion: "x")
    let differing = service.keys.filter {
      service.truth(key: $0, environment: "e", context: left)
        != service.truth(key: $0, environment: "e", context: right)
    }
    #expect(differing.count > 50)
  }

  // MARK: Publishing

  @Test mutating func `a publish moves the version and changes about a third of the flags for every reader`()
  {
    let readers = (0..<5).map { EvaluationContext(subjectType: "customer", subjectId: "s\($0)") }
    for expected in 2...20 {
      let before = service
      #expect(service.publish() == Int64(expected))
      #expect(service.version == Int64(expected))
      var changed = 0
      for key in service.keys {
        let pairs = readers.map { reader in
          (
            old: before.truth(key: key, environment: "e", context: reader),
            new: service.truth(key: key, environment: "e", context: reader)
          )
        }
        let isChanged = pairs[0].new?.changedAt == Int64(expected)
        changed += isChanged ? 1 : 0
        for (old, new) in pairs {
          let visible = old?.isEnabled != new?.isEnabled || old?.variant != new?.variant
          #expect(visible == isChanged, "\(key) at version \(expected)")
        }
      }
      #expect((40...95).contains(changed))
    }
  }

  @Test func `definitions are the given keys first and then generated ones`() {
    #expect(
      FeatureControlService(flags: 3, keys: ["b", "a", "b"], seed: 0).keys == ["b", "a", "fc.generated_0001"]
    )
    #expect(FeatureControlService(flags: 0, keys: ["a"], seed: 0).keys == ["a"])
    #expect(FeatureControlService(flags: 2, keys: ["fc.generated_0001"], seed: 0).keys.count == 2)
    #expect(FeatureControlService(flags: 10_001, keys: [], seed: 0).keys.last == "fc.generated_10001")
  }

  // MARK: Refusing

  @Test(arguments: [
    ("", "invalid_json"), ("{", "invalid_json"), ("\u{0}", "invalid_json"),
    ("[]", "invalid_body"), ("1", "invalid_body"), ("null", "invalid_body"), ("{}", "invalid_body"),
    (#"{"environment":"e","keys":["a"]}"#, "invalid_body"),
    (
      #"{"environment":"e","keys":["a"],"context":{"subjectType":"t","subjectId":"s"},"more":1}"#,
      "invalid_body"
    ),
    (
      #"{"environment":"","keys":["a"],"context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_environment"
    ),
    (#"{"environment":1,"keys":["a"],"context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_environment"),
    (#"{"environment":"e","keys":[],"context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_keys"),
    (#"{"environment":"e","keys":"a","context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_keys"),
    (#"{"environment":"e","keys":["a",1],"context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_keys"),
    (#"{"environment":"e","keys":["b","a"],"context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_keys"),
    (#"{"environment":"e","keys":["a","a"],"context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_keys"),
    (#"{"environment":"e","keys":["","a"],"context":{"subjectType":"t","subjectId":"s"}}"#, "invalid_keys"),
    (#"{"environment":"e","keys":["a"],"context":[]}"#, "invalid_context"),
    (#"{"environment":"e","keys":["a"],"context":{"subjectType":"t"}}"#, "invalid_context"),
    (#"{"environment":"e","keys":["a"],"context":{"subjectId":"s"}}"#, "invalid_context"),
    (#"{"environment":"e","keys":["a"],"context":{"subjectType":"t","subjectId":""}}"#, "invalid_context"),
    (#"{"environment":"e","keys":["a"],"context":{"subjectType":"t","subjectId":7}}"#, "invalid_context"),
    (
      #"{"environment":"e","keys":["a"],"context":{"subjectType":"t","subjectId":"s","storeId":null}}"#,
      "invalid_context"
    ),
    (
      #"{"environment":"e","keys":["a"],"context":{"subjectType":"t","subjectId":"s","attributes":[]}}"#,
      "invalid_context"
    ),
    (
      #"{"environment":"e","keys":["a"],"context":{"subjectType":"t","subjectId":"s","locale":"de"}}"#,
      "invalid_context"
    ),
  ])
  func `a body that is not as documented is refused with what is wrong`(body: String, code: String) {
    var service = service
    let response = service.respond(to: Self.request(body))
    #expect(response.status == 400)
    #expect(String(decoding: response.body, as: UTF8.self) == "{\"code\":\"\(code)\",\"error\":true}")
  }

  @Test(arguments: [
    ("GET", "/api/feature-control/evaluate", 405, "method_not_allowed"),
    ("post", "/api/feature-control/evaluate", 405, "method_not_allowed"),
    ("POST", "/api/feature-control/evaluate/", 404, "not_found"),
    ("POST", "/", 404, "not_found"),
  ])
  func `another path or method is refused`(method: String, path: String, status: Int, code: String) {
    var service = service
    let response = service.respond(to: Self.request(Self.body(keys: ["a"]), method: method, path: path))
    #expect(response.status == status)
    #expect(String(decoding: response.body, as: UTF8.self) == "{\"code\":\"\(code)\",\"error\":true}")
  }

  @Test(
    arguments: [
      ("application/json", 200), ("Application/JSON", 200), ("application/json; charset=utf-8", 200),
      ("application/json;charset=utf-8", 200), ("text/plain", 400), ("application/jsonp", 400), (nil, 400),
    ] as [(String?, Int)]
  )
  func `the content type must be JSON`(contentType: String?, status: Int) {
    var service = service
    let request = Self.request(Self.body(keys: ["a"]), contentType: contentType)
    #expect(service.respond(to: request).status == status)
  }

  @Test func `the path is where it was put`() {
    var service = FeatureControlService(
      flags: 1,
      keys: [],
      seed: 1,
      paths: FeatureControlService.Paths(evaluate: "/bff/flags")
    )
    #expect(service.respond(to: Self.request(Self.body(keys: ["a"]), path: "/bff/flags")).status == 200)
    #expect(service.respond(to: Self.request(Self.body(keys: ["a"]))).status == 404)
  }

  // MARK: URLs

  @Test(arguments: [
    ("https://api.example.com/a/b", "/a/b", []),
    ("https://api.example.com", "/", []),
    ("https://api.example.com?x=1", "/", [ServiceField("x", "1")]),
    (
      "/a%20b?x=1&y=%C3%A4&&z&w==#f?", "/a b",
      [
        ServiceField("x", "1"), ServiceField("y", "ä"), ServiceField("z", ""), ServiceField("w", "="),
      ]
    ),
  ])
  func `a URL is taken apart`(url: String, path: String, query: [ServiceField]) throws {
    let request = try #require(ServiceRequest(method: "GET", url: url))
    #expect(request.path == path)
    #expect(request.query == query)
  }

  @Test(arguments: ["/%", "/%4", "/%zz", "/%ff", "/?a=%"])
  func `a URL with damaged escapes is none`(url: String) {
    #expect(ServiceRequest(method: "GET", url: url) == nil)
  }
}
