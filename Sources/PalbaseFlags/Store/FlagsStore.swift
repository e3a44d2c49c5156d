import ClientCore
import Palbase
import Synchronization

/// The shell around `FlagsMachine`: it owns the lock, the tasks and the record that is read.
///
/// Every input goes through `step`, which lets the machine decide under the lock, publishes a new record in the same critical
/// section and does everything else that is to be done after it: nothing is called and nobody resumed under the lock.
///
/// A read never comes here unless the record has moved since the thread's last read (`ThreadCopies`).
final class FlagsStore: PalbaseModule {
  typealias Waiter = CheckedContinuation<Outcome, Never>

  struct State {
    var machine: FlagsMachine
    var hub = ChangeHub()
    var waiters: [WaiterID: Waiter] = [:]
    var requests: [RequestID: SpawnedTask] = [:]
    var timers: [TimerID: SpawnedTask] = [:]
    var loading: SpawnedTask?
    var writer = RecordWriter.State()
    var topic: String?
    /// Set when `state` is first asked for.
    var observed: FlagsState?
  }

  let core: PalbaseCore
  let number: UInt64
  /// Tells readers that the record they hold a copy of has moved.
  let gate: FlagsGate
  let ledger: ExposureLedger
  let file: RecordFile
  let state: Mutex<State>

  /// Creates the module of a client, which does nothing yet.
  ///
  /// - Parameters:
  ///   - core: What the client is made of.
  ///   - number: The client's number.
  init(_ core: PalbaseCore, number: UInt64) {
    self.core = core
    self.number = number
    let identity = core.identity
    let machine = FlagsMachine(identity: identity)
    gate = FlagsGate(machine.record, keeper: core.keeper)
    ledger = ExposureLedger(ExposureRecorder(core))
    file = RecordFile(core)
    state = Mutex(State(machine: machine))
  }

  private var now: MonotonicInstant { core.environment.clock.now }

  // MARK: Steps

  /// Lets the machine take in something, and does what follows.
  ///
  /// - Parameter input: Runs under the lock: must call nothing that it does not know.
  func step(_ input: (inout State) -> [FlagsAction]) {
    var versions: (before: Int64?, after: Int64?)
    let (actions, woken, observed) = state.withLock { state in
      let record = state.machine.record
      let actions = input(&state)
      versions = (record.version, state.machine.record.version)
      // Published in the section that decided it: whoever is told of it below finds it there.
      if state.machine.record !== record { gate.publish(state.machine.record) }
      var woken: [ChangeHub.Waiter] = []
      for action in actions {
        switch action {
        case .tell(let keys): woken += state.hub.tell(keys)
        case .keepRecord: state.writer.pending = .keep
        case .removeRecord: state.writer.pending = .remove
        default: break
        }
      }
      return (actions, woken, state.observed)
    }
    if let version = versions.after, version != versions.before {
      core.environment.observe?(.appliedVersion(version))
    }
    for action in actions { perform(action, observed) }
    for waiter in woken { waiter.resume() }
  }

  private func perform(_ action: FlagsAction, _ observed: FlagsState?) {
    switch action {
    case .load: load()
    case .send(let request, let query, let identity): send(request, query, identity)
    case .abandon(let request): state.withLock { $0.requests.removeValue(forKey: request) }?.cancel()
    case .arm(let timer, let delay): arm(timer, delay)
    case .disarm(let timer): state.withLock { $0.timers.removeValue(forKey: timer) }?.cancel()
    case .answer(let waiters, let error): answer(waiters, error.map(Outcome.failed) ?? .done)
    case .started(let waiters): answer(waiters, .done)
    case .tell(let keys):
      if let observed { core.environment.mainActorHop.hop { observed.changed(keys) } }
    case .keepRecord, .removeRecord: write()
    case .follow(let identity): follow(identity)
    }
  }

  private func answer(_ waiters: [WaiterID], _ outcome: Outcome) {
    let answered = state.withLock { state in waiters.compactMap { state.waiters.removeValue(forKey: $0) } }
    for waiter in answered { waiter.resume(returning: outcome) }
  }

  // MARK: Requests and timers

  private func send(_ request: RequestID, _ query: FlagsQuery, _ identity: PalbaseIdentity) {
    core.environment.observe?(.startedFlight)
    let task = core.environment.spawner.spawn { [self] in
      let result = await core.send(FlagsStore.request(query, core), as: identity) { [self] in
        admit(request, identity)
      }
      let reply = FlagsReply(result, to: query, ledger: ledger, wallClock: core.environment.wallClock)
      conclude(request, reply, identity)
    }
    // Ended before its task could be kept: then nobody else cancels it.
    let isOver = state.withLock { state in
      guard state.machine.flight?.request == request else { return true }
      state.requests[request] = task
      return false
    }
    if isOver { task.cancel() }
  }

  private static func request(_ query: FlagsQuery, _ core: PalbaseCore) -> PalbaseRequest {
    switch query {
    case .snapshot(let etag):
      PalbaseRequest(
        .get, "/flags/snapshot", query: core.contextQuery,
        headers: etag.map { [HeaderField("If-None-Match", $0)] } ?? [])
    case .delta(let since):
      PalbaseRequest(.get, "/flags/delta", query: [("since", String(since))] + core.contextQuery)
    }
  }

  /// Looks once more whether a request may go, in the step in which it is handed to the transport.
  private func admit(_ request: RequestID, _ identity: PalbaseIdentity) -> PalbaseError? {
    let now = now
    if core.epoch != identity.epoch { return .readerChanged }
    return state.withLock { $0.machine.admit(request, at: now) }
  }

  private func conclude(_ request: RequestID, _ reply: FlagsReply, _ identity: PalbaseIdentity) {
    let now = now
    var isMine = false
    step { state in
      // The reader may have changed without this module having heard of it: the epoch is compared in the very section that
      // swaps the record (BEHAVIOUR rule 1.4). What is under way ends when the change arrives here.
      guard core.epoch == identity.epoch, state.machine.flight?.request == request
      else { return [] }
      isMine = true
      return state.machine.conclude(request, reply, at: now)
    }
    state.withLock { _ = $0.requests.removeValue(forKey: request) }
    if isMine, reply.skippedFlags > 0 { core.environment.observe?(.skippedFlags(reply.skippedFlags)) }
  }

  private func arm(_ timer: TimerID, _ delay: TimerDelay) {
    let deadline = deadline(of: delay)
    let task = core.environment.spawner.spawn { [self, clock = core.environment.clock] in
      guard (try? await clock.sleep(until: deadline)) != nil else { return }
      state.withLock { _ = $0.timers.removeValue(forKey: timer) }
      let now = now
      step { $0.machine.fire(timer, at: now) }
    }
    let isOver = state.withLock { state in
      guard state.machine.timer?.id == timer else { return true }
      state.timers[timer] = task
      return false
    }
    if isOver { task.cancel() }
  }

  /// As long as a device's record may keep the first fetch waiting.
  private static let patience = Duration.seconds(1)
  /// The longest random wait (BEHAVIOUR §3, Sync).
  private static let longestJitter = Duration.seconds(3)

  private func deadline(of delay: TimerDelay) -> MonotonicInstant {
    switch delay {
    case .patience: return now.advanced(by: Self.patience)
    case .jitter: return now.advanced(by: jitter())
    case .backoff(var backoff):
      return now.advanced(by: backoff.nextGap(random: core.environment.random.next()))
    case .retryAfter(let opens): return max(now, opens).advanced(by: jitter())
    }
  }

  private func jitter() -> Duration { core.environment.random.duration(in: .zero...Self.longestJitter) }

  // MARK: The device

  private func load() {
    let identity = state.withLock { $0.machine.identity }
    let task = core.environment.spawner.spawn { [self] in
      let loaded = await loadedRecord(of: identity)
      let now = now
      step { $0.machine.load(loaded, epoch: identity.epoch, at: now) }
      state.withLock { $0.loading = nil }
    }
    let isOver = state.withLock { state in
      guard state.machine.awaitsLoad, state.machine.phase != .closed else { return true }
      state.loading = task
      return false
    }
    if isOver { task.cancel() }
  }

  private func loadedRecord(of identity: PalbaseIdentity) async -> LoadedRecord {
    let install = identity.userID == nil ? await core.install() : nil
    guard let reader = RecordFile.reader(identity, install: install) else { return .nothing }
    do {
      guard let bytes = try await core.environment.storage.read(RecordFile.name) else { return .nothing }
      return file.record(from: bytes, for: identity, reader: reader, ledger: ledger)
    } catch {
      // It is there and cannot be read: as absent, and counted.
      return .discarded
    }
  }

  // MARK: The client's module

  func start() {
    step { $0.machine.start() }
  }

  func readerChanged(to identity: PalbaseIdentity) {
    let now = now
    step { $0.machine.change(to: identity, at: now) }
  }

  func consentChanged(to consent: PalbaseConsent) {}

  func lifecycleChanged(_ event: LifecycleEvent) {
    guard event == .foreground else { return }
    let now = now
    step { $0.machine.enterForeground(at: now) }
  }

  func flushBeforeClose() async {}

  func close() {
    step { $0.machine.close() }
    let (tasks, woken) = state.withLock { state in
      let tasks = [state.loading, state.writer.retry].compactMap { $0 }
      state.loading = nil
      state.writer.close()
      state.observed = nil
      return (tasks, state.hub.end())
    }
    for task in tasks { task.cancel() }
    for waiter in woken { waiter.resume() }
    leaveChannels()
    ThreadCopies.forget(number)
  }
}
