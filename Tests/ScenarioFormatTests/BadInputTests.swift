import ScenarioFormat
import Testing

/// What bad files are answered with.
@Suite struct BadInputTests {
  /// The mistakes that issue trackers and this project's own requirements name.
  static let named: [BadInput] = [
    .change(
      "a misspelt key",
      "\"kind\"",
      "\"cacheTtl\": \"1s\", \"kind\"",
      "client.cacheTtl: unknown key; did you mean \"cacheTTL\"?"
    ),
    .change(
      "a misspelt required key",
      "\"kind\"",
      "\"kinf\"",
      "client.kinf: unknown key; did you mean \"kind\"?"
    ),
    .change(
      "a negative duration",
      "\"kind\"",
      "\"cacheTTL\": \"-1s\", \"kind\"",
      "client.cacheTTL: the duration \"-1s\" is negative; write zero or more, such as \"0s\""
    ),
    .change(
      "a bare-number duration",
      "\"kind\"",
      "\"cacheTTL\": 250, \"kind\"",
      "client.cacheTTL: the duration 250 has no unit; write \"250ms\""
    ),
    .change(
      "duplicate keys",
      "\"kind\": \"feature-control\"",
      "\"kind\": \"feature-control\", \"kind\": \"flags\"",
      "the key \"kind\" stands in this object twice, first at 1:57; remove one"
    ),
    BadInput("an empty file", "", "the file is empty; write one JSON object"),
    BadInput("no object", "[]", "a scenario is an object, not an array"),
    BadInput("cut off", "{ \"name\": \"x\"", "the text ends inside the object that begins here"),
  ]

  static let all: [BadInput] =
    named + BadInput.values + BadInput.latencies + BadInput.readers + BadInput.steps + BadInput.arrivals
    + BadInput.inbox + BadInput.faults + BadInput.effectsOfFaults + BadInput.judgement + BadInput.foreign
    + BadInput.flagsWorld + BadInput.flagsEntries + BadInput.flagsFaults

  @Test(arguments: all)
  func `each mistake is told once, with its path and its remedy`(input: BadInput) {
    let loaded = load(input.text)
    #expect(loaded.scenario == nil)
    #expect(loaded.problems.allSatisfy { $0.line != nil && $0.column != nil })
    let lines = loaded.problems.map { problem in
      (problem.path.isEmpty ? "" : "\(problem.path): ") + problem.message
        + (problem.suggestion.map { "; \($0)" } ?? "")
    }
    #expect(lines == input.lines)
  }

  @Test func `a percentile of 150, an unknown metric and an unknown tag are refused in Metrics' words`() {
    let loaded = load(
      Sample.smallest(
        adding: """
          "thresholds": {
            "evaluation_duration": ["p(150)<1s", "p(95)<1"],
            "evaluation_durations": ["max<1s", "avg<1s"],
            "requests{group:lunch}": ["count==1"] }
          """
      )
    )
    #expect(
      loaded.problems.map(\.path) == [
        "thresholds.evaluation_duration[0]", "thresholds.evaluation_duration[1]",
        "thresholds.evaluation_durations",
        "thresholds.requests{group:lunch}",
      ]
    )
    #expect(loaded.problems[0].message.contains("p(150)"))
    #expect(loaded.problems[2].message.contains("did you mean \"evaluation_duration\"?"))
    #expect(loaded.problems[3].message.contains("launch"))
  }

  @Test func `all problems of a file are reported at once`() {
    let loaded = load(
      """
      { "nmae": "x", "description": "", "client": { "kind": "flagz", "cacheTTL": 5, "instances": -1 },
        "service": { "latency": { "min": "2s", "max": "1s" } },
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 0, "do": ["evaluat", "sleep"] } },
        "faults": [1, { "name": "!", "match": { "group": "b" }, "stauts": 503 }], "heal": 5,
        "fleet": { "alpha": -1 }, "invariants": ["x"], "require": ["y"], "thresholds": { "z": ["count==1"] } }
      """
    )
    #expect(
      loaded.problems.map(\.path) == [
        "nmae", "description", "client.kind", "client.cacheTTL", "client.instances",
        "service.latency",
        "readers.a.readers", "readers.a.do[0]", "readers.a.do[1]", "faults[0]", "faults[1].name",
        "faults[1].match.group", "faults[1].stauts", "heal", "fleet.beta",
        "fleet.alpha", "invariants[0]", "require[0]",
        "thresholds.z",
      ]
    )
  }

  @Test func `two scenarios of one name clash`() {
    let first = ScenarioFile.load(Sample.smallest, file: "a.json")
    let second = ScenarioFile.load(Sample.smallest, file: "b.json")
    let third = ScenarioFile.load(Sample.largest, file: "c.json")
    let problems = ScenarioFile.nameClashes(among: [first, third, second])
    #expect(problems.map(\.file) == ["b.json"])
    #expect(problems.first?.message == "the name \"small\" is also that of a.json")
    #expect(ScenarioFile.nameClashes(among: [first, third]).isEmpty)
  }
}
