import ClientCore
import Foundation

/// One flag as it is held: its value and what gave it.
///
/// Made so that a copy of it costs no reference count for scalar values outside experiments: every thread that reads a flag
/// copies it, and a count that all of them bump would make them wait for each other (DESIGN §3).
struct HeldFlag: Sendable {
  /// What gave the value.
  enum Origin: Sendable {
    case user
    case experiment(HeldExposure)
    /// An experiment without its names, about which nothing can be recorded.
    case namelessExperiment
    case condition
    case byDefault
    /// Something this client does not know; apart, so that what is rare makes no flag larger.
    indirect case other(String)
  }

  let value: JSONValue
  let origin: Origin

  /// What gave the value, for callers.
  var source: FlagSource {
    switch origin {
    case .user: .user
    case .experiment, .namelessExperiment: .experiment
    case .condition: .condition
    case .byDefault: .default
    case .other(let name): FlagSource(name)
    }
  }

  /// The number as a whole one; nil for a fraction, for one that does not fit and for anything else.
  var whole: Int? {
    if case .number(let number) = value { Int(exactly: number) } else { nil }
  }

  /// Whether two flags are the same in every respect, also in what is not shown of them.
  static func areIdentical(_ left: HeldFlag, _ right: HeldFlag) -> Bool {
    guard left.value == right.value, left.source == right.source else { return false }
    switch (left.origin, right.origin) {
    case (.experiment(let one), .experiment(let other)):
      return one.experiment == other.experiment && one.variant == other.variant
    case (.experiment, .namelessExperiment), (.namelessExperiment, .experiment): return false
    default: return true
    }
  }
}

// MARK: JSON

extension HeldFlag {
  /// Reads a flag from an answer or from the record on the device, which have one form.
  ///
  /// The result is nil for what does not decode: no object, no value or no source. Unknown members are ignored
  /// (BEHAVIOUR rule 1.8).
  /// - Parameters:
  ///   - object: What `JSONSerialization` gave.
  ///   - key: The flag's key.
  ///   - ledger: Knows which exposures were recorded.
  init?(foundation object: Any, key: String, ledger: ExposureLedger) {
    guard let members = object as? [String: Any], let given = members["value"],
      let value = JSONValue(foundation: given), let source = members["source"] as? String, !source.isEmpty
    else { return nil }
    self.value = value
    switch source {
    case "user": origin = .user
    case "condition": origin = .condition
    case "default": origin = .byDefault
    case "experiment":
      if let experiment = members["experiment"] as? String, let variant = members["variant"] as? String {
        origin = .experiment(ledger.exposure(flag: key, experiment: experiment, variant: variant))
      } else {
        origin = .namelessExperiment
      }
    default: origin = .other(source)
    }
  }

  /// The flag in the form that `init(foundation:)` reads.
  var json: JSONValue {
    var members: [String: JSONValue] = ["value": value, "source": .string(source.name)]
    if case .experiment(let exposure) = origin {
      members["experiment"] = .string(exposure.experiment)
      members["variant"] = .string(exposure.variant)
    }
    return .object(members)
  }
}
