import Foundation
import SimulatedService
import Testing

/// What spoiling an answer claims is what a reader of JSON finds.
@Suite struct AnswerFaultTests {
  private static let keys = ["a\"b\\{}", "fc.a", "fc.b", "fc.c"]

  private static func answer(_ keys: [String] = keys) throws -> ServiceResponse {
    var service = FeatureControlService(flags: 4, keys: Self.keys, seed: 2)
    let data = try JSONSerialization.data(
      withJSONObject: [
        "environment": "e", "keys": keys.sorted(), "context": ["subjectType": "t", "subjectId": "s"],
      ] as [String: Any])
    let request = ServiceRequest(
      method: "POST", path: "/api/feature-control/evaluate",
      headers: [ServiceField("Content-Type", "application/json")], body: [UInt8](data))
    let response = service.respond(to: request)
    #expect(response.status == 200)
    return response
  }

  private static func flags(_ response: ServiceResponse) throws -> [String: [String: Any]] {
    try #require(try response.object()["flags"] as? [String: [String: Any]])
  }

  private static func isJSON(_ response: ServiceResponse) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(response.body), options: .fragmentsAllowed)) != nil
  }

  /// Spoils an answer in every way that one draw can lead to.
  private static func spoilings(_ response: ServiceResponse, _ fault: AnswerFault) -> [SpoiledResponse] {
    var bound: UInt64 = 1
    _ = response.spoiled(by: fault) {
      bound = $0
      return 0
    }
    return (0..<bound).map { drawn in response.spoiled(by: fault) { _ in drawn } }
  }

  private static func names(_ flag: [String: Any]?) -> String {
    guard let flag else { return "-" }
    return "\(flag["enabled"] ?? "?") \(flag["variant"] ?? "?") \(flag["reason"] ?? "?")"
  }

  @Test(arguments: [AnswerFault.garbled, .truncated])
  func `bytes that are no JSON at whatever place`(fault: AnswerFault) throws {
    let answer = try Self.answer()
    let spoiled = Self.spoilings(answer, fault)
    #expect(spoiled.count == answer.body.count + (fault == .garbled ? 1 : -1))
    for one in spoiled {
      #expect(!one.isUsable)
      #expect(!Self.isJSON(one.response))
      #expect(one.response.status == 200)
      #expect(one.response.serial == answer.serial)
      #expect(one.omitted == [] && one.undecodable == [])
      if fault == .truncated { #expect(answer.body.starts(with: one.response.body)) }
    }
  }

  @Test func `a truncated body of one byte or none is empty`() {
    for body in [[], [UInt8(ascii: "1")]] {
      let response = ServiceResponse(status: 200, headers: [], body: body, serial: 1)
      #expect(response.spoiled(by: .truncated) { $0 - 1 }.response.body == [])
    }
  }

  @Test func `an error envelope is a 200 that says error`() throws {
    for status in [200, 202] {
      var answer = try Self.answer()
      answer.status = status
      let spoiled = answer.spoiled(by: .errorEnvelope) { _ in 0 }
      #expect(!spoiled.isUsable)
      #expect(spoiled.response.status == 200)
      let object = try spoiled.response.object()
      #expect(object["error"] as? Bool == true)
      #expect(object["code"] as? String == "degraded")
      #expect(object.count == 2)
    }
  }

  @Test func `a page of HTML says that it is one`() throws {
    let spoiled = try Self.answer().spoiled(by: .html) { _ in 0 }
    #expect(!spoiled.isUsable)
    #expect(!Self.isJSON(spoiled.response))
    #expect(spoiled.response.headers == [ServiceField("Content-Type", "text/html; charset=utf-8")])
    #expect(spoiled.response.text.hasPrefix("<!doctype html>"))
  }

  @Test func `one flag does not decode, the others are as they were`() throws {
    let answer = try Self.answer()
    let before = try Self.flags(answer)
    let spoiled = Self.spoilings(answer, .undecodableFlag)
    #expect(spoiled.map(\.undecodable) == [[0], [1], [2], [3]])
    for one in spoiled {
      #expect(one.isUsable && one.omitted == [])
      let flags = try Self.flags(one.response)
      #expect(flags.count == 4)
      for (place, key) in Self.keys.sorted().enumerated() {
        if one.undecodable == [place] {
          #expect(flags[key]?["enabled"] as? String == "yes")
        } else {
          #expect(Self.names(flags[key]) == Self.names(before[key]))
        }
      }
    }
  }

  @Test func `one flag is left out, the others are as they were`() throws {
    let answer = try Self.answer()
    let before = try Self.flags(answer)
    let spoiled = Self.spoilings(answer, .missingFlag)
    #expect(spoiled.map(\.omitted) == [[0], [1], [2], [3]])
    for one in spoiled {
      #expect(one.isUsable && one.undecodable == [])
      let flags = try Self.flags(one.response)
      var kept = Self.keys.sorted()
      kept.remove(at: one.omitted[0])
      #expect(flags.keys.sorted() == kept)
      for key in kept { #expect(Self.names(flags[key]) == Self.names(before[key])) }
    }
  }

  @Test func `the only flag that is left out leaves none`() throws {
    let spoiled = try Self.answer(["fc.a"]).spoiled(by: .missingFlag) { _ in 0 }
    #expect(spoiled.omitted == [0])
    #expect(spoiled.response.text == #"{"flags":{}}"#)
  }

  @Test func `of a flag that is named twice the true one is the last`() throws {
    let answer = try Self.answer()
    let before = try Self.flags(answer)
    for one in Self.spoilings(answer, .duplicateNames) {
      #expect(one.isUsable && one.omitted == [] && one.undecodable == [])
      #expect(one.response.text.components(separatedBy: "decoy").count == 3)
      let flags = try Self.flags(one.response)
      #expect(flags.keys.sorted() == Self.keys.sorted())
      for key in Self.keys { #expect(Self.names(flags[key]) == Self.names(before[key])) }
    }
  }

  @Test func `unknown fields come beside what was asked for`() throws {
    let answer = try Self.answer()
    let spoiled = answer.spoiled(by: .unknownFields) { _ in 0 }
    #expect(spoiled.isUsable)
    let object = try spoiled.response.object()
    #expect(object.keys.sorted() == ["aFieldOfTomorrow", "flags"])
    for (key, flag) in try Self.flags(answer) {
      #expect(Self.names(try Self.flags(spoiled.response)[key]) == Self.names(flag))
    }
  }

  @Test func `unknown fields in an empty object stand alone`() {
    var service = FeatureControlService(flags: 1, keys: [], seed: 1)
    let spoiled = service.respond(to: Requests.markAllRead()).spoiled(by: .unknownFields) { _ in 0 }
    // Foundation reads a comma before a closing brace as if it were not there; other readers of JSON do not.
    #expect(spoiled.response.text == #"{"aFieldOfTomorrow":{"nested":[1,null,"x"]}}"#)
  }

  @Test(arguments: AnswerFault.allCases) func `an answer without flags is spoiled as it claims`(
    fault: AnswerFault
  ) throws {
    var service = FeatureControlService(flags: 1, keys: [], seed: 1, inbox: .init(items: 2))
    for request in [
      Requests.page(), Requests.markAllRead(), Requests.exposures([Requests.exposure(1)]),
      Requests.evaluate(["nobody"]),
    ] {
      let answer = service.respond(to: request)
      let spoiled = answer.spoiled(by: fault) { _ in 0 }
      #expect(spoiled.omitted == [] && spoiled.undecodable == [])
      switch fault {
      case .undecodableFlag, .missingFlag, .duplicateNames:
        #expect(spoiled.response == answer)
        #expect(spoiled.isUsable)
      case .unknownFields:
        #expect(spoiled.isUsable)
        #expect(Self.isJSON(spoiled.response), "\(request.path): \(spoiled.response.text)")
      case .garbled, .truncated, .errorEnvelope, .html:
        #expect(!spoiled.isUsable)
        #expect(spoiled.response.page == nil)
      }
    }
  }
}
