import ClientCore
import Palbase

/// How one reader's flags are kept current: a pure state machine.
///
/// Inputs are methods, each of which returns what is to be done, in order. The machine reads no clock and draws nothing: the
/// shell (`FlagsStore`) hands in instants and draws the random part of a delay when it starts a timer.
///
/// **The idea.** There is one record, and at most one flight (BEHAVIOUR rule 1.2), which brings it up to date: a delta if
/// the record has a version that may be a base, else a snapshot. Whatever asks for an update while a flight is out either
/// joins it (`refresh()`) or notes what it needs (`noticed`, `owesFetch`); when the flight ends, the machine looks once whether
/// something is left to be wanted, and starts at most one timer for it. So bursts coalesce and nothing is lost.
///
/// **Epochs.** Every change of reader ends the flight, the timer and the record in one step. An answer finds its flight by the
/// number of its request, and a number is never used again: a late answer of an earlier epoch, or of a request that has
/// ended, finds nothing (rules 1.4 and 1.7).
///
/// **Older answers.** A replica may lag, a notice may come before the data. An answer older than what is held changes
/// nothing; that and one older than the newest notice are asked for again, three times after a random time, then as after a
/// failure, until they are met.
///
/// **Not modelled:** time limits of requests (the exchange has them), the sending itself, and who reads the record.
struct FlagsMachine: Sendable {
  enum Phase: Sendable, Equatable {
    /// The record of the device is being read, and the first fetch waits for it.
    case loading
    case running
    case closed
  }

  struct Flight: Sendable {
    let request: RequestID
    let query: FlagsQuery
    var waiters: [WaiterID]
    /// Whether the sync itself wants the outcome; else the flight ends with its last waiter.
    var isBackground: Bool
    /// Whether this request followed another one in the same flight; there is no third.
    let isFollowUp: Bool
  }

  enum TimerPurpose: Sendable { case patience, jitter, backoff, retryAfter }

  /// After a flight that left something to be wanted, so often the sync asks again before it backs off.
  static let promptRepeats = 3
  /// A return to the foreground fetches if the last success is longer ago.
  static let foregroundAge = Duration.seconds(30)

  var phase = Phase.loading
  /// What is held.
  var record: FlagsRecord
  /// Whether the held version may be a base for deltas: not after a 410 or a skipped flag, until a snapshot has been applied.
  var isBase = false
  var flight: Flight?
  var timer: (id: TimerID, purpose: TimerPurpose)?
  /// Calls of `refresh()` that wait for the load.
  var parked: [WaiterID] = []
  /// Calls of `start()` that wait for the load.
  var starting: [WaiterID] = []
  /// Whether the record of the device may still come and be used.
  var awaitsLoad = true
  /// The newest version that was announced to everybody, and to this reader.
  var noticedByProject: Int64 = 0
  var noticedByReader: Int64 = 0
  /// Whether a fetch must begin that has not begun: after a join, or a notice without a version.
  var owesFetch = false
  var repeats = 0
  var backoff = Backoff()
  var gate = RetryGate<PalbaseError>()
  var gateOpens: MonotonicInstant?
  var lastSuccess: MonotonicInstant?
  var skippedFlags = 0
  var discardedRecords = 0
  private var count: UInt64 = 0

  /// Creates the machine of a reader, which begins with the record of the device.
  ///
  /// - Parameter identity: The reader.
  init(identity: PalbaseIdentity) { record = .empty(for: identity) }

  var identity: PalbaseIdentity { record.identity }
  var noticed: Int64 { max(noticedByProject, noticedByReader) }

  mutating func makeNumber() -> UInt64 {
    count += 1
    return count
  }

  // MARK: The beginning

  /// Begins; called once.
  mutating func start() -> [FlagsAction] {
    [.load, .follow(identity)] + arm(.patience, .patience)
  }

  /// Takes in what the device had: a record of this reader, or nothing.
  ///
  /// A slow reading changes nothing once the service has answered or the reader has changed.
  /// - Parameters:
  ///   - loaded: What was on the device.
  ///   - epoch: The epoch in which the reading began.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func load(_ loaded: LoadedRecord, epoch: UInt64, at now: MonotonicInstant) -> [FlagsAction] {
    guard phase != .closed, epoch == identity.epoch, awaitsLoad else { return [] }
    if case .discarded = loaded { discardedRecords += 1 }
    var actions: [FlagsAction] = []
    if case .record(let found) = loaded, record.isEmpty {
      record = found
      isBase = found.isBase
      let keys = Set(found.values.keys)
      if !keys.isEmpty { actions.append(.tell(keys)) }
    }
    awaitsLoad = false
    actions += endStarting()
    if phase == .loading { actions += run(at: now) }
    return actions
  }

  /// Counts a call of `start()` in; it is answered when the record of the device has been read.
  mutating func wait(_ waiter: WaiterID) -> [FlagsAction] {
    guard awaitsLoad, phase != .closed else { return [.started([waiter])] }
    starting.append(waiter)
    return []
  }

  private mutating func endStarting() -> [FlagsAction] {
    defer { starting = [] }
    return starting.isEmpty ? [] : [.started(starting)]
  }

  /// Ends the wait for the device: from now on there is a fetch whenever one is wanted.
  private mutating func run(at now: MonotonicInstant) -> [FlagsAction] {
    phase = .running
    let waiters = parked
    parked = []
    return disarm() + fly(for: waiters, isBackground: true, at: now)
  }

  // MARK: What asks for a fetch

  /// Counts a call of `refresh()` in: it joins the flight that is out, or starts one at once.
  ///
  /// - Parameters:
  ///   - waiter: The call.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func refresh(_ waiter: WaiterID, at now: MonotonicInstant) -> [FlagsAction] {
    if phase == .closed { return [.answer([waiter], .closed)] }
    if flight != nil {
      flight?.waiters.append(waiter)
      return []
    }
    if let refusal = gate.refusal(at: now) { return [.answer([waiter], refusal)] }
    if phase == .loading {
      parked.append(waiter)
      return []
    }
    // Whatever a timer was to fetch, this fetches now: the sync then has an interest of its own in it.
    let isWanted = timer != nil
    return disarm() + fly(for: [waiter], isBackground: isWanted, at: now)
  }

  /// Takes in that a call's task was cancelled, of `refresh()` or `start()`.
  ///
  /// - Parameter waiter: The call, which its caller answers.
  /// - Returns: What to do; the request of a flight that nobody is left to want is let go of.
  mutating func leave(_ waiter: WaiterID) -> [FlagsAction] {
    parked.removeAll { $0 == waiter }
    starting.removeAll { $0 == waiter }
    guard let left = flight, left.waiters.contains(waiter) else { return [] }
    flight?.waiters.removeAll { $0 == waiter }
    guard left.waiters.count == 1, !left.isBackground else { return [] }
    if isBehind {
      // A notice has come meanwhile: the flight is wanted after all.
      flight?.isBackground = true
      return []
    }
    flight = nil
    return [.abandon(left.request)]
  }

  /// Takes in a notice of the project.
  ///
  /// - Parameters:
  ///   - version: The version it names; nil if it does not decode, which may mean any.
  ///   - isProjectWide: Whether all readers were told: then each waits a random time.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func notice(
    version: Int64?, isProjectWide: Bool, at now: MonotonicInstant
  ) -> [FlagsAction] {
    if phase == .closed { return [] }
    if let version {
      guard version > max(noticed, record.version ?? -1) else { return [] }
      if isProjectWide { noticedByProject = version } else { noticedByReader = version }
      repeats = 0
    } else {
      owesFetch = true
    }
    return isProjectWide || version == nil ? fetchSoon() : fetchNow(at: now)
  }

  /// Takes in that a change channel was joined: whatever was announced before it is unknown.
  ///
  /// A fetch that is out began before the join and may have missed something; one that begins later has not.
  mutating func joined() -> [FlagsAction] {
    if phase == .closed { return [] }
    owesFetch = true
    return fetchSoon()
  }

  /// Takes in that the app is on the screen again.
  mutating func enterForeground(at now: MonotonicInstant) -> [FlagsAction] {
    guard phase == .running, flight == nil else { return [] }
    if let lastSuccess, now < lastSuccess.advanced(by: Self.foregroundAge) { return [] }
    owesFetch = true
    return fetchNow(at: now)
  }

  /// Takes in that a timer has run off.
  mutating func fire(_ id: TimerID, at now: MonotonicInstant) -> [FlagsAction] {
    guard let fired = timer, fired.id == id, phase != .closed else { return [] }
    timer = nil
    if fired.purpose == .patience { return phase == .loading ? run(at: now) : [] }
    return fly(for: [], isBackground: true, at: now)
  }

  /// Whether something newer than the record is known to be there.
  var isBehind: Bool { owesFetch || noticed > (record.version ?? 0) || lastSuccess == nil }

  private mutating func fetchSoon() -> [FlagsAction] {
    // While loading the first fetch comes anyway; a flight looks at its end; a timer is soon or waits for a reason.
    guard phase == .running, flight == nil, timer == nil else { return [] }
    return arm(.jitter, .jitter)
  }

  private mutating func fetchNow(at now: MonotonicInstant) -> [FlagsAction] {
    guard phase == .running, flight == nil else { return [] }
    // What backs off or was asked to stay away goes on doing so: only `refresh()` is not background work.
    guard timer == nil || timer?.purpose == .jitter else { return [] }
    return disarm() + fly(for: [], isBackground: true, at: now)
  }

  // MARK: Readers and the end

  /// Takes in that someone else reads: what was held and what was under way goes, in this step.
  ///
  /// - Parameters:
  ///   - identity: The new reader; an identity that is not newer than the present one is ignored.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func change(to identity: PalbaseIdentity, at now: MonotonicInstant) -> [FlagsAction] {
    guard phase != .closed, identity.epoch > self.identity.epoch else { return [] }
    var actions = endFlight(.readerChanged) + disarm() + endStarting()
    let keys = Set(record.values.keys)
    record = .empty(for: identity)
    isBase = false
    noticedByReader = 0
    owesFetch = false
    repeats = 0
    lastSuccess = nil
    awaitsLoad = false
    phase = .running
    if !keys.isEmpty { actions.append(.tell(keys)) }
    actions += [.removeRecord, .follow(identity)]
    return actions + fly(for: [], isBackground: true, at: now)
  }

  /// Ends everything.
  mutating func close() -> [FlagsAction] {
    guard phase != .closed else { return [] }
    let actions = endFlight(.closed) + disarm() + endStarting()
    phase = .closed
    record = .empty(for: identity)
    return actions
  }

  private mutating func endFlight(_ error: PalbaseError) -> [FlagsAction] {
    var actions: [FlagsAction] = []
    if let flight { actions.append(.abandon(flight.request)) }
    let waiters = (flight?.waiters ?? []) + parked
    if !waiters.isEmpty { actions.append(.answer(waiters, error)) }
    flight = nil
    parked = []
    return actions
  }

  // MARK: Timers

  mutating func arm(_ purpose: TimerPurpose, _ delay: TimerDelay) -> [FlagsAction] {
    let id = TimerID(number: makeNumber())
    let replaced = disarm()
    timer = (id, purpose)
    return replaced + [.arm(id, delay)]
  }

  mutating func disarm() -> [FlagsAction] {
    guard let timer else { return [] }
    self.timer = nil
    return [.disarm(timer.id)]
  }
}
