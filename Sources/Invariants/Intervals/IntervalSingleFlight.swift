import Events

/// Judges `single-flight` on the wall clock.
///
/// **Unit of a check.** As in virtual time: a call that overlapped an outstanding request equal to its own and was
/// no fresh hit, other than one for each request.
///
/// **Red.**
/// 1. A request started while another of the same instance and full request was surely outstanding: before the
///    earliest moment at which the first can have left the client's table, be it by its answer, a cancellation, a
///    deadline, the client's close, or (into another epoch) an invalidation.
/// 2. A call began after another call had returned with the same flight's answer, and got it as its own flight's.
///
/// **Why a correct client is never red.** A flight leaves the client's table before the transport hears of its
/// cancellation, by any delay; so every cause that may have ended it counts from its earliest moment.
///
/// **Not seen.** Second requests of a group in which somebody was cancelled or waited for a whole deadline, from then
/// on. Virtual time sees these sharply.
struct IntervalSingleFlight {
  let index: IntervalIndex

  func judge(_ docket: inout Docket) {
    countChecks(&docket)
    for group in index.groups { judgePairs(group, &docket) }
    judgeFinishedFlights(&docket)
  }

  private func countChecks(_ docket: inout Docket) {
    var claimed = Set<RequestID>()
    for call in index.log.calls {
      guard let request = source(of: call), overlap(call, request) else { continue }
      if !claimed.insert(request.id).inserted { docket.check() }
    }
  }

  private func source(of call: IntervalLog.Call) -> IntervalLog.Request? {
    for answer in call.answers {
      if answer.origin == .fresh { return nil }
      if answer.origin == .flight, let serial = answer.serial { return index.request(of: serial) }
    }
    return index.candidates(of: call).last.map { index.log.requests[$0] }
  }

  private func overlap(_ call: IntervalLog.Call, _ request: IntervalLog.Request) -> Bool {
    let end = min(request.ended ?? .max, request.cancelRequested ?? .max)
    return request.started <= call.end ?? .max && end >= call.begin
  }

  private func judgePairs(_ group: IntervalIndex.Group, _ docket: inout Docket) {
    // The request that stays surely outstanding for longest is the one that any later start must spare.
    var longest: (request: IntervalLog.Request, until: Int64)?
    for position in group.requests {
      let request = index.log.requests[position]
      if let longest, request.started < longest.until, !mayBeOfTwoEpochs(longest.request, request) {
        docket.check()
        docket.convict(
          at: Stamp(nanoseconds: request.started, step: 0), instance: request.instance, request: request.id,
          "instance \(request.instance.rawValue): request \(request.id.rawValue) started while request "
            + "\(longest.request.id.rawValue), equal to it, was outstanding since \(seconds(longest.request.started))"
        )
      }
      // A flight without an end may have been authorized and then kept back by a Retry-After.
      if index.facts.sendsRetryAfter, request.ended == nil, request.cancelRequested == nil { continue }
      let until = min(
        request.ended ?? .max, request.cancelRequested ?? .max, index.log.closed[request.instance] ?? .max,
        group.firstAbandoned)
      if until > longest?.until ?? .min { longest = (request, until) }
    }
  }

  /// A flight began at most a timeout before its request started, or was abandoned.
  private func mayBeOfTwoEpochs(_ first: IntervalLog.Request, _ second: IntervalLog.Request) -> Bool {
    guard index.invalidated.contains(first.instance) else { return false }
    return index.log.invalidations.contains {
      $0.instance == first.instance && $0.begin <= second.started
        && $0.end ?? .max >= first.started - index.facts.requestTimeout
    }
  }

  private func judgeFinishedFlights(_ docket: inout Docket) {
    var firstReturn: [Serial: Int64] = [:]
    for call in index.log.calls {
      guard let end = call.end else { continue }
      for answer in call.answers where answer.origin == .flight {
        if let serial = answer.serial { firstReturn[serial] = min(firstReturn[serial] ?? .max, end) }
      }
    }
    for call in index.log.calls {
      let flight = call.answers.first { $0.origin == .flight }
      guard let serial = flight?.serial, let returned = firstReturn[serial], returned < call.begin else {
        continue
      }
      docket.check()
      docket.convict(
        call, request: index.request(of: serial)?.id,
        "was given answer \(serial.rawValue) as its flight's, with which another call had returned at "
          + "\(seconds(returned)): a finished flight takes no new waiter")
    }
  }
}
