import Events

/// Judges `answers-once`.
///
/// **Statement.** Every call returns exactly once. A waiter that was not cancelled gets its flight's value or its
/// flight's own error; every value that anybody gets was received by that instance as the answer to a request of
/// that key.
///
/// **Unit of a check.** A call that returned, or one that had not when the run was over.
///
/// **Red.**
/// 1. A return of a call that is not open: it returned before, or never began.
/// 2. A value whose serial was never received in time by the same instance for the same full request (`flight`) or the
///    same cache key (`fresh`, `stale`). This is what a flight keyed without one context field shows.
/// 3. Values of two flights in one snapshot.
/// 4. `evaluate` throws, or `evaluateOrThrow` degrades.
/// 5. The outcome of a call that was not cancelled is explained by none of the requests that it may have waited
///    for: no answer with this serial, no failure that makes this error, no failure at all that would excuse stale
///    values and defaults, in this very instant. Or it still waits when time moves although all of them are over.
///    Where a neighbour's cancellation seems to be the cause this is `cancel-isolated`'s to say; where a finished
///    flight is, `single-flight`'s.
/// 6. A call is still open when the client has been closed and everything drained.
///
/// **Why a correct client is never red.** Returns come in the instant of the outcome, and every request that a call
/// may have waited for is considered; where the answer and the deadline fall into one instant either explains.
///
/// **Not seen.** Whether a single key's default stands for a key that the answer really left out; whether held values
/// are the ones that should be held (`degrade-order` will judge both). Calls pending at close must return, with
/// anything.
struct AnswersOnceJudge: Judge {
  static let invariant = Invariant.answersOnce
  static let interests: Moments = [.calls, .replies, .time]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    // The court hands over returns of open calls as replies, so this one answers a call that is not open.
    guard case .callReturned(let id, let outcome) = event else { return }
    docket.check()
    let history =
      id.rawValue < shadow.callsBegun ? "returned a second time" : "returned although it never began"
    docket.convict(at: stamp, call: id, "call \(id.rawValue) \(history): it was given \(outcome.words)")
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    docket.check()
    guard let key = reply.key else { return }
    if let fault = foreignValue(reply, key, shadow) ?? mixture(reply) ?? manners(reply) {
      docket.convict(reply, at: stamp, request: reply.source?.id, fault)
    } else if reply.isJudged, !reply.isExplained, reply.finishedFlight == nil, !reply.isDueToCancellation {
      docket.convict(reply, at: stamp, request: reply.source?.id, breach(reply, shadow))
    }
  }

  mutating func timeAdvances(
    from stamp: Stamp, _ sleepers: [Sleeper], _ shadow: inout Shadow, _ docket: inout Docket
  ) {
    for sleeper in sleepers where !sleeper.besideCancelled { docket.convict(sleeper, at: stamp) }
  }

  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    shadow.calls.forEach { number, call in
      docket.check()
      docket.convict(
        at: stamp, reader: call.reader, instance: call.instance, call: CallID(number),
        "\(call.subject), called at \(seconds(call.began)), never returned")
    }
  }

  /// A value that this instance never received for this key.
  private func foreignValue(_ reply: Reply, _ key: RequestKey, _ shadow: Shadow) -> String? {
    guard case .answered(let answers) = reply.outcome else { return nil }
    for answer in answers where answer.origin != .default || answer.serial != nil {
      guard let serial = answer.serial else {
        return "was given a value that no answer carried as \(answer.origin)"
      }
      guard let record = shadow.answers[serial.rawValue] else {
        return "was given a value of answer \(serial.rawValue), which its client never received in time"
      }
      if record.instance != reply.call.instance {
        return
          "was given a value of answer \(serial.rawValue), which instance \(record.instance.rawValue) received"
      }
      let isOwn = answer.origin == .flight ? record.key == key : record.key.cacheKey == key.cacheKey
      if !isOwn {
        return "was given a value of answer \(serial.rawValue) as \(answer.origin), but request "
          + "\(record.request.rawValue), which fetched it, asked for something else"
      }
    }
    return nil
  }

  /// Values of more than one flight.
  private func mixture(_ reply: Reply) -> String? {
    guard case .flight(let serial) = reply.shape else { return nil }
    guard let other = reply.answers.first(where: { $0.origin == .flight && $0.serial != serial }) else {
      return nil
    }
    return "was given a mix of answers \(serial.rawValue) and \(other.serial?.rawValue ?? 0)"
  }

  /// An outcome that the operation does not have.
  private func manners(_ reply: Reply) -> String? {
    switch (reply.call.operation, reply.shape) {
    case (.evaluate, .failed), (.evaluate, .finished), (.evaluateOrThrow, .finished):
      "was given \(reply.outcome.words)"
    case (.evaluate, .cancelled) where reply.call.isCancelled:
      "threw a CancellationError; it answers from what is held instead"
    default:
      nil
    }
  }

  /// What is wrong with an outcome that nothing explains.
  private func breach(_ reply: Reply, _ shadow: Shadow) -> String {
    let given = "was given \(reply.outcome.words)"
    guard reply.hadRequest, let source = reply.source, let place = shadow.place(of: source.id) else {
      return "\(given), but no request was made for it"
    }
    let request = shadow.groups[place.group].requests[place.index]
    if reply.sawOutcome {
      let cause = request.completed == .max ? "met its deadline" : request.end.words
      return "\(given), but its request \(source.id.rawValue) \(cause)"
    }
    if request.ended == .max {
      return "\(given) while its request \(source.id.rawValue) was still outstanding"
    }
    return "\(given) later than its request \(source.id.rawValue) ended at \(seconds(request.ended))"
  }
}
