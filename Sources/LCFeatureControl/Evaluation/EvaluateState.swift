import ClientCore

// What a manager knows, as one value behind one lock: the cache, the flights, the epoch and the endpoint's gate.
//
// Every method is one critical section, takes the time as an argument, calls nobody, and returns what its owner has to
// do after letting go of the lock. That makes the rules of BEHAVIOUR §1 and §2 readable in one place:
//
// - A call looks at the cache and joins a flight in one step (`enter`), so two cold callers can't both begin one.
// - An answer is applied in the step that ends its flight (`land`), and only if its epoch is still the current one.
// - `invalidate` drops entries and moves the epoch in one step; flights from before keep their waiters, but neither
//   fill the cache nor take new waiters.

/// The state of one `FeatureControlManager`.
struct EvaluateState: Sendable {
  typealias Flights = SingleFlight<EvaluateRequest, Waiter>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  /// How a call that looked for a fresh entry in vain ends.
  enum Outcome: Sendable {
    /// A flight had landed since that look: an entry younger than the TTL answers the call.
    case fresh(FeatureControlSnapshot)
    /// Its flight brought an answer.
    case landed(FeatureControlSnapshot)
    /// Its flight failed.
    case failed(FeatureControlError)
    /// Its own task was cancelled, after it had made or joined a flight or before.
    case cancelled(afterAsking: Bool)
  }

  /// What entering led to.
  enum Entry {
    /// The call need not or may not wait.
    case answered(Outcome)
    /// The call waits for a flight that was under way.
    case joined
    /// The call waits for a new flight that the owner must start.
    case began(FlightID, EpochFence.Epoch)
  }

  /// Whom to tell what after a flight ended.
  struct Landing {
    let waiters: [Waiter]
    let outcome: Outcome
  }

  private struct FlightTasks {
    var request: SpawnedTask
    var deadline: SpawnedTask
  }

  private var cache: TTLCache<EvaluateCacheKey, EvaluateRecord>
  private var flights = Flights()
  private var tasks: [FlightID: FlightTasks] = [:]
  private var fence = EpochFence()
  private var gate = RetryGate<FeatureControlError>()
  private var isClosed = false
  let defaults: [String: FeatureControlFlag]

  /// How many flags of answers were skipped since the manager was made, because they did not decode.
  private(set) var skippedFlags = 0

  static let closedError = FeatureControlError.transport(message: "the client is closed")

  /// The largest number of entries the cache keeps (BEHAVIOUR §2).
  static let capacity = 128

  init(ttl: Duration, defaults: [String: FeatureControlFlag]) {
    cache = TTLCache(ttl: ttl, capacity: Self.capacity)
    self.defaults = defaults
  }

  // MARK: Calls

  /// The answer of a call that finds a fresh entry.
  mutating func freshSnapshot(_ key: EvaluateCacheKey, at now: MonotonicInstant) -> FeatureControlSnapshot? {
    if case .fresh(let record) = cache.lookUp(key, at: now) { record.fresh } else { nil }
  }

  /// Gives out the number under which a call will wait.
  mutating func makeWaiterID() -> WaiterID { flights.makeWaiterID() }

  /// Lets a call in: it is answered, refused, or waits.
  mutating func enter(
    _ request: EvaluateRequest, as id: WaiterID, waiter: Waiter, isCancelled: Bool,
    at now: MonotonicInstant
  ) -> Entry {
    if isCancelled { return .answered(.cancelled(afterAsking: false)) }
    if isClosed { return .answered(.failed(Self.closedError)) }
    // Looked at again, in the step that joins: a flight may have landed since the call's first look.
    if let snapshot = freshSnapshot(request.cacheKey, at: now) { return .answered(.fresh(snapshot)) }
    if let refusal = gate.refusal(at: now) { return .answered(.failed(refusal)) }
    switch flights.join(request, as: id, waiter: waiter) {
    case .joined: return .joined
    case .began(let flight): return .began(flight, fence.current)
    }
  }

  /// What is held under a cache key.
  mutating func held(
    _ key: EvaluateCacheKey, at now: MonotonicInstant
  ) -> TTLCache<EvaluateCacheKey, EvaluateRecord>.Lookup {
    cache.lookUp(key, at: now)
  }

  /// Ends the wait of a call whose task was cancelled, and the flight of which it was the last waiter.
  mutating func leave(_ id: WaiterID) -> (departure: Flights.Departure, tasks: [SpawnedTask])? {
    flights.leave(id).map { ($0, $0.abandoned.map { takeTasks(of: $0) } ?? []) }
  }

  // MARK: Flights

  /// Keeps the tasks of a flight that was just started.
  ///
  /// - Returns: The tasks to cancel at once, if the flight ended before they were known.
  mutating func keep(request: SpawnedTask, deadline: SpawnedTask, of flight: FlightID)
    -> [SpawnedTask]
  {
    guard flights.contains(flight) else { return [request, deadline] }
    tasks[flight] = FlightTasks(request: request, deadline: deadline)
    return []
  }

  /// Why a request may not be sent now, asked again after its authorization.
  func refusal(at now: MonotonicInstant) -> FeatureControlError? { gate.refusal(at: now) }

  /// Ends a flight with its outcome and, in the same step, applies its answer if its epoch still stands.
  ///
  /// A refusal with a `Retry-After` closes the gate in this step too, of whatever epoch it is: patience is owed by the
  /// endpoint's client, not by a reader. A late answer does neither.
  /// - Returns: Whom to tell what, and the tasks to cancel; nil if the flight had ended before (a late answer).
  mutating func land(
    _ flight: FlightID, of request: EvaluateRequest, epoch: EpochFence.Epoch,
    _ result: Result<EvaluateAnswer, RequestFailure>, at now: MonotonicInstant
  ) -> (landing: Landing, tasks: [SpawnedTask])? {
    guard let waiters = flights.land(flight) else { return nil }
    let ended = takeTasks(of: flight)
    switch result {
    case .failure(let failure):
      if let delay = failure.retryAfter { gate.close(for: delay, from: now, because: failure.error) }
      return (Landing(waiters: waiters, outcome: .failed(failure.error)), ended)
    case .success(let answer):
      skippedFlags += answer.undecodable.count
      // A fenced flight must not see what was dropped either.
      let isCurrent = epoch == fence.current
      let previous = isCurrent ? cache.lookUp(request.cacheKey, at: now).value : nil
      let record = EvaluateRecord(answer, keys: request.keys, previous: previous, defaults: defaults)
      if isCurrent {
        cache.store(record, for: request.cacheKey, receipt: now, order: flight.rawValue)
      }
      return (Landing(waiters: waiters, outcome: .landed(record.flight)), ended)
    }
  }

  /// Drops every entry and fences every flight (BEHAVIOUR §2, `invalidateCache()`).
  mutating func invalidate() {
    cache.removeAll()
    flights.fence()
    fence.advance()
  }

  /// Ends everything for good.
  ///
  /// - Returns: Whom to tell that the client is closed, and the tasks to cancel.
  mutating func close() -> (waiters: [Waiter], tasks: [SpawnedTask]) {
    isClosed = true
    let ended = flights.landAll()
    return (ended.flatMap(\.waiters), ended.flatMap { takeTasks(of: $0.flight) })
  }

  private mutating func takeTasks(of flight: FlightID) -> [SpawnedTask] {
    tasks.removeValue(forKey: flight).map { [$0.request, $0.deadline] } ?? []
  }
}
