import Events
import ScenarioFormat

/// What a request is up against: the part of it that faults look at.
struct FaultSubject {
  let endpoint: Endpoint
  /// The number of the group of readers on whose behalf it is made; -1 for none.
  let group: Int
  let instance: InstanceID
}

/// Everything that faults do to one request (BEHAVIOUR §5).
///
/// Latencies add up. Of the effects that decide what the client gets, the first in the order of the file wins; a late or
/// repeated delivery goes together with any of them.
struct Injection {
  /// What decides the outcome.
  enum Decision {
    case status(Int, retryAfter: RetryAfterForm?, code: String?)
    case lose(LostPart)
    case body(BodyFault)
    case hang
    case offline
    case gone(ScenarioFormat.GoneReason)
    case notModified
  }

  /// So much more time before the request arrives, in nanoseconds.
  var addedLatency: Int64 = 0
  var decision: Decision?
  /// So much more time before the answer is delivered, in which others may overtake it.
  var heldBack: Int64 = 0
  /// How long after the request's timeout the answer comes, on a connection that heeds no cancellation.
  var late: Int64?
  /// Whether the request reaches the service twice.
  var isDuplicated = false
  /// How many versions the answering replica lags behind.
  var lag = 0
  /// Whether any fault struck.
  var hasStruck = false
}

/// What faults do to the authorization of one request.
struct AuthorizationInjection {
  /// So much more time, in nanoseconds.
  var delay: Int64 = 0
  /// Whether there is no token.
  var refuses = false
  /// Whether that is said by throwing.
  var isThrown = false
}

/// What faults do to one operation of a device's storage.
struct DiskInjection {
  /// Whether there is no room.
  var isFull = false
  /// Whether a write leaves only the beginning of its bytes.
  var isTorn = false
  /// Whether the record cannot be read.
  var isUnreadable = false
  /// So much more time, in nanoseconds.
  var delay: Int64 = 0
}
