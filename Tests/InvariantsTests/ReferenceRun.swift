import Events
import Invariants

// A small client, service, network and crowd of readers in one state machine, to make legal histories by the thousand.
//
// Whatever a client may do in one step or in several is left to chance: how many steps lie between a call and its
// registration, between a flight and its request, between an answer and its publication, between a cancellation
// and its effect, and in which order everything that is ready happens. Latencies are drawn around 0, the TTL and the
// deadline, where ties are. A `Bug` spoils one rule, to show that the judges see it in such histories as well.

/// One random run, judged while it happens.
struct ReferenceRun {
  enum Step {
    case act(reader: Int)
    case register(call: Int)
    case start(flight: Int)
    case authorize(flight: Int)
    case send(flight: Int)
    case land(flight: Int, Landing)
    case resume(call: Int, CallOutcome)
    case leave(call: Int)
    case dropCache(call: Int)
    case arrive(flight: Int)
    case expire(flight: Int)
    case abort(flight: Int, Landing)
    case close(instance: Int)
  }

  /// How a flight ends; a refusal may ask for patience.
  enum Landing { case good(Content), failed(FailureKind, status: Int, patience: Int64? = nil) }

  /// The keys, of the two that are asked for, that a good answer leaves out or garbles.
  struct Content {
    var omitted: [Int32] = []
    var undecodable: [Int32] = []
  }

  /// What is held, or given, for one key: a value of an answer, or nothing.
  struct Value {
    let serial: Serial
    /// Whether it is of an earlier answer than the rest: the last one garbled the key.
    var isKept = false
  }

  struct Call {
    let reader: Int
    let instance: Int
    let operation: Operation
    let key: RequestKey
    let began: Int64
    var flight: Int?
    var isWaiting = false
    var isResuming = false
    var isCancelled = false
    var isOpen = true
  }

  struct Flight {
    let instance: Int
    let key: RequestKey
    let epoch: Int
    var waiters: [Int]
    var isOver = false
    /// Whether somebody outside would notice its cancellation: the app that is asked for a token, or the transport.
    var isStarted = false
    var isDone = false
    var isAborted = false
  }

  struct Entry {
    var values: [Value?]
    var receipt: Int64
    var flight: Int
  }

  struct Client {
    var epoch = 0
    var joinable: [Int32: Int] = [:]
    var entries: [(cacheKey: Int32, entry: Entry)] = []
    var retryAt: Int64 = .min
    var isClosed = false
  }

  let facts: RunFacts
  var court: Court
  var history: [(stamp: Stamp, event: Event)] = []
  let bug: Bug?
  var dice: Dice
  var now: Int64 = 0
  var step: UInt64 = 0
  var ready: [Step] = []
  var timers: [(at: Int64, step: Step)] = []
  var calls: [Call] = []
  var flights: [Flight] = []
  var clients: [Client]
  var actsLeft: [Int]
  let ttl: Int64 = 100
  let timeout: Int64
  let capacity: Int
  /// Whether each request is to carry a token that the app is asked for.
  let asksForTokens: Bool
  let keepsHistory: Bool
  /// The outcomes of finished flights that a bug still lets callers join.
  var landings: [Int: Landing] = [:]

  init(seed: UInt64, bug: Bug? = nil, keepsHistory: Bool = false) {
    dice = Dice(seed)
    self.bug = bug
    self.keepsHistory = keepsHistory
    timeout = dice.pick([7, 30, 100, 150])
    capacity = dice.pick([1, 2, 128, 128])
    let isBearer = dice.chance(30)
    asksForTokens = bug == nil && isBearer
    let isComplete = dice.chance(70)
    let isPatient = dice.chance(20)
    var facts = RunFacts(
      cacheTTL: ttl, requestTimeout: timeout, answersNameEveryKey: bug != nil || isComplete,
      sendsRetryAfter: bug == nil && isPatient || bug == .asksDuringRetryAfter)
    facts.cacheCapacity = capacity
    self.facts = facts
    court = Court(judging: Invariant.judged, facts: facts)
    clients = Array(repeating: Client(), count: dice.pick([1, 1, 2, 3]))
    actsLeft = (0..<dice.pick([2, 4, 12])).map { _ in 12 }
    for reader in actsLeft.indices { ready.append(.act(reader: reader)) }
    if bug == nil, dice.chance(10) { timers.append((Int64(dice.below(300)), .close(instance: 0))) }
  }

  /// Runs to the end, or to the first violation.
  mutating func run() {
    while court.violationCount == 0 {
      if ready.isEmpty {
        guard let next = timers.map(\.at).min() else { break }
        if next > now { court.timeAdvances(from: Stamp(nanoseconds: now, step: step)) }
        now = next
        let due = timers.filter { $0.at == next }
        timers.removeAll { $0.at == next }
        ready = due.map(\.step)
        continue
      }
      step += 1
      let index = dice.below(ready.count)
      ready.swapAt(index, ready.count - 1)
      perform(ready.removeLast())
    }
    guard court.violationCount == 0 else { return }
    for instance in clients.indices {
      if !clients[instance].isClosed { emit(.instanceClosed(InstanceID(Int32(instance)))) }
      emit(.leftover(InstanceID(Int32(instance)), .task, count: 0))
    }
    court.finish(at: Stamp(nanoseconds: now, step: step))
  }

  mutating func emit(_ event: Event) {
    if keepsHistory { history.append((Stamp(nanoseconds: now, step: step), event)) }
    court.observe(event, at: Stamp(nanoseconds: now, step: step))
  }

  /// Does something in this step or in a later one of this instant.
  mutating func soon(_ next: Step) {
    if dice.chance(50) { perform(next) } else { ready.append(next) }
  }

  mutating func perform(_ next: Step) {
    switch next {
    case .act(let reader): act(reader)
    case .register(let call): register(call)
    case .start(let flight): start(flight)
    case .authorize(let flight): authorize(flight)
    case .send(let flight): send(flight)
    case .land(let flight, let landing): land(flight, landing)
    case .resume(let call, let outcome): resume(call, outcome)
    case .leave(let call): leave(call)
    case .dropCache(let call): dropCache(call)
    case .arrive(let flight): arrive(flight)
    case .expire(let flight): expire(flight)
    case .abort(let flight, let landing): abort(flight, landing)
    case .close(let instance): close(instance)
    }
  }
}

// MARK: - Readers

extension ReferenceRun {
  mutating func act(_ reader: Int) {
    guard actsLeft[reader] > 0 else { return }
    actsLeft[reader] -= 1
    // A reader may first cancel somebody's call: its own is not open now, so this stands for that reader's doing.
    if dice.chance(25) {
      let open = calls.indices.filter {
        calls[$0].isOpen && calls[$0].operation != .invalidate && !calls[$0].isCancelled
      }
      if !open.isEmpty {
        let call = dice.pick(open)
        calls[call].isCancelled = true
        emit(.callCancelled(CallID(UInt64(call))))
        soon(.leave(call: call))
      }
    }
    let instance = dice.below(clients.count)
    let cacheKey = Int32(dice.pick([0, 0, 0, 1, 2]))
    let key = RequestKey(request: cacheKey * 10 + Int32(dice.pick([0, 0, 1])), cacheKey: cacheKey)
    let operation: Operation = dice.chance(10) ? .invalidate : dice.chance(70) ? .evaluate : .evaluateOrThrow
    calls.append(Call(reader: reader, instance: instance, operation: operation, key: key, began: now))
    let call = calls.count - 1
    emit(
      .callBegan(
        CallID(UInt64(call)), ReaderID(Int32(reader)), InstanceID(Int32(instance)), operation,
        operation == .invalidate ? nil : key))
    soon(operation == .invalidate ? .dropCache(call: call) : .register(call: call))
  }

  mutating func resume(_ call: Int, _ outcome: CallOutcome) {
    guard calls[call].isOpen else { return }
    if bug == .neverReturns, dice.chance(5) { return }
    calls[call].isOpen = false
    emit(.callReturned(CallID(UInt64(call)), outcome))
    if bug == .returnsTwice, dice.chance(5) { emit(.callReturned(CallID(UInt64(call)), outcome)) }
    let pause = dice.pick([0, 0, 1, 3, 99, 100, 101, 200] as [Int64])
    if pause == 0 {
      soon(.act(reader: calls[call].reader))
    } else {
      timers.append((now + pause, .act(reader: calls[call].reader)))
    }
  }

  mutating func answer(_ call: Int, _ outcome: CallOutcome) {
    guard !calls[call].isResuming else { return }
    calls[call].isWaiting = false
    calls[call].isResuming = true
    soon(.resume(call: call, outcome))
  }
}
