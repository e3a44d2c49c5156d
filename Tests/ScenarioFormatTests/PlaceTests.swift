import ScenarioFormat
import Testing

/// Lines and columns, as an editor shows them.
@Suite struct PlaceTests {
  @Test(arguments: [
    ("{\n  \"x\": 1 }", "2:3"), ("{\r\n\r\n  \"x\": 1 }", "3:3"), ("{\r\r\"x\": 1 }", "3:1"),
    ("{ \"$schema\": \"é😀\", \"x\": 1 }", "1:20"), ("{ \"$schema\": \"👩‍👩‍👧e\u{301}\", \"x\": 1 }", "1:20"),
  ])
  func `columns count characters and every kind of line break ends a line`(text: String, place: String) {
    let unknown = load(text).problems.first { $0.path == "x" }
    #expect(unknown.map { "\($0.line ?? 0):\($0.column ?? 0)" } == place)
  }

  @Test func `problems come in the order of the text`() {
    let text = """
      {
        "seed": -1, "name": "Bad Name",
        "description": "",
        "client": { "kind": "flagz" }
      }
      """
    #expect(
      load(text).lines == [
        "1:1: error: readers: required, but missing; write \"readers\": {…}",
        "2:11: error: seed: -1 is out of range; write a whole number from 0 to 9007199254740991",
        "2:23: error: name: the name \"Bad Name\" has other characters than a–z, 0–9 and \"-\"; write \"bad-name\"",
        "3:18: error: description: an empty string; write a string that says something",
        "4:23: error: client.kind: there is no \"flagz\"; did you mean \"flags\"?",
      ]
    )
  }

  @Test func `a file of one long line with thousands of problems is answered with the first thousand`() {
    let members = (0..<5_000).map { "\"unknown-\($0)\": 0" }
    let loaded = load("{\(members.joined(separator: ","))}")
    #expect(loaded.problems.count == 1_001)
    #expect(loaded.problems.last?.message == "and 4004 more problems")
  }

  @Test func `what a file says cannot steer the terminal`() {
    let loaded = load(Sample.smallest(adding: #""\u001b[31m\u202e": 1, "clock": "\u001b]0;x\u0007""#))
    #expect(loaded.problems.count == 2)
    for line in loaded.lines {
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" })
    }
  }
}
