import Metrics

// The effect of a fault: the one key that says what happens, and what belongs to it.

extension ScenarioDecoder {
  /// Decodes the effect of a fault; whatever is wrong with a second one is reported as well.
  mutating func decodeEffect(in object: ObjectReader) -> FaultEffect? {
    let words = FieldTable.effects(for: kind).filter { object.has($0) }
    guard let first = words.first else {
      reportNoEffect(in: object)
      return nil
    }
    for second in words.dropFirst() {
      guard let value = object.value(second) else { continue }
      log.report(
        "a second effect beside \"\(first)\"",
        at: value,
        suggestion: "write another fault: several may strike one request"
      )
    }
    let effects = words.compactMap { decodeEffect($0, in: object) }
    return words.count == 1 ? effects.first : nil
  }

  private mutating func reportNoEffect(in object: ObjectReader) {
    guard case .object(let members) = object.object.json.content else { return }
    // A misspelt effect, or one of the other kind of client, has been reported as an unknown key.
    let isNamed = members.contains { member in
      if let field = object.table.field(member.key) { return !field.isFor(kind) }
      guard !log.isFull else { return false }
      let nearest = Spelling.nearest(to: member.key, among: object.table.fields.map(\.key))
      return nearest.map { FieldTable.effects(for: nil).contains($0) } ?? false
    }
    guard !isNamed else { return }
    log.report(
      "a fault without an effect",
      at: object.object,
      suggestion: "effects: \(FieldTable.effects(for: kind).joined(separator: ", "))"
    )
  }

  private mutating func decodeEffect(_ word: String, in object: ObjectReader) -> FaultEffect? {
    switch word {
    case "status": decodeStatus(in: object)
    case "lose": self.word("lose", in: object, as: LostPart.self).map { .lose($0) }
    case "body": object.value("body").flatMap { decodeBody($0) }.map { .body($0) }
    case "hang": isTrue("hang", in: object) ? .hang : nil
    case "latency": latency("latency", in: object).map { .latency($0) }
    case "late": latency("late", in: object).map { .late($0) }
    case "duplicate": isTrue("duplicate", in: object) ? .duplicate : nil
    case "reorder": isTrue("reorder", in: object) ? .reorder : nil
    case "offline": isTrue("offline", in: object) ? .offline : nil
    case "flapping": decodeFlapping(in: object)
    case "authorization": decodeAuthorizationFault(in: object)
    case "lag": count("lag", in: object).map { .lag(versions: $0) }
    case "gone": self.word("gone", in: object, as: GoneReason.self).map { .gone($0) }
    case "notModified": isTrue("notModified", in: object) ? .notModified : nil
    case "realtime": self.word("realtime", in: object, as: RealtimeFault.self).map { .realtime($0) }
    case "earlyNotice": latency("earlyNotice", in: object).map { .earlyNotice($0) }
    case "disk": object.value("disk").flatMap { decodeDisk($0) }.map { .disk($0) }
    default: fatalError("the effect \"\(word)\" is in the tables, but nobody decodes it")
    }
  }

  private mutating func isTrue(_ key: String, in object: ObjectReader) -> Bool {
    guard let value = object.value(key) else { return false }
    guard value.json.content != .bool(true) else { return true }
    log.report(
      "\"\(key)\" can only be true",
      at: value,
      suggestion: "leave the fault out, or set its \"probability\" to 0"
    )
    return false
  }

  private mutating func decodeBody(_ value: LocatedValue) -> BodyFault? {
    let own = BodyFault.allCases.filter { kind == nil || $0.kind == nil || $0.kind == kind }
    let foreign = BodyFault.allCases.compactMap { body in
      body.kind.map { KeyOwner(key: body.rawValue, owner: $0.words) }
    }
    return word(value, among: own.map(\.rawValue), foreign: foreign, called: "known").flatMap(BodyFault.init)
  }

  private mutating func decodeStatus(in object: ObjectReader) -> FaultEffect? {
    let status = count("status", in: object)
    let code = text("code", in: object)
    let retryAfter = object.value("retryAfter").flatMap { decodeRetryAfter($0) }
    guard let status, let value = object.value("status") else { return nil }
    guard !(200...299).contains(status) else {
      log.report("\(status) is no refusal", at: value, suggestion: "spoil a good answer with \"body\"")
      return nil
    }
    guard code != nil || !object.has("code"), retryAfter != nil || !object.has("retryAfter") else {
      return nil
    }
    return .status(status, retryAfter: retryAfter, code: code)
  }

  private mutating func decodeRetryAfter(_ value: LocatedValue) -> RetryAfterForm? {
    switch value.json.content {
    case .string("garbled"): return .garbled
    case .string("negative"): return .negative
    case .string("past"): return .past
    case .string("huge"): return .huge
    case .string("zero"): return .seconds(.zero)
    case .string(let word) where word.first?.isLetter == true:
      let words = FieldTable.retryAfterWords
      log.report(
        "there is no \(Shown.text(word))",
        at: value,
        suggestion: Suggestion.nearest(to: word, among: words, called: "a duration, or one of")
      )
      return nil
    case .string, .number: return duration(value).map { .seconds($0) }
    case .object(let members): return decodeDelay(of: members, in: value)
    case .null, .bool, .array:
      log.report(
        "expected a Retry-After, found \(value.json.kindName)",
        at: value,
        suggestion: Self.retryAfterForms
      )
      return nil
    }
  }

  private static let retryAfterForms =
    "write \"30s\", {\"http-date\": \"30s\"}, another form of a date, or one of "
    + FieldTable.retryAfterWords.joined(separator: ", ")

  private mutating func decodeDelay(of members: [JSONMember], in value: LocatedValue) -> RetryAfterForm? {
    let tables = FieldTable.retryAfterTables
    let known = tables.flatMap { $0.fields.map(\.key) }
    guard let table = tables.first(where: { table in members.contains { table.field($0.key) != nil } }) else {
      let nearest = members.lazy.compactMap { Spelling.nearest(to: $0.key, among: known) }.first
      log.report(
        "none of the forms of a Retry-After",
        at: value,
        suggestion: nearest.map { "did you mean \"\($0)\"?" } ?? "forms: \(known.joined(separator: ", "))"
      )
      return nil
    }
    guard let object = open(value, as: table, foreign: FieldTable.retryAfterOwners[nil]), members.count == 1,
      let delay = duration(table.fields[0].key, in: object)
    else { return nil }
    switch table.fields[0].key {
    case "seconds": return .seconds(delay)
    case "http-date": return .httpDate(delay)
    case "bare-date": return .bareDate(delay)
    default: return .iso8601(delay)
    }
  }

  private mutating func decodeFlapping(in object: ObjectReader) -> FaultEffect? {
    guard let value = object.value("flapping"), let fields = open(value, as: .flapping) else { return nil }
    let up = positiveDuration("up", in: fields, "a network that is never there")
    let down = positiveDuration("down", in: fields, "a network that is never gone")
    guard let up, let down else { return nil }
    return .flapping(up: up, down: down)
  }

  private mutating func decodeAuthorizationFault(in object: ObjectReader) -> FaultEffect? {
    guard let value = object.value("authorization") else { return nil }
    let fault = decodeAuthorizationFault(value)
    if case .header? = auth {
      log.report(
        "the client authorizes by a fixed header, which it need not ask anybody for",
        at: value,
        suggestion: Self.bearerRemedy
      )
      return nil
    }
    return fault
  }

  private mutating func decodeAuthorizationFault(_ value: LocatedValue) -> FaultEffect? {
    switch wordOrSlow(value, among: FieldTable.authorizationWords, orAs: .slowAuthorization) {
    case .slow(let latency): .authorization(.slow(latency))
    case .word("none"): .authorization(.none)
    case .word: .authorization(.throwing)
    case nil: nil
    }
  }

  private mutating func decodeDisk(_ value: LocatedValue) -> DiskFault? {
    switch wordOrSlow(value, among: FieldTable.diskWords, orAs: .slowDisk) {
    case .slow(let latency): .slow(latency)
    case .word("full"): .full
    case .word("torn"): .torn
    case .word: .unreadable
    case nil: nil
    }
  }

  /// How something fails: a word, or that it takes so much longer.
  private enum Failing {
    case word(String)
    case slow(Latency)
  }

  private mutating func wordOrSlow(
    _ value: LocatedValue, among words: [String], orAs table: FieldTable
  ) -> Failing? {
    switch value.json.content {
    case .object:
      guard let fields = open(value, as: table) else { return nil }
      return latency("slow", in: fields).map { .slow($0) }
    case .string("slow"):
      log.report("\(table.name) needs a latency", at: value, suggestion: "write {\"slow\": \"1s\"}")
      return nil
    case .null, .bool, .number, .string, .array:
      return word(value, among: words, called: "an object with \"slow\", or one of").map { .word($0) }
    }
  }

  /// What to write where a header is not enough.
  static let bearerRemedy = "set client.auth to {\"bearer\": {}}"
}
