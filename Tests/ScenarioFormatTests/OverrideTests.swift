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

  @Test func `a path reaches into faults, authorization, inbox, timeline and open models`() throws {
    let scenario = try #require(
      load(
        Sample.faulty,
        [
          .set("faults[0].probability=0.5"), .set("faults[0].retryAfter=past"),
          .set("faults[0].match.group=rush"),
          .set("faults[1].retryAfter.http-date=7s"), .set("faults[1].firstN=3"),
          .set("faults[2].match.instances=0"),
          .set("faults[6].match.instances.to=1"), .set("faults[17].flapping.up=9s"),
          .set("faults[20].authorization.slow=1s"), .set("faults[21]={\"name\":\"new\",\"hang\":true}"),
          .set("client.auth.bearer.lifetime=1h"), .set("service.inbox.cursors=endless"),
          .set("timeline[2].count=1"), .set("timeline[7].by=1h"), .set("readers.steady.maxReaders=40"),
          .set("readers.rush.stages[0].target=90"), .set("heal=7m"), .set("fleet.alpha=0.001"),
        ]
      ).scenario
    )
    let faults = scenario.faults
    #expect(faults[0].probability == Probability(millionths: 500_000))
    #expect(faults[0].effect == .status(503, retryAfter: .past, code: "overloaded"))
    #expect(faults[0].match.groups == ["rush"])
    #expect(faults[1].effect == .status(429, retryAfter: .httpDate(.seconds(7)), code: nil))
    #expect(faults[1].firstN == 3)
    #expect(faults[2].match.instances == 0...0)
    #expect(faults[6].match.instances == 1...1)
    #expect(faults[17].effect == .flapping(up: .seconds(9), down: .seconds(2)))
    #expect(faults[20].effect == .authorization(.slow(.fixed(.seconds(1)))))
    #expect(faults[21].name == "new" && faults[21].effect == .hang)
    #expect(scenario.client.auth == .bearer(latency: .fixed(.milliseconds(5)), lifetime: .seconds(3_600)))
    #expect(scenario.service.inbox.cursors == .endless)
    #expect(scenario.timeline[2].action == .notify(count: 1))
    #expect(scenario.timeline[7].action == .clockBack(by: .seconds(3_600)))
    #expect(scenario.groups[0].executor.peakReaders == 40)
    #expect(scenario.heal == .seconds(420))
    #expect(scenario.fleet?.alphaThousandths == 1)
  }

  @Test func `whole objects can be set where the file has a word or nothing`() throws {
    let scenario = try #require(
      load(
        Sample.smallest,
        [
          .set("client.auth={\"bearer\":{}}"), .set("readers.launch.do=[\"list-notifications\"]"),
          .set("service.inbox.items=3"), .set("fleet={\"alpha\":2,\"beta\":1}"), .set("heal=1m"),
          .set("faults=[{\"name\":\"x\",\"offline\":true}]"), .set("faults[0].until=9s"),
        ]
      ).scenario
    )
    #expect(scenario.client.auth == .bearer(latency: .fixed(.zero), lifetime: nil))
    #expect(scenario.service.inbox.items == 3)
    #expect(
      scenario.fleet
        == FleetSpec(alphaThousandths: 2_000, betaThousandths: 1_000, jitterWindow: .seconds(60))
    )
    #expect(scenario.faults.map(\.until) == [.seconds(9)])
  }

  @Test(arguments: [
    (
      "faults[0].probabilty=1", "there is no faults[0].probabilty; did you mean faults[0].probability?"
    ),
    ("faults[99].firstN=1", "there is no faults[99].firstN; faults has 22 elements, counted from [0]"),
    (
      "faults[7].retryAfter=1s",
      "there is no faults[7].retryAfter; faults[7] has name, lose, match, from, until, firstN, probability"
    ),
    ("timeline[0].count=1", "there is no timeline[0].count; timeline[0] has at, do"),
  ])
  func `a key of another effect or action is no place`(assignment: String, message: String) {
    #expect(messages(Sample.faulty, .set(assignment)) == [" error: --set \(assignment): \(message)"])
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
