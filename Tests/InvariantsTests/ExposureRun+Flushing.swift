import Events
import Invariants

// MARK: - Flushing

extension ExposureRun {
  mutating func enter(_ call: Int) {
    let instance = calls[call].instance
    if clients[instance].isClosed || calls[call].isCancelled {
      ready.append(.leave(call: call))
    } else if clients[instance].isFlushing, bug != .flushesAtOnce {
      clients[instance].queue.append(call)
    } else {
      start(call)
    }
  }

  mutating func start(_ call: Int) {
    let instance = calls[call].instance
    clients[instance].isFlushing = true
    clients[instance].due = clients[instance].waiting.count
    if bug == .sendsEmptyBatches, clients[instance].due == 0 {
      fly(call, [])
    } else {
      ready.append(.next(call: call))
    }
  }

  mutating func next(_ call: Int) {
    let instance = calls[call].instance
    guard !calls[call].isCancelled, !mustWait(instance), clients[instance].due > 0,
      !clients[instance].isClosed
    else {
      finish(call)
      return
    }
    let limit = facts.batchLimit + (bug == .overfillsBatches ? 1 : 0)
    let size = min(clients[instance].due, limit)
    var batch = Array(clients[instance].waiting.prefix(size))
    if bug == .sendsNewestFirst { batch.reverse() }
    clients[instance].waiting.removeFirst(size)
    clients[instance].due -= size
    fly(call, batch)
  }

  func mustWait(_ instance: Int) -> Bool {
    bug != .ignoresRetryAfter && clients[instance].retryAt > now
  }

  mutating func fly(_ call: Int, _ batch: [UInt64]) {
    let instance = calls[call].instance
    let flight = flights.count
    flights.append(
      Flight(instance: instance, call: call, batch: batch, deadline: now + facts.requestTimeout))
    calls[call].flight = flight
    timers.append((flights[flight].deadline, .expire(flight: flight)))
    guard asksForTokens else {
      ready.append(.send(flight: flight))
      return
    }
    if bug == .keepsToken, let token = clients[instance].lastToken {
      flights[flight].token = token
      ready.append(.send(flight: flight))
      return
    }
    flights[flight].stage = .asking
    if bug == .asksTwice {
      let twin = RequestID(UInt64(1_000_000 + flight))
      emit(.flightBegan(twin, InstanceID(Int32(instance)), .telemetry, nil))
      emit(.authorized(twin, token: tokens))
    }
    emit(.flightBegan(RequestID(UInt64(flight)), InstanceID(Int32(instance)), .telemetry, nil))
    after(latency(), .authorize(flight: flight))
  }

  mutating func authorize(_ flight: Int) {
    guard flights[flight].stage == .asking, !flights[flight].isAborted else { return }
    let id = RequestID(UInt64(flight))
    if dice.chance(10) {
      emit(.authorized(id, token: nil))
      flights[flight].stage = .done
      ready.append(.land(flight: flight, isGood: false))
      return
    }
    tokens += 1
    flights[flight].token = tokens
    flights[flight].stage = .ready
    clients[flights[flight].instance].lastToken = tokens
    emit(.authorized(id, token: tokens))
    ready.append(.send(flight: flight))
  }

  mutating func send(_ flight: Int) {
    guard !flights[flight].isOver else { return }
    let instance = flights[flight].instance
    if mustWait(instance) {
      // Looked at once more after the authorization: the batch takes its old place again.
      flights[flight].isOver = true
      putBack(flight)
      finish(flights[flight].call)
      return
    }
    let id = RequestID(UInt64(flight))
    flights[flight].stage = .sent
    emit(.requestStarted(id, InstanceID(Int32(instance)), .telemetry, nil))
    if asksForTokens { emit(.tokenSent(id, token: flights[flight].token)) }
    emit(.batchSent(id, flights[flight].batch))
    if dice.chance(90) { emit(.requestArrived(id)) }
    after(latency(), .answer(flight: flight))
  }

  mutating func answer(_ flight: Int) {
    let id = RequestID(UInt64(flight))
    let isStubborn = dice.chance(20)
    flights[flight].stage = .done
    if flights[flight].isAborted, !isStubborn {
      emit(.requestCompleted(id, .cancelled))
      return
    }
    let serial = Serial(UInt64(flight) + 1)
    let isGood = dice.chance(70)
    if isGood {
      emit(.requestCompleted(id, .answered(status: 202, serial: serial)))
      if bug == .countsLateAnswers, flights[flight].isOver {
        clients[flights[flight].instance].failed -= flights[flight].batch.count
      }
    } else {
      fail(id, serial, flight)
    }
    ready.append(.land(flight: flight, isGood: isGood))
  }

  mutating func fail(_ id: RequestID, _ serial: Serial, _ flight: Int) {
    switch dice.below(4) {
    case 0: emit(.requestCompleted(id, .lost))
    case 1: emit(.requestCompleted(id, .answered(status: 202, serial: nil)))
    case 2: emit(.requestCompleted(id, .answered(status: 503, serial: nil)))
    default:
      let patience: Int64 = dice.pick([1, 10, 40])
      emit(.patienceAsked(id, nanoseconds: patience))
      emit(.requestCompleted(id, .answered(status: 429, serial: nil)))
      flights[flight].patience = patience
    }
  }
}

// MARK: - How flights end

extension ExposureRun {
  mutating func land(_ flight: Int, _ isGood: Bool) {
    guard !flights[flight].isOver else { return }
    flights[flight].isOver = true
    let instance = flights[flight].instance
    if let patience = flights[flight].patience {
      clients[instance].retryAt = max(clients[instance].retryAt, now + patience)
    }
    let wasSent = flights[flight].batch.isEmpty || flights[flight].stage == .done && wasHandedOver(flight)
    if !isGood { settle(flight, wasSent: wasSent) }
    if !isGood, bug == .stopsAtFailure {
      finish(flights[flight].call)
    } else {
      ready.append(.next(call: flights[flight].call))
    }
  }

  /// Whether the transport got the request: it had a token or needed none.
  func wasHandedOver(_ flight: Int) -> Bool { !asksForTokens || flights[flight].token != nil }

  /// Counts a batch that was not acknowledged.
  mutating func settle(_ flight: Int, wasSent: Bool) {
    let instance = flights[flight].instance
    let count = flights[flight].batch.count
    if !wasSent {
      clients[instance].dropped += count
    } else if bug == .triesAgain {
      putBack(flight)
    } else if bug != .forgetsFailures {
      clients[instance].failed += count
    }
  }

  mutating func putBack(_ flight: Int) {
    let instance = flights[flight].instance
    if clients[instance].isClosed {
      clients[instance].dropped += flights[flight].batch.count
    } else {
      clients[instance].waiting.insert(contentsOf: flights[flight].batch, at: 0)
      trim(instance)
    }
  }

  /// Ends a flight at its deadline, for a cancelled caller or at the close, and goes on with its flush.
  mutating func giveUp(_ flight: Int, mayRetry: Bool) {
    flights[flight].isOver = true
    let id = RequestID(UInt64(flight))
    let stage = flights[flight].stage
    if stage == .asking || stage == .sent {
      flights[flight].isAborted = true
      emit(.requestCancelled(id))
      if stage == .asking { emit(.requestCompleted(id, .cancelled)) }
    }
    let wasSent = stage == .sent || stage == .done && wasHandedOver(flight)
    if mayRetry, !wasSent { putBack(flight) } else { settle(flight, wasSent: wasSent) }
    ready.append(.next(call: flights[flight].call))
  }

  mutating func heed(_ call: Int) {
    let instance = calls[call].instance
    if let place = clients[instance].queue.firstIndex(of: call) {
      clients[instance].queue.remove(at: place)
      ready.append(.leave(call: call))
    } else if let flight = calls[call].flight, !flights[flight].isOver {
      giveUp(flight, mayRetry: true)
    }
  }

  /// Ends a flush and lets the next one in the queue begin.
  mutating func finish(_ call: Int) {
    let instance = calls[call].instance
    if bug == .losesWhatComesMeanwhile, clients[instance].due == 0 { clients[instance].waiting = [] }
    clients[instance].isFlushing = false
    clients[instance].due = 0
    ready.append(.leave(call: call))
    guard !clients[instance].queue.isEmpty, !clients[instance].isClosed else { return }
    start(clients[instance].queue.removeFirst())
  }

  mutating func close(_ instance: Int) {
    emit(.instanceClosed(InstanceID(Int32(instance))))
    clients[instance].isClosed = true
    if bug != .forgetsDrops { clients[instance].dropped += clients[instance].waiting.count }
    clients[instance].waiting = []
    clients[instance].due = 0
    for call in clients[instance].queue { ready.append(.leave(call: call)) }
    clients[instance].queue = []
    for flight in flights.indices where flights[flight].instance == instance && !flights[flight].isOver {
      giveUp(flight, mayRetry: false)
    }
  }

  /// The history as text, for a failing test.
  var text: String {
    history.map { "  \($0.stamp.nanoseconds) #\($0.stamp.step) \($0.event)" }.joined(separator: "\n")
  }
}
