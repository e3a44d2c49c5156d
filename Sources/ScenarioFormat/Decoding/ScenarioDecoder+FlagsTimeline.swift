// What the timeline does to a project of flags, and to the devices that hold them.

extension ScenarioDecoder {
  /// Decodes an action that only the client `flags` has.
  mutating func decodeFlagsAction(_ word: String, in object: ObjectReader) -> TimelineAction? {
    switch word {
    case "delete": return text("key", in: object).map { .deleteFlag($0) }
    case "define": return text("key", in: object).map { .defineFlag($0) }
    case "give-user": return decodeGift(in: object)
    case "take-user": return decodeUser(in: object).map { .takeUser(key: $0.key, user: $0.user) }
    case "start-experiment": return text("key", in: object).map { .startExperiment($0) }
    case "stop-experiment": return text("key", in: object).map { .stopExperiment($0) }
    case "change-audiences": return .changeAudiences
    case "rotate-etags": return .rotateETags
    case "sign-in": return .signIn
    case "sign-out": return .signOut
    case "same-user-again": return .sameUserAgain
    case "background": return .background
    case "foreground": return .foreground
    case "relaunch": return decodeRelaunch(in: object).map { .relaunch($0) }
    case "consent": return boolean("given", in: object).map { .consent($0) }
    case "refresh": return .refresh
    case "drop-sockets": return decodeDrop(in: object)
    default: fatalError("the action \"\(word)\" is in the tables, but nobody decodes it")
    }
  }

  /// Decodes `publish`, which names flags only where the client is of the kind `flags`.
  mutating func decodePublish(in object: ObjectReader) -> TimelineAction? {
    guard kind == .flags else { return .publish }
    guard object.has("keys") else { return .publishFlags(keys: nil) }
    return keys("keys", in: object).map { .publishFlags(keys: $0.map(\.text)) }
  }

  private mutating func decodeGift(in object: ObjectReader) -> TimelineAction? {
    let user = decodeUser(in: object)
    let value = object.value("value").flatMap { scalar($0) }
    guard let user, let value else { return nil }
    return .giveUser(key: user.key, user: user.user, value: value)
  }

  /// Decodes a flag and whose own value of it is meant: a user's, or everybody's.
  private mutating func decodeUser(in object: ObjectReader) -> (key: String, user: Int?)? {
    let key = text("key", in: object)
    guard object.has("user") else { return key.map { ($0, nil) } }
    guard let user = count("user", in: object), let value = object.value("user") else { return nil }
    if let users, user >= users {
      log.report(
        "there is no user \(user)",
        at: value,
        suggestion: "write 0\(users > 1 ? " to \(users - 1)" : ""), or set client.subjects"
      )
      return nil
    }
    return key.map { ($0, user) }
  }

  private mutating func scalar(_ value: LocatedValue) -> GivenValue? {
    switch value.json.content {
    case .bool(let flag): return .bool(flag)
    case .string(let text): return .text(text)
    case .number(let text):
      if case .success(let whole) = WholeNumber.parse(text) { return .integer(whole) }
      if let number = Double(text), number.isFinite { return .number(number) }
      log.report(
        "\(Shown.bare(text)) is out of range",
        at: value,
        suggestion: "write a number that a floating-point number can hold"
      )
    case .null, .array, .object:
      log.report(
        "expected a value of a flag, found \(value.json.kindName)",
        at: value,
        suggestion: "write true, false, a number or a string"
      )
    }
    return nil
  }

  private mutating func decodeDrop(in object: ObjectReader) -> TimelineAction? {
    guard usesRealtime == false else { return .dropSockets }
    log.report(
      "the client has no socket that could break", at: object.object, suggestion: Self.realtimeRemedy)
    return nil
  }

  /// What to write where there must be a socket.
  static let realtimeRemedy = "set client.realtime to true"
}
