import ScenarioFormat
import Testing

/// What good files of the client `flags` mean.
@Suite struct FlagsDecodingTests {
  private func flags() throws -> Scenario { try #require(load(Sample.flags).scenario) }

  @Test func `the smallest scenario of flags gets every default`() throws {
    let scenario = try #require(load(Sample.smallestFlags).scenario)
    let client = scenario.client
    #expect(client.kind == .flags)
    #expect(client.instances == 1)
    #expect(client.subjects == .shared)
    #expect(client.keys == ["banner", "limit"])
    #expect(client.requestTimeout == .seconds(10))
    #expect(client.platform == "ios")
    #expect(client.appVersion == "3.2.1")
    #expect(client.flags == FlagsClientSpec())
    #expect(client.flags?.language == "en")
    #expect(client.flags?.startsSignedIn == true)
    #expect(client.flags?.consents == true)
    #expect(client.flags?.usesRealtime == true)
    #expect(client.flags?.launchWithin == .zero)
    #expect(scenario.service.flags == 200)
    #expect(scenario.service.latency == .fixed(.milliseconds(80)))
    #expect(scenario.service.project == ProjectSpec())
    #expect(scenario.service.project?.experiments == [])
    #expect(scenario.service.project?.deletionLog == 100)
    #expect(scenario.service.project?.audiences == true)
    #expect(scenario.service.project?.conditions == true)
    #expect(
      scenario.groups.first?.steps.map(\.action) == [.read(ReadStep(keys: ["banner", "limit"], how: .typed))])
  }

  @Test func `a scenario of feature control has nothing of flags`() throws {
    let scenario = try #require(load(Sample.largest).scenario)
    #expect(scenario.client.flags == nil)
    #expect(scenario.service.project == nil)
  }

  @Test func `every key of client and project means what it says`() throws {
    let scenario = try flags()
    #expect(scenario.client.instances == 4)
    #expect(scenario.client.subjects == .count(3))
    #expect(scenario.client.requestTimeout == .seconds(5))
    #expect(scenario.client.platform == "android")
    #expect(scenario.client.appVersion == "4.5.6")
    #expect(
      scenario.client.flags
        == FlagsClientSpec(
          language: "de", startsSignedIn: false, consents: false, usesRealtime: true,
          launchWithin: .seconds(3)))
    #expect(
      scenario.service.project
        == ProjectSpec(experiments: ["a", "c"], deletionLog: 7, audiences: false, conditions: false))
  }

  @Test func `steps mean what they say`() throws {
    #expect(
      try flags().groups[0].steps.map(\.action) == [
        .read(ReadStep(keys: ["a", "b", "c"])), .read(ReadStep(keys: ["b"], how: .all, count: 5)), .refresh,
        .cancelRefresh(after: .fixed(.seconds(1))), .signIn, .signOut, .switchUser, .background, .foreground,
        .relaunch(RelaunchSpec()), .relaunch(RelaunchSpec(record: .torn, version: "5.0.0")), .consent(false),
        .capture(count: 1), .capture(count: 3), .flush, .sleep(.fixed(.seconds(2))),
      ]
    )
  }

  @Test func `a cancelled refresh is cancelled around the edges unless it says when`() throws {
    let text = Sample.smallestFlags("[\"read\"]", "[\"cancel\"]")
    #expect(
      try #require(load(text).scenario).groups[0].steps.map(\.action) == [.cancelRefresh(after: .boundary)])
  }

  @Test func `actions mean what they say`() throws {
    #expect(
      try flags().timeline.map(\.action) == [
        .publishFlags(keys: nil), .publishFlags(keys: ["a", "x"]), .deleteFlag("a"), .defineFlag("x"),
        .rollBack,
        .giveUser(key: "b", user: nil, value: .bool(true)), .giveUser(key: "b", user: 1, value: .number(1.5)),
        .takeUser(key: "b", user: nil), .takeUser(key: "b", user: 2), .startExperiment("b"),
        .stopExperiment("a"), .changeAudiences, .rotateETags, .signIn, .signOut, .switchUser, .sameUserAgain,
        .background, .foreground, .relaunch(RelaunchSpec(record: .stale, version: "9")), .consent(true),
        .refresh,
        .flush, .dropSockets, .clockForward(by: .seconds(3_600)), .clockBack(by: .seconds(3_600)), .close,
      ]
    )
    let spread = try flags().timeline.filter { $0.within != nil }
    #expect(spread.map(\.action) == [.signIn, .switchUser])
    #expect(spread.map(\.within) == [.seconds(5), .seconds(60)])
  }

  @Test(arguments: [
    ("true", GivenValue.bool(true)), ("false", .bool(false)), ("5", .integer(5)), ("5.0", .integer(5)),
    ("-1e2", .integer(-100)), ("0.1", .number(0.1)), ("1e30", .number(1e30)), ("-2.5e-7", .number(-2.5e-7)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("\"\"", .text("")), ("\"5\"", .text("5")), ("\"\\u00e9\\n\"", .text("é\n")),
  ])
  func `a given value is any scalar, and is written so that it is read again`(text: String, value: GivenValue)
    throws
  {
    let entry = "{ \"at\": \"1s\", \"do\": \"give-user\", \"key\": \"banner\", \"value\": \(text) }"
    let file = Sample.smallestFlags("\"description\"", "\"timeline\": [\(entry)], \"description\"")
    let scenario = try #require(load(file).scenario)
    #expect(scenario.timeline.map(\.action) == [.giveUser(key: "banner", user: nil, value: value)])
    #expect(load(scenario.canonicalJSON(includingSeed: true)).scenario == scenario)
  }

  @Test func `faults mean what they say, and strike what they are about`() throws {
    let faults = try flags().faults
    #expect(
      faults.map(\.effect) == [
        .gone(.contextChanged), .notModified, .realtime(.silent), .earlyNotice(.fixed(.seconds(3))),
        .disk(.full), .disk(.slow(.fixed(.seconds(1)))), .lag(versions: 2), .body(.undecodableFlag),
        .body(.garbled), .status(503, retryAfter: nil, code: nil),
      ]
    )
    #expect(
      faults.map(\.match.endpoints) == [
        [.delta], [.snapshot], [.realtime], [.realtime], [], [], [.snapshot, .delta], [.snapshot, .delta],
        [.snapshot, .delta, .events], [.events, .realtime],
      ]
    )
    #expect(faults.last?.match.instances == 0...0)
  }

  @Test(arguments: ["full", "torn", "unreadable"], ["refused", "dropped", "silent"])
  func `each way in which disk and socket fail has a word`(disk: String, socket: String) throws {
    let faults =
      "{ \"name\": \"d\", \"disk\": \"\(disk)\" }, { \"name\": \"s\", \"realtime\": \"\(socket)\" }"
    let file = Sample.smallestFlags("\"description\"", "\"faults\": [\(faults)], \"description\"")
    let effects = try #require(load(file).scenario).faults.map(\.effect)
    let disks: [String: DiskFault] = ["full": .full, "torn": .torn, "unreadable": .unreadable]
    #expect(effects == [.disk(try #require(disks[disk])), .realtime(try #require(.init(rawValue: socket)))])
  }

  @Test func `words of both clients mean what the client makes of them`() throws {
    let timeline = "\"timeline\": [{ \"at\": \"1s\", \"do\": \"publish\" }]"
    let old = try #require(load(Sample.smallest(adding: timeline)).scenario)
    let new = try #require(
      load(Sample.smallestFlags("\"description\"", timeline + ", \"description\"")).scenario)
    #expect(old.timeline.map(\.action) == [.publish])
    #expect(new.timeline.map(\.action) == [.publishFlags(keys: nil)])
    #expect(StepAction.cancelRefresh(after: .boundary).word == "cancel")
    #expect(TimelineAction.publishFlags(keys: nil).word == TimelineAction.publish.word)
  }
}

extension FlagsDecodingTests {
  @Test func `the canonical text of flags names every value of theirs and none of the other client`() throws {
    let scenario = try #require(load(Sample.smallestFlags).scenario)
    #expect(
      scenario.canonicalJSON(includingSeed: true)
        == #"{"name":"small-flags","description":"Small.","seed":1,"clock":"virtual","schedule":"random","#
        + #""client":{"kind":"flags","instances":1,"subjects":"shared","requestTimeout":"10s","#
        + #""keys":["banner","limit"],"platform":"ios","appVersion":"3.2.1","language":"en","signedIn":true,"#
        + #""consent":true,"realtime":true,"launchWithin":"0s"},"service":{"flags":200,"latency":"80ms","#
        + #""project":{"experiments":[],"deletionLog":100,"audiences":true,"conditions":true}},"#
        + #""network":{"latency":"0s"},"readers":{"app":{"executor":"per-reader-iterations","readers":10,"#
        + #""iterations":1,"maxDuration":"10m","startTime":"0s","gracefulStop":"30s","think":"0s","#
        + #""do":[{"step":"read","keys":["banner","limit"],"as":"typed","count":1,"think":"0s"}]}},"#
        + #""warmup":"0s","timeline":[],"faults":[],"invariants":["all"],"require":[],"thresholds":{}}"#
    )
  }

  @Test(arguments: [
    "client.language=de", "client.signedIn=false", "client.consent=false", "client.realtime=false",
    "client.launchWithin=30s", "client.subjects=2", "client.appVersion=4.0.0",
    "service.project.experiments=[\"limit\"]",
    "service.project.deletionLog=0", "service.project={\"audiences\":false}",
    "service.project.conditions=false",
    "readers.app.do=[\"refresh\"]", "readers.app.do=[{\"step\":\"read\",\"as\":\"value\"}]",
    "timeline=[{\"at\":\"1s\",\"do\":\"rotate-etags\"}]", "faults=[{\"name\":\"x\",\"disk\":\"torn\"}]",
  ])
  func `each value of flags has a part in the fingerprint`(change: String) throws {
    let before = try #require(load(Sample.smallestFlags).scenario)
    let after = try #require(load(Sample.smallestFlags, [.set(change)]).scenario)
    #expect(after.hash != before.hash)
    #expect(load(after.canonicalJSON(includingSeed: true)).scenario?.hash == after.hash)
  }
}

extension FlagsDecodingTests {
  @Test func `a path reaches into steps, timeline and faults of flags`() throws {
    let loaded = load(
      Sample.flags,
      [
        .set("readers.app.do[1].as=state"), .set("readers.app.do[3].after={\"boundary\":true}"),
        .set("readers.app.do[10].record=missing"), .set("readers.app.do[11].given=true"),
        .set("timeline[0].keys=[\"b\"]"), .set("timeline[1].keys[1]=z"), .set("timeline[5].value=on"),
        .set("timeline[5].user=2"), .set("timeline[17].within=3s"), .set("timeline[20].given=false"),
        .set("faults[0].gone=deletions_expired"), .set("faults[1].match.endpoint=delta"),
        .set("faults[3].earlyNotice=9s"), .set("faults[5].disk.slow=2s"),
        .set("faults[4].disk={\"slow\":\"1ms\"}"),
      ]
    )
    #expect(loaded.lines == [])
    let scenario = try #require(loaded.scenario)
    let steps = scenario.groups[0].steps.map(\.action)
    #expect(steps[1] == .read(ReadStep(keys: ["b"], how: .state, count: 5)))
    #expect(steps[3] == .cancelRefresh(after: .boundary))
    #expect(steps[10] == .relaunch(RelaunchSpec(record: .missing, version: "5.0.0")))
    #expect(steps[11] == .consent(true))
    #expect(scenario.timeline[0].action == .publishFlags(keys: ["b"]))
    #expect(scenario.timeline[1].action == .publishFlags(keys: ["a", "z"]))
    #expect(scenario.timeline[5].action == .giveUser(key: "b", user: 2, value: .text("on")))
    #expect(scenario.timeline[17].within == .seconds(3))
    #expect(scenario.timeline[20].action == .consent(false))
    #expect(scenario.faults[0].effect == .gone(.deletionsExpired))
    #expect(scenario.faults[1].match.endpoints == [.delta])
    #expect(scenario.faults[3].effect == .earlyNotice(.fixed(.seconds(9))))
    #expect(scenario.faults[4].effect == .disk(.slow(.fixed(.milliseconds(1)))))
    #expect(scenario.faults[5].effect == .disk(.slow(.fixed(.seconds(2)))))
  }

  @Test func `a fleet of flags stays a fleet when readers are scaled`() throws {
    let fleet = Sample.smallestFlags("\"kind\"", "\"instances\": 10, \"kind\"")
    #expect(try #require(load(fleet, [.readers("500")]).scenario).client.instances == 500)
  }

  @Test(arguments: [
    (
      "client.stores=2",
      "there is no client.stores; client has kind, keys, instances, subjects, requestTimeout, platform, "
        + "appVersion, language, signedIn, consent, realtime, launchWithin"
    ),
    ("client.langauge=de", "there is no client.langauge; did you mean client.language?"),
    (
      "service.projet.deletionLog=1",
      "there is no service.projet.deletionLog; did you mean service.project.deletionLog?"
    ),
  ])
  func `a key of the other client, or of none, is no place`(assignment: String, message: String) {
    #expect(
      load(Sample.smallestFlags, [.set(assignment)]).lines == [" error: --set \(assignment): \(message)"])
  }
}
