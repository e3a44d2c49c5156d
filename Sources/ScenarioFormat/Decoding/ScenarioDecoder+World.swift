// Client, service, network and timeline: the world around the readers.

extension ScenarioDecoder {
  /// Decodes `client`, and remembers its keys and stores for the steps.
  mutating func decodeClient(_ value: LocatedValue) -> ClientSpec? {
    guard let object = open(value, as: .client) else { return nil }
    let kind = word("kind", in: object, as: ClientSpec.Kind.self, later: ["flags"])
    let instances = count("instances", in: object)
    let subjects = population("subjects", in: object)
    stores = population("stores", in: object)
    let cacheTTL = duration("cacheTTL", in: object)
    let requestTimeout = duration("requestTimeout", in: object)
    clientKeys = keys("keys", in: object)?.map(\.text)
    let environment = text("environment", in: object)
    let platform = text("platform", in: object)
    let appVersion = text("appVersion", in: object)
    guard let kind, let instances, let subjects, let stores, let cacheTTL, let requestTimeout, let clientKeys,
      let environment, let platform, let appVersion
    else { return nil }
    return ClientSpec(
      kind: kind,
      instances: instances,
      subjects: subjects,
      stores: stores,
      cacheTTL: cacheTTL,
      requestTimeout: requestTimeout,
      keys: clientKeys,
      environment: environment,
      platform: platform,
      appVersion: appVersion
    )
  }

  private mutating func population(_ key: String, in object: ObjectReader) -> Population? {
    guard let value = object.value(key) else { return nil }
    switch value.json.content {
    case .string("shared"): return .shared
    case .string("per-reader"): return .perReader
    case .string(let word):
      log.report(
        "there is no \(Shown.text(word))",
        at: value,
        suggestion: "write \"shared\", \"per-reader\" or a number"
      )
      return nil
    case .number: return count(value, within: 1...Bounds.readers).map { .count($0) }
    case .null, .bool, .array, .object:
      log.report(
        "expected a word or a number, found \(value.json.kindName)",
        at: value,
        suggestion: "write \"shared\", \"per-reader\" or a number"
      )
      return nil
    }
  }

  /// Decodes `service`; the client is decoded before it.
  mutating func decodeService(_ value: LocatedValue) -> ServiceSpec? {
    guard let object = open(value, as: .service) else { return nil }
    let flags = count("flags", in: object)
    let latency = latency("latency", in: object)
    guard let flags else { return nil }
    if let clientKeys, clientKeys.count > flags {
      log.report(
        "\(flags) flags for the client's \(clientKeys.count) keys",
        at: object.value("flags") ?? value,
        suggestion: "write at least \(clientKeys.count)"
      )
      return nil
    }
    return latency.map { ServiceSpec(flags: flags, latency: $0) }
  }

  /// Decodes `network`.
  mutating func decodeNetwork(_ value: LocatedValue) -> NetworkSpec? {
    guard let object = open(value, as: .network) else { return nil }
    return latency("latency", in: object).map { NetworkSpec(latency: $0) }
  }

  /// Decodes `timeline` into the order of time.
  mutating func decodeTimeline(in file: ObjectReader) -> [TimelineEntry]? {
    guard let elements = list("timeline", in: file) else { return nil }
    let later = FieldTable.stepTables.map(\.word) + FieldTable.laterSteps
    let entries = elements.compactMap { element -> TimelineEntry? in
      guard let object = open(element, as: .timelineEntry) else { return nil }
      let at = duration("at", in: object)
      let action = word("do", in: object, as: TimelineAction.self, later: later)
      guard let at, let action else { return nil }
      return TimelineEntry(at: at, action: action)
    }
    // Entries of one instant happen in the order of the file; the index keeps it, as sorting alone would not.
    return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element
    )
  }

  /// Reports every fault: this version injects none.
  mutating func refuseFaults(in file: ObjectReader) {
    for fault in list("faults", in: file) ?? [] {
      log.report("faults are not available in this version", at: fault, suggestion: "leave \"faults\" empty")
    }
  }
}
