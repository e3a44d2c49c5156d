import Invariants

// Which invariants watch the run, and which must have been exercised.

extension ScenarioDecoder {
  /// Decodes `invariants`.
  mutating func decodeInvariants(in file: ObjectReader) -> InvariantSelection? {
    guard let elements = list("invariants", in: file) else { return nil }
    if let all = elements.first(where: { $0.json.content == .string("all") }) {
      guard elements.count == 1 else {
        log.report(
          "\"all\" next to other invariants",
          at: all,
          suggestion: "write [\"all\"], or leave it out"
        )
        return nil
      }
      return .all
    }
    var selected: [Invariant] = []
    for element in elements {
      guard let invariant = invariant(element) else { continue }
      if selected.contains(invariant) {
        log.report("\"\(invariant.id)\" stands here twice", at: element, suggestion: "leave it out")
      } else {
        selected.append(invariant)
      }
    }
    return selected.count == elements.count ? .only(selected) : nil
  }

  /// Decodes `require`.
  ///
  /// On the wall clock a requirement that can only be judged in virtual time is not applicable, and does not count.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - selection: The invariants that watch the run; nil if they are not known.
  /// - Returns: The requirements in the order of the file.
  mutating func decodeRequirements(in file: ObjectReader, selection: InvariantSelection?) -> [Requirement]? {
    guard let elements = list("require", in: file) else { return nil }
    var requirements: [Requirement] = []
    for element in elements {
      guard let requirement = decodeRequirement(element) else { continue }
      let invariant = requirement.invariant
      let id = invariant.id
      if requirements.contains(where: { $0.invariant == invariant }) {
        log.report("\"\(id)\" stands here twice", at: element, suggestion: "leave it out")
      } else if let selection, !selection.selected.contains(invariant) {
        log.report(
          "\"\(id)\" is required but not among \"invariants\"",
          at: element,
          suggestion: "add it there"
        )
      } else {
        requirements.append(requirement)
      }
    }
    return requirements.count == elements.count ? requirements : nil
  }

  private mutating func decodeRequirement(_ element: LocatedValue) -> Requirement? {
    guard case .object = element.json.content else {
      return invariant(element).map { Requirement(invariant: $0, minChecks: 1) }
    }
    guard let object = open(element, as: .requirement) else { return nil }
    let named = object.value("id").flatMap { invariant($0) }
    let minChecks = count("minChecks", in: object)
    guard let named, let minChecks else { return nil }
    return Requirement(invariant: named, minChecks: minChecks)
  }

  private mutating func invariant(_ value: LocatedValue) -> Invariant? {
    guard case .string(let text) = value.json.content else {
      log.report("expected an invariant's id, found \(value.json.kindName)", at: value)
      return nil
    }
    guard let invariant = Invariant.named(text) else {
      log.report(
        "unknown invariant \(Shown.text(text))",
        at: value,
        suggestion: Suggestion.nearest(
          to: text,
          among: Invariant.known.map(\.id),
          called: "invariants"
        )
      )
      return nil
    }
    // A client that is not known has been reported; what is about it may be right.
    guard let kind, let client = ClientKind(rawValue: kind.rawValue), !invariant.isApplicable(to: client)
    else {
      return invariant
    }
    let own = Invariant.judged.filter { $0.isApplicable(to: client) }
    log.report(
      "the invariant \"\(text)\" is not about \(kind.words)",
      at: value,
      suggestion: "invariants: \(own.map(\.id).joined(separator: ", "))"
    )
    return nil
  }
}
