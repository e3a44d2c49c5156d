import Events

/// Judges `cancel-isolated`.
///
/// **Statement.** A caller's cancellation ends only that caller's wait. Every other waiter returns in the instant in
/// which its request's answer arrives or its deadline passes, with that outcome. When time moves, a request
/// without a live waiter has been cancelled.
///
/// **Unit of a check.** A caller that was not cancelled and returned from a request of which another possible waiter
/// had been; and a request whose last possible waiter was cancelled.
///
/// **Red.**
/// 1. A call that was not cancelled returns although none of its requests has an outcome in this instant, or with a
///    `CancellationError`, and one of them had another waiter that was cancelled.
/// 2. Time moves while such a call still waits although all requests that it may have waited for are over.
///    (Without a cancellation, 1 and 2 are `answers-once`'s.)
/// 3. Time moves while a request is outstanding that no live call may be waiting for: it should have been
///    cancelled with its last waiter, or at its deadline.
///
/// **Why a correct client is never red.** 2 and 3 are judged only after everything of an instant has happened, and
/// count every call that *may* wait for a request, see `RequestGroup`; a call that began in the instant of a
/// cancellation may have joined before it.
///
/// **Not seen.** A lost wake-up hidden behind an older request that an invalidation fenced off and that is
/// still outstanding: it is seen when that one ends. Whether a cancelled call returns at once, and with what
/// (`degrade-order` judges it). Anything at a closed client (`nothing-left` does).
struct CancelIsolatedJudge: Judge {
  static let invariant = Invariant.cancelIsolated
  static let interests: Moments = [.requests, .replies, .time]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard case .requestCancelled(let id) = event, let place = shadow.place(of: id) else { return }
    let group = shadow.groups[place.group]
    let request = group.requests[place.index]
    guard request.cancelOrder == shadow.order, request.hadCancelledWaiter else { return }
    if stamp.nanoseconds < request.deadline, group.possibleWaiters(at: place.index) == 0 { docket.check() }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard reply.isJudged, reply.shape != .fresh, let source = reply.source else { return }
    if reply.isExplained {
      if source.hadCancelledWaiter { docket.check() }
      return
    }
    guard reply.isDueToCancellation, reply.finishedFlight == nil else { return }
    docket.check()
    docket.convict(
      reply, at: stamp, request: source.id,
      "was given \(reply.outcome.words) after another caller of request \(source.id.rawValue) was cancelled; the "
        + "request's own outcome was due")
  }

  mutating func timeAdvances(
    from stamp: Stamp, _ sleepers: [Sleeper], _ shadow: inout Shadow, _ docket: inout Docket
  ) {
    for group in shadow.touched where !shadow.instance(shadow.groups[Int(group)].instance).isClosed {
      judgeOrphans(of: Int(group), at: stamp, &shadow, &docket)
    }
    for sleeper in sleepers where sleeper.besideCancelled {
      docket.check()
      docket.convict(sleeper, at: stamp, "another caller of it was cancelled")
    }
  }

  /// Requests that nobody waits for.
  private func judgeOrphans(of group: Int, at stamp: Stamp, _ shadow: inout Shadow, _ docket: inout Docket) {
    for index in shadow.groups[group].requests.indices {
      let request = shadow.groups[group].requests[index]
      guard request.isOutstanding, !request.isReported else { continue }
      guard shadow.groups[group].possibleWaiters(at: index) == 0 else { continue }
      shadow.groups[group].requests[index].isReported = true
      docket.check()
      let instance = shadow.groups[group].instance
      docket.convict(
        at: stamp, reader: shadow.groups[group].latestCanceller, instance: instance, request: request.id,
        "instance \(instance.rawValue): request \(request.id.rawValue) of \(seconds(request.started)) is still "
          + "outstanding at \(seconds(stamp.nanoseconds)), but nobody waits for it any more")
    }
  }
}
