import Events

/// Judges `answers-once` on the wall clock.
///
/// **Unit of a check.** A call that began, fresh hits included.
///
/// **Red.**
/// 1. A call never returned, or the counts of calls and returns differ.
/// 2. A value was never received by that instance before the call returned, or belongs to another full request
///    (`flight`) or cache key (`fresh`, `stale`); values of two flights are mixed.
/// 3. `evaluate` throws; or a call that was not cancelled, at a client that was not closed, ends with an error, stale
///    values or defaults which no request that it may have waited for explains.
///
/// **Why a correct client is never red.** A request explains an outcome as soon as it may have waited for it (see
/// `IntervalIndex`), however late the outcome was passed on; a deadline explains it as soon as any call that may have
/// begun the flight is a timeout older than the return.
struct IntervalAnswersOnce {
  let index: IntervalIndex

  func judge(_ docket: inout Docket) {
    docket.check(index.log.begun)
    for call in index.log.calls where call.key != nil || call.end == nil {
      guard call.end != nil, let outcome = call.outcome else {
        docket.convict(
          at: Stamp(nanoseconds: call.begin, step: 0), reader: call.reader, instance: call.instance,
          "reader \(call.reader.rawValue): \(call.operation.name), called at \(seconds(call.begin)), never returned"
        )
        continue
      }
      if let fault = foreignValue(call) ?? mixture(call) ?? breach(call, outcome) {
        docket.convict(call, fault)
      }
    }
    judgeHits(&docket)
    judgeCounts(&docket)
  }

  private func judgeCounts(_ docket: inout Docket) {
    for invalidation in index.log.invalidations where invalidation.end == nil {
      docket.convict(
        at: Stamp(nanoseconds: invalidation.begin, step: 0), instance: invalidation.instance,
        "instance \(invalidation.instance.rawValue): invalidateCache, called at \(seconds(invalidation.begin)), never "
          + "returned")
    }
    let lost = index.log.calls.count { $0.end == nil } + index.log.invalidations.count { $0.end == nil }
    guard index.log.returned + lost != index.log.begun else { return }
    docket.convict(
      at: Stamp(nanoseconds: 0, step: 0),
      "\(index.log.begun) calls began, \(index.log.returned) returned")
  }

  private func judgeHits(_ docket: inout Docket) {
    for hits in index.log.freshHits {
      guard let fault = foreignValue(hits.serial, at: hits.instance, before: .max) else { continue }
      docket.convict(
        at: Stamp(nanoseconds: hits.latestBegin, step: 0), instance: hits.instance,
        "instance \(hits.instance.rawValue): \(hits.count) calls were given \(fault) as fresh")
    }
  }

  private func foreignValue(_ call: IntervalLog.Call) -> String? {
    for answer in call.answers where answer.origin != .default || answer.serial != nil {
      guard let serial = answer.serial else {
        return "was given a value that no answer carried as \(answer.origin)"
      }
      if let fault = foreignValue(serial, at: call.instance, before: call.end ?? .max) {
        return "was given \(fault)"
      }
      guard let key = call.key, let own = index.request(of: serial)?.key else { continue }
      let isOwn = answer.origin == .flight ? own == key : own.cacheKey == key.cacheKey
      if !isOwn {
        return "was given a value of answer \(serial.rawValue) as \(answer.origin), whose request asked for "
          + "something else"
      }
    }
    return nil
  }

  private func foreignValue(_ serial: Serial, at instance: InstanceID, before time: Int64) -> String? {
    guard let request = index.request(of: serial), case .answered(200, _)? = request.completion else {
      return "a value of answer \(serial.rawValue), which no client received as a good answer"
    }
    if request.instance != instance {
      return "a value of answer \(serial.rawValue), which instance \(request.instance.rawValue) received"
    }
    if let ended = request.ended, ended > time {
      return "a value of answer \(serial.rawValue), which its client received only at \(seconds(ended))"
    }
    return nil
  }

  private func mixture(_ call: IntervalLog.Call) -> String? {
    let flights = call.answers.filter { $0.origin == .flight }
    guard let first = flights.first?.serial, let other = flights.first(where: { $0.serial != first }) else {
      return nil
    }
    return "was given a mix of answers \(first.rawValue) and \(other.serial?.rawValue ?? 0)"
  }

  /// An outcome that the operation does not have, or that nothing explains.
  private func breach(_ call: IntervalLog.Call, _ outcome: CallOutcome) -> String? {
    guard call.key != nil, call.operation != .invalidate else { return nil }
    let shape = Reply.Shape(outcome)
    let isExcused =
      call.cancelled != nil || index.log.closed[call.instance].map { $0 <= call.end ?? .max } ?? false
    switch shape {
    case .flight, .fresh:
      return nil
    case .finished:
      return "was given \(outcome.words)"
    case .failed where call.operation == .evaluate:
      return "was given \(outcome.words)"
    case .cancelled where call.operation == .evaluate:
      return "was given \(outcome.words)"
    case .failed, .cancelled, .degraded:
      guard !isExcused, !isExplained(call, shape) else { return nil }
      return "was given \(outcome.words), which no request that it waited for explains"
    }
  }

  private func isExplained(_ call: IntervalLog.Call, _ shape: Reply.Shape) -> Bool {
    if index.facts.sendsRetryAfter, shape != .cancelled { return true }
    if shape == .degraded, !index.facts.answersNameEveryKey { return true }
    let byTimeout: Bool
    switch shape {
    case .degraded: byTimeout = call.operation == .evaluate
    case .failed(let kind, _): byTimeout = kind == .transport
    case .flight, .fresh, .cancelled, .finished: byTimeout = false
    }
    if byTimeout, index.mayHaveTimedOut(call) { return true }
    return index.candidates(of: call).contains { explains(index.log.requests[$0], shape, call) }
  }

  private func explains(_ request: IntervalLog.Request, _ shape: Reply.Shape, _ call: IntervalLog.Call)
    -> Bool
  {
    let end = request.lacksToken ? .unauthorized : request.completion.map(RequestEnd.init) ?? .none
    switch shape {
    case .degraded:
      guard call.operation == .evaluate else { return false }
      switch end {
      case .unusable, .refused, .lost, .unauthorized: return true
      case .none, .good, .cancelled, .withheld: return false
      }
    case .failed(let kind, let status):
      return end.throws(kind, status: status)
    case .flight, .fresh, .cancelled, .finished:
      return false
    }
  }
}
