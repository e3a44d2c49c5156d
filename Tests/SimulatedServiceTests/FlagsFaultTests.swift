import Foundation
import SimulatedService
import Testing

/// What spoiling an answer of a flags project claims is what a reader of JSON finds.
@Suite struct FlagsFaultTests {
  private static let keys = ["a\"b\\{}", "fb", "fc", "fd"]

  /// A snapshot and a delta, each with all flags.
  private static func answers() -> [(answer: FlagsAnswer, member: String)] {
    var project = FlagsProject(FlagsPlan(seed: 2, keys: keys, experiments: ["fd"]))
    let app = FlagsApp.user("ada")
    let snapshot = project.respond(to: app.snapshot(), at: 0)
    for key in keys { _ = project.giveUser("ada", key: key, value: .object(["n": .string("}\",{")])) }
    return [(snapshot, "values"), (project.respond(to: app.delta(since: 1), at: 0), "changed")]
  }

  private static func flags(_ response: ServiceResponse, _ member: String) throws -> [String: NSDictionary] {
    try #require(try response.object()[member] as? [String: NSDictionary])
  }

  @Test func `one flag does not decode, the others are as they were`() throws {
    for (answer, member) in Self.answers() {
      let before = try Self.flags(answer.response, member)
      for place in Self.keys.indices {
        let spoiled = answer.response.spoiled(by: .undecodableFlag) { _ in UInt64(place) }
        #expect(spoiled.undecodable == [place] && spoiled.omitted == [] && spoiled.isUsable)
        var after = try Self.flags(spoiled.response, member)
        let key = answer.truth.whole[place].key
        #expect(after[key] == ["source": 7])
        after[key] = before[key]
        #expect(after == before)
      }
    }
  }

  @Test func `of a flag that is named twice the true one is the last`() throws {
    for (answer, member) in Self.answers() {
      for place in Self.keys.indices {
        let spoiled = answer.response.spoiled(by: .duplicateNames) { _ in UInt64(place) }
        #expect(spoiled.response.text.components(separatedBy: "decoy").count == 2)
        #expect(try Self.flags(spoiled.response, member) == Self.flags(answer.response, member))
      }
    }
  }

  @Test func `unknown fields come beside what was asked for`() throws {
    for (answer, member) in Self.answers() {
      let spoiled = answer.response.spoiled(by: .unknownFields) { _ in 0 }
      let object = try spoiled.response.object()
      #expect(object["aFieldOfTomorrow"] != nil)
      #expect(try object.count == answer.response.object().count + 1)
      #expect(try Self.flags(spoiled.response, member) == Self.flags(answer.response, member))
    }
  }

  @Test func `no flag is left out, for nothing could tell that from the truth`() {
    for (answer, _) in Self.answers() {
      let spoiled = answer.response.spoiled(by: .missingFlag) { _ in 0 }
      #expect(spoiled.response == answer.response && spoiled.omitted == [])
    }
  }

  @Test func `an answer without flags is left alone by the faults of flags`() {
    var project = FlagsProject(FlagsPlan())
    let app = FlagsApp.user("ada")
    for request in [app.snapshot(), app.delta(since: 1), app.delta(since: 5), app.events(["a"])] {
      let response = project.respond(to: request, at: 0).response
      for fault in [AnswerFault.undecodableFlag, .missingFlag, .duplicateNames] {
        #expect(response.spoiled(by: fault) { _ in 0 }.response == response)
      }
    }
  }
}
