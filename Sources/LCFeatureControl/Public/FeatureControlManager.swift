import ClientCore
import URLSessionTransport

/// Evaluates flags with a TTL cache, one request for all equal callers, and a safe fallback.
///
/// ```swift
/// let snapshot = await manager.evaluate(keys: ["fc.checkout_v2"], context: context)
/// snapshot.flags["fc.checkout_v2"]?.enabled
/// ```
///
/// Every method may be called from any thread at any time. Nothing runs on the main actor.
public final class FeatureControlManager: Sendable {
  private let evaluator: Evaluator
  private let exposures: ExposureRecorder

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - configuration: The deployment to talk to.
  ///   - defaults: What a key is when neither the service nor the cache has a value.
  ///   - environment: The effects the manager uses; the live ones unless replaced.
  public init(
    configuration: FeatureControlConfiguration, defaults: [String: FeatureControlFlag] = [:],
    environment: ClientEnvironment = .live
  ) {
    let exchange = Exchange(configuration: configuration, environment: environment)
    evaluator = Evaluator(exchange, defaults: defaults)
    exposures = ExposureRecorder(exchange)
  }

  deinit { close() }

  /// How many flags of answers were skipped so far because they did not decode.
  public var skippedFlagCount: Int { evaluator.skippedFlags }

  /// Evaluates flags and never throws.
  ///
  /// For each key: a cache entry younger than the TTL, else the answer of the request made or joined now, else the
  /// held entry of exactly this cache key, else the default, else the key is absent. A call whose task is cancelled
  /// answers at once from what is held. While the service has asked for patience (`Retry-After`) no request is made.
  /// - Complexity: O(k) in the number of keys for a fresh entry, which makes no request and does not suspend.
  /// - Parameters:
  ///   - keys: The keys of the flags, in any order; without keys nothing is asked and the snapshot is empty.
  ///   - context: For whom and where.
  /// - Returns: The flags and where each came from.
  public func evaluate(keys: [String], context: FeatureControlContext) async -> FeatureControlSnapshot {
    if keys.isEmpty { return .empty }
    let request: EvaluateRequest
    switch evaluator.look(keys, context) {
    case .fresh(let snapshot): return snapshot
    case .mustAsk(let asked): request = asked
    }
    switch await evaluator.outcome(of: request) {
    case .fresh(let snapshot), .landed(let snapshot): return snapshot
    case .failed: return evaluator.held(request, byAge: false)
    // Fresh is what took no request, so a call that had asked may not call anything so.
    case .cancelled(let afterAsking): return evaluator.held(request, byAge: !afterAsking)
    }
  }

  /// Evaluates flags and throws what went wrong, for admin and debug tools.
  ///
  /// It shares cache and flights with `evaluate`, and never throws the cancellation of another caller.
  /// - Parameters:
  ///   - keys: The keys of the flags, in any order; without keys nothing is asked and the snapshot is empty.
  ///   - context: For whom and where.
  /// - Returns: The flags and where each came from.
  /// - Throws: `FeatureControlError`; `CancellationError` if the calling task is cancelled.
  public func evaluateOrThrow(
    keys: [String], context: FeatureControlContext
  ) async throws -> FeatureControlSnapshot {
    if keys.isEmpty { return .empty }
    let request: EvaluateRequest
    switch evaluator.look(keys, context) {
    case .fresh(let snapshot): return snapshot
    case .mustAsk(let asked): request = asked
    }
    switch await evaluator.outcome(of: request) {
    case .fresh(let snapshot), .landed(let snapshot): return snapshot
    case .failed(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }

  /// Drops everything that is held, stale entries too.
  ///
  /// Call it on a change of user or store.
  ///
  /// Requests that are under way still answer their callers, but fill no cache; calls begun after this has returned
  /// start a new request.
  public func invalidateCache() async { evaluator.invalidate() }

  // MARK: Exposures

  /// Remembers that a subject has come across a feature; nothing is sent before `flushExposures()`.
  ///
  /// At most 1,000 events wait, in their order; of more the oldest is dropped and counted. The event gets the time of day
  /// as its time stamp.
  /// - Complexity: O(1), amortised; does not suspend.
  /// - Parameter event: The event.
  public func recordExposure(_ event: FeatureControlExposureEvent) async { exposures.record(event) }

  /// Sends the events that wait now, in batches of at most 100.
  ///
  /// Best effort: each batch is tried once, a failed one is dropped and counted, and the later ones are still sent. Events
  /// recorded meanwhile wait for the next flush. A second call waits for the first and then sends what is left. While the
  /// service has asked for patience (`Retry-After`) nothing is sent and nothing is lost. A call whose task is cancelled
  /// returns at once: the batch under way counts as failed, what was not tried waits for the next flush.
  public func flushExposures() async { await exposures.flush() }

  /// What became of the exposures so far.
  ///
  /// - Complexity: O(1).
  public var exposureCounts: FeatureControlExposureCounts { exposures.counts }

  // MARK: The end

  /// Ends every request and every wait.
  ///
  /// Later calls are answered from what is held, or throw `.transport`. Exposures that wait, or are recorded later, are
  /// dropped and counted.
  ///
  /// Letting go of the manager does the same.
  public func close() {
    evaluator.close()
    exposures.close()
  }
}
