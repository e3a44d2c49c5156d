/// What a reader asks of a client.
public enum Operation: UInt8, Sendable, Equatable {
  /// `evaluate(keys:context:)`, which never throws.
  case evaluate
  /// `evaluateOrThrow(keys:context:)`.
  case evaluateOrThrow
  /// `invalidateCache()`.
  case invalidate
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
}

/// What one key of a call was answered with.
public struct KeyAnswer: Sendable, Equatable {
  /// The position of the key in the sorted, unique keys of the call.
  public let key: Int32
  /// The origin that the client claims.
  public let origin: Origin
  /// The stamp of the answer that carried the value; nil for a value that no answer carried (a default).
  public let serial: Serial?

  /// Creates the answer of one key.
  public init(key: Int32, origin: Origin, serial: Serial?) {
    self.key = key
    self.origin = origin
    self.serial = serial
  }
}

/// The kinds of error a client throws, one for each case of the seed's `FeatureControlError`.
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
}
