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
    case land(flight: Int, Landing)
    case resume(call: Int, CallOutcome)
    case leave(call: Int)
    case dropCache(call: Int)
    case arrive(flight: Int)
    case expire(flight: Int)
    case abort(flight: Int, Landing)
    case close(instance: Int)
  }

  enum Landing { case good(keys: Int), failed(FailureKind, status: Int) }

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
    var isStarted = false
    var isDone = false
    var isAborted = false
  }

  struct Entry {
    var serial: Serial
    var keys: Int
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
  let keepsHistory: Bool
  /// The outcomes of finished flights that a bug still lets callers join.
  var landings: [Int: Landing] = [:]

  init(seed: UInt64, bug: Bug? = nil, keepsHistory: Bool = false) {
    dice = Dice(seed)
    self.bug = bug
    self.keepsHistory = keepsHistory
    timeout = dice.pick([7, 30, 100, 150])
    capacity = dice.pick([1, 2, 128, 128])
    let isComplete = dice.chance(70)
    let isPatient = dice.chance(20)
    facts = RunFacts(
      cacheTTL: ttl, requestTimeout: timeout, answersNameEveryKey: bug != nil || isComplete,
      sendsRetryAfter: bug == nil && isPatient)
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

// MARK: - The client

extension ReferenceRun {
  func entry(_ instance: Int, _ key: RequestKey) -> Entry? {
    let holder = bug == .sharesCacheOfInstances ? 0 : instance
    return clients[holder].entries.first { $0.cacheKey == key.cacheKey }?.entry
  }

  /// Two keys were asked for; the second may be missing from an answer, and both.
  func answers(_ keys: Int, _ origin: Origin, _ serial: Serial) -> CallOutcome {
    .answered(
      (0..<2).map {
        KeyAnswer(key: $0, origin: Int($0) < keys ? origin : .default, serial: Int($0) < keys ? serial : nil)
      }
    )
  }

  mutating func register(_ call: Int) {
    let record = calls[call]
    guard !record.isResuming else { return }
    if clients[record.instance].isClosed { return answer(call, degraded(call)) }
    if record.isCancelled { return answer(call, heldOrCancelled(call)) }
    if let entry = entry(record.instance, record.key) {
      let age = now - entry.receipt
      if bug == .ttlIncludesEnd ? age <= ttl : age < ttl {
        return answer(call, answers(entry.keys, .fresh, entry.serial))
      }
      if bug == .staleWithoutRequest, dice.chance(20) { return answer(call, degraded(call)) }
    }
    if now < clients[record.instance].retryAt {
      return answer(
        call, record.operation == .evaluate ? degraded(call) : .failed(.rateLimited, status: 0))
    }
    let name = bug == .keyedWithoutStore ? record.key.cacheKey * 10 : record.key.request
    calls[call].isWaiting = true
    if let flight = clients[record.instance].joinable[name], bug != .noSingleFlight || dice.chance(70) {
      if flights[flight].isOver { return join(finished: flight, call) }
      flights[flight].waiters.append(call)
      calls[call].flight = flight
      return
    }
    fly(call, name)
    if bug == .twoLeaders, dice.chance(20) { clients[record.instance].joinable[name] = nil }
    if bug == .prefetches, dice.chance(10) { fly(nil, name, like: record) }
  }

  mutating func fly(_ call: Int?, _ name: Int32, like other: Call? = nil) {
    guard let record = call.map({ calls[$0] }) ?? other else { return }
    let key = other == nil ? record.key : RequestKey(request: 55, cacheKey: 5)
    flights.append(
      Flight(
        instance: record.instance, key: key, epoch: clients[record.instance].epoch,
        waiters: call.map { [$0] } ?? []))
    let flight = flights.count - 1
    if let call {
      clients[record.instance].joinable[name] = flight
      calls[call].flight = flight
    }
    timers.append((now + timeout, .expire(flight: flight)))
    soon(.start(flight: flight))
  }

  /// The bug of a flight whose entry outlives its publication.
  mutating func join(finished flight: Int, _ call: Int) {
    if let landing = landings[flight] { answer(call, outcome(of: flight, landing, for: call)) }
  }

  mutating func land(_ flight: Int, _ landing: Landing) {
    guard !flights[flight].isOver else {
      if bug == .givesLateAnswer, case .good(let keys) = landing { fill(flight, keys) }
      return
    }
    flights[flight].isOver = true
    let record = flights[flight]
    if bug == .finishedTakesWaiter, case .failed = landing {
      landings[flight] = landing
    } else {
      clients[record.instance].joinable = clients[record.instance].joinable.filter { $0.value != flight }
    }
    if case .good(let keys) = landing,
      record.epoch == clients[record.instance].epoch || bug == .fillsAfterInvalidation
    {
      fill(flight, keys)
    }
    if !record.isDone, record.isStarted, !record.isAborted {
      flights[flight].isAborted = true
      emit(.requestCancelled(RequestID(UInt64(flight))))
    }
    for call in record.waiters where calls[call].isWaiting {
      if bug == .lostWakeUp, dice.chance(5) { continue }
      answer(call, outcome(of: flight, landing, for: call))
    }
  }

  mutating func fill(_ flight: Int, _ keys: Int) {
    let record = flights[flight]
    let holder = bug == .sharesCacheOfInstances ? 0 : record.instance
    if let old = entry(record.instance, record.key), old.flight > flight { return }
    clients[holder].entries.removeAll { $0.cacheKey == record.key.cacheKey }
    clients[holder].entries.append(
      (record.key.cacheKey, Entry(serial: serial(flight), keys: keys, receipt: now, flight: flight)))
    if clients[holder].entries.count > capacity { clients[holder].entries.removeFirst() }
  }

  func serial(_ flight: Int) -> Serial { Serial(UInt64(flight) + 1) }

  mutating func outcome(of flight: Int, _ landing: Landing, for call: Int) -> CallOutcome {
    switch landing {
    case .good(let keys):
      if bug == .degradesGoodAnswer, dice.chance(10) { return .answered([]) }
      return answers(keys, .flight, serial(flight))
    case .failed(let kind, let status):
      if calls[call].operation == .evaluate { return degraded(call) }
      if bug == .wrongError, dice.chance(20) { return .failed(.forbidden, status: 0) }
      return .failed(kind, status: status)
    }
  }

  mutating func degraded(_ call: Int) -> CallOutcome {
    let record = calls[call]
    guard let entry = entry(record.instance, record.key) else { return answers(0, .default, Serial(0)) }
    let isYoung = now - entry.receipt < ttl
    return answers(
      entry.keys, isYoung && record.began > entry.receipt ? .fresh : .stale, entry.serial
    )
  }

  mutating func heldOrCancelled(_ call: Int) -> CallOutcome {
    calls[call].operation == .evaluate ? degraded(call) : .cancelled
  }

  mutating func leave(_ call: Int) {
    let record = calls[call]
    guard record.isOpen, !record.isResuming, record.isWaiting, let flight = record.flight else { return }
    answer(call, heldOrCancelled(call))
    flights[flight].waiters.removeAll { $0 == call }
    if bug == .firstCancelEndsAll, !flights[flight].isOver {
      land(flight, .failed(.transport, status: 0))
    }
    guard flights[flight].waiters.allSatisfy({ !calls[$0].isWaiting }), !flights[flight].isOver else {
      return
    }
    if bug == .keepsOrphan { return }
    flights[flight].isOver = true
    clients[record.instance].joinable = clients[record.instance].joinable.filter { $0.value != flight }
    if flights[flight].isStarted, !flights[flight].isDone, !flights[flight].isAborted {
      flights[flight].isAborted = true
      emit(.requestCancelled(RequestID(UInt64(flight))))
    }
  }

  mutating func dropCache(_ call: Int) {
    let instance = calls[call].instance
    clients[instance].epoch += 1
    clients[instance].entries = []
    clients[instance].joinable = [:]
    answer(call, .finished)
  }

  mutating func close(_ instance: Int) {
    emit(.instanceClosed(InstanceID(Int32(instance))))
    clients[instance].isClosed = true
    for flight in flights.indices where flights[flight].instance == instance && !flights[flight].isOver {
      land(flight, .failed(.transport, status: 0))
    }
  }
}
