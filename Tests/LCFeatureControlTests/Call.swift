import ClientCore
import LCFeatureControl
import Stagecraft

/// One call on a manager's flags.
typealias Call = Asked<FeatureControlSnapshot>

extension Asked {
  /// The error that the call threw, if it is one of the seed's.
  var error: FeatureControlError? { thrown as? FeatureControlError }
}

extension Asked<FeatureControlSnapshot> {
  var snapshot: FeatureControlSnapshot? { value }

  /// What a flag was answered to be; nil if the call waits, failed, or has no such flag.
  subscript(key: String) -> Seen? {
    guard let snapshot, let flag = snapshot.flags[key] else { return nil }
    return Seen(origin: snapshot.origin(of: key), variant: flag.variant)
  }
}

/// What a caller sees of one flag.
struct Seen: Equatable, CustomStringConvertible {
  let origin: FeatureControlSnapshot.Origin?
  let variant: String?

  static func fresh(_ variant: String) -> Seen { Seen(origin: .fresh, variant: variant) }
  static func flight(_ variant: String) -> Seen { Seen(origin: .flight, variant: variant) }
  static func stale(_ variant: String) -> Seen { Seen(origin: .stale, variant: variant) }
  static let `default` = Seen(origin: .default, variant: "default")

  var description: String { "\(origin.map(\.rawValue) ?? "nowhere") \(variant ?? "nil")" }
}

extension FeatureControlFlag {
  static func variant(_ name: String) -> FeatureControlFlag {
    FeatureControlFlag(enabled: true, variant: name, payload: nil, reason: "rule")
  }
}

extension FeatureControlContext {
  static let anna = FeatureControlContext(
    subjectType: .customer, subjectId: "anna", storeId: "s1", platform: "ios", appVersion: "1.0")

  /// The same context with some fields changed.
  func with(_ change: (inout FeatureControlContext) -> Void) -> FeatureControlContext {
    var copy = self
    change(&copy)
    return copy
  }
}

extension String {
  /// The body of a good answer: each key enabled, with its variant.
  static func flags(_ variants: KeyValuePairs<String, String>) -> String {
    let members = variants.map { key, variant in
      #""\#(key)":{"enabled":true,"variant":"\#(variant)","payload":null,"reason":"rule"}"#
    }
    return #"{"flags":{"# + members.joined(separator: ",") + "}}"
  }

  /// The body of an error with a code.
  static func error(_ code: String) -> String { #"{"error":true,"code":"\#(code)"}"# }
}
