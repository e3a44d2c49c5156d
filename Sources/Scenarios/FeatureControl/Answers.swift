import Events
import LCFeatureControl
import SimulatedService

/// Translates what a client answered into the vocabulary of events.
enum Answers {
  /// What each key was answered with, and which answer of the service carried it.
  static func read(_ snapshot: FeatureControlSnapshot, _ asking: Asking) -> [KeyAnswer] {
    var answers: [KeyAnswer] = []
    answers.reserveCapacity(asking.sortedKeys.count)
    for (index, key) in asking.sortedKeys.enumerated() {
      guard let flag = snapshot.flags[key], let origin = snapshot.origin(of: key) else { continue }
      answers.append(
        KeyAnswer(
          key: Int32(index), origin: translate(origin), serial: serial(of: flag),
          isIntact: isIntact(flag, under: key)))
    }
    return answers
  }

  /// The error that a throwing call ended with.
  static func failure(_ error: any Error) -> CallOutcome {
    guard let error = error as? FeatureControlError else {
      return error is CancellationError ? .cancelled : .failed(.other, status: 0)
    }
    return switch error {
    case .invalidContext: .failed(.invalidContext, status: 400)
    case .unauthorized(let code): .failed(.unauthorized, status: code == "no_token" ? 0 : 401)
    case .forbidden: .failed(.forbidden, status: 403)
    case .rateLimited: .failed(.rateLimited, status: 429)
    case .server(_, let status): .failed(.server, status: status)
    case .transport: .failed(.transport, status: 0)
    }
  }

  /// Whether a value is what the service said under this key, or the stand-in that the app gave for it.
  private static func isIntact(_ flag: FeatureControlFlag, under key: String) -> Bool {
    guard let payload = flag.payload else { return flag.enabled == false && flag.variant == nil }
    guard let serial = payload["serial"]?.numberValue, let version = payload["version"]?.numberValue,
      let check = payload["check"]?.numberValue, let reason = flag.reason
    else { return false }
    return check
      == Double(
        FeatureControlService.check(
          key: key, enabled: flag.enabled, variant: flag.variant, reason: reason, serial: UInt64(serial),
          version: Int64(version)))
  }

  private static func serial(of flag: FeatureControlFlag) -> Serial? {
    flag.payload?["serial"]?.numberValue.map { Serial(UInt64($0)) }
  }

  private static func translate(_ origin: FeatureControlSnapshot.Origin) -> Origin {
    switch origin {
    case .fresh: .fresh
    case .flight: .flight
    case .stale: .stale
    case .default: .default
    }
  }
}
