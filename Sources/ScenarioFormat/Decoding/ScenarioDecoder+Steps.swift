// The steps of an iteration: bare words or objects whose word says which keys there are.

extension ScenarioDecoder {
  /// Decodes the `do` of a group.
  mutating func decodeSteps(in group: ObjectReader) -> [ReaderStep]? {
    guard let elements = list("do", in: group) else { return nil }
    let steps = elements.compactMap { decodeStep($0) }
    let areWeighted = checkWeights(of: elements)
    guard areWeighted, steps.count == elements.count else { return nil }
    if steps[0].weight != nil, steps.allSatisfy({ $0.weight == 0 }), let value = group.value("do") {
      log.report("all weights are zero", at: value, suggestion: "give one step a weight of at least 1")
      return nil
    }
    return steps
  }

  private mutating func checkWeights(of elements: [LocatedValue]) -> Bool {
    let weighted = elements.map { element in
      if case .object(let members) = element.json.content {
        members.contains { $0.key == "weight" }
      } else {
        false
      }
    }
    guard weighted.contains(true), let bare = weighted.firstIndex(of: false) else { return true }
    log.report(
      "this step has no weight, but others of the group have one",
      at: elements[bare],
      suggestion: "give every step a weight, or none"
    )
    return false
  }

  private mutating func decodeStep(_ element: LocatedValue) -> ReaderStep? {
    guard let word = stepWord(of: element) else { return nil }
    guard let entry = FieldTable.stepTables.first(where: { $0.word == word }) else { return nil }
    var value = element
    if case .string = element.json.content {
      guard FieldTable.bareSteps.contains(word) else {
        reportBareStep(element, of: entry.table)
        return nil
      }
      // From here on a bare word is the object that it abbreviates.
      let member = JSONMember("step", element.json, keyOrigin: element.json.origin)
      value.json = JSONValue(.object([member]), origin: element.json.origin)
    }
    guard let object = open(value, as: entry.table, foreign: FieldTable.stepOwners[kind]) else { return nil }
    if ["list-notifications", "mark-read", "mark-all-read"].contains(word) { inboxSteps.append(element) }
    let action = decodeAction(word, in: object)
    let think = latency("think", in: object)
    let weight = count("weight", in: object)
    guard let action, let think, weight != nil || !object.has("weight") else { return nil }
    return ReaderStep(action: action, weight: weight, think: think)
  }

  /// Reports a bare word that needs keys.
  private mutating func reportBareStep(_ element: LocatedValue, of table: FieldTable) {
    guard case .string(let word) = element.json.content,
      let field = table.fields.last(where: \.isRequired)
    else { return }
    let (needed, example) =
      switch field.shape {
      case .latency: ("a duration", "\"1s\"")
      default: ("\"\(field.key)\"", "true")
      }
    log.report(
      "\(table.name) needs \(needed)",
      at: element,
      suggestion: "write {\"step\": \"\(word)\", \"\(field.key)\": \(example)}"
    )
  }

  private mutating func stepWord(of element: LocatedValue) -> String? {
    let words = FieldTable.stepTables.filter { $0.table.isFor(kind) }.map(\.word)
    let foreign = FieldTable.foreignSteps
    guard case .object(let members) = element.json.content else {
      return word(element, among: words, foreign: foreign, called: "steps")
    }
    guard let member = members.first(where: { $0.key == "step" }) else {
      log.report(
        "a step without the key \"step\"",
        at: element,
        suggestion: "steps: \(words.joined(separator: ", "))"
      )
      return nil
    }
    let value = LocatedValue(json: member.value, path: ValuePath.appending(key: "step", to: element.path))
    return word(value, among: words, foreign: foreign, called: "steps")
  }

  private mutating func decodeAction(_ word: String, in object: ObjectReader) -> StepAction? {
    switch word {
    case "evaluate": return decodeEvaluation(in: object).map { .evaluate($0) }
    case "evaluate-or-throw": return decodeEvaluation(in: object).map { .evaluateOrThrow($0) }
    case "invalidate": return .invalidate
    case "cancel": return decodeCancel(in: object)
    case "record-exposure": return count("count", in: object).map { .recordExposure(count: $0) }
    case "flush": return .flush
    case "list-notifications": return decodeListing(in: object)
    case "mark-read": return .markRead
    case "mark-all-read": return .markAllRead
    case "switch-user": return .switchUser
    case "sleep": return latency("duration", in: object).map { .sleep($0) }
    case "read": return decodeRead(in: object).map { .read($0) }
    case "refresh": return .refresh
    case "sign-in": return .signIn
    case "sign-out": return .signOut
    case "background": return .background
    case "foreground": return .foreground
    case "relaunch": return decodeRelaunch(in: object).map { .relaunch($0) }
    case "consent": return boolean("given", in: object).map { .consent($0) }
    case "capture": return count("count", in: object).map { .capture(count: $0) }
    default: fatalError("the step \"\(word)\" is in the tables, but nobody decodes it")
    }
  }

  private mutating func decodeCancel(in object: ObjectReader) -> StepAction? {
    let after = latency("after", in: object)
    if kind == .flags { return after.map { .cancelRefresh(after: $0) } }
    let evaluation = decodeEvaluation(in: object)
    guard let evaluation, let after else { return nil }
    return .cancel(evaluation, after: after)
  }

  private mutating func decodeRead(in object: ObjectReader) -> ReadStep? {
    let keys = stepKeys(in: object)
    let how = word("as", in: object, as: ReadHow.self)
    let count = count("count", in: object)
    guard let keys, let how, let count else { return nil }
    return ReadStep(keys: keys, how: how, count: count)
  }

  /// Decodes what a relaunch says, as a step or in the timeline.
  mutating func decodeRelaunch(in object: ObjectReader) -> RelaunchSpec? {
    let record = word("record", in: object, as: RecordState.self)
    let version = text("version", in: object)
    guard let record, version != nil || !object.has("version") else { return nil }
    return RelaunchSpec(record: record, version: version)
  }

  private mutating func decodeListing(in object: ObjectReader) -> StepAction? {
    let status = object.value("status").flatMap {
      word($0, among: ["all", "unread"], called: "states")
    }
    let limit = count("limit", in: object)
    let atMost = object.has("atMost") ? count("atMost", in: object).map(Int?.some) : .some(nil)
    guard let status, let limit, let atMost else { return nil }
    return .listNotifications(unreadOnly: status == "unread", limit: limit, atMost: atMost)
  }

  private mutating func decodeEvaluation(in object: ObjectReader) -> StepEvaluation? {
    let switchesStore = boolean("switchStore", in: object)
    if switchesStore == true, let value = object.value("switchStore") { storeSwitches.append(value) }
    let keys = stepKeys(in: object)
    guard let keys, let switchesStore else { return nil }
    return StepEvaluation(keys: keys, switchesStore: switchesStore)
  }

  /// The keys of a step: some of the client's, or all of them if it names none.
  private mutating func stepKeys(in object: ObjectReader) -> [String]? {
    object.has("keys") ? clientKeys("keys", in: object) : clientKeys
  }
}
