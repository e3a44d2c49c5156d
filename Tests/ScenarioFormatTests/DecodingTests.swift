import Invariants
import ScenarioFormat
import Testing

/// What a good file means.
@Suite struct DecodingTests {
  @Test func `the smallest scenario gets every default`() throws {
    let scenario = try #require(load(Sample.smallest).scenario)
    #expect(scenario.name == "small")
    #expect(scenario.seed == 1)
    #expect(scenario.clock == .virtual)
    #expect(scenario.schedule == .random)
    #expect(scenario.client.kind == .featureControl)
    #expect(scenario.client.instances == 1)
    #expect(scenario.client.subjects == .shared)
    #expect(scenario.client.stores == .shared)
    #expect(scenario.client.cacheTTL == .seconds(45))
    #expect(scenario.client.requestTimeout == .seconds(3))
    #expect(scenario.client.keys == ["fc.checkout_v2"])
    #expect(scenario.client.environment == "production")
    #expect(scenario.client.platform == "ios")
    #expect(scenario.client.appVersion == "1.0.0")
    #expect(scenario.client.auth == .header)
    #expect(scenario.service.flags == 200)
    #expect(scenario.service.inbox.items == 0)
    #expect(scenario.service.inbox.cursors == .position)
    #expect(!scenario.service.inbox.emptyCursor)
    #expect(scenario.service.latency == .fixed(.milliseconds(80)))
    #expect(scenario.network.latency == .fixed(.zero))
    #expect(scenario.warmup == .zero)
    #expect(scenario.timeline.isEmpty)
    #expect(scenario.faults.isEmpty)
    #expect(scenario.heal == nil)
    #expect(scenario.fleet == nil)
    #expect(scenario.invariants == .all)
    #expect(scenario.requirements.isEmpty)
    #expect(scenario.thresholds.isEmpty)
    #expect(scenario.overrides.isEmpty)
    let group = try #require(scenario.groups.first)
    #expect(group.name == "launch")
    #expect(
      group.executor == .perReaderIterations(readers: 10, iterations: 1, maxDuration: .seconds(600))
    )
    #expect(group.startTime == .zero)
    #expect(group.gracefulStop == .seconds(30))
    #expect(group.think == .fixed(.zero))
    #expect(!group.isWeighted)
    #expect(group.steps.map(\.action.word) == ["evaluate"])
  }

  @Test func `every key means what it says`() throws {
    let scenario = try #require(load(Sample.largest).scenario)
    #expect(scenario.description == "Everything at once: é, 😀.")
    #expect(scenario.seed == 7)
    #expect(scenario.schedule == .fifo)
    #expect(scenario.client.instances == 4)
    #expect(scenario.client.subjects == .perReader)
    #expect(scenario.client.stores == .count(3))
    #expect(scenario.client.cacheTTL == .seconds(90))
    #expect(scenario.client.environment == "staging")
    #expect(scenario.service.latency == .lognormal(median: .milliseconds(80), p99: .milliseconds(400)))
    #expect(scenario.network.latency == .uniform(min: .milliseconds(1), max: .milliseconds(20)))
    #expect(scenario.warmup == .microseconds(250))
    #expect(scenario.readerCount == 38)
    #expect(scenario.invariants == .only([.singleFlight, .ttl, .answersOnce]))
    #expect(scenario.requirements.map(\.invariant) == [.singleFlight, .ttl])
    #expect(scenario.requirements.map(\.minChecks) == [1, 5])
    #expect(
      scenario.thresholds.map { "\($0.metric) \($0.expression)" } == [
        "requests{endpoint:evaluate} count<=100", "requests{endpoint:evaluate} rate<10",
        "evaluation_duration p(99.9)<3s",
      ]
    )
    #expect(scenario.thresholds.map(\.abortsOnFailure) == [false, false, true])
    #expect(scenario.thresholds.map(\.abortDelay) == [.zero, .zero, .seconds(10)])
    #expect(scenario.thresholds.map(\.allowsEmpty) == [false, false, true])
  }

  @Test func `groups keep the order of the file, with their steps`() throws {
    let groups = try #require(load(Sample.largest).scenario).groups
    #expect(groups.map(\.name) == ["launch", "steady", "ramp"])
    #expect(
      groups.map(\.executor) == [
        .perReaderIterations(readers: 20, iterations: 3, maxDuration: .seconds(300)),
        .constantReaders(readers: 10, duration: .seconds(120)),
        .rampingReaders(
          startReaders: 2,
          stages: [RampStage(duration: .seconds(30), target: 8), RampStage(duration: .zero, target: 1)],
          gracefulRampDown: .seconds(5)
        ),
      ]
    )
    let all = StepEvaluation(keys: ["a", "b", "c"], switchesStore: false)
    #expect(groups[0].think == .boundary)
    #expect(
      groups[0].steps.map(\.action) == [
        .evaluate(all), .sleep(.fixed(.seconds(10))), .invalidate, .cancel(all, after: .boundary),
      ]
    )
    #expect(
      groups[0].steps.map(\.think) == [.fixed(.zero), .fixed(.seconds(1)), .fixed(.zero), .fixed(.zero)]
    )
    #expect(groups[1].isWeighted)
    #expect(groups[1].steps.map(\.weight) == [3, 1, 1])
    #expect(
      groups[1].steps.map(\.action) == [
        .evaluate(StepEvaluation(keys: ["b"], switchesStore: true)), .evaluateOrThrow(all),
        .cancel(
          StepEvaluation(keys: ["c", "a"], switchesStore: false),
          after: .uniform(min: .zero, max: .milliseconds(100))
        ),
      ]
    )
  }

  @Test func `the timeline is sorted by time and keeps the order of the file at one instant`() throws {
    let timeline = """
      "timeline": [{ "at": "2s", "do": "publish" }, { "at": "1000ms", "do": "invalidate" },
                   { "at": "1s", "do": "publish" }]
      """
    let scenario = try #require(load(Sample.smallest(adding: timeline)).scenario)
    #expect(scenario.timeline.map(\.at) == [.seconds(1), .seconds(1), .seconds(2)])
    #expect(scenario.timeline.map(\.action) == [.invalidate, .publish, .publish])
  }

  @Test(arguments: ["10", "10.0", "1e1", "100e-1", "0.1E2"])
  func `a whole number is one in any spelling`(spelling: String) throws {
    let scenario = try #require(load(Sample.smallest("\"readers\": 10", "\"readers\": \(spelling)")).scenario)
    #expect(scenario.readerCount == 10)
  }

  @Test func `the largest seed is kept exactly`() throws {
    let scenario = try #require(load(Sample.smallest(adding: "\"seed\": 9007199254740991")).scenario)
    #expect(scenario.seed == 9_007_199_254_740_991)
  }

  @Test func `subjects and stores spread over what they say`() {
    #expect(Population.shared.count(forReaders: 7) == 1)
    #expect(Population.perReader.count(forReaders: 7) == 7)
    #expect(Population.count(3).count(forReaders: 7) == 3)
  }

  @Test func `all invariants are those that are judged`() {
    #expect(
      InvariantSelection.all.selected.map(\.id) == [
        "single-flight", "answers-once", "cancel-isolated", "ttl", "degrade-order", "invalidation",
        "request-economy", "monotonic-version", "state-matches-service", "delta-base", "gone-recovers",
        "etag-honest", "gate-closed", "one-snapshot-per-read", "disk-honest", "exposure-once",
        "exposure-true",
        "batch-bounds", "no-event-lost", "no-event-twice", "retry-after", "backoff", "request-budget",
        "nothing-left", "no-escape", "observers", "well-formed", "liveness", "fleet",
      ]
    )
  }
}
