import ScenarioFormat
import SimulatedService

/// A wish to be left alone, as one answer words it and as a client has to understand it (BEHAVIOUR rule 1.6).
struct Patience: Sendable {
  let form: RetryAfterForm
  /// The service's time of day when it answered, in seconds since 1970.
  let sentAt: Int64

  /// No wish counts for longer, in nanoseconds.
  private static let longest: Int64 = 3_600_000_000_000

  /// The header fields that carry it, the answer's own date included where the form has one.
  var headers: [ServiceField] {
    switch form {
    case .seconds(let delay): [retryAfter("\(Self.wholeSeconds(delay))"), date]
    case .httpDate(let delay): [retryAfter(ServiceDate.http(sentAt + Self.wholeSeconds(delay))), date]
    case .bareDate(let delay): [retryAfter(ServiceDate.http(sentAt + Self.wholeSeconds(delay)))]
    case .iso8601(let delay): [retryAfter(ServiceDate.iso8601(sentAt + Self.wholeSeconds(delay))), date]
    case .garbled: [retryAfter("in a while"), date]
    case .negative: [retryAfter("-5"), date]
    case .past: [retryAfter(ServiceDate.http(sentAt - 60)), date]
    case .huge: [retryAfter("3600000"), date]
    }
  }

  /// How long the client has to stay away, in nanoseconds; nil if it is left to a wait of its own.
  ///
  /// - Parameter device: The device's time of day at the receipt in nanoseconds since 1970, which matters for a date in an
  ///   answer without a date of its own.
  /// - Returns: The wait, at most an hour.
  func meaning(onDeviceAt device: Int64) -> Int64? {
    switch form {
    case .seconds(let delay), .httpDate(let delay), .iso8601(let delay):
      return Self.counting(Self.wholeSeconds(delay) * 1_000_000_000)
    case .bareDate(let delay):
      return Self.counting((sentAt + Self.wholeSeconds(delay)) * 1_000_000_000 - device)
    case .garbled, .negative, .past: return nil
    case .huge: return Self.longest
    }
  }

  private var date: ServiceField { ServiceField("Date", ServiceDate.http(sentAt)) }

  private func retryAfter(_ text: String) -> ServiceField { ServiceField("Retry-After", text) }

  private static func counting(_ delay: Int64) -> Int64? { delay > 0 ? min(delay, longest) : nil }

  /// The whole seconds that are at least a duration.
  private static func wholeSeconds(_ duration: Duration) -> Int64 {
    (duration.nanoseconds + 999_999_999) / 1_000_000_000
  }
}

extension FaultSpec {
  /// The wait that the fault's refusals ask for, in nanoseconds; nil if they name none.
  var retryDelay: Int64? {
    guard case .status(_, let form?, _) = effect else { return nil }
    return Patience(form: form, sentAt: 0).meaning(onDeviceAt: 0)
  }
}
