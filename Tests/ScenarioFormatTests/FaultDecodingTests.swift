import ScenarioFormat
import Testing

/// What good faults, open models, inboxes and timelines mean.
@Suite struct FaultDecodingTests {
  private func faulty() throws -> Scenario { try #require(load(Sample.faulty).scenario) }

  /// The one fault with these members beside its name.
  private func fault(_ members: String) throws -> FaultSpec {
    let text = Sample.smallest(adding: "\"faults\": [{ \"name\": \"x\", \(members) }]")
    let loaded = load(text)
    #expect(loaded.lines == [])
    return try #require(loaded.scenario?.faults.first)
  }

  @Test func `a fault that says only what happens strikes everything, always`() throws {
    let fault = try fault("\"hang\": true")
    #expect(fault.name == "x")
    #expect(fault.match.matchesEverything)
    #expect(fault.from == .zero)
    #expect(fault.until == nil)
    #expect(fault.firstN == nil)
    #expect(fault.probability == .certain)
    #expect(fault.effect == .hang)
  }

  @Test func `every key of a fault means what it says`() throws {
    let fault = try #require(faulty().faults.first)
    #expect(fault.name == "overload")
    #expect(fault.match.endpoints == [.evaluate])
    #expect(fault.match.groups == ["steady"])
    #expect(fault.match.instances == 2...2)
    #expect(fault.from == .seconds(10))
    #expect(fault.until == .seconds(20))
    #expect(fault.firstN == 9)
    #expect(fault.probability == Probability(millionths: 250_000))
    #expect(fault.effect == .status(503, retryAfter: .seconds(.seconds(3)), code: "overloaded"))
  }

  @Test func `faults keep the order of the file, with their effects`() throws {
    let delay = Duration.seconds(5)
    #expect(
      try faulty().faults.map(\.effect) == [
        .status(503, retryAfter: .seconds(.seconds(3)), code: "overloaded"),
        .status(429, retryAfter: .httpDate(delay), code: nil),
        .status(429, retryAfter: .bareDate(delay), code: nil),
        .status(429, retryAfter: .iso8601(delay), code: nil),
        .status(429, retryAfter: .seconds(delay), code: nil), .status(429, retryAfter: .garbled, code: nil),
        .status(404, retryAfter: nil, code: nil), .lose(.request), .lose(.answer), .body(.garbled),
        .body(.missingFlag), .hang, .latency(.lognormal(median: .seconds(1), p99: .seconds(4))),
        .late(.boundary), .duplicate, .reorder, .offline, .flapping(up: .seconds(5), down: .seconds(2)),
        .authorization(.none), .authorization(.throwing), .authorization(.slow(.fixed(.seconds(4)))),
        .lag(versions: 2),
      ]
    )
  }

  @Test func `lists and ranges match each of theirs`() throws {
    let match = try faulty().faults[6].match
    #expect(match.endpoints == [.read, .telemetry])
    #expect(match.groups == ["rush"])
    #expect(match.instances == 1...3)
  }

  @Test(arguments: BodyFault.allCases)
  func `what is done to a flag is done to evaluations only`(body: BodyFault) throws {
    let fault = try fault("\"body\": \"\(body.rawValue)\"")
    let isOfFlag = [.undecodableFlag, .missingFlag, .duplicateNames].contains(body)
    #expect(fault.effect == .body(body))
    #expect(fault.match.endpoints == (isOfFlag ? [.evaluate] : []))
  }

  @Test func `a replica that lags answers evaluations only`() throws {
    #expect(try fault("\"lag\": 64").match.endpoints == [.evaluate])
  }

  @Test(arguments: [
    ("\"0s\"", RetryAfterForm.seconds(.zero)), ("\"zero\"", .seconds(.zero)), ("\"garbled\"", .garbled),
    ("\"negative\"", .negative), ("\"past\"", .past), ("\"huge\"", .huge),
    ("{ \"seconds\": \"1.5s\" }", .seconds(.milliseconds(1_500))),
    ("{ \"bare-date\": \"0s\" }", .bareDate(.zero)),
  ])
  func `a Retry-After is read in each form`(form: String, meaning: RetryAfterForm) throws {
    #expect(
      try fault("\"status\": 503, \"retryAfter\": \(form)").effect
        == .status(503, retryAfter: meaning, code: nil)
    )
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("0e-400", 0), ("1", 1_000_000), ("1.0", 1_000_000), ("1e0", 1_000_000),
    ("0.1", 100_000), ("1e-6", 1), ("0.000001", 1), ("0.9999990000", 999_999), ("25E-2", 250_000),
  ])
  func `a probability is exact in any spelling`(spelling: String, millionths: Int) throws {
    let fault = try fault("\"hang\": true, \"probability\": \(spelling)")
    #expect(fault.probability == Probability(millionths: millionths))
  }

  @Test func `the bounds of a fleet are thousandths`() throws {
    #expect(
      try faulty().fleet
        == FleetSpec(alphaThousandths: 2_500, betaThousandths: 1_125, jitterWindow: .seconds(30))
    )
    #expect(try faulty().heal == .seconds(480))
  }

  @Test func `a fault may begin one nanosecond before everything heals`() throws {
    let text = Sample.smallest(
      adding: """
        "faults": [{ "name": "x", "from": "999999999ns", "until": "1h", "hang": true }], "heal": "1s"
        """
    )
    #expect(load(text).lines == [])
  }

  @Test func `timeline entries carry what belongs to them`() throws {
    #expect(
      try faulty().timeline.map(\.action) == [
        .publish, .rollBack, .notify(count: 7), .invalidate, .switchUser, .flush,
        .clockForward(by: .seconds(86_400)), .clockBack(by: .seconds(172_800)), .close,
      ]
    )
    let bare = try #require(
      load(Sample.smallest(adding: "\"timeline\": [{ \"at\": \"1s\", \"do\": \"notify\" }]")).scenario
    )
    #expect(bare.timeline.map(\.action) == [.notify(count: 1)])
  }

  @Test func `the steps of exposures and of the inbox stand bare or with their keys`() throws {
    let groups = try faulty().groups
    let all = StepEvaluation(keys: ["fc.checkout_v2"], switchesStore: false)
    #expect(
      groups[0].steps.map(\.action) == [
        .evaluate(all), .recordExposure(count: 1), .recordExposure(count: 3), .flush, .switchUser,
      ]
    )
    #expect(
      groups[1].steps.map(\.action) == [
        .listNotifications(unreadOnly: false, limit: 20, atMost: nil), .markRead, .markAllRead,
        .listNotifications(unreadOnly: true, limit: 10, atMost: 30),
      ]
    )
  }

  @Test func `an open model needs no pause and has as many readers as it has at the start`() throws {
    let text = Sample.smallest(
      "\"executor\": \"per-reader-iterations\", \"readers\": 10",
      "\"executor\": \"constant-arrival-rate\", \"rate\": 5, \"duration\": \"1m\", \"preAllocatedReaders\": 3"
    )
    let scenario = try #require(load(text).scenario)
    #expect(
      scenario.groups[0].executor
        == .constantArrivalRate(
          rate: 5,
          timeUnit: .seconds(1),
          duration: .seconds(60),
          preAllocatedReaders: 3,
          maxReaders: 3
        )
    )
    #expect(scenario.readerCount == 3)
  }

  @Test func `a copy with another seed is the same scenario`() throws {
    let scenario = try faulty()
    var copy = scenario
    copy.seed = 99
    #expect(copy.hash == scenario.hash)
    #expect(load(copy.canonicalJSON(includingSeed: true)).scenario == copy)
    #expect(try #require(load(Sample.faulty, [.seed("99")]).scenario?.faults) == copy.faults)
  }
}

extension FaultMatch {
  /// Whether there is no condition at all.
  fileprivate var matchesEverything: Bool { endpoints.isEmpty && groups.isEmpty && instances == nil }
}
