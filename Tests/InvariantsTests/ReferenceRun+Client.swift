import Events
import Invariants

// The client of a `ReferenceRun`.

extension ReferenceRun {
  func entry(_ instance: Int, _ key: RequestKey) -> Entry? {
    let holder = bug == .sharesCacheOfInstances ? 0 : instance
    return clients[holder].entries.first { $0.cacheKey == key.cacheKey }?.entry
  }

  /// The answers of the two keys of a call: values as of the given origin, kept ones as stale, and defaults.
  func answers(_ values: [Value?], _ origin: Origin) -> CallOutcome {
    .answered(
      values.enumerated().map { key, value in
        KeyAnswer(
          key: Int32(key), origin: value.map { $0.isKept ? .stale : origin } ?? .default,
          serial: value?.serial)
      })
  }

  mutating func register(_ call: Int) {
    let record = calls[call]
    guard !record.isResuming else { return }
    if clients[record.instance].isClosed { return answer(call, degraded(call)) }
    if record.isCancelled { return answer(call, heldOrCancelled(call)) }
    if let entry = entry(record.instance, record.key) {
      let age = now - entry.receipt
      if bug == .ttlIncludesEnd ? age <= ttl : age < ttl {
        return answer(call, answers(entry.values, .fresh))
      }
      if bug == .staleWithoutRequest, dice.chance(20) { return answer(call, degraded(call)) }
    }
    if now < clients[record.instance].retryAt, bug != .asksDuringRetryAfter {
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
    if let landing = landings[flight] { answer(call, outcome(of: landing, [], for: call)) }
  }

  mutating func land(_ flight: Int, _ landing: Landing) {
    guard !flights[flight].isOver else {
      if bug == .givesLateAnswer, case .good(let content) = landing { fill(flight, values(flight, content)) }
      return
    }
    flights[flight].isOver = true
    let record = flights[flight]
    if bug == .finishedTakesWaiter, case .failed = landing {
      landings[flight] = landing
    } else {
      clients[record.instance].joinable = clients[record.instance].joinable.filter { $0.value != flight }
    }
    var given: [Value?] = []
    switch landing {
    case .good(let content):
      given = values(flight, content)
      if record.epoch == clients[record.instance].epoch || bug == .fillsAfterInvalidation {
        fill(flight, given)
      }
    case .failed(_, _, let patience):
      let end = now + (patience ?? 0)
      clients[record.instance].retryAt = max(clients[record.instance].retryAt, end)
    }
    if !record.isDone, record.isStarted, !record.isAborted {
      flights[flight].isAborted = true
      emit(.requestCancelled(RequestID(UInt64(flight))))
    }
    for call in record.waiters where calls[call].isWaiting {
      if bug == .lostWakeUp, dice.chance(5) { continue }
      answer(call, outcome(of: landing, given, for: call))
    }
  }

  /// What an answer gives for each key; one that it garbles keeps what is held, unless that was dropped meanwhile.
  func values(_ flight: Int, _ content: Content) -> [Value?] {
    let record = flights[flight]
    let isCurrent = record.epoch == clients[record.instance].epoch
    let held = isCurrent ? entry(record.instance, record.key)?.values : nil
    return (0..<2 as Range<Int32>).map { key in
      if content.omitted.contains(key) { return nil }
      guard content.undecodable.contains(key) else { return Value(serial: serial(flight)) }
      return held?[Int(key)].map { Value(serial: $0.serial, isKept: true) }
    }
  }

  mutating func fill(_ flight: Int, _ values: [Value?]) {
    let record = flights[flight]
    let holder = bug == .sharesCacheOfInstances ? 0 : record.instance
    if let old = entry(record.instance, record.key), old.flight > flight { return }
    clients[holder].entries.removeAll { $0.cacheKey == record.key.cacheKey }
    clients[holder].entries.append(
      (record.key.cacheKey, Entry(values: values, receipt: now, flight: flight)))
    if clients[holder].entries.count > capacity { clients[holder].entries.removeFirst() }
  }

  func serial(_ flight: Int) -> Serial { Serial(UInt64(flight) + 1) }

  mutating func outcome(of landing: Landing, _ given: [Value?], for call: Int) -> CallOutcome {
    switch landing {
    case .good:
      if bug == .degradesGoodAnswer, dice.chance(10) { return .answered([]) }
      return answers(given, .flight)
    case .failed(let kind, let status, _):
      if calls[call].operation == .evaluate { return degraded(call) }
      if bug == .wrongError, dice.chance(20) { return .failed(.forbidden, status: 0) }
      return .failed(kind, status: status)
    }
  }

  func degraded(_ call: Int) -> CallOutcome {
    let record = calls[call]
    guard let entry = entry(record.instance, record.key), bug != .forgetsHeld else {
      return answers([nil, nil], .default)
    }
    let isYoung = now - entry.receipt < ttl
    return answers(entry.values, isYoung && record.began > entry.receipt ? .fresh : .stale)
  }

  func heldOrCancelled(_ call: Int) -> CallOutcome {
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
