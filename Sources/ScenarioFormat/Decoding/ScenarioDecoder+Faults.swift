// Faults: whom they strike, and when. What happens is in a file of its own.
//
// A fault that can never strike looks like a test and is none: a window that is over before it begins, a group or an
// instance that does not exist, a time after the healing are problems. Probability 0 is not: BEHAVIOUR §5 gives it a
// meaning.

/// What the faults of a file are held against; nil for what is not known.
struct FaultScope {
  /// The names of the groups of readers.
  var groups: [String]?
  /// How many app instances there are.
  var instances: Int?
  /// From when on no fault strikes.
  var heal: Duration?
}

extension ScenarioDecoder {
  /// Decodes `faults`; the client is decoded before it.
  mutating func decodeFaults(in file: ObjectReader, scope: FaultScope) -> [FaultSpec]? {
    guard let elements = list("faults", in: file) else { return nil }
    var names: Set<String> = []
    let faults = elements.compactMap { decodeFault($0, scope: scope, names: &names) }
    return faults.count == elements.count ? faults : nil
  }

  private mutating func decodeFault(
    _ element: LocatedValue,
    scope: FaultScope,
    names: inout Set<String>
  ) -> FaultSpec? {
    guard let object = openFault(element) else { return nil }
    let name = decodeFaultName(in: object, names: &names)
    let match = object.value("match").flatMap { decodeMatch($0, scope: scope) }
    let window = decodeWindow(in: object, scope: scope)
    let firstN = count("firstN", in: object)
    let probability = ratio("probability", in: object)
    let effect = decodeEffect(in: object)
    let narrowed = narrow(match, to: effect, in: object)
    guard let name, let narrowed, let window, let probability, let effect,
      firstN != nil || !object.has("firstN")
    else { return nil }
    return FaultSpec(
      name: name,
      match: narrowed,
      from: window.from,
      until: window.until,
      firstN: firstN,
      probability: Probability(millionths: probability),
      effect: effect
    )
  }

  /// Opens a fault by the table of its effect, or with every key allowed if there is not exactly one.
  private mutating func openFault(_ element: LocatedValue) -> ObjectReader? {
    open(element, as: .fault(for: element.json), foreign: FieldTable.faultOwners)
  }

  private mutating func decodeFaultName(in object: ObjectReader, names: inout Set<String>) -> String? {
    guard let name = text("name", in: object), let value = object.value("name") else { return nil }
    guard name.utf8.count <= Bounds.nameLength, name.unicodeScalars.allSatisfy({ Self.mayStandInName($0) })
    else {
      log.report(
        "a fault's name has a–z, 0–9 and \"-\" only, at most \(Bounds.nameLength)",
        at: value,
        suggestion: "reports name the fault by it"
      )
      return nil
    }
    guard names.insert(name).inserted else {
      log.report(
        "another fault has the name \"\(name)\" already",
        at: value,
        suggestion: "names are unique"
      )
      return nil
    }
    return name
  }

  private mutating func decodeWindow(
    in object: ObjectReader,
    scope: FaultScope
  ) -> (from: Duration, until: Duration?)? {
    let from = duration("from", in: object)
    let until = duration("until", in: object)
    guard let from else { return nil }
    let start = DurationText.text(of: from)
    if let heal = scope.heal, from >= heal {
      log.report(
        "it begins at \(start), but from \(DurationText.text(of: heal)) on no fault strikes",
        at: object.has("from") ? object.value("from") ?? object.object : object.object,
        suggestion: "let it begin before \"heal\""
      )
      return nil
    }
    guard object.has("until") else { return (from, nil) }
    guard let until, let value = object.value("until") else { return nil }
    guard until > from else {
      log.report(
        "it ends at \(DurationText.text(of: until)), but begins at \(start)",
        at: value,
        suggestion: "let it end later than it begins"
      )
      return nil
    }
    return (from, until)
  }

  // MARK: Whom

  private mutating func decodeMatch(_ value: LocatedValue, scope: FaultScope) -> FaultMatch? {
    guard let object = open(value, as: .match) else { return nil }
    let endpoints = oneOrMany("endpoint", in: object) { decoder, element in
      let own = RequestEndpoint.allCases.filter { decoder.kind == nil || $0.kind == decoder.kind }
      let foreign = RequestEndpoint.allCases.map { KeyOwner(key: $0.rawValue, owner: $0.kind.words) }
      return decoder.word(element, among: own.map(\.rawValue), foreign: foreign, called: "endpoints")
    }
    let groups = oneOrMany("group", in: object) { decoder, element -> String? in
      guard let name = decoder.text(element, called: "a group's name") else { return nil }
      guard let known = scope.groups, !known.contains(name) else { return name }
      decoder.log.report(
        "there is no group \(Shown.text(name))",
        at: element,
        suggestion: Suggestion.nearest(to: name, among: known, called: "groups")
      )
      return nil
    }
    let instances = object.value("instances").flatMap { decodeInstances($0, scope: scope) }
    guard let endpoints, let groups, instances != nil || !object.has("instances") else { return nil }
    return FaultMatch(
      endpoints: endpoints.compactMap(RequestEndpoint.init),
      groups: groups,
      instances: instances
    )
  }

  /// Decodes a text or a list of different ones; an absent one is an empty list.
  private mutating func oneOrMany(
    _ key: String,
    in object: ObjectReader,
    _ decode: (inout ScenarioDecoder, LocatedValue) -> String?
  ) -> [String]? {
    guard let value = object.value(key) else { return [] }
    guard case .array(let raw) = value.json.content else { return decode(&self, value).map { [$0] } }
    guard !raw.isEmpty else {
      log.report("an empty list matches nothing", at: value, suggestion: "leave \"\(key)\" out to match all")
      return nil
    }
    guard let elements = list(key, in: object) else { return nil }
    var texts: [String] = []
    for element in elements {
      guard let text = decode(&self, element) else { continue }
      if texts.contains(text) {
        log.report("\(Shown.text(text)) stands here twice", at: element, suggestion: "leave it out")
      } else {
        texts.append(text)
      }
    }
    return texts.count == elements.count ? texts : nil
  }

  private mutating func decodeInstances(_ value: LocatedValue, scope: FaultScope) -> ClosedRange<Int>? {
    let last = scope.instances.map { Int64($0) - 1 } ?? Bounds.readers - 1
    if case .number = value.json.content {
      return count(value, within: 0...last).map { $0...$0 }
    }
    guard case .object = value.json.content else {
      log.report(
        "expected an instance's number or a range, found \(value.json.kindName)",
        at: value,
        suggestion: "write a number or {\"from\": 0, \"to\": 9}"
      )
      return nil
    }
    guard let range = open(value, as: .instanceRange) else { return nil }
    let from = range.value("from").flatMap { count($0, within: 0...last) }
    let to = range.value("to").flatMap { count($0, within: 0...last) }
    guard let from, let to else { return nil }
    guard from <= to else {
      log.report("the range ends before it begins: \(to) < \(from)", at: value, suggestion: "swap them")
      return nil
    }
    return from...to
  }

  /// Narrows a match to the endpoints that the effect is about, if it is not about all.
  private mutating func narrow(
    _ match: FaultMatch?,
    to effect: FaultEffect?,
    in fault: ObjectReader
  ) -> FaultMatch? {
    guard let match else { return nil }
    guard let effect, let kind else { return match }
    guard checkSocket(of: effect, match, in: fault) else { return nil }
    guard let reach = effect.reach(of: kind) else { return match }
    guard match.endpoints.allSatisfy({ reach.contains($0) }) else {
      reportReach(reach, kind, at: fault.value("match") ?? fault.object)
      return nil
    }
    guard match.endpoints.isEmpty else { return match }
    return FaultMatch(endpoints: reach, groups: match.groups, instances: match.instances)
  }

  private mutating func reportReach(
    _ reach: [RequestEndpoint], _ kind: ClientSpec.Kind, at value: LocatedValue
  ) {
    let words = reach.map { "\"\($0.rawValue)\"" }
    switch (kind, words.count) {
    case (.featureControl, _):
      log.report(
        "only answers to \"evaluate\" have flags, and this effect is about nothing else",
        at: value,
        suggestion: "write \"endpoint\": \"evaluate\", or leave it out"
      )
    case (.flags, 0):
      log.report(
        "a disk is no endpoint, and this effect is about nothing else",
        at: value,
        suggestion: "leave \"endpoint\" out"
      )
    case (.flags, 1):
      log.report(
        "this effect is about \(words[0]) and nothing else",
        at: value,
        suggestion: "write \"endpoint\": \(words[0]), or leave it out"
      )
    case (.flags, _):
      log.report(
        "this effect is about \(words.dropLast().joined(separator: ", ")) and \(words.last ?? "") only",
        at: value,
        suggestion: "write \"endpoint\": [\(words.joined(separator: ", "))], or leave it out"
      )
    }
  }

  /// Reports a fault of the socket where the client has none.
  private mutating func checkSocket(
    of effect: FaultEffect, _ match: FaultMatch, in fault: ObjectReader
  ) -> Bool {
    guard usesRealtime == false, kind == .flags else { return true }
    guard effect.reach(of: .flags) == [.realtime] || match.endpoints == [.realtime] else { return true }
    log.report(
      "the client has no socket that could fail",
      at: fault.object,
      suggestion: Self.realtimeRemedy
    )
    return false
  }
}

extension FaultEffect {
  /// The endpoints that it can strike: none if it strikes no request; nil for all of the client.
  fileprivate func reach(of kind: ClientSpec.Kind) -> [RequestEndpoint]? {
    switch self {
    case .lag, .body(.undecodableFlag), .body(.missingFlag), .body(.duplicateNames):
      kind == .flags ? [.snapshot, .delta] : [.evaluate]
    case .notModified: [.snapshot, .delta]
    case .gone: [.delta]
    case .realtime, .earlyNotice: [.realtime]
    case .disk: []
    // A socket has no answer that could be spoiled, doubled, held back or late.
    case .body, .late, .duplicate, .reorder: kind == .flags ? [.snapshot, .delta, .events] : nil
    case .status, .lose, .hang, .latency, .offline, .flapping, .authorization: nil
    }
  }
}
