import ScenarioFormat
import Testing

/// The canonical text and the fingerprint of a scenario.
@Suite struct CanonicalTests {
  @Test func `the canonical text names every value`() throws {
    let scenario = try #require(load(Sample.smallest, [.seed("5")]).scenario)
    #expect(
      scenario.canonicalJSON(includingSeed: true)
        == #"{"name":"small","description":"Small.","seed":5,"clock":"virtual","schedule":"random","#
        + #""client":{"kind":"feature-control","instances":1,"subjects":"shared","stores":"shared","#
        + #""cacheTTL":"45s","requestTimeout":"3s","keys":["fc.checkout_v2"],"environment":"production","#
        + #""platform":"ios","appVersion":"1.0.0","auth":"header"},"service":{"flags":200,"latency":"80ms","#
        + #""inbox":{"items":0,"cursors":"position","emptyCursor":false}},"#
        + #""network":{"latency":"0s"},"readers":{"launch":{"executor":"per-reader-iterations","readers":10,"#
        + #""iterations":1,"maxDuration":"10m","startTime":"0s","gracefulStop":"30s","think":"0s","#
        + #""do":[{"step":"evaluate","keys":["fc.checkout_v2"],"switchStore":false,"think":"0s"}]}},"#
        + #""warmup":"0s","timeline":[],"faults":[],"invariants":["all"],"require":[],"thresholds":{}}"#
    )
  }

  @Test func `the fingerprint leaves out seed and description only`() throws {
    let scenario = try #require(load(Sample.smallest).scenario)
    let text = scenario.canonicalJSON(includingSeed: false)
    #expect(!text.contains("seed") && !text.contains("Small."))
    #expect(scenario.hash == fnv1a(text))
    #expect(
      try #require(load(Sample.smallest, [.seed("9"), .set("description=x")]).scenario).hash == scenario.hash
    )
    for change in [
      "name=x", "clock=wall", "client.cacheTTL=46s", "readers.launch.readers=11", "service.flags=2",
      "invariants=[\"ttl\"]", "warmup=1ns", "schedule=fifo", "client.keys=[\"x\"]",
      "client.auth={\"bearer\":{}}", "service.inbox.items=1", "heal=1m", "fleet={\"alpha\":1,\"beta\":1}",
      "faults=[{\"name\":\"x\",\"hang\":true}]",
    ] {
      #expect(try #require(load(Sample.smallest, [.set(change)]).scenario).hash != scenario.hash, "\(change)")
    }
  }

  @Test func `the fingerprint does not depend on spelling or on defaults left out`() throws {
    let spelled = """
      { "readers": { "launch": { "do": [{ "step": "evaluate", "think": "0ms" }], "iterations": 1.0,
                                 "readers": 1e1, "executor": "per-reader-iterations", "maxDuration": "600s" } },
        "service": {}, "client": { "cacheTTL": "0.75m", "kind": "feature-control" },
        "description": "Other.", "name": "small" }
      """
    #expect(try #require(load(spelled).scenario).hash == #require(load(Sample.smallest).scenario).hash)
  }

  @Test func `faults are one whether spelled short or long`() throws {
    func hash(_ faults: String) throws -> String {
      try #require(load(Sample.smallest(adding: "\"faults\": [\(faults)]")).scenario).hash
    }
    #expect(
      try hash(
        "{ \"name\": \"x\", \"status\": 503, \"retryAfter\": \"zero\", \"match\": { \"endpoint\": \"read\", \"instances\": 0 } }"
      )
        == hash(
          """
          { "match": { "instances": { "from": 0, "to": 0.0 }, "endpoint": ["read"] }, "probability": 1.000, \
          "retryAfter": { "seconds": "0ms" }, "status": 503, "from": "0ms", "name": "x" }
          """
        )
    )
    #expect(
      try hash("{ \"name\": \"x\", \"lag\": 1 }")
        == hash("{ \"name\": \"x\", \"lag\": 1, \"match\": { \"endpoint\": \"evaluate\" } }")
    )
    // Faults of one request apply in the order of the file.
    let (hang, offline) = ("{ \"name\": \"x\", \"hang\": true }", "{ \"name\": \"y\", \"offline\": true }")
    #expect(try hash("\(hang), \(offline)") != hash("\(offline), \(hang)"))
  }

  @Test func `the fingerprint tells apart in which order groups stand`() throws {
    let group = #"{ "executor": "per-reader-iterations", "readers": 1, "do": ["evaluate"] }"#
    let (ab, ba) = ("\"a\": \(group), \"b\": \(group)", "\"b\": \(group), \"a\": \(group)")
    func hash(_ groups: String) throws -> String {
      try #require(
        load(
          #"{ "name": "x", "description": "x", "client": { "kind": "feature-control" }, "readers": {\#(groups)} }"#
        ).scenario
      ).hash
    }
    #expect(try hash(ab) != hash(ba))
  }

  @Test(arguments: [Sample.smallest] + RichSample.allCases.map(\.text))
  func `the canonical text is a file of the same scenario`(text: String) throws {
    let scenario = try #require(load(text).scenario)
    let again = load(scenario.canonicalJSON(includingSeed: true))
    #expect(again.problems.isEmpty)
    #expect(again.scenario == scenario)
    #expect(again.scenario?.hash == scenario.hash)
  }

  @Test func `a scenario is loaded out of a larger object, with the places of that text`() throws {
    let scenario = try #require(load(Sample.largest).scenario)
    let whole = "{\"seed\": 3,\n\"scenario\": \(scenario.canonicalJSON(includingSeed: true))}"
    #expect(ScenarioFile.load(member: "scenario", of: Array(whole.utf8), file: "f").scenario == scenario)
    let broken = ScenarioFile.load(
      member: "scenario",
      of: Array("{\n\n\"scenario\": 5}".utf8),
      file: "f"
    )
    #expect(broken.lines == ["3:13: error: a scenario is an object, not a number"])
    let missing = ScenarioFile.load(member: "scenario", of: Array("{}".utf8), file: "f")
    #expect(missing.lines == ["1:1: error: there is no \"scenario\" in it"])
  }

  /// FNV-1a, written down a second time.
  private func fnv1a(_ text: String) -> String {
    let hash = text.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
