import ScenarioFormat
import Testing

/// The JSON Schema, held against the decoder.
@Suite struct SchemaTests {
  private let schema: JSONValue
  private let validator: SchemaValidator

  init() throws {
    schema = try JSONParser.parse(Array(ScenarioSchema.text.utf8)).result.get()
    validator = SchemaValidator(root: schema)
  }

  private func accepts(_ text: String) throws -> Bool {
    validator.accepts(try JSONParser.parse(Array(text.utf8)).result.get())
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
    for text in RichSample.allCases.map(\.text) { #expect(try accepts(text)) }
    for name in Sample.shipped { #expect(try accepts(String(decoding: Sample.shipped(name), as: UTF8.self))) }
    for text in RichSample.allCases.map(\.text) {
      #expect(try accepts(#require(load(text).scenario).canonicalJSON(includingSeed: true)))
    }
  }

  @Test func `the decoder knows every key of the schema, and the samples use each`() throws {
    let names = schema.everything(under: "properties").flatMap { properties -> [String] in
      guard case .object(let members) = properties.content else { return [] }
      return members.map(\.key)
    }
    let known = Set(names)
    let used = RichSample.allCases.flatMap { Paths.all(of: $0.text) }.map { path in
      String(path.split(separator: ".").last?.prefix { $0 != "[" } ?? "")
    }
    #expect(known.subtracting(used) == [], "keys that the schema has and no sample uses")
    for text in RichSample.allCases.map(\.text) { #expect(load(text).lines == []) }
  }

  @Test(arguments: RichSample.allCases)
  func `no value is read and then ignored`(sample: RichSample) {
    // These have one valid value only, or decide which other keys there are.
    let fixed: Set =
      switch sample {
      case .largest: ["$schema", "client.kind", "readers.launch.think.boundary", "faults"]
      case .faulty:
        ["client.kind", "timeline[2].do", "timeline[6].do", "timeline[7].do", "faults[21].match.endpoint"]
      case .flags:
        Set(["client.kind"] + [1, 2, 3, 6, 8, 13, 15, 19, 20, 24, 25].map { "timeline[\($0)].do" })
      }
    let fixedKeys = [
      ".executor", ".step", ".hang", ".duplicate", ".reorder", ".offline", ".late.boundary", ".notModified",
    ]
    let leaves = Paths.leaves(of: sample.text).filter { path in
      !fixed.contains(path) && !fixedKeys.contains { path.hasSuffix($0) }
    }
    let others = [
      "a", "b", "d", "1", "2", "3", "100", "404", "0.5", "0ms", "10ms", "1.5s", "15s", "3h", "true", "false",
      "random", "wall", "publish", "invalidate", "evaluate", "read", "read-all", "answers-once",
      "cancel-isolated", "count<3", "p(50)<1s", "{\"id\":\"answers-once\"}", "endless", "all", "request",
      "answer", "truncated", "past", "none", "throws", "rush", "steady", "[\"rush\"]",
      "{\"endpoint\":\"read\"}", "flush", "stop-experiment", "define", "source", "intact",
      "audiences_changed",
      "dropped", "torn", "delta", "events",
    ]
    // What a value may be is also up to others: the second time those are out of its way.
    let ways: [[Override]] = [
      [], [.set("require=[]"), .set("readers.steady.do=[\"evaluate\"]")], [.set("faults=[]")],
      [
        .set("faults=[]"), .set("timeline=[]"), .set("service.project={}"), .set("readers.app.do=[\"read\"]"),
      ],
    ]
    func text(_ overrides: [Override]) -> String? {
      load(sample.text, overrides).scenario?.canonicalJSON(includingSeed: true)
    }
    let befores = ways.compactMap { way in text(way).map { (way: way, text: $0) } }
    for path in leaves {
      let isHeard = befores.contains { way, before in
        others.contains { other in text(way + [.set("\(path)=\(other)")]).map { $0 != before } ?? false
        }
      }
      #expect(isHeard, "\(path)")
    }
  }

  @Test(arguments: [
    "null", "true", "0", "-1", "1.5", "\"\"", "\"x\"", "\"1s\"", "[]", "[null]", "{}", "{\"x\":1}",
    "{\"boundary\":true}", "\"evaluate\"", "\"per-reader\"", "\"all\"", "12345678901234567890",
    "\"garbled\"", "{\"seconds\":\"1s\"}", "{\"from\":0,\"to\":1}", "{\"slow\":\"1s\"}", "{\"bearer\":{}}",
    "0.0000001", "[\"read\"]",
  ])
  func `what the schema refuses the decoder refuses`(junk: String) throws {
    for text in RichSample.allCases.map(\.text) {
      for path in Paths.all(of: text) {
        let loaded = load(text, [.set("\(path)=\(junk)")])
        guard let scenario = loaded.scenario else { continue }
        // The effective scenario was accepted: so must be the value in its place.
        #expect(try accepts(scenario.canonicalJSON(includingSeed: true)))
        #expect(try accepts(Paths.replacing(path, by: junk, in: text)), "\(path) = \(junk)")
      }
    }
  }

  @Test func `what the decoder calls unknown the schema refuses`() throws {
    for text in RichSample.allCases.map(\.text) {
      for path in Paths.all(of: text) {
        guard let changed = try Paths.addingUnknownKey(at: path, in: text) else { continue }
        #expect(try !accepts(changed), "\(path)")
        #expect(load(changed).scenario == nil, "\(path)")
      }
    }
  }

  @Test(arguments: [
    "{ \"name\": \"x\" }", "{ \"hang\": true }", "{ \"name\": \"x\", \"hang\": false }",
    "{ \"name\": \"x\", \"hang\": true, \"offline\": true }",
    "{ \"name\": \"x\", \"lose\": \"request\", \"code\": \"x\" }",
    "{ \"name\": \"x\", \"hang\": true, \"retryAfter\": \"1s\" }", "{ \"name\": \"X\", \"hang\": true }",
    "{ \"name\": \"x\", \"status\": 600 }", "{ \"name\": \"x\", \"status\": 503, \"retryAfter\": \"soon\" }",
    "{ \"name\": \"x\", \"status\": 503, \"retryAfter\": {} }",
    "{ \"name\": \"x\", \"status\": 503, \"retryAfter\": { \"seconds\": \"1s\", \"iso-8601\": \"1s\" } }",
    "{ \"name\": \"x\", \"hang\": true, \"probability\": 1.5 }",
    "{ \"name\": \"x\", \"hang\": true, \"match\": { \"endpoint\": [] } }",
    "{ \"name\": \"x\", \"flapping\": { \"up\": \"1s\" } }", "{ \"name\": \"x\", \"lag\": 0 }",
  ])
  func `a fault that is none is refused by both`(fault: String) throws {
    let text = Sample.smallest(adding: "\"faults\": [\(fault)]")
    #expect(load(text).scenario == nil)
    #expect(try !accepts(text))
  }
}
