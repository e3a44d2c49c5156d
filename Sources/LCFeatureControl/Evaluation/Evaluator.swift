import ClientCore
import Synchronization

/// The shell around `EvaluateState`: it owns the lock, the flights' tasks and the continuations, and decides nothing.
///
/// Nothing is called and no continuation is resumed while the lock is held (BEHAVIOUR rule 1.9).
final class Evaluator: Sendable {
  private let exchange: Exchange
  private let state: Mutex<EvaluateState>

  init(_ exchange: Exchange, defaults: [String: FeatureControlFlag]) {
    self.exchange = exchange
    state = Mutex(EvaluateState(ttl: exchange.configuration.cacheTTL, defaults: defaults))
  }

  var skippedFlags: Int { state.withLock { $0.skippedFlags } }

  // MARK: Calls

  /// What a call finds before it may have to wait.
  enum FirstLook {
    case fresh(FeatureControlSnapshot)
    case mustAsk(EvaluateRequest)
  }

  /// Looks for a fresh entry, without suspending.
  func look(_ keys: [String], _ context: FeatureControlContext) -> FirstLook {
    let key = EvaluateCacheKey(environment: exchange.configuration.environment, keys: keys, context: context)
    let now = exchange.environment.clock.now
    guard let snapshot = state.withLock({ $0.freshSnapshot(key, at: now) }) else {
      return .mustAsk(EvaluateRequest(cacheKey: key, context: context))
    }
    exchange.environment.observe?(.servedFresh)
    return .fresh(snapshot)
  }

  /// Waits for the outcome of a call that must be answered from the network.
  ///
  /// The continuation belongs to the caller alone: cancelling the caller's task resumes it at once, whatever the
  /// flight does (awaiting a shared task would not).
  func outcome(of request: EvaluateRequest) async -> EvaluateState.Outcome {
    let id = state.withLock { $0.makeWaiterID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: EvaluateState.Waiter) in
        let now = exchange.environment.clock.now
        let entry = state.withLock { state in
          // A task is marked cancelled before its handler runs: either this sees the mark or `leave` finds the waiter.
          state.enter(request, as: id, waiter: waiter, isCancelled: Task.isCancelled, at: now)
        }
        switch entry {
        case .answered(let outcome):
          if case .fresh = outcome { exchange.environment.observe?(.servedFresh) }
          waiter.resume(returning: outcome)
        case .joined: exchange.environment.observe?(.joinedFlight)
        case .began(let flight, let epoch):
          exchange.environment.observe?(.startedFlight)
          start(flight, request, epoch)
        }
      }
    } onCancel: {
      leave(id)
    }
  }

  /// What is held, for a call that gets nothing newer; without a held value the defaults.
  ///
  /// - Parameters:
  ///   - request: What was asked.
  ///   - byAge: Whether a young entry is called fresh, as it is for a call that asked for nothing newer.
  /// - Returns: The snapshot, each key with its origin.
  func held(_ request: EvaluateRequest, byAge: Bool) -> FeatureControlSnapshot {
    let key = request.cacheKey
    let now = exchange.environment.clock.now
    let (lookup, defaults) = state.withLock { ($0.held(key, at: now), $0.defaults) }
    if case .fresh(let record) = lookup, byAge {
      exchange.environment.observe?(.servedFresh)
      return record.fresh
    }
    exchange.environment.observe?(lookup.value == nil ? .servedDefaults : .servedHeld)
    return lookup.value?.stale ?? .defaults(defaults, keys: request.keys)
  }

  func invalidate() { state.withLock { $0.invalidate() } }

  /// Ends every wait and cancels every request; later calls are answered from what is held, without a request.
  func close() {
    let (waiters, tasks) = state.withLock { $0.close() }
    for task in tasks { task.cancel() }
    for waiter in waiters { waiter.resume(returning: .failed(EvaluateState.closedError)) }
  }

  // MARK: Flights

  private func leave(_ id: WaiterID) {
    guard let (departure, tasks) = state.withLock({ $0.leave(id) }) else { return }
    for task in tasks { task.cancel() }
    if departure.abandoned != nil { exchange.environment.observe?(.abandonedFlight) }
    departure.waiter.resume(returning: .cancelled(afterAsking: true))
  }

  /// Starts the request of a flight and the deadline it races.
  ///
  /// Two tasks and not a group: a group would wait for the request to end, and a transport that does not heed its
  /// cancellation would hold up every waiter. Whoever of the two is first ends the flight; the other finds it ended.
  private func start(
    _ flight: FlightID, _ request: EvaluateRequest, _ epoch: EpochFence.Epoch
  ) {
    let deadline = exchange.environment.clock.now.advanced(by: exchange.timeout)
    let requestTask = exchange.environment.spawner.spawn { [self] in
      let result = await fetch(request)
      land(flight, request, epoch, result)
    }
    let deadlineTask = exchange.environment.spawner.spawn { [self] in
      guard (try? await exchange.environment.clock.sleep(until: deadline)) != nil else { return }
      land(flight, request, epoch, .failure(exchange.timeoutFailure))
    }
    let ended = state.withLock { $0.keep(request: requestTask, deadline: deadlineTask, of: flight) }
    for task in ended { task.cancel() }
  }

  private func land(
    _ flight: FlightID, _ request: EvaluateRequest, _ epoch: EpochFence.Epoch,
    _ result: Result<EvaluateAnswer, RequestFailure>
  ) {
    let now = exchange.environment.clock.now
    guard
      let (landing, tasks) = state.withLock({ $0.land(flight, of: request, epoch: epoch, result, at: now) })
    else {
      return
    }
    for task in tasks { task.cancel() }
    if case .success(let answer) = result, !answer.undecodable.isEmpty {
      exchange.environment.observe?(.skippedFlags(answer.undecodable.count))
    }
    for waiter in landing.waiters { waiter.resume(returning: landing.outcome) }
  }

  /// Makes the request of a flight and reads its answer.
  private func fetch(_ request: EvaluateRequest) async -> Result<EvaluateAnswer, RequestFailure> {
    let result = await exchange.send {
      TransportRequest.json(
        .post, exchange.configuration.url(exchange.configuration.evaluatePath), body: try request.body())
    } unless: {
      let now = exchange.environment.clock.now
      return state.withLock { $0.refusal(at: now) }
    }
    switch result {
    case .failure(let failure): return .failure(failure)
    case .success(let response): return read(response, request)
    }
  }

  private func read(
    _ response: TransportResponse, _ request: EvaluateRequest
  ) -> Result<EvaluateAnswer, RequestFailure> {
    do throws(FeatureControlError) {
      return .success(try EvaluateAnswer(response, keys: request.keys))
    } catch {
      return .failure(RequestFailure(error, response, wallClock: exchange.environment.wallClock))
    }
  }
}
