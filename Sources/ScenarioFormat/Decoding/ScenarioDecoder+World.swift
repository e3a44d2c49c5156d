// Client, service and network: the world around the readers.

extension ScenarioDecoder {
  /// Decodes `client`, and remembers what the rest of the file is held against.
  mutating func decodeClient(_ value: LocatedValue) -> ClientSpec? {
    let entry = FieldTable.clientTables.first { value.json.says($0.kind.rawValue, under: "kind") }
    kind = entry?.kind
    let foreign = entry == nil ? [] : FieldTable.clientOwners[nil]
    guard let object = open(value, as: entry?.table ?? .anyClient, foreign: foreign) else { return nil }
    // Which keys there are by default depends on the kind.
    if entry != nil || object.has("keys") { clientKeys = keys("keys", in: object)?.map(\.text) }
    let shared = decodeShared(in: object)
    switch entry?.kind {
    case .featureControl: return decodeFeatureControl(shared, in: object)
    case .flags: return decodeFlags(shared, in: object)
    case nil:
      _ = word("kind", in: object, as: ClientSpec.Kind.self)
      _ = decodeFeatureControl(shared, in: object)
      _ = decodeFlags(shared, in: object)
      return nil
    }
  }

  /// What both kinds of client are configured with.
  private struct SharedClient {
    var instances: Int
    var subjects: Population
    var requestTimeout: Duration
    var platform: String
    var appVersion: String
  }

  private mutating func decodeShared(in object: ObjectReader) -> SharedClient? {
    let instances = count("instances", in: object)
    let subjects = population("subjects", in: object)
    let requestTimeout = duration("requestTimeout", in: object)
    let platform = text("platform", in: object)
    let appVersion = text("appVersion", in: object)
    guard let instances, let subjects, let requestTimeout, let platform, let appVersion else { return nil }
    return SharedClient(
      instances: instances, subjects: subjects, requestTimeout: requestTimeout, platform: platform,
      appVersion: appVersion)
  }

  private mutating func decodeFeatureControl(_ shared: SharedClient?, in object: ObjectReader) -> ClientSpec?
  {
    stores = population("stores", in: object)
    let cacheTTL = duration("cacheTTL", in: object)
    let environment = text("environment", in: object)
    auth = object.value("auth").flatMap { decodeAuth($0) }
    guard let shared, let stores, let cacheTTL, let clientKeys, let environment, let auth else { return nil }
    return ClientSpec(
      kind: .featureControl,
      instances: shared.instances,
      subjects: shared.subjects,
      stores: stores,
      cacheTTL: cacheTTL,
      requestTimeout: shared.requestTimeout,
      keys: clientKeys,
      environment: environment,
      platform: shared.platform,
      appVersion: shared.appVersion,
      auth: auth,
      flags: nil
    )
  }

  private mutating func decodeFlags(_ shared: SharedClient?, in object: ObjectReader) -> ClientSpec? {
    let language = text("language", in: object)
    let signedIn = boolean("signedIn", in: object)
    let consent = boolean("consent", in: object)
    usesRealtime = boolean("realtime", in: object)
    let launchWithin = duration("launchWithin", in: object)
    guard let shared, let clientKeys, let language, let signedIn, let consent, let usesRealtime,
      let launchWithin
    else { return nil }
    return ClientSpec(
      kind: .flags,
      instances: shared.instances,
      subjects: shared.subjects,
      stores: .shared,
      cacheTTL: .zero,
      requestTimeout: shared.requestTimeout,
      keys: clientKeys,
      environment: "",
      platform: shared.platform,
      appVersion: shared.appVersion,
      auth: .header,
      flags: FlagsClientSpec(
        language: language, startsSignedIn: signedIn, consents: consent, usesRealtime: usesRealtime,
        launchWithin: launchWithin)
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
    let project = object.value("project").flatMap { decodeProject($0) }
    guard let flags else { return nil }
    if let clientKeys, clientKeys.count > flags {
      log.report(
        "\(flags) flags for the client's \(clientKeys.count) keys",
        at: object.value("flags") ?? value,
        suggestion: "write at least \(clientKeys.count)"
      )
      return nil
    }
    guard let latency, let inbox, let project else { return nil }
    return ServiceSpec(
      flags: flags, latency: latency, inbox: inbox, project: kind == .flags ? project : nil)
  }

  private mutating func decodeProject(_ value: LocatedValue) -> ProjectSpec? {
    guard let object = open(value, as: .project) else { return nil }
    let experiments = clientKeys("experiments", in: object)
    let deletionLog = count("deletionLog", in: object)
    let audiences = boolean("audiences", in: object)
    let conditions = boolean("conditions", in: object)
    guard let experiments, let deletionLog, let audiences, let conditions else { return nil }
    return ProjectSpec(
      experiments: experiments, deletionLog: deletionLog, audiences: audiences, conditions: conditions)
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
