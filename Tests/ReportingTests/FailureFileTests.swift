import Foundation
import Reporting
import Testing

@Suite struct FailureFileTests {
  /// Groups that are not in alphabetical order, and everything that could confuse who cuts it out of the text.
  private static let scenario = """
    {"name": "cold-cache", "readers": {"z": {"do": ["evaluate"], "n": 0.1}, "a": {"x": "}]\\"{[,:\\\\"}}, "seed": 1}
    """

  private let file = FailureFile(
    tool: Fixtures.tool,
    scenarioJSON: FailureFileTests.scenario,
    seed: 9_007_199_254_740_991,
    overrides: ["readers=17"],
    command: "./simulate replay Reports/cold-cache/failure.json",
    invariant: "single-flight",
    violation: Fixtures.violation,
    digest: "9f86d081884c7d65",
    events: ["80 ms reader 0 \"scenario\": {", "80.2 ms \u{1B}日本語"],
    choices: "AAECAw=="
  )

  @Test func `what was written is read, the scenario to the letter`() throws {
    let text = try file.jsonText()
    let read = try FailureFile(bytes: Array(text.utf8))
    #expect(read == file)
    #expect(read.scenarioJSON == FailureFileTests.scenario)
    #expect(try read.jsonText() == text)
  }

  @Test func `the scenario is an object of the file, not a text in it`() throws {
    let object = try JSONSerialization.jsonObject(with: Data(file.jsonText().utf8)) as? [String: Any]
    #expect((object?["scenario"] as? [String: Any])?["name"] as? String == "cold-cache")
    #expect(object?["schemaVersion"] as? Int == 1)
    #expect((object?["violation"] as? [String: Any])?["id"] as? String == "single-flight")
  }

  @Test func `a file that somebody laid out anew is read all the same`() throws {
    let object = try JSONSerialization.jsonObject(with: Data(file.jsonText().utf8))
    let pretty = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    let read = try FailureFile(bytes: Array(pretty))
    #expect(read.events == file.events)
    #expect(read.violation == file.violation)
    #expect(try JSONSerialization.jsonObject(with: Data(read.scenarioJSON.utf8)) is [String: Any])
  }

  @Test func `what a violation may lack is null`() throws {
    var bare = file
    bare.violation = .init(nanoseconds: 0, step: nil, reader: nil, instance: nil, message: "m", replay: nil)
    #expect(try FailureFile(bytes: Array(bare.jsonText().utf8)) == bare)
  }

  @Test(arguments: ["", "no JSON", "[]", "{"])
  func `a scenario that is no JSON object is not written`(scenario: String) {
    var bad = file
    bad.scenarioJSON = scenario
    #expect(throws: FailureFileError.self) { try bad.jsonText() }
  }

  @Test(arguments: ["", "[]", "no JSON", "{\"schemaVersion\": 1", "\u{FEFF}", "null"])
  func `what is no JSON object is refused with one message`(text: String) throws {
    let error = try #require(throws: FailureFileError.self) { try FailureFile(bytes: Array(text.utf8)) }
    #expect(error.problems.count == 1)
  }

  @Test func `all that is missing or wrong is told at once`() throws {
    let text = """
      {"schemaVersion": 1, "tool": {"version": "1"}, "seed": "1", "overrides": [1], "violation": [], "events": []}
      """
    let error = try #require(throws: FailureFileError.self) { try FailureFile(bytes: Array(text.utf8)) }
    for name in ["tool.build", "seed", "overrides", "violation", "scenario", "command", "digest", "choices"] {
      #expect(error.problems.contains { $0.hasPrefix("\"\(name)\" ") }, "\(name): \(error)")
    }
  }

  @Test func `a file of another version is refused, whatever else it holds`() throws {
    let error = try #require(throws: FailureFileError.self) {
      try FailureFile(bytes: Array("{\"schemaVersion\": 2}".utf8))
    }
    #expect(error.problems.count == 1)
    #expect(error.description.contains("this version reads 1"))
  }

  @Test func `no truncated file traps, and none is taken for a whole one`() throws {
    let bytes = try Array(file.jsonText().utf8)
    // The last byte is a line break.
    for length in 0..<(bytes.count - 1) {
      #expect(throws: FailureFileError.self) { try FailureFile(bytes: Array(bytes[..<length])) }
    }
  }
}
