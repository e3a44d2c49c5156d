import Events
import Invariants

// The flights of a `FlagsReferenceRun`'s client, and the network and service that they meet.

extension FlagsReferenceRun {
  mutating func fetch(_ device: Int, _ epoch: Int) {
    guard devices[device].isRunning, devices[device].epoch == epoch, !devices[device].isLoading else {
      return
    }
    if devices[device].flight == nil || bug == .twoFlights { fly(device, [], isBackground: true) }
  }

  mutating func fly(_ device: Int, _ waiters: [Int], isBackground: Bool, asks query: FlagsQuery? = nil) {
    guard now >= devices[device].retryAt else {
      for call in waiters { answer(call, .failed(.rateLimited, status: 0)) }
      devices[device].flight = nil
      return
    }
    requests.append(
      Request(
        device: device, process: devices[device].process, epoch: devices[device].epoch,
        query: query ?? self.query(of: device), waiters: waiters, isBackground: isBackground,
        isFollowUp: query != nil))
    devices[device].flight = requests.count - 1
    soon(.begin(request: requests.count - 1))
  }

  private mutating func query(of device: Int) -> FlagsQuery {
    let client = devices[device]
    var subject = client.subject
    if bug == .oldCredential, dice.chance(20) { subject = .user(7) }
    if client.isBase, var since = client.record.version, !dice.chance(10) {
      if bug == .wrongBase, dice.chance(20) { since -= 1 }
      return FlagsQuery(subject: subject, context: client.context, since: since)
    }
    return FlagsQuery(subject: subject, context: client.context, etag: client.record.etag)
  }

  // MARK: Network and service

  mutating func begin(_ request: Int) {
    guard !requests[request].isConcluded else { return }
    let record = requests[request]
    requests[request].isStarted = true
    let id = RequestID(UInt64(request))
    emit(
      .requestStarted(id, place(record.device), record.query.since == nil ? .snapshot : .delta, nil))
    emit(.queried(id, record.query))
    after(timeout, .expire(request: request))
    let delays: [Int64] = [0, 0, 1, 3, timeout / 2, timeout - 1, timeout, timeout + 1]
    let latency = dice.pick(delays)
    after(latency / 2, .arrive(request: request))
    after(latency, .deliver(request: request))
    guard isRough else { return }
    requests[request].isLost = dice.chance(5)
    if dice.chance(6) { requests[request].damage = .unusable }
    if dice.chance(8) { requests[request].damage = .undecodable([Int32(dice.below(6))]) }
  }

  mutating func arrive(_ request: Int) {
    let record = requests[request]
    let id = RequestID(UInt64(request))
    emit(.requestArrived(id))
    let isLagging = dice.chance(15)
    let version = max(1, project.version - Int64(isLagging ? dice.below(3) : 0))
    var served = project.answer(
      record.query, for: record.query.subject ?? .user(0), in: record.query.context ?? 0, at: version,
      isGone: dice.chance(12), rotation: dice.chance(10) ? 1 : 0)
    var status = 200
    switch served.kind {
    case .notModified: status = 304
    case .gone: status = 410
    default: break
    }
    let isRefused = isRough && dice.chance(12)
    let isUnasked = isRough && dice.chance(4)
    if isRefused || isUnasked {
      status = isUnasked ? 304 : dice.pick([401, 403, 429, 500, 503])
      served = ServedFlags(
        subject: served.subject, kind: isUnasked ? .notModified : .refused, version: served.version,
        etag: nil, whole: served.whole)
      // Unasked means that there is no condition that it could answer.
      if isUnasked, record.query.etag != nil || record.query.since != nil { status = 500 }
    }
    if status == 429, dice.chance(50) { requests[request].patience = dice.pick([1, 10]) }
    requests[request].served = served
    requests[request].status = status
    emit(.served(id, served))
    emit(.answerProduced(id, Serial(UInt64(request) + 1), status: status))
  }

  mutating func deliver(_ request: Int) {
    guard !requests[request].isCompleted else { return }
    // The service comes first, also where neither takes time.
    if requests[request].served == nil { return ready.append(.deliver(request: request)) }
    // A transport may ignore a cancellation, and the answer comes all the same.
    requests[request].isCompleted = true
    let record = requests[request]
    let id = RequestID(UInt64(request))
    touched.insert(record.device)
    if record.isLost {
      emit(.requestCompleted(id, .lost))
    } else {
      if record.damage != .none { emit(.damaged(id, record.damage)) }
      if let patience = record.patience { emit(.patienceAsked(id, nanoseconds: patience)) }
      emit(.requestCompleted(id, .answered(status: record.status, serial: Serial(UInt64(request) + 1))))
    }
    soon(.apply(request: request))
  }

  mutating func expire(_ request: Int) {
    guard !requests[request].isConcluded, isCurrent(requests[request].device, requests[request].process)
    else { return }
    if bug != .appliesLate { requests[request].isConcluded = true }
    abandon(request)
    fail(request, .failed(.transport, status: 0))
  }

  /// Asks the transport to cancel a request, if it is out.
  mutating func abandon(_ request: Int) {
    let record = requests[request]
    guard record.isStarted, !record.isCompleted, !record.isCancelled,
      isCurrent(record.device, record.process)
    else { return }
    requests[request].isCancelled = true
    touched.insert(record.device)
    emit(.requestCancelled(RequestID(UInt64(request))))
    if dice.chance(50), bug != .appliesLate, bug != .appliesOldReaders {
      requests[request].isCompleted = true
      emit(.requestCompleted(RequestID(UInt64(request)), .cancelled))
    }
  }

  // MARK: Conclusions

  mutating func apply(_ request: Int) {
    let record = requests[request]
    guard !record.isConcluded, isCurrent(record.device, record.process) else { return }
    if record.epoch != devices[record.device].epoch, bug != .appliesOldReaders { return }
    requests[request].isConcluded = true
    if let patience = record.patience, !record.isLost { devices[record.device].retryAt = now + patience }
    conclude(request, record)
  }

  private mutating func conclude(_ request: Int, _ record: Request) {
    let device = record.device
    let held = devices[device].record
    guard !record.isLost, let served = record.served else {
      return fail(request, .failed(.transport, status: 0))
    }
    switch (record.status, served.kind) {
    case (200, _) where record.damage == .unusable:
      fail(request, .failed(.transport, status: 0))
    case (200, .snapshot(let values)):
      guard served.version >= held.version ?? 0 || bug == .appliesOlder else {
        return endOlder(request, served)
      }
      applySnapshot(request, values, served)
    case (200, .delta(let since, let changed, let deleted)):
      guard since == held.version else { return fail(request, .failed(.server, status: 200)) }
      applyDelta(request, changed, deleted, served)
    case (304, _): concludeUnchanged(request, served)
    case (410, _):
      if bug != .ignoresGone { devices[device].isBase = false }
      guard record.query.since != nil, !record.isFollowUp else {
        return fail(request, .failed(.server, status: 410))
      }
      follow(request, etag: held.etag)
    default: fail(request, failure(record.status))
    }
  }

  private mutating func failure(_ status: Int) -> CallOutcome {
    if bug == .wrongError, dice.chance(30) { return .failed(.closed, status: 0) }
    switch status {
    case 401: return .failed(.unauthorized, status: 0)
    case 403: return .failed(.forbidden, status: 0)
    case 429: return .failed(.rateLimited, status: 0)
    default: return .failed(.server, status: status)
    }
  }

  private mutating func applySnapshot(_ request: Int, _ values: [FlagValue], _ served: ServedFlags) {
    let device = requests[request].device
    let held = devices[device].record
    var next = Record(version: served.version, etag: served.etag)
    if bug == .mergesSnapshots { next.values = held.values }
    for value in values { next.values[value.flag] = value }
    if case .undecodable(let flags) = requests[request].damage {
      for flag in flags where values.contains(where: { $0.flag == flag }) {
        next.values[flag] = held.values[flag]
        next.etag = nil
      }
    }
    if bug == .emptyWindow {
      devices[device].record = Record()
      ready.append(.act(device: device))
      devices[device].actsLeft += 1
      act(device)
      guard isCurrent(device, requests[request].process), requests[request].epoch == devices[device].epoch
      else { return }
    }
    devices[device].isBase = true
    if bug != .ignoresAnswers || !dice.chance(10) { replace(device, next) }
    succeed(request)
  }

  private mutating func applyDelta(
    _ request: Int, _ changed: [FlagValue], _ deleted: [Int32], _ served: ServedFlags
  ) {
    let device = requests[request].device
    var next = devices[device].record
    next.version = served.version
    if bug != .etagAfterDelta { next.etag = nil }
    var skipped: [Int32] = []
    if case .undecodable(let flags) = requests[request].damage { skipped = flags }
    for value in bug == .halfDelta ? Array(changed.dropLast()) : changed where !skipped.contains(value.flag) {
      next.values[value.flag] = value
    }
    if bug != .keepsDeleted { for flag in deleted { next.values[flag] = nil } }
    replace(device, next)
    succeed(request)
  }

  private mutating func concludeUnchanged(_ request: Int, _ served: ServedFlags) {
    let device = requests[request].device
    let held = devices[device].record
    if requests[request].query.since != nil { return succeed(request) }
    guard let etag = requests[request].query.etag, etag == held.etag else {
      if requests[request].isFollowUp { return fail(request, .failed(.server, status: 304)) }
      return follow(request, etag: nil)
    }
    guard served.version >= held.version ?? 0 else { return endOlder(request, served) }
    var next = held
    next.version = served.version
    if bug == .emptiesOnUnchanged { next.values = [:] }
    devices[device].isBase = true
    replace(device, next)
    succeed(request)
  }

  private mutating func follow(_ request: Int, etag: UInt64?) {
    let record = requests[request]
    let device = record.device
    let query =
      bug == .ignoresGone
      ? self.query(of: device)
      : FlagsQuery(subject: devices[device].subject, context: devices[device].context, etag: etag)
    fly(device, record.waiters, isBackground: record.isBackground, asks: query)
  }

  private mutating func succeed(_ request: Int) { end(request, .finished) }

  private mutating func endOlder(_ request: Int, _ served: ServedFlags) {
    let device = requests[request].device
    if bug == .takesOlderValues, case .snapshot(let values) = served.kind {
      var next = devices[device].record
      for value in values { next.values[value.flag] = value }
      replace(device, next)
    }
    if dice.chance(30) { return end(request, .failed(.server, status: 200)) }
    if dice.chance(30) { return end(request, .finished) }
    // Whoever waits may wait for the next answer.
    devices[device].flight = nil
    fly(device, requests[request].waiters, isBackground: true)
  }

  private mutating func fail(_ request: Int, _ outcome: CallOutcome) {
    let device = requests[request].device
    if bug == .clearsOnFailure { devices[device].record.values = [:] }
    end(request, outcome)
  }

  private mutating func end(_ request: Int, _ outcome: CallOutcome) {
    let record = requests[request]
    if devices[record.device].flight == request { devices[record.device].flight = nil }
    for call in record.waiters { answer(call, outcome) }
    if record.isBackground || outcome != .finished {
      after(dice.pick([0, 2, 9]), .fetch(device: record.device, epoch: devices[record.device].epoch))
    }
    // Not without end.
    if devices[record.device].actsLeft == 0 {
      timers.removeAll { if case .fetch = $0.step { true } else { false } }
    }
  }
}
