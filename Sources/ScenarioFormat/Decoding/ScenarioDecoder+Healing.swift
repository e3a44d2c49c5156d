import Invariants

// When everything heals, and what is asked of a fleet.

extension ScenarioDecoder {
  /// Decodes `heal`.
  ///
  /// - Parameter file: The file.
  /// - Returns: The time, or nil inside if there is none; nil outside if it is not known.
  mutating func decodeHeal(in file: ObjectReader) -> Duration?? {
    guard file.has("heal") else { return .some(nil) }
    return duration("heal", in: file).map { .some($0) }
  }

  /// Decodes `fleet`.
  ///
  /// - Parameter file: The file.
  /// - Returns: The bounds, or nil inside if there are none; nil outside if they are not known.
  mutating func decodeFleet(in file: ObjectReader) -> FleetSpec?? {
    guard let value = file.value("fleet") else { return .some(nil) }
    guard let object = open(value, as: .fleet) else { return nil }
    let alpha = ratio("alpha", in: object)
    let beta = ratio("beta", in: object)
    let window = positiveDuration("jitterWindow", in: object, "no time to spread anything over")
    guard let alpha, let beta, let window else { return nil }
    return FleetSpec(alphaThousandths: alpha, betaThousandths: beta, jitterWindow: window)
  }

  /// Reports that the invariant `fleet` is asked for by name where there are no bounds to judge it by.
  ///
  /// - Parameters:
  ///   - fleet: The bounds, or nil inside if there are none; nil outside if they are not known.
  ///   - file: The file.
  mutating func checkFleet(_ fleet: FleetSpec??, in file: ObjectReader) {
    guard case .some(nil) = fleet else { return }
    let id = JSONValue.Content.string(Invariant.fleet.id)
    for key in ["invariants", "require"] {
      guard let value = file.value(key), case .array(let elements) = value.json.content,
        let index = elements.firstIndex(where: { $0.content == id || $0.member("id")?.content == id })
      else { continue }
      log.report(
        "the scenario says no bounds to judge \"\(Invariant.fleet.id)\" by",
        at: value.element(elements[index], at: index),
        suggestion: "add \"fleet\": {\"alpha\": 3, \"beta\": 1.5}"
      )
      return
    }
  }
}
