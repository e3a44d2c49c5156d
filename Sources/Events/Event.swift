/// What a reader asks of a client.
public enum Operation: UInt8, Sendable, Equatable {
  /// `evaluate(keys:context:)`, which never throws.
  case evaluate
  /// `evaluateOrThrow(keys:context:)`.
  case evaluateOrThrow
  /// `invalidateCache()`.
  case invalidate
  /// `recordExposure(_:)`.
  case recordExposure
  /// `flushExposures()`.
  case flush
  /// The pages of the inbox, one after the other.
  case listNotifications
  /// `markRead(id:)`.
  case markRead
  /// `markAllRead()`.
  case markAllRead
  /// `pb.flags.refresh()`.
  case refresh
  /// `pb.analytics.capture(_:properties:)`.
  case capture
}

/// Where a client says that the value of one key came from (BEHAVIOUR §2).
public enum Origin: UInt8, Sendable, Equatable {
  /// From the cache, younger than the TTL.
  case fresh
  /// From the answer of a request that was outstanding while the call waited.
  case flight
  /// From the cache, at or past the TTL.
  case stale
  /// From the defaults given at the client's creation.
  case `default`
}

/// The part of the service that a request addresses.
public enum Endpoint: UInt8, Sendable, Equatable {
  /// Flag evaluation of the feature-control client.
  case evaluate
  /// A page of the inbox.
  case notifications
  /// Marking one notification as read.
  case read
  /// Marking all notifications as read.
  case readAll
  /// A batch of exposures.
  case telemetry
  /// All flags of a reader.
  case snapshot
  /// What has changed for a reader since a version.
  case delta
  /// A batch of analytics.
  case events
  /// The upgrade to the realtime socket.
  case realtime
}

/// The endpoints that share one Retry-After: the rows of BEHAVIOUR §2's table, and of §3's, where snapshot and delta
/// are two ways to one thing.
public enum EndpointFamily: UInt8, Sendable, Equatable, CaseIterable {
  /// Flag evaluation.
  case evaluate
  /// The inbox, with its marking.
  case inbox
  /// Exposure telemetry.
  case telemetry
  /// Snapshots and deltas of flags.
  case flags
  /// Analytics.
  case analytics
  /// The realtime socket.
  case realtime
}

extension Endpoint {
  /// The family of the endpoint.
  public var family: EndpointFamily {
    switch self {
    case .evaluate: .evaluate
    case .notifications, .read, .readAll: .inbox
    case .telemetry: .telemetry
    case .snapshot, .delta: .flags
    case .events: .analytics
    case .realtime: .realtime
    }
  }
}

/// What one key of a call was answered with.
public struct KeyAnswer: Sendable, Equatable {
  /// The position of the key in the sorted, unique keys of the call.
  public let key: Int32
  /// The origin that the client claims.
  public let origin: Origin
  /// The stamp of the answer that carried the value; nil for a value that no answer carried (a default).
  public let serial: Serial?
  /// Whether the value is, bit by bit, what the service said under this key, or the default of this key.
  public let isIntact: Bool

  /// Creates the answer of one key.
  public init(key: Int32, origin: Origin, serial: Serial?, isIntact: Bool = true) {
    self.key = key
    self.origin = origin
    self.serial = serial
    self.isIntact = isIntact
  }
}

/// The kinds of error a client throws, one for each case of `FeatureControlError` and `PalbaseError`.
public enum FailureKind: UInt8, Sendable, Equatable {
  /// 400.
  case invalidContext
  /// 401, or no token.
  case unauthorized
  /// 403.
  case forbidden
  /// 429.
  case rateLimited
  /// Any other error status, or a 200 that carries an error.
  case server
  /// No usable answer: timeout, garbled body, no connection.
  case transport
  /// The reader changed while the call was under way.
  case readerChanged
  /// The client was closed, or was never configured.
  case closed
  /// Anything else: never right.
  case other
}

/// How a call ended.
public enum CallOutcome: Sendable, Equatable {
  /// With a value or a default for each key it could answer, in the order of the keys.
  case answered([KeyAnswer])
  /// With an error; `status` is 0 where the error carries none.
  case failed(FailureKind, status: Int)
  /// With `CancellationError`.
  case cancelled
  /// Without a value, as `invalidateCache()` does.
  case finished
  /// With the notifications that a walk over the pages gave, by number, in their order; `isComplete` unless the reader had
  /// seen enough.
  case listed([UInt64], isComplete: Bool)
}

/// How a request ended, as the transport saw it.
public enum RequestCompletion: Sendable, Equatable {
  /// An answer reached the client.
  case answered(status: Int, serial: Serial?)
  /// The request or its answer was lost and the client was told so.
  case lost
  /// The client cancelled the request before an answer came.
  case cancelled
}

/// What a client left behind after it was closed and everything had come to rest.
public enum Leftover: UInt8, Sendable, Equatable {
  /// A task that the client spawned and that has not ended.
  case task
  /// A timer that is still armed.
  case timer
  /// A request that is still outstanding.
  case request
  /// A call whose continuation was never resumed.
  case continuation
  /// Memory that a second, identical run in the same process added, in bytes.
  case memory
}

/// Work that a step of the simulation put outside the simulation.
public enum Escape: UInt8, Sendable, Equatable {
  /// A job on the global executor: a bare `Task {}` or `Task.detached`.
  case globalExecutor
  /// A job that a foreign thread put into the simulation: what follows a `Task.sleep` or a dispatch queue.
  case foreignThread
}

/// What is wrong with a request that reached the service.
public enum Flaw: UInt8, Sendable, Equatable {
  /// No endpoint has this path.
  case path
  /// The endpoint does not take this method.
  case method
  /// The media type is not the endpoint's.
  case contentType
  /// The body or the query is not as documented.
  case content
  /// It carries more, or fewer, than the endpoint's limits allow.
  case limits
  /// The credential is missing, malformed, or one that this deployment must not be sent.
  case authorization
}

/// A page of the inbox as the service gave it.
public struct InboxPage: Sendable, Equatable {
  /// The cursor that was asked for, as a number that equal texts share; nil for the first page.
  public let asked: UInt64?
  /// The notifications by number, in the order of the page.
  public let items: [UInt64]
  /// The cursor of the next page; nil where the answer names none.
  ///
  /// The empty text is a cursor like any other.
  public let next: UInt64?

  /// Creates a page.
  public init(asked: UInt64?, items: [UInt64], next: UInt64?) {
    self.asked = asked
    self.items = items
    self.next = next
  }
}

/// What a client says of the exposures it was given.
public struct ExposureTally: Sendable, Equatable {
  /// Recorded, but never in a request: pushed out, refused or left when the client was closed.
  public let dropped: Int
  /// In a batch whose request failed.
  public let failed: Int
  /// Still waiting for a flush.
  public let pending: Int

  /// Creates a tally.
  public init(dropped: Int, failed: Int, pending: Int) {
    self.dropped = dropped
    self.failed = failed
    self.pending = pending
  }
}

/// An instant after which many clients may turn to the service at once.
public enum Mark: UInt8, Sendable, Equatable {
  /// The service published.
  case published
  /// Every cache was invalidated.
  case invalidated
  /// A fault that struck ended.
  case faultEnded
  /// Users were switched.
  case switched
  /// Every client was told to flush its exposures.
  case flushed
  /// The sockets of many devices broke.
  case disconnected
  /// Many devices began, or came back to, their work.
  case launched
}

/// One thing that happened in a run, as seen from outside the client.
public enum Event: Sendable, Equatable {
  /// A reader called into a client; `key` is nil for operations that ask for no flags.
  case callBegan(CallID, ReaderID, InstanceID, Operation, RequestKey?)
  /// The reader cancelled its own call.
  case callCancelled(CallID)
  /// The call returned to its reader.
  case callReturned(CallID, CallOutcome)
  /// A client handed a request to its transport.
  case requestStarted(RequestID, InstanceID, Endpoint, RequestKey?)
  /// The request reached the service.
  case requestArrived(RequestID)
  /// The service produced its answer, at this point with this truth.
  case answerProduced(RequestID, Serial, status: Int)
  /// The client asked its transport to cancel the request.
  case requestCancelled(RequestID)
  /// The transport gave the client the outcome of the request.
  case requestCompleted(RequestID, RequestCompletion)
  /// The service's definitions moved to this version.
  case published(version: Int64)
  /// The client of the instance was closed.
  case instanceClosed(InstanceID)
  /// After close and drain this much was left; reported once for each instance and kind, with 0 when clean.
  case leftover(InstanceID?, Leftover, count: Int)
  /// A step of the simulation put work outside it.
  case escaped(Escape)
  /// A second run of the same seed in the same process had this digest.
  case reran(first: Digest, second: Digest)

  // MARK: Authorization

  /// A client asked for the authorization of a request that is to follow: its flight has begun.
  ///
  /// Deployments with fixed headers have no such event; there a flight begins with its request.
  case flightBegan(RequestID, InstanceID, Endpoint, RequestKey?)
  /// The authorization was given, as the number of a token, or refused.
  case authorized(RequestID, token: UInt64?)
  /// The request carries this token; nil for none.
  case tokenSent(RequestID, token: UInt64?)

  // MARK: What crosses

  /// The service, asked apart, finds fault with a request that reached it.
  case requestFlawed(RequestID, Flaw)
  /// The answer that completes this request next asks to be left alone for so many nanoseconds, as the service means it:
  /// capped at an hour, and left out where the client is to use a wait of its own.
  case patienceAsked(RequestID, nanoseconds: Int64)
  /// An answer leaves some keys out, or carries them in a form that does not decode; positions as in `KeyAnswer.key`.
  case answerShaped(Serial, omitted: [Int32], undecodable: [Int32])
  /// A page of the inbox reached the walk that asked for it.
  case pageDelivered(RequestID, CallID, InboxPage)
  /// A request carries these exposures, in this order.
  case batchSent(RequestID, [UInt64])

  // MARK: Exposures and inbox

  /// The call is about to record the exposure of this number, unique in the run.
  case exposureRecorded(CallID, InstanceID, UInt64)
  /// What the client of the instance says of its exposures; told after close and drain, and after the healing.
  case exposuresCounted(InstanceID, ExposureTally)

  // MARK: Phases

  /// An instant after which a herd may form.
  case marked(Mark)
  /// From now on no fault strikes; the largest latency of the run so far in nanoseconds.
  case healed(largestLatency: Int64)
  /// From now on the instance is asked until the service answers it.
  case recoveryAwaited(InstanceID)
  /// The instance was given an answer of the service; so many of its keys differ from what the service resolves now.
  case recovered(InstanceID, differing: Int)
  /// Time stands still: something repeats without a delay.
  case stalled

  // MARK: Devices

  /// Something happened on a device with the flags client.
  case device(DeviceEvent)
}
