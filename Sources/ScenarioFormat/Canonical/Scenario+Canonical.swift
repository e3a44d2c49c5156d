// The canonical text of a scenario: every default filled in, every number in one spelling, keys in the order
// of the tables. Equal scenarios have equal texts in every process, and the text, with seed and description,
// is itself a scenario file that gives the same scenario again.

extension Scenario {
  /// Returns the effective scenario as JSON on one line.
  ///
  /// Groups of readers and thresholds keep the order of the file, which matters to the run and to the report.
  /// - Complexity: O(n) in the size of the scenario.
  /// - Parameter includingSeed: Whether seed and description are part of it. With them the text is a whole
  ///   scenario file, which gives an equal scenario (its list of overrides aside); without them it is what
  ///   `hash` is taken of.
  /// - Returns: The text, without a line break.
  public func canonicalJSON(includingSeed: Bool) -> String {
    JSONWriter.compact(json(includingSeed: includingSeed))
  }

  private func json(includingSeed: Bool) -> JSONValue {
    var members: [JSONMember] = [JSONMember("name", .text(name))]
    if includingSeed {
      members.append(JSONMember("description", .text(description)))
      members.append(JSONMember("seed", .number(Int(seed))))
    }
    members += [
      JSONMember("clock", .text(clock.rawValue)),
      JSONMember("schedule", .text(schedule.rawValue)),
      JSONMember("client", client.json),
      JSONMember("service", service.json),
      JSONMember("network", ["latency": network.latency.json]),
      JSONMember("readers", JSONValue(.object(groups.map { JSONMember($0.name, $0.json) }))),
      JSONMember("warmup", .duration(warmup)),
      JSONMember("timeline", .list(timeline.map(\.json))),
      JSONMember("faults", .list(faults.map(\.json))),
    ]
    if let heal { members.append(JSONMember("heal", .duration(heal))) }
    if let fleet { members.append(JSONMember("fleet", fleet.json)) }
    members += [
      JSONMember("invariants", invariants.json),
      JSONMember(
        "require",
        .list(requirements.map { ["id": .text($0.invariant.id), "minChecks": .number($0.minChecks)] })
      ),
      JSONMember("thresholds", thresholdsJSON),
    ]
    return JSONValue(.object(members))
  }

  private var thresholdsJSON: JSONValue {
    var members: [JSONMember] = []
    for spec in thresholds {
      // Conditions on one metric stand together in the file, so only the last member can be theirs.
      if members.last?.key == spec.metric,
        case .array(let elements) = members[members.count - 1].value.content
      {
        members[members.count - 1].value = .list(elements + [spec.json])
      } else {
        members.append(JSONMember(spec.metric, .list([spec.json])))
      }
    }
    return JSONValue(.object(members))
  }
}

extension JSONValue {
  static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }
  static func number(_ number: Int) -> JSONValue { JSONValue(.number(String(number))) }
  static func list(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }
  static func duration(_ duration: Duration) -> JSONValue {
    .text(DurationText.text(of: duration))
  }
}

extension ClientSpec {
  fileprivate var json: JSONValue {
    if let flags { return flagsJSON(flags) }
    return [
      "kind": .text(kind.rawValue),
      "instances": .number(instances),
      "subjects": subjects.json,
      "stores": stores.json,
      "cacheTTL": .duration(cacheTTL),
      "requestTimeout": .duration(requestTimeout),
      "keys": .list(keys.map { .text($0) }),
      "environment": .text(environment),
      "platform": .text(platform),
      "appVersion": .text(appVersion),
      "auth": auth.json,
    ]
  }

  private func flagsJSON(_ flags: FlagsClientSpec) -> JSONValue {
    [
      "kind": .text(kind.rawValue),
      "instances": .number(instances),
      "subjects": subjects.json,
      "requestTimeout": .duration(requestTimeout),
      "keys": .list(keys.map { .text($0) }),
      "platform": .text(platform),
      "appVersion": .text(appVersion),
      "language": .text(flags.language),
      "signedIn": JSONValue(.bool(flags.startsSignedIn)),
      "consent": JSONValue(.bool(flags.consents)),
      "realtime": JSONValue(.bool(flags.usesRealtime)),
      "launchWithin": .duration(flags.launchWithin),
    ]
  }
}

extension Population {
  fileprivate var json: JSONValue {
    switch self {
    case .shared: "shared"
    case .perReader: "per-reader"
    case .count(let count): .number(count)
    }
  }
}

extension Latency {
  var json: JSONValue {
    switch self {
    case .fixed(let duration): .duration(duration)
    case .uniform(let min, let max): ["min": .duration(min), "max": .duration(max)]
    case .lognormal(let median, let p99): ["median": .duration(median), "p99": .duration(p99)]
    case .boundary: ["boundary": true]
    }
  }
}

extension ReaderGroup {
  fileprivate var json: JSONValue {
    let common = [
      JSONMember("startTime", .duration(startTime)),
      JSONMember("gracefulStop", .duration(gracefulStop)),
      JSONMember("think", think.json),
      JSONMember("do", .list(steps.map(\.json))),
    ]
    return JSONValue(.object([JSONMember("executor", .text(executor.word))] + executor.members + common))
  }
}

extension ReaderExecutor {
  fileprivate var members: [JSONMember] {
    switch self {
    case .perReaderIterations(let readers, let iterations, let maxDuration):
      [
        JSONMember("readers", .number(readers)),
        JSONMember("iterations", .number(iterations)),
        JSONMember("maxDuration", .duration(maxDuration)),
      ]
    case .constantReaders(let readers, let duration):
      [JSONMember("readers", .number(readers)), JSONMember("duration", .duration(duration))]
    case .rampingReaders(let startReaders, let stages, let gracefulRampDown):
      [
        JSONMember("startReaders", .number(startReaders)),
        JSONMember("stages", .list(stages.map(\.json))),
        JSONMember("gracefulRampDown", .duration(gracefulRampDown)),
      ]
    case .constantArrivalRate(let rate, let timeUnit, let duration, let readers, let limit):
      [
        JSONMember("rate", .number(rate)), JSONMember("timeUnit", .duration(timeUnit)),
        JSONMember("duration", .duration(duration)), JSONMember("preAllocatedReaders", .number(readers)),
        JSONMember("maxReaders", .number(limit)),
      ]
    case .rampingArrivalRate(let startRate, let timeUnit, let stages, let readers, let limit):
      [
        JSONMember("startRate", .number(startRate)), JSONMember("timeUnit", .duration(timeUnit)),
        JSONMember("stages", .list(stages.map(\.json))), JSONMember("preAllocatedReaders", .number(readers)),
        JSONMember("maxReaders", .number(limit)),
      ]
    }
  }
}

extension RampStage {
  fileprivate var json: JSONValue { ["duration": .duration(duration), "target": .number(target)] }
}

extension InvariantSelection {
  fileprivate var json: JSONValue {
    switch self {
    case .all: ["all"]
    case .only(let named): .list(named.map { .text($0.id) })
    }
  }
}

extension ThresholdSpec {
  fileprivate var json: JSONValue {
    [
      "threshold": .text(expression),
      "abortOnFail": JSONValue(.bool(abortsOnFailure)),
      "delayAbortEval": .duration(abortDelay),
      "allowEmpty": JSONValue(.bool(allowsEmpty)),
    ]
  }
}
