// Client, service and network: the world around the readers.

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
    auth = object.value("auth").flatMap { decodeAuth($0) }
    guard let kind, let instances, let subjects, let stores, let cacheTTL, let requestTimeout, let clientKeys,
      let environment, let platform, let appVersion, let auth
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
      appVersion: appVersion,
      auth: auth
    )
  }

  private mutating func decodeAuth(_ value: LocatedValue) -> AuthSpec? {
    switch value.json.content {
    case .string("header"): return .header
    case .object:
      return open(value, as: .auth)?.value("bearer").flatMap { decodeBearer($0) }
    case .null, .bool, .number, .string, .array:
      log.report(
        "expected \"header\" or an object with \"bearer\", found \(Self.shown(value))",
        at: value,
        suggestion: "write \"header\" or {\"bearer\": {}}"
      )
      return nil
    }
  }

  private mutating func decodeBearer(_ value: LocatedValue) -> AuthSpec? {
    guard let object = open(value, as: .bearer) else { return nil }
    let latency = latency("latency", in: object)
    let lifetime = positiveDuration("lifetime", in: object, "a token that is never valid")
    guard let latency, lifetime != nil || !object.has("lifetime") else { return nil }
    return .bearer(latency: latency, lifetime: lifetime)
  }

  /// A string itself, and of anything else what it is.
  private static func shown(_ value: LocatedValue) -> String {
    if case .string(let text) = value.json.content { Shown.text(text) } else { value.json.kindName }
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
    let inbox = object.value("inbox").flatMap { decodeInbox($0) }
    guard let flags else { return nil }
    if let clientKeys, clientKeys.count > flags {
      log.report(
        "\(flags) flags for the client's \(clientKeys.count) keys",
        at: object.value("flags") ?? value,
        suggestion: "write at least \(clientKeys.count)"
      )
      return nil
    }
    guard let latency, let inbox else { return nil }
    return ServiceSpec(flags: flags, latency: latency, inbox: inbox)
  }

  private mutating func decodeInbox(_ value: LocatedValue) -> InboxSpec? {
    guard let object = open(value, as: .inbox) else { return nil }
    let items = count("items", in: object)
    let cursors = word("cursors", in: object, as: CursorKind.self)
    let emptyCursor = boolean("emptyCursor", in: object)
    guard let items, let cursors, let emptyCursor else { return nil }
    return InboxSpec(items: items, cursors: cursors, emptyCursor: emptyCursor)
  }

  /// Decodes `network`.
  mutating func decodeNetwork(_ value: LocatedValue) -> NetworkSpec? {
    guard let object = open(value, as: .network) else { return nil }
    return latency("latency", in: object).map { NetworkSpec(latency: $0) }
  }
}
