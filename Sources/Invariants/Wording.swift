import Events

// How violations speak: short, exact, in the words of somebody who reads flags.

/// Returns a time or a span in seconds with all digits that matter, such as `45.000000001 s`.
func seconds(_ nanoseconds: Int64) -> String {
  let magnitude = nanoseconds.magnitude
  let whole = magnitude / 1_000_000_000
  var fraction = String(magnitude % 1_000_000_000)
  fraction = String(repeating: "0", count: 9 - fraction.count) + fraction
  while fraction.last == "0" { fraction.removeLast() }
  return (nanoseconds < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : "." + fraction) + " s"
}

extension Events.Operation {
  /// The name of the operation in the client's API.
  var name: String {
    switch self {
    case .evaluate: "evaluate"
    case .evaluateOrThrow: "evaluateOrThrow"
    case .invalidate: "invalidateCache"
    case .recordExposure: "recordExposure"
    case .flush: "flushExposures"
    case .listNotifications: "notifications"
    case .markRead: "markRead"
    case .markAllRead: "markAllRead"
    case .refresh: "refresh"
    case .capture: "capture"
    }
  }
}

extension FailureKind {
  /// The name of the error's case in the client's API.
  var name: String {
    switch self {
    case .invalidContext: ".invalidContext"
    case .unauthorized: ".unauthorized"
    case .forbidden: ".forbidden"
    case .rateLimited: ".rateLimited"
    case .server: ".server"
    case .transport: ".transport"
    case .readerChanged: ".readerChanged"
    case .closed: ".closed"
    case .other: "an error that is none of the client's"
    }
  }
}

extension CallOutcome {
  /// What the call gave, as the object of "was given".
  var words: String {
    switch self {
    case .answered(let answers):
      if answers.isEmpty { return "no value" }
      if let flight = answers.first(where: { $0.origin == .flight }) {
        return "answer \(flight.serial?.rawValue ?? 0) as its flight's"
      }
      if answers.contains(where: { $0.origin == .fresh }) { return "fresh values" }
      return answers.contains { $0.origin == .stale } ? "stale values" : "only defaults"
    case .failed(let kind, let status):
      return status == 0 ? "the error \(kind.name)" : "the error \(kind.name) (status \(status))"
    case .cancelled: return "a CancellationError"
    case .finished: return "no value at all"
    case .listed(let items, _): return "\(items.count) notifications"
    }
  }
}

extension RequestEnd {
  /// What became of the request, as a predicate.
  var words: String {
    switch self {
    case .none: "has no answer yet"
    case .good(let serial): "was answered with answer \(serial.rawValue)"
    case .unusable: "was answered with a body of no use"
    case .refused(let status): "was answered with status \(status)"
    case .lost: "was lost"
    case .cancelled: "was cancelled"
    case .unauthorized: "got no token"
    case .withheld: "was held back by a Retry-After"
    }
  }
}

extension CallRecord {
  /// The reader and what it called.
  var subject: String { "reader \(reader.rawValue): \(operation.name)" }
}

extension Reply {
  /// The reader, what it called and when.
  var subject: String { "\(call.subject), called at \(seconds(call.began))," }
}
