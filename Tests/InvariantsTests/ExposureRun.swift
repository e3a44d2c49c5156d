import Events
import Invariants

// A small client of exposures, with readers, a network and a service in one state machine, as `ReferenceRun`
// is one of evaluations: to make legal histories by the thousand.
//
// How many steps lie between a call and what it does, and in which order everything that is ready happens, is
// left to chance. Latencies are drawn around 0 and the deadline, where ties are. A `Bug` spoils one rule.

/// One random run of recordings and flushes, judged while it happens.
struct ExposureRun {
  enum Bug: String, CaseIterable, Sendable {
    case sendsNewestFirst, overfillsBatches, flushesAtOnce, sendsEmptyBatches, triesAgain,
      losesWhatComesMeanwhile
    case stopsAtFailure, forgetsFailures, forgetsDrops, countsLateAnswers, keepsToken, asksTwice,
      ignoresRetryAfter

    /// The judges of which one must be first to see it.
    var seenBy: [Invariant] {
      switch self {
      case .sendsNewestFirst, .overfillsBatches, .sendsEmptyBatches: [.batchBounds]
      case .flushesAtOnce: [.batchBounds, .noEventLost]
      case .triesAgain: [.noEventTwice, .noEventLost]
      case .losesWhatComesMeanwhile, .stopsAtFailure, .forgetsFailures, .forgetsDrops, .countsLateAnswers:
        [.noEventLost]
      case .keepsToken, .asksTwice: [.wellFormed]
      case .ignoresRetryAfter: [.retryAfter]
      }
    }
  }

  enum Step {
    case act(reader: Int)
    case keep(call: Int)
    case enter(call: Int)
    case next(call: Int)
    case authorize(flight: Int)
    case send(flight: Int)
    case answer(flight: Int)
    case land(flight: Int, isGood: Bool)
    case expire(flight: Int)
    case cancel(call: Int)
    case heed(call: Int)
    case leave(call: Int)
    case close(instance: Int)
  }

  enum Stage { case asking, ready, sent, done }

  struct Call {
    let reader: Int
    let instance: Int
    var number: UInt64 = 0
    var flight: Int?
    var isCancelled = false
    var isOpen = true
  }

  struct Flight {
    let instance: Int
    let call: Int
    let batch: [UInt64]
    let deadline: Int64
    var stage = Stage.ready
    var token: UInt64?
    var isOver = false
    var isAborted = false
    /// For how long its answer asks to be left alone.
    var patience: Int64?
  }

  struct Client {
    var waiting: [UInt64] = []
    var due = 0
    var isFlushing = false
    var queue: [Int] = []
    var dropped = 0
    var failed = 0
    var retryAt = Int64.min
    var lastToken: UInt64?
    var isClosed = false
  }

  let facts: RunFacts
  let bug: Bug?
  let asksForTokens: Bool
  /// How many events a reader records at once, now and then; a large burst fills the buffer.
  let burst: Int
  var court: Court
  var history: [(stamp: Stamp, event: Event)] = []
  private let keepsHistory: Bool
  var dice: Dice
  var now: Int64 = 0
  var step: UInt64 = 0
  var ready: [Step] = []
  var timers: [(at: Int64, step: Step)] = []
  var calls: [Call] = []
  var flights: [Flight] = []
  var clients: [Client]
  var actsLeft: [Int]
  var recorded: UInt64 = 0
  var tokens: UInt64 = 0

  init(seed: UInt64, bug: Bug? = nil, keepsHistory: Bool = false) {
    dice = Dice(seed)
    self.bug = bug
    self.keepsHistory = keepsHistory
    var facts = RunFacts(cacheTTL: 100, requestTimeout: dice.pick([7, 30]))
    facts.batchLimit = dice.pick([3, 100])
    self.facts = facts
    let mayAsk = dice.chance(50)
    asksForTokens = mayAsk || bug == .keepsToken || bug == .asksTwice
    burst = dice.pick([1, 1, 1, 1, 1, 1, 5, 700])
    court = Court(judging: Invariant.judged, facts: facts)
    clients = Array(repeating: Client(), count: dice.pick([1, 1, 2]))
    actsLeft = (0..<dice.pick([1, 3, 6])).map { _ in 15 }
    for reader in actsLeft.indices { ready.append(.act(reader: reader)) }
    if dice.chance(20) { timers.append((Int64(dice.below(100)), .close(instance: 0))) }
  }

  /// Runs to the end, or to the first violation.
  mutating func run() {
    drain()
    for instance in clients.indices where !clients[instance].isClosed { close(instance) }
    drain()
    for (instance, client) in clients.enumerated() {
      let tally = ExposureTally(dropped: client.dropped, failed: client.failed, pending: client.waiting.count)
      emit(.exposuresCounted(InstanceID(Int32(instance)), tally))
    }
    court.finish(at: Stamp(nanoseconds: now, step: step))
  }

  mutating func drain() {
    while court.violationCount == 0 {
      if ready.isEmpty {
        guard let next = timers.map(\.at).min() else { return }
        if next > now { court.timeAdvances(from: Stamp(nanoseconds: now, step: step)) }
        now = next
        ready = timers.filter { $0.at == next }.map(\.step)
        timers.removeAll { $0.at == next }
      }
      step += 1
      perform(ready.remove(at: dice.below(ready.count)))
    }
  }

  mutating func perform(_ step: Step) {
    switch step {
    case .act(let reader): act(reader)
    case .keep(let call): keep(call)
    case .enter(let call): enter(call)
    case .next(let call): next(call)
    case .authorize(let flight): authorize(flight)
    case .send(let flight): send(flight)
    case .answer(let flight): answer(flight)
    case .land(let flight, let isGood): land(flight, isGood)
    case .expire(let flight): if !flights[flight].isOver { giveUp(flight, mayRetry: false) }
    case .cancel(let call): cancel(call)
    case .heed(let call): heed(call)
    case .leave(let call): leave(call)
    case .close(let instance): if !clients[instance].isClosed { close(instance) }
    }
  }

  mutating func emit(_ event: Event) {
    let stamp = Stamp(nanoseconds: now, step: step)
    if keepsHistory { history.append((stamp, event)) }
    court.observe(event, at: stamp)
  }

  mutating func latency() -> Int64 {
    dice.pick([0, 0, 1, 2, 5, facts.requestTimeout - 1, facts.requestTimeout, facts.requestTimeout + 3])
  }

  mutating func after(_ delay: Int64, _ step: Step) {
    if delay == 0 { ready.append(step) } else { timers.append((now + delay, step)) }
  }

  // MARK: Readers

  mutating func act(_ reader: Int) {
    guard actsLeft[reader] > 0 else { return }
    actsLeft[reader] -= 1
    let instance = dice.below(clients.count)
    if dice.chance(30) {
      let call = begin(.flush, reader, instance)
      ready.append(.enter(call: call))
      if dice.chance(25) { after(dice.pick([0, 1, 3, facts.requestTimeout]), .cancel(call: call)) }
    } else {
      for _ in 0..<(dice.chance(10) ? burst : 1) { record(reader, instance) }
      after(latency(), .act(reader: reader))
    }
  }

  mutating func begin(_ operation: Events.Operation, _ reader: Int, _ instance: Int) -> Int {
    calls.append(Call(reader: reader, instance: instance))
    emit(
      .callBegan(
        CallID(UInt64(calls.count - 1)), ReaderID(Int32(reader)), InstanceID(Int32(instance)), operation, nil)
    )
    return calls.count - 1
  }

  mutating func record(_ reader: Int, _ instance: Int) {
    let call = begin(.recordExposure, reader, instance)
    recorded += 1
    calls[call].number = recorded
    emit(.exposureRecorded(CallID(UInt64(call)), InstanceID(Int32(instance)), recorded))
    ready.append(.keep(call: call))
  }

  mutating func keep(_ call: Int) {
    let instance = calls[call].instance
    if clients[instance].isClosed {
      clients[instance].dropped += 1
    } else {
      clients[instance].waiting.append(calls[call].number)
      trim(instance)
    }
    ready.append(.leave(call: call))
  }

  mutating func trim(_ instance: Int) {
    while clients[instance].waiting.count > 1_000 {
      clients[instance].waiting.removeFirst()
      if bug != .forgetsDrops { clients[instance].dropped += 1 }
      if clients[instance].due > 0 { clients[instance].due -= 1 }
    }
  }

  mutating func cancel(_ call: Int) {
    guard calls[call].isOpen, !calls[call].isCancelled else { return }
    calls[call].isCancelled = true
    emit(.callCancelled(CallID(UInt64(call))))
    ready.append(.heed(call: call))
  }

  mutating func leave(_ call: Int) {
    guard calls[call].isOpen else { return }
    calls[call].isOpen = false
    emit(.callReturned(CallID(UInt64(call)), .finished))
    if calls[call].number == 0 { after(latency(), .act(reader: calls[call].reader)) }
  }
}
