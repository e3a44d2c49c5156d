import ClientCore
import Palbase
import Synchronization

/// The shell around `EventQueue`: it owns the lock, the tasks and the requests, and decides nothing.
///
/// At most two tasks live: the pump, which sends one batch after the other, and the alarm, which sleeps until the queue
/// wants to be woken. Both hold the module and neither holds the client of Palbase, so letting go of that one ends them.
final class AnalyticsModule: PalbaseModule, ExposureSink {
  private typealias Waiter = CheckedContinuation<Void, Never>
  private typealias Queue = EventQueue<Waiter>

  private struct Alarm {
    let number: UInt64
    let instant: MonotonicInstant
    var task: SpawnedTask?
  }

  private struct State {
    var queue = Queue()
    var sessions = SessionNames()
    /// The newest epoch that is known here; its session has begun.
    var epoch: UInt64
    /// The first session since the person has allowed analytics.
    var firstSession: UInt64 = 0
    var isStarted = false
    var hasToldRefusal = false
    var alarm: Alarm?
    var pump: SpawnedTask?
    /// Counts alarms and pumps, so that the handle of a task finds out whether it is still wanted.
    var taskNumber: UInt64 = 0
    var pumpNumber: UInt64 = 0
  }

  private weak let client: PalbaseClient?
  private let core: PalbaseCore
  private let state: Mutex<State>

  init(_ client: PalbaseClient, _ core: PalbaseCore) {
    self.client = client
    self.core = core
    state = Mutex(State(epoch: core.epoch))
  }

  private var environment: ClientEnvironment { core.environment }
  private var slot: ExposureSlot { core.exposures }

  /// Begins the first session and takes in exposures; later calls do nothing.
  ///
  /// Called by every use, since a second thread may have the module before the first one has started it.
  func start() {
    if state.withLock({ $0.isStarted }) { return }
    slot.setSink(self)
    let (now, isAllowed) = (environment.clock.now, consent)
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      guard !state.isStarted, !state.queue.isClosed else { return false }
      if isAllowed { allow(&state, at: now) }
      return true
    }
    // It may have changed just now, and Palbase has told nobody who was not there.
    if isFirst { followConsent() }
  }

  /// The account of everything recorded so far.
  var counts: AnalyticsCounts { state.withLock { $0.queue.counts } }

  /// Whether events are recorded at this moment.
  var isRecording: Bool { state.withLock { $0.queue.isAllowed && !$0.queue.isClosed } }

  /// Whether the person allows analytics, as far as it has been told.
  private var isAllowed: Bool { state.withLock { $0.queue.isAllowed } }

  // MARK: Recording

  /// Takes in an event of the reader of this moment.
  func capture(_ name: String, _ properties: [String: JSONValue]) {
    guard isAllowed else { return }
    // One value that JSON cannot hold would spoil the whole batch: it is refused here, where it concerns itself only.
    guard !name.isEmpty, properties.values.allSatisfy(\.isWritable) else { return refuse() }
    let (id, recordedAt) = (environment.random.hexadecimal(words: 2), environment.wallClock.now)
    let now = environment.clock.now
    while true {
      let identity = core.identity
      readerChanged(to: identity)
      let (isPresent, session) = state.withLock { state -> (Bool, UInt64?) in
        // Someone else came meanwhile: the event is theirs.
        guard state.epoch == identity.epoch else { return (false, nil) }
        return (true, state.queue.isAllowed ? slot.session(at: now) : nil)
      }
      guard isPresent else { continue }
      // Without consent nothing is recorded, not even that there was something.
      guard let session else { return }
      return record(
        RecordedEvent(
          id: id, name: name, properties: properties, recordedAt: recordedAt, identity: identity),
        session: session, at: now)
    }
  }

  /// Takes in the exposure of a value that a reader was given.
  ///
  /// It was given with consent; if that was withdrawn since, the event is dropped and counted.
  /// - Parameters:
  ///   - flag: The key of the flag.
  ///   - experiment: The experiment that gave the value.
  ///   - variant: The variant of the experiment.
  ///   - session: The session in which the value was read.
  ///   - identity: Whose value it was.
  func expose(
    flag: String, experiment: String, variant: String, session: UInt64, identity: PalbaseIdentity
  ) {
    let isWithdrawn = state.withLock { state in
      if session < state.firstSession { state.queue.refuse() }
      return session < state.firstSession
    }
    if isWithdrawn { return }
    record(
      RecordedEvent(
        id: environment.random.hexadecimal(words: 2), name: "$flag_exposure",
        properties: [
          "flag": .string(flag), "experiment": .string(experiment), "variant": .string(variant),
        ],
        recordedAt: environment.wallClock.now, identity: identity),
      session: session, at: environment.clock.now)
  }

  private func record(_ event: RecordedEvent, session: UInt64, at now: MonotonicInstant) {
    var event = event
    let epoch = event.identity.epoch
    if let name = state.withLock({ $0.sessions.name(of: session, epoch: epoch) }) {
      event.session = name
    } else {
      let name = environment.random.hexadecimal(words: 2)
      event.session = state.withLock { $0.sessions.give(name, to: session, epoch: epoch) }
    }
    let recorded = event
    step { $0.queue.record(recorded, at: now) }
    slot.touch(at: now)
  }

  /// Counts an event that JSON cannot hold, and says so the first time.
  private func refuse() {
    let isNews = state.withLock { state in
      guard state.queue.isAllowed else { return false }
      state.queue.refuse()
      defer { state.hasToldRefusal = true }
      return !state.hasToldRefusal
    }
    guard isNews else { return }
    core.log("an event was dropped: give it a name, and numbers that are neither infinite nor NaN")
  }

  // MARK: Flushing

  /// Sends what waits, and returns when it has left or cannot leave now.
  func flush() async {
    let ticket = state.withLock { $0.queue.makeTicket() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let now = environment.clock.now
        step { state in
          // A task is marked cancelled before its handler runs: either this sees the mark or `leave` finds the waiter.
          if Task.isCancelled { return Queue.Duties(waiters: [waiter]) }
          return state.queue.flush(ticket, waiter, at: now)
        }
      }
    } onCancel: {
      state.withLock { $0.queue.leave(ticket) }?.resume()
    }
  }

  // MARK: What Palbase tells

  /// Begins the session of a reader; what waits keeps the reader of its moment.
  ///
  /// - Parameter identity: The new reader; ignored unless newer than what is known.
  func readerChanged(to identity: PalbaseIdentity) {
    let now = environment.clock.now
    state.withLock { state in
      guard identity.epoch > state.epoch else { return }
      state.epoch = identity.epoch
      // In the same step, so that no event of the new reader is in a session of the old one. The slot takes no lock.
      if state.queue.isAllowed { slot.newSession(at: now) }
    }
  }

  /// Begins or ends recording.
  ///
  /// - Parameter consent: What the person allows; withdrawing counts also when consent is back by now.
  func consentChanged(to consent: PalbaseConsent) {
    guard state.withLock({ $0.isStarted }) else { return }
    if !consent.analytics { apply(false) }
    followConsent()
  }

  /// Sends what waits when the app leaves the screen.
  ///
  /// - Parameter event: Where the app goes.
  func lifecycleChanged(_ event: LifecycleEvent) {
    switch event {
    case .background:
      let now = environment.clock.now
      step { $0.queue.flush(at: now) }
    case .foreground: break
    }
  }

  /// Tries once more to send what waits.
  func flushBeforeClose() async { await flush() }

  /// Drops what waits and ends what is under way.
  func close() {
    step { $0.queue.close() }
    // Only now: a pump that starts later sees the end itself.
    let (pump, wasStarted) = state.withLock { ($0.pump, $0.isStarted) }
    // A module that got no place has no say about the slot.
    if wasStarted { slot.close() }
    pump?.cancel()
  }

  /// Whether the person allows analytics at this moment.
  private var consent: Bool { client?.consent.analytics ?? false }

  /// Brings recording in line with the consent of this moment; of several threads that do so the last one sees the last
  /// word.
  private func followConsent() {
    var isAllowed: Bool
    repeat {
      isAllowed = consent
      apply(isAllowed)
    } while consent != isAllowed
  }

  private func apply(_ isAllowed: Bool) {
    let now = environment.clock.now
    step { state in
      guard isAllowed != state.queue.isAllowed else { return Queue.Duties() }
      if isAllowed {
        allow(&state, at: now)
        return Queue.Duties()
      }
      slot.close()
      return state.queue.withdraw()
    }
  }

  private func allow(_ state: inout State, at now: MonotonicInstant) {
    state.queue.allow()
    if state.queue.isClosed { return }
    slot.open(at: now)
    state.firstSession = slot.session(at: now)
  }

  // MARK: Tasks

  /// Runs a step of the queue and does what it asks for once the lock is free.
  ///
  /// - Parameter body: The step.
  /// - Returns: What the pump has to send; nil if nothing.
  @discardableResult
  private func step(_ body: (inout State) -> Queue.Duties) -> Queue.Work? {
    let (duties, stale, alarm) = state.withLock { state in
      let duties = body(&state)
      let wanted = state.queue.alarm
      guard wanted != state.alarm?.instant else {
        return (duties, nil, nil) as (Queue.Duties, SpawnedTask?, Alarm?)
      }
      let stale = state.alarm?.task
      state.taskNumber += 1
      state.alarm = wanted.map { Alarm(number: state.taskNumber, instant: $0) }
      return (duties, stale, state.alarm)
    }
    stale?.cancel()
    for waiter in duties.waiters { waiter.resume() }
    if let alarm { start(alarm) }
    if duties.startsPump { startPump() }
    return duties.work
  }

  private func start(_ alarm: Alarm) {
    let task = environment.spawner.spawn { [self] in
      guard (try? await environment.clock.sleep(until: alarm.instant)) != nil else { return }
      let now = environment.clock.now
      step { state in
        // Another one may have taken its place just now.
        guard state.alarm?.number == alarm.number else { return Queue.Duties() }
        state.alarm = nil
        return state.queue.wake(at: now)
      }
    }
    let isWanted = state.withLock { state in
      guard state.alarm?.number == alarm.number else { return false }
      state.alarm?.task = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  private func startPump() {
    let number = state.withLock { state in
      state.pumpNumber += 1
      return state.pumpNumber
    }
    let task = environment.spawner.spawn { [self] in await pump() }
    let isClosed = state.withLock { state in
      if state.pumpNumber == number { state.pump = task }
      return state.queue.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// Sends one batch after the other until nothing more is due.
  private func pump() async {
    while true {
      let now = environment.clock.now
      guard let work = step({ $0.queue.next(at: now) }) else { return }
      switch work {
      case .again(let batch): await send(batch)
      case .first(let events):
        await send(EventBatch(id: environment.random.hexadecimal(words: 2), events: events))
      }
    }
  }

  private func send(_ batch: EventBatch) async {
    let request = PalbaseRequest(.post, "/analytics/events", body: batch.body)
    let outcome = await core.send(request, as: batch.identity) { [self] in
      state.withLock { $0.queue.mayBeSent } ? nil : .closed
    }
    let end = BatchEnd(
      outcome, isPresentReader: core.epoch == batch.identity.epoch, wallClock: environment.wallClock)
    let (now, random) = (environment.clock.now, end.fate == .failed ? environment.random.next() : 0)
    step { $0.queue.settle(batch, end, at: now, random: random) }
  }
}
