import ScenarioFormat
import Testing

/// The JSON Schema, held against the decoder.
@Suite struct SchemaTests {
  private let schema: JSONValue

  init() throws { schema = try JSONParser.parse(Array(ScenarioSchema.text.utf8)).result.get() }

  private func accepts(_ text: String) throws -> Bool {
    SchemaValidator(root: schema).accepts(try JSONParser.parse(Array(text.utf8)).result.get())
  }

  @Test func `it says its dialect and describes every key`() {
    #expect(schema["$schema"]?.content == .string("https://json-schema.org/draft/2020-12/schema"))
    for properties in schema.everything(under: "properties") {
      guard case .object(let members) = properties.content else { continue }
      for member in members {
        guard case .string(let text) = member.value["description"]?.content else {
          Issue.record("\(member.key) has no description")
          continue
        }
        #expect(text.hasSuffix("."))
      }
    }
  }

  @Test func `it accepts every good file`() throws {
    #expect(try accepts(Sample.smallest))
    #expect(try accepts(Sample.largest))
    for name in Sample.shipped { #expect(try accepts(String(decoding: Sample.shipped(name), as: UTF8.self))) }
    let canonical = try #require(load(Sample.largest).scenario).canonicalJSON(includingSeed: true)
    #expect(try accepts(canonical))
  }

  @Test func `the decoder knows every key of the schema, and the sample uses each`() throws {
    let names = schema.everything(under: "properties").flatMap { properties -> [String] in
      guard case .object(let members) = properties.content else { return [] }
      return members.map(\.key)
    }
    let known = Set(names)
    let used = Paths.all(of: Sample.largest).map { path in
      String(path.split(separator: ".").last?.prefix { $0 != "[" } ?? "")
    }
    #expect(known.subtracting(used) == [], "keys that the schema has and the sample does not use")
    #expect(load(Sample.largest).problems.isEmpty)
  }

  @Test func `no value is read and then ignored`() {
    // These have one valid value only, or decide which other keys there are.
    let fixed: Set = ["$schema", "client.kind", "readers.launch.think.boundary", "faults"]
    let leaves = Paths.leaves(of: Sample.largest).filter { path in
      !fixed.contains(path) && !path.hasSuffix(".executor") && !path.hasSuffix(".step")
    }
    let others = [
      "a", "b", "d", "1", "2", "100", "0ms", "10ms", "1.5s", "true", "false", "random", "wall", "publish",
      "invalidate", "evaluate", "answers-once", "cancel-isolated", "count<3", "p(50)<1s",
      "{\"id\":\"answers-once\"}",
    ]
    // What a value may be is also up to others: the second time those are out of its way.
    let ways: [[Override]] = [[], [.set("require=[]"), .set("readers.steady.do=[\"evaluate\"]")]]
    func text(_ overrides: [Override]) -> String? {
      load(Sample.largest, overrides).scenario?.canonicalJSON(includingSeed: true)
    }
    for path in leaves {
      let isHeard = ways.contains { way in
        let before = text(way)
        return others.contains { other in text(way + [.set("\(path)=\(other)")]).map { $0 != before } ?? false
        }
      }
      #expect(isHeard, "\(path)")
    }
  }

  @Test(arguments: [
    "null", "true", "0", "-1", "1.5", "\"\"", "\"x\"", "\"1s\"", "[]", "[null]", "{}", "{\"x\":1}",
    "{\"boundary\":true}", "\"evaluate\"", "\"per-reader\"", "\"all\"", "12345678901234567890",
  ])
  func `what the schema refuses the decoder refuses`(junk: String) throws {
    for path in Paths.all(of: Sample.largest) {
      let loaded = load(Sample.largest, [.set("\(path)=\(junk)")])
      guard let scenario = loaded.scenario else { continue }
      // The effective scenario was accepted: so must be the value in its place.
      #expect(try accepts(scenario.canonicalJSON(includingSeed: true)))
      #expect(try accepts(Paths.replacing(path, by: junk, in: Sample.largest)), "\(path) = \(junk)")
    }
  }

  @Test func `what the decoder calls unknown the schema refuses`() throws {
    for path in Paths.all(of: Sample.largest) {
      guard let changed = try Paths.addingUnknownKey(at: path, in: Sample.largest) else { continue }
      let loaded = load(changed)
      #expect(try accepts(changed) == (loaded.scenario != nil), "\(path)")
      #expect(loaded.scenario == nil, "\(path)")
    }
  }
}
