import ScenarioFormat
import Testing

/// Changes from the command line.
@Suite struct OverrideTests {
  private func messages(_ text: String, _ overrides: Override...) -> [String] {
    let loaded = load(text, overrides)
    #expect(loaded.scenario == nil)
    return loaded.lines
  }

  @Test func `seed and clock replace what the file says or leaves out`() throws {
    let scenario = try #require(load(Sample.smallest, [.seed("42"), .clock("wall")]).scenario)
    #expect(scenario.seed == 42)
    #expect(scenario.clock == .wall)
    #expect(scenario.overrides == ["--seed 42", "--clock wall"])
    #expect(try #require(load(Sample.largest, [.seed("42")]).scenario).seed == 42)
  }

  @Test func `a path reaches every value, and the last override of a value counts`() throws {
    let scenario = try #require(
      load(
        Sample.largest,
        [
          .set("readers.launch.iterations=5"), .set("timeline[0].at=1ms"), .set("client.keys[1]=bb"),
          .set("service.latency={\"min\":\"1s\",\"max\":\"2s\"}"), .set("readers.steady.do[0].weight=9"),
          .set("readers.steady.do[0].keys=[\"bb\"]"), .set("name=other"), .set("name=another"),
          .set("readers.ramp.stages[0].target=9"),
          .set("thresholds[\"requests{endpoint:evaluate}\"][0]=count<=7"),
          .set("client.appVersion=\"10\""),
        ]
      ).scenario
    )
    #expect(scenario.name == "another")
    #expect(scenario.timeline.map(\.at) == [.milliseconds(1), .seconds(10)])
    #expect(scenario.client.keys == ["a", "bb", "c"])
    #expect(scenario.client.appVersion == "10")
    #expect(scenario.service.latency == .uniform(min: .seconds(1), max: .seconds(2)))
    #expect(scenario.groups[1].steps[0].weight == 9)
    #expect(scenario.groups[2].executor.peakReaders == 9)
    #expect(scenario.thresholds[0].expression == "count<=7")
    #expect(scenario.overrides.count == 11)
    #expect(scenario.overrides[0] == "--set readers.launch.iterations=5")
  }

  @Test func `fields that the file leaves out can be set`() throws {
    let scenario = try #require(
      load(
        Sample.smallest,
        [
          .set("network.latency=10ms"), .set("client.cacheTTL=5s"), .set("readers.launch.think=1s"),
          .set("client.keys[0]=k"), .set("thresholds.requests=[\"count==1\"]"), .set("schedule=fifo"),
        ]
      ).scenario
    )
    #expect(scenario.network.latency == .fixed(.milliseconds(10)))
    #expect(scenario.client.cacheTTL == .seconds(5))
    #expect(scenario.client.keys == ["k"])
    #expect(scenario.groups[0].think == .fixed(.seconds(1)))
    #expect(scenario.thresholds.map(\.metric) == ["requests"])
    #expect(scenario.schedule == .fifo)
  }

  @Test(arguments: [
    (
      "readers.lunch.iterations=5",
      "there is no readers.lunch.iterations; did you mean readers.launch.iterations?"
    ),
    (
      "readers.launch.iteration=5",
      "there is no readers.launch.iteration; did you mean readers.launch.iterations?"
    ),
    ("readers.other={}", "there is no readers.other; readers has launch"),
    ("timeline[0].at=1s", "there is no timeline[0].at; timeline has no elements, counted from [0]"),
    ("client.keys[1]=x", "there is no client.keys[1]; client.keys has one element, counted from [0]"),
    ("name.x=1", "there is no name.x; name is a string, not an object"),
    ("client[0]=1", "there is no client[0]; client is an object, not an array"),
    (
      "readers.launch.do[0].weight=1",
      "there is no readers.launch.do[0].weight; readers.launch.do[0] is a string, not an object"
    ),
    ("service.latency.p99=1s", "there is no service.latency.p99; service.latency is a string, not an object"),
    ("iterations", "not PATH=VALUE; write for example --set readers.launch.iterations=5"),
    ("=5", "not PATH=VALUE; write for example --set readers.launch.iterations=5"),
    ("a..b=5", "not PATH=VALUE; write for example --set readers.launch.iterations=5"),
    ("a[x]=5", "not PATH=VALUE; write for example --set readers.launch.iterations=5"),
    ("a.=5", "not PATH=VALUE; write for example --set readers.launch.iterations=5"),
    (
      "service.latency={\"min\":", "the value is not JSON: the text ends where a value should be"
    ),
  ])
  func `an override that matches nothing is a problem`(assignment: String, message: String) {
    #expect(messages(Sample.smallest, .set(assignment)) == [" error: --set \(assignment): \(message)"])
  }

  @Test func `what an override says is validated like the file and shown as the option's fault`() {
    let lines = messages(
      Sample.smallest,
      .seed("x"),
      .clock("moon"),
      .set("client.cacheTTL=45"),
      .set("readers.launch.readers=0"),
      .set("client.kidn=flags")
    )
    #expect(
      lines == [
        " error: --set client.kidn=flags: there is no client.kidn; did you mean client.kind?",
        " error: --seed x: seed: expected a whole number, found a string",
        " error: --clock moon: clock: there is no \"moon\"; known: virtual, wall",
        " error: --set client.cacheTTL=45: client.cacheTTL: the duration 45 has no unit; write \"45ms\"",
        " error: --set readers.launch.readers=0: readers.launch.readers: 0 is out of range; write a whole number "
          + "from 1 to 10000000",
      ]
    )
  }

  @Test func `what only virtual time can judge may still be required when the clock is the wall`() {
    let text = Sample.smallest(adding: "\"require\": [\"ttl\"]")
    #expect(load(text, [.clock("wall")]).lines == [])
  }
}
