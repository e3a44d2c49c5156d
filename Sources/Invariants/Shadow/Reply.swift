import Events

/// What a call's return tells, before the shadow forgets the call.
///
/// The four judges of returns read the same evidence: which requests the call may have waited for, which of them
/// explains the outcome, and, if none does, whose rule that breaks.
struct Reply: Sendable {
  /// The kinds of outcome that ask for different evidence.
  enum Shape: Sendable, Equatable {
    /// At least one value of the answer of a flight.
    case flight(Serial)
    /// At least one fresh value, none of a flight.
    case fresh
    /// Stale values, defaults, or nothing.
    case degraded
    /// An error.
    case failed(FailureKind, status: Int)
    /// `CancellationError`.
    case cancelled
    /// The end of an operation without a value.
    case finished
  }

  /// A request of the call's group.
  struct Source: Sendable, Equatable {
    let id: RequestID
    /// Its index in the group.
    let index: Int
    let hadCancelledWaiter: Bool
  }

  let id: CallID
  let call: CallRecord
  let key: RequestKey?
  let outcome: CallOutcome
  let shape: Shape

  /// Whether the rules for waiters apply: not cancelled, not found stuck, its client not closed.
  var isJudged = false
  /// Whether some possible cause explains the outcome.
  var isExplained = false
  /// The request whose outcome this is, or else the latest one that the call may have waited for.
  var source: Source?
  /// Whether the call was open while its source was outstanding, and was not a fresh hit.
  var overlapped = false
  /// Whether the return proves that its source's outcome has been published.
  var provesPublication = false
  /// Whether its source was taken for another call's before.
  var isSourceClaimed = false
  /// The request whose flight had provably finished when the call began, and yet explains the outcome.
  var finishedFlight: RequestID?
  /// Whether any request that the call may have waited for had another waiter that was cancelled.
  var hadCancelledNeighbour = false
  /// Whether the call may have waited for any request at all.
  var hadRequest = false
  /// Whether one of these got its outcome, or met its deadline, in this very instant.
  var sawOutcome = false
  /// Whether it made sense to answer without a request: a Retry-After, or an entry that names none of the keys.
  var neededNoRequest = false
  /// Whether an answer younger than the TTL may have been held when the client looked.
  var mayHaveFoundFresh = false

  /// Whether an unexplained outcome looks as if another caller's cancellation had caused it.
  var isDueToCancellation: Bool { hadCancelledNeighbour && (!sawOutcome || shape == .cancelled) }

  /// The answers of the single keys; empty for any other outcome.
  var answers: [KeyAnswer] {
    if case .answered(let answers) = outcome { answers } else { [] }
  }
}

extension Reply.Shape {
  init(_ outcome: CallOutcome) {
    switch outcome {
    case .answered(let answers):
      var shape = Reply.Shape.degraded
      for answer in answers {
        if answer.origin == .flight {
          self = .flight(answer.serial ?? Serial(0))
          return
        }
        if answer.origin == .fresh { shape = .fresh }
      }
      self = shape
    case .failed(let kind, let status): self = .failed(kind, status: status)
    case .cancelled: self = .cancelled
    case .finished, .listed: self = .finished
    }
  }
}

// MARK: - Evidence

extension Shadow {
  /// Gathers what a return tells.
  ///
  /// - Parameters:
  ///   - id: The call.
  ///   - outcome: How it ended.
  ///   - now: When it returned.
  /// - Returns: The evidence, or nil when no such call is open.
  func reply(to id: CallID, _ outcome: CallOutcome, at now: Int64) -> Reply? {
    guard let call = calls[id.rawValue] else { return nil }
    let group = Int(call.group)
    var reply = Reply(
      id: id, call: call, key: group >= 0 ? groups[group].key : nil, outcome: outcome,
      shape: Reply.Shape(outcome))
    guard group >= 0 else { return reply }
    let instance = instance(call.instance)
    let entry = entries[Int(groups[group].entry)]
    reply.isJudged = call.isLive && !instance.isClosed
    reply.mayHaveFoundFresh =
      call.mayHaveFoundFresh
      || call.began == now && entry.lastReceived == now && entry.latestStart >= call.fence
    reply.neededNoRequest =
      mayBeTold(toWaitAt: now, instance: instance)
      || reply.shape == .degraded && !facts.answersNameEveryKey && reply.mayHaveFoundFresh
    weigh(&reply, groups[group], at: now)
    return reply
  }

  /// Looks among the requests that the call may have waited for for the one that explains its outcome.
  private func weigh(_ reply: inout Reply, _ group: RequestGroup, at now: Int64) {
    let call = reply.call
    var explaining = 0
    for index in group.range(of: call) {
      let request = group.requests[index]
      guard request.maySupply(call) else { continue }
      reply.hadRequest = true
      if request.hadCancelledWaiter { reply.hadCancelledNeighbour = true }
      if request.completed == now && request.end != .cancelled || request.timesOut(at: now) {
        reply.sawOutcome = true
      }
      let explains = explains(request, reply.shape, call.operation, at: now)
      if explains || explaining == 0 { note(request, at: index, as: &reply) }
      if explains { explaining += 1 }
    }
    switch reply.shape {
    case .fresh: reply.isExplained = true
    case .flight, .degraded, .failed: reply.isExplained = explaining > 0 || reply.neededNoRequest
    case .cancelled, .finished: reply.isExplained = false
    }
    if case .flight = reply.shape { reply.isExplained = explaining > 0 }
    guard reply.shape != .fresh else {
      reply.overlapped = false
      return
    }
    reply.provesPublication =
      reply.isJudged && explaining == 1 && !reply.neededNoRequest && facts.answersNameEveryKey
    if case .flight = reply.shape, explaining == 1 { reply.provesPublication = true }
    if reply.isJudged, !reply.isExplained { reply.finishedFlight = finishedFlight(reply, group, at: now) }
  }

  private func note(_ request: RequestRecord, at index: Int, as reply: inout Reply) {
    reply.source = Reply.Source(
      id: request.id, index: index, hadCancelledWaiter: request.hadCancelledWaiter)
    reply.overlapped = request.endOrder > reply.call.order
    reply.isSourceClaimed = request.isClaimed
  }

  /// Returns whether the outcome of a request, as of this instant, is the one that a call ended with.
  private func explains(
    _ request: RequestRecord, _ shape: Reply.Shape, _ operation: Operation, at now: Int64
  ) -> Bool {
    let timesOut = request.timesOut(at: now)
    let end = request.completed == now ? request.end : .none
    switch shape {
    case .flight(let serial):
      return end == .good(serial)
    case .degraded:
      switch end {
      case .good: return !facts.answersNameEveryKey || timesOut && operation == .evaluate
      case .unusable, .refused, .lost, .unauthorized: return operation == .evaluate
      case .withheld: return false
      case .none, .cancelled: return timesOut && operation == .evaluate
      }
    case .failed(let kind, let status):
      guard operation == .evaluateOrThrow else { return false }
      return timesOut && kind == .transport || end.throws(kind, status: status)
    case .fresh, .cancelled, .finished:
      return false
    }
  }

  /// Looks for a flight that had finished when the call began and whose outcome the call was given all the same.
  private func finishedFlight(_ reply: Reply, _ group: RequestGroup, at now: Int64) -> RequestID? {
    let call = reply.call
    if case .flight(let serial) = reply.shape {
      guard let answer = answers[serial.rawValue], answer.instance == call.instance, answer.key == group.key
      else { return nil }
      if answer.received < call.began { return answer.request }
    }
    if let finished = group.requests.first(where: {
      $0.published < call.order && explains($0, reply.shape, call.operation, at: now)
    }) {
      return finished.id
    }
    // An error can only come from somewhere; stale values and defaults could be made up.
    guard case .failed(let kind, let status) = reply.shape, !reply.hadRequest else { return nil }
    guard let finished = group.predecessor, finished.order >= call.fence else { return nil }
    return finished.timedOut && kind == .transport || finished.end.throws(kind, status: status)
      ? finished.id : nil
  }
}

extension RequestEnd {
  /// Returns whether `evaluateOrThrow` throws an error for this end (BEHAVIOUR §2, "errors").
  ///
  /// - Parameters:
  ///   - kind: The kind of the error thrown.
  ///   - status: Its status; 0 where the kind carries none.
  /// - Returns: Whether it fits.
  func `throws`(_ kind: FailureKind, status: Int) -> Bool {
    switch self {
    case .none, .good, .cancelled, .withheld: false
    case .unauthorized: kind == .unauthorized && status == 0
    case .lost: kind == .transport
    case .unusable: kind == .transport || kind == .server && status == 200
    case .refused(400): kind == .invalidContext
    case .refused(401): kind == .unauthorized
    case .refused(403): kind == .forbidden
    case .refused(429): kind == .rateLimited
    case .refused(let answered): kind == .server && status == Int(answered)
    }
  }
}
