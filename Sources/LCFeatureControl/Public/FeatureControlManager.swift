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
    evaluator = Evaluator(configuration: configuration, defaults: defaults, environment: environment)
  }

  deinit { evaluator.close() }

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

  /// Ends every request and every wait.
  ///
  /// Later calls are answered from what is held, or throw `.transport`.
  ///
  /// Letting go of the manager does the same.
  public func close() { evaluator.close() }
}
