import Events

/// What a run looks like from outside the client: the one model that all judges read.
///
/// **Idea.** A judge may use nothing but calls, returns and what crossed the transport. The shadow turns these into
/// the questions that judges ask: which requests may a call have waited for; whose outcome was it given; may an
/// answer younger than the TTL have been held when it began; which invalidations lie before it.
///
/// **Certain and possible.** A client works in several steps of one instant, so most questions have no sharp answer
/// from outside: a call that begins between a request's completion and the publication of its answer may join the
/// flight or find the cache filled. The shadow therefore knows for each call all requests that it *may* wait for
/// (`RequestRecord.maySupply`), and a judge convicts only if none of them explains what it sees.
///
/// **What narrows it.** A flight's request starts in the instant in which the flight began, a flight takes waiters
/// only until its outcome is published, and a waiter's return proves the publication. So what a returned call proves
/// is remembered (`RequestRecord.published`) and later calls are judged more sharply.
///
/// **Cost.** One record per open call (48 bytes), one per request while an open call may wait for it, one per good
/// answer for ever (any of them may be claimed later), one per (instance, request) and (instance, cache key).
/// Every event is O(1), but for the few requests that a group keeps.
///
/// **Authorization.** A flight whose app is asked for a token begins with the asking, not with its request; a token
/// that is refused ends it. One that is authorized and sends nothing in that instant was kept back by a Retry-After.
///
/// **Not modelled.** Which cache entry is the least recently used: past the limit any entry may be gone.
struct Shadow: Sendable {
  let facts: RunFacts

  var calls = PagedTable<CallRecord>()
  var instances = ContiguousArray<InstanceRecord>()
  var groups = ContiguousArray<RequestGroup>()
  var entries = ContiguousArray<EntryRecord>()
  var answers = PagedTable<AnswerRecord>()
  /// The requests of all endpoints that are not over.
  var lines = PagedTable<RequestLine>()
  /// The answers that leave keys out or garble some, by serial.
  var shapes: [UInt64: AnswerShape] = [:]
  /// When open calls were cancelled by their readers, by call.
  private(set) var cancellations: [UInt64: Int64] = [:]
  /// The flight that the present event began.
  var begunFlight: RequestID?

  /// The number of the current event, from 1.
  private(set) var order: Int64 = 0
  /// The number of the current instant.
  private(set) var instant: UInt32 = 0
  /// The highest number of a call that has begun, plus one.
  private(set) var callsBegun: UInt64 = 0

  private var groupIndex: [Pair: Int32] = [:]
  private var entryIndex: [Pair: Int32] = [:]
  private var places = PagedTable<Place>()
  /// The groups that this instant has touched, in order.
  private(set) var touched: ContiguousArray<Int32> = []
  /// The requests in the order of their deadlines, which is that of their starts, and the first not passed.
  private var deadlines: ContiguousArray<Deadline> = []
  private var nextDeadline = 0

  init(facts: RunFacts) { self.facts = facts }

  /// Two numbers as a dictionary key.
  private struct Pair: Hashable, Sendable {
    let instance: Int32
    let number: Int32
  }

  /// Where a request stands.
  private struct Place: Sendable {
    let group: Int32
    let sequence: UInt32
  }

  struct Deadline: Sendable {
    let instant: Int64
    let group: Int32
  }
}

// MARK: - Reading

extension Shadow {
  /// The record of an instance.
  func instance(_ id: InstanceID) -> InstanceRecord {
    let index = Int(id.rawValue)
    return index < instances.count ? instances[index] : InstanceRecord()
  }

  /// The place of a request that is still kept: the indices of its group and of itself.
  func place(of request: RequestID) -> (group: Int, index: Int)? {
    guard let place = places[request.rawValue] else { return nil }
    let group = Int(place.group)
    guard let index = groups[group].index(of: place.sequence) else { return nil }
    return (group, index)
  }

  /// Returns whether a Retry-After may be running at an instance, so that calls degrade without a request.
  func mayBeTold(toWaitAt now: Int64, instance: InstanceRecord) -> Bool {
    instance.gates[.evaluate].mayHoldBack(at: now)
  }
}

// MARK: - Taking in events

extension Shadow {
  /// Takes in an event before the judges see it; a returned call is kept until `leave`.
  mutating func enter(_ event: Event, at now: Int64) {
    order += 1
    begunFlight = nil
    switch event {
    case .callBegan(let call, let reader, let instance, let operation, let key):
      begin(call, reader, instance, operation, key, at: now)
    case .callCancelled(let call):
      cancel(call, at: now)
    case .flightBegan(let request, let instance, let endpoint, let key):
      beginFlight(request, instance, endpoint, key, at: now)
    case .authorized(let request, let token):
      authorize(request, isGiven: token != nil, at: now)
    case .requestStarted(let request, let instance, let endpoint, let key):
      send(request, instance, endpoint, key, at: now)
    case .patienceAsked(let request, let nanoseconds):
      lines.update(request.rawValue) { $0.patience = nanoseconds }
    case .answerShaped(let serial, let omitted, let undecodable):
      shapes[serial.rawValue] = AnswerShape(omitted: omitted, undecodable: undecodable)
    case .requestCancelled(let request):
      cancel(request, at: now)
    case .requestCompleted(let request, let completion):
      complete(request, completion, at: now)
    case .instanceClosed(let instance):
      ensure(instance)
      instances[Int(instance.rawValue)].closed = order
    case .callReturned, .requestArrived, .answerProduced, .published, .leftover, .escaped, .reran:
      break
    case .tokenSent, .requestFlawed, .pageDelivered, .batchSent, .exposureRecorded, .exposuresCounted,
      .marked, .healed, .recoveryAwaited, .recovered, .stalled, .device:
      break
    }
  }

  /// Forgets a returned call after the judges have seen its return.
  ///
  /// - Parameters:
  ///   - reply: The return.
  ///   - now: When it happened.
  mutating func leave(_ reply: Reply, at now: Int64) {
    let call = reply.call
    calls.remove(reply.id.rawValue)
    if call.isCancelled { cancellations[reply.id.rawValue] = nil }
    if call.operation == .invalidate {
      let index = Int(call.instance.rawValue)
      instances[index].openInvalidations -= 1
      if instances[index].lastInvalidated < now { instances[index].earlierFence = instances[index].fence }
      instances[index].lastInvalidated = now
      instances[index].fence = max(instances[index].fence, call.order)
      instances[index].fenceEnd = order
    }
    guard call.group >= 0 else { return }
    let group = Int(call.group)
    if let source = reply.source {
      if reply.provesPublication {
        groups[group].requests[source.index].published = min(
          groups[group].requests[source.index].published, order)
      }
      if reply.overlapped { groups[group].requests[source.index].isClaimed = true }
    }
    let isUnsettled = call.instant == instant
    if call.isLive { groups[group].dropLive(call, isUnsettled: isUnsettled, at: now) }
    groups[group].dropOpen(call, isUnsettled: isUnsettled)
    touch(group)
  }

  private mutating func begin(
    _ id: CallID, _ reader: ReaderID, _ instance: InstanceID, _ operation: Operation, _ key: RequestKey?,
    at now: Int64
  ) {
    callsBegun = max(callsBegun, id.rawValue + 1)
    ensure(instance)
    let fence = instances[Int(instance.rawValue)].fence
    var group = -1
    if operation == .invalidate {
      instances[Int(instance.rawValue)].openInvalidations += 1
      instances[Int(instance.rawValue)].lastInvalidationBegan = now
    } else if let key {
      group = self.group(instance, key)
    }
    var call = CallRecord(
      began: now, order: order, fence: fence, instant: instant, group: Int32(group), reader: reader,
      instance: instance, operation: operation)
    if group >= 0 {
      let entry = entries[Int(groups[group].entry)]
      call.mayHaveFoundFresh = entry.latestStart >= fence && entry.lastReceived > now - facts.cacheTTL
      let record = instances[Int(instance.rawValue)]
      if call.mayHaveFoundFresh, let held = holding(Int(groups[group].entry), of: record, at: now).certain {
        call.mustFindFresh = now - held.received < facts.cacheTTL
      }
      call.mustBeHeldBack = record.gates[.evaluate].end(at: now) > now
      groups[group].begin(&call)
      groups[group].latestCaller = reader
      instances[Int(instance.rawValue)].latestCaller = reader
      touch(group)
    }
    calls.insert(call, under: id.rawValue)
  }

  private mutating func cancel(_ id: CallID, at now: Int64) {
    guard let call = calls[id.rawValue], !call.isCancelled else { return }
    if call.group >= 0 {
      let group = Int(call.group)
      let isUnsettled = call.instant == instant
      if call.isLive { groups[group].dropLive(call, isUnsettled: isUnsettled, at: now) }
      groups[group].latestCanceller = call.reader
      groups[group].noteCancellation(of: call, isUnsettled: isUnsettled, at: now)
      doubt(Int(groups[group].entry), at: now)
      touch(group)
    }
    instances[Int(call.instance.rawValue)].lastCancellation = now
    instances[Int(call.instance.rawValue)].gates.doubt(at: now)
    calls.update(id.rawValue) { $0.isCancelled = true }
    cancellations[id.rawValue] = now
  }
}

// MARK: - Time

extension Shadow {
  /// Fixes what an instant has brought, for every group that it touched or in which a deadline has passed.
  mutating func settle(at now: Int64) {
    while nextDeadline < deadlines.count, deadlines[nextDeadline].instant <= now {
      touch(Int(deadlines[nextDeadline].group))
      nextDeadline += 1
    }
    if nextDeadline > 1024, nextDeadline > deadlines.count / 2 {
      deadlines.removeFirst(nextDeadline)
      nextDeadline = 0
    }
    for group in touched {
      settleUnsent(in: Int(group), at: now)
      groups[Int(group)].settle()
    }
    instant += 1
  }

  /// The live calls of touched groups for which every request that they may have waited for is over.
  ///
  /// - Complexity: O(k) in the number of touched groups, O(n) in the number of open calls if there are any.
  func sleepers(at now: Int64) -> [Sleeper] {
    var suspects = Set<Int32>()
    for group in touched where groups[Int(group)].hasSleepers(at: now) {
      if !instance(groups[Int(group)].instance).isClosed { suspects.insert(group) }
    }
    guard !suspects.isEmpty else { return [] }
    var found: [Sleeper] = []
    calls.forEach { number, call in
      guard call.isLive, suspects.contains(call.group) else { return }
      let group = groups[Int(call.group)]
      let requests = group.requests[group.range(of: call)]
      guard let last = requests.last, !requests.contains(where: { $0.isAlive(after: now) }) else { return }
      found.append(
        Sleeper(id: CallID(number), call: call, request: last.id, besideCancelled: last.hadCancelledWaiter))
    }
    return found
  }

  /// Stops counting sleepers as waiters, so that each is found once.
  mutating func giveUp(_ sleepers: [Sleeper], at now: Int64) {
    for sleeper in sleepers {
      let group = Int(sleeper.call.group)
      groups[group].dropLive(sleeper.call, isUnsettled: sleeper.call.instant == instant, at: now)
      calls.update(sleeper.id.rawValue) { $0.isGivenUp = true }
    }
  }

  /// Forgets what no later event can concern, after the judges have seen the settled instant.
  mutating func forget(at now: Int64) {
    for group in touched {
      groups[Int(group)].isTouched = false
      for id in groups[Int(group)].prune(upTo: now) { places.remove(id.rawValue) }
    }
    touched.removeAll(keepingCapacity: true)
  }

  mutating func touch(_ group: Int) {
    guard !groups[group].isTouched else { return }
    groups[group].isTouched = true
    touched.append(Int32(group))
  }
}

// MARK: - Interning

extension Shadow {
  /// Files a flight under its number and its deadline.
  mutating func remember(_ deadline: Deadline, of id: RequestID, _ sequence: UInt32) {
    places.remove(id.rawValue)
    places.insert(Place(group: deadline.group, sequence: sequence), under: id.rawValue)
    deadlines.append(deadline)
  }

  mutating func ensure(_ instance: InstanceID) {
    while instances.count <= Int(instance.rawValue) { instances.append(InstanceRecord()) }
  }

  mutating func group(_ instance: InstanceID, _ key: RequestKey) -> Int {
    let pair = Pair(instance: instance.rawValue, number: key.request)
    if let group = groupIndex[pair] { return Int(group) }
    let entryPair = Pair(instance: instance.rawValue, number: key.cacheKey)
    let entry = entryIndex[entryPair] ?? Int32(entries.count)
    if entry == entries.count {
      entries.append(EntryRecord())
      entryIndex[entryPair] = entry
      instances[Int(instance.rawValue)].entryCount += 1
    }
    groupIndex[pair] = Int32(groups.count)
    groups.append(RequestGroup(instance: instance, key: key, entry: entry))
    return groups.count - 1
  }
}

extension RequestEnd {
  init(_ completion: RequestCompletion) {
    switch completion {
    case .answered(200, let serial?): self = .good(serial)
    case .answered(200, nil): self = .unusable
    case .answered(let status, _): self = .refused(status: Int32(truncatingIfNeeded: status))
    case .lost: self = .lost
    case .cancelled: self = .cancelled
    }
  }
}
