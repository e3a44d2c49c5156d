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
        log.report(
          "the step \"\(word)\" needs a duration",
          at: element,
          suggestion: "write {\"step\": \"\(word)\", \"duration\": \"1s\"}"
        )
        return nil
      }
      // From here on a bare word is the object that it abbreviates.
      let member = JSONMember("step", element.json, keyOrigin: element.json.origin)
      value.json = JSONValue(.object([member]), origin: element.json.origin)
    }
    guard let object = open(value, as: entry.table, foreign: FieldTable.stepOwners) else { return nil }
    if ["list-notifications", "mark-read", "mark-all-read"].contains(word) { inboxSteps.append(element) }
    let action = decodeAction(word, in: object)
    let think = latency("think", in: object)
    let weight = count("weight", in: object)
    guard let action, let think, weight != nil || !object.has("weight") else { return nil }
    return ReaderStep(action: action, weight: weight, think: think)
  }

  private mutating func stepWord(of element: LocatedValue) -> String? {
    let words = FieldTable.stepTables.map(\.word)
    guard case .object(let members) = element.json.content else {
      return word(element, among: words, later: FieldTable.laterSteps, called: "steps")
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
    return word(value, among: words, later: FieldTable.laterSteps, called: "steps")
  }

  private mutating func decodeAction(_ word: String, in object: ObjectReader) -> StepAction? {
    switch word {
    case "evaluate": return decodeEvaluation(in: object).map { .evaluate($0) }
    case "evaluate-or-throw": return decodeEvaluation(in: object).map { .evaluateOrThrow($0) }
    case "invalidate": return .invalidate
    case "cancel":
      let (evaluation, after) = (decodeEvaluation(in: object), latency("after", in: object))
      guard let evaluation, let after else { return nil }
      return .cancel(evaluation, after: after)
    case "record-exposure": return count("count", in: object).map { .recordExposure(count: $0) }
    case "flush": return .flush
    case "list-notifications": return decodeListing(in: object)
    case "mark-read": return .markRead
    case "mark-all-read": return .markAllRead
    case "switch-user": return .switchUser
    default: return latency("duration", in: object).map { .sleep($0) }
    }
  }

  private mutating func decodeListing(in object: ObjectReader) -> StepAction? {
    let status = object.value("status").flatMap {
      word($0, among: ["all", "unread"], later: [], called: "states")
    }
    let limit = count("limit", in: object)
    let atMost = object.has("atMost") ? count("atMost", in: object).map(Int?.some) : .some(nil)
    guard let status, let limit, let atMost else { return nil }
    return .listNotifications(unreadOnly: status == "unread", limit: limit, atMost: atMost)
  }

  private mutating func decodeEvaluation(in object: ObjectReader) -> StepEvaluation? {
    let switchesStore = boolean("switchStore", in: object)
    if switchesStore == true, let value = object.value("switchStore") { storeSwitches.append(value) }
    guard object.has("keys") else {
      guard let clientKeys, let switchesStore else { return nil }
      return StepEvaluation(keys: clientKeys, switchesStore: switchesStore)
    }
    guard let keys = keys("keys", in: object) else { return nil }
    var areKnown = true
    for key in keys {
      guard let clientKeys, !clientKeys.contains(key.text) else { continue }
      areKnown = false
      log.report(
        "\(Shown.text(key.text)) is not one of the client's keys",
        at: key.value,
        suggestion: Suggestion.nearest(to: key.text, among: clientKeys, called: "keys")
      )
    }
    guard areKnown, let switchesStore else { return nil }
    return StepEvaluation(keys: keys.map(\.text), switchesStore: switchesStore)
  }
}
