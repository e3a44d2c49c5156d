/// Something that goes wrong on purpose (BEHAVIOUR §5).
///
/// Faults that strike the same request apply in the order of the file: latencies add up, of several effects that decide
/// the answer the first wins.
public struct FaultSpec: Sendable, Equatable {
  /// The name, unique in the scenario; reports name the fault by it.
  public let name: String
  /// Which requests it may strike.
  public let match: FaultMatch
  /// When it begins, after the start of the run.
  public let from: Duration
  /// When it ends; nil if it lasts until the healing.
  public let until: Duration?
  /// How many requests it strikes at most; nil for no limit.
  public let firstN: Int?
  /// How likely it strikes a request that it may strike.
  public let probability: Probability
  /// What happens to the request.
  public let effect: FaultEffect

  /// Whether it ever strikes: one of probability 0 is as good as not there.
  public var canStrike: Bool { probability.millionths > 0 }
}

/// Which requests a fault may strike: those that meet every condition that is given.
public struct FaultMatch: Sendable, Equatable {
  /// The endpoints, in the order of the file; empty for all, and for faults of the disk, which have none.
  public let endpoints: [RequestEndpoint]
  /// The groups of readers on whose behalf the request is made; empty for all.
  public let groups: [String]
  /// The app instances, from 0; nil for all.
  public let instances: ClosedRange<Int>?
}

/// The endpoints of the services, by the words of the metrics' tag `endpoint`; each kind of client has its own.
public enum RequestEndpoint: String, Sendable, CaseIterable {
  /// Flag evaluation.
  case evaluate
  /// A page of the inbox.
  case notifications
  /// Marking one notification as read.
  case read
  /// Marking all notifications as read.
  case readAll = "read-all"
  /// A batch of exposures.
  case telemetry
  /// A whole snapshot of the reader's flags.
  case snapshot
  /// What has changed since a version.
  case delta
  /// A batch of analytics events.
  case events
  /// The project's socket.
  case realtime

  /// The kind of client that asks it.
  public var kind: ClientSpec.Kind {
    switch self {
    case .evaluate, .notifications, .read, .readAll, .telemetry: .featureControl
    case .snapshot, .delta, .events, .realtime: .flags
    }
  }
}

/// A probability as a whole number of millionths, so that it means the same on every machine.
public struct Probability: Sendable, Equatable {
  /// From 0 to 1,000,000.
  public let millionths: Int

  /// Always.
  public static let certain = Probability(millionths: 1_000_000)

  /// Creates a probability.
  ///
  /// - Parameter millionths: From 0 to 1,000,000.
  public init(millionths: Int) { self.millionths = millionths }
}

/// What a fault does.
public enum FaultEffect: Sendable, Equatable {
  /// The service answers with this status and does nothing.
  case status(Int, retryAfter: RetryAfterForm?, code: String?)
  /// The connection breaks before the request reaches the service, or before its answer reaches the client; the client
  /// is told.
  case lose(LostPart)
  /// The answer's body is spoiled.
  case body(BodyFault)
  /// A half-open connection: nothing ever comes back.
  case hang
  /// So much more time, before the request arrives.
  case latency(Latency)
  /// The answer comes this long after the request's timeout, although the client has given up: the connection does not
  /// heed cancellation.
  case late(Latency)
  /// The request reaches the service twice; the client gets the first answer.
  case duplicate
  /// The answer waits until a later answer of the same instance has overtaken it, or a timeout's length has passed.
  case reorder
  /// There is no network: the client is told at once.
  case offline
  /// The network comes and goes: `up` long there, then `down` long gone, from the beginning of the fault on.
  case flapping(up: Duration, down: Duration)
  /// The app has no token, its closure throws, or it takes this long to give one.
  case authorization(AuthorizationFault)
  /// A replica that lags so many versions behind answers evaluations, or snapshots and deltas.
  case lag(versions: Int)
  /// A delta is answered 410 for this reason.
  case gone(GoneReason)
  /// A snapshot or a delta is answered 304, whether or not the values held are the latest.
  case notModified
  /// The project's socket fails.
  case realtime(RealtimeFault)
  /// A notice is delivered so long before what it announces can be read.
  case earlyNotice(Latency)
  /// The device's storage fails; this strikes operations of storage instead of requests.
  case disk(DiskFault)
}

/// What of an exchange is lost.
public enum LostPart: String, Sendable, CaseIterable {
  /// The request, before it has an effect.
  case request
  /// The answer, after the effect.
  case answer
}

/// How a body is spoiled.
public enum BodyFault: String, Sendable, CaseIterable {
  /// Bytes that are no JSON.
  case garbled
  /// The beginning of the body only.
  case truncated
  /// A 200 with `"error": true`.
  case errorEnvelope = "error-envelope"
  /// A page of HTML, as a captive portal gives.
  case html
  /// One flag, drawn, does not decode.
  case undecodableFlag = "undecodable-flag"
  /// One flag, drawn, is left out.
  case missingFlag = "missing-flag"
  /// One flag is named twice, the true one last.
  case duplicateNames = "duplicate-names"
  /// Fields that no client knows.
  case unknownFields = "unknown-fields"

  /// The kind of client whose answers can be spoiled so; nil for both.
  public var kind: ClientSpec.Kind? {
    switch self {
    // Where a whole reader's values are asked for, a flag that is left out has been deleted.
    case .missingFlag: .featureControl
    case .garbled, .truncated, .errorEnvelope, .html, .undecodableFlag, .duplicateNames, .unknownFields: nil
    }
  }
}

/// What becomes of a request's authorization.
public enum AuthorizationFault: Sendable, Equatable {
  /// The closure gives nil.
  case none
  /// The closure throws.
  case throwing
  /// The closure takes so much longer.
  case slow(Latency)
}

/// What an answer's `Retry-After` says.
public enum RetryAfterForm: Sendable, Equatable {
  /// Seconds, rounded up to whole ones.
  case seconds(Duration)
  /// An HTTP-date this long after the answer's own `Date`.
  case httpDate(Duration)
  /// An HTTP-date this long after the service's clock, without a `Date` to compare it with.
  case bareDate(Duration)
  /// An ISO-8601 date this long after the answer's own `Date`.
  case iso8601(Duration)
  /// Text that means nothing.
  case garbled
  /// A negative number of seconds.
  case negative
  /// A date that has passed.
  case past
  /// A thousand hours, which counts as one.
  case huge
}
