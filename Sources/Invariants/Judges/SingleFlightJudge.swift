import Events

/// Judges `single-flight` (BEHAVIOUR rules 1.2 and 1.3).
///
/// **Statement.** At most one request is outstanding (started, not completed, cancel not requested) for each
/// instance, epoch and full request; a flight that has finished takes no new waiter; nobody flies for nobody.
///
/// **Unit of a check.** A call that was open while a request equal to its own was outstanding and was no fresh hit,
/// other than one call for each request, the one it was made for. N equal callers on a cold cache are N − 1 checks.
///
/// **Red.**
/// 1. A request starts while one of the same instance and full request is outstanding, and no `invalidateCache()`
///    ran in or after the instant in which that one started. A client that lets one go asks for its cancellation
///    in the same step, so a new one starts after that.
/// 2. A call is given the outcome of a flight that provably had finished when the call began: its answer came in an
///    earlier instant, or another call had already returned with it. Publication and the end of the flight are
///    one step, and a return comes after it. A call that never returned, for which no request was made though an
///    equal one had been made before in its epoch, counts as one that waits for a finished flight.
/// 3. A request starts although no call of its instance and full request was waiting at any moment of this instant.
///
/// A request that starts with its task already cancelled and is cancelled in the same step never left the device:
/// suspicion 1 and 3 is dropped then. So may a flight be whose app was asked for a token and gave it at once: whatever was
/// authorized is judged once more when its request is sent, and counts as outstanding from then on.
///
/// **Not seen.** A second request after an invalidation within the instant of the first's start: which epoch it is
/// of cannot be told from outside. A finished flight that took a waiter before any other waiter's return. Whether
/// callers with different requests were joined: the serial they are given tells, and `answers-once` reads it.
struct SingleFlightJudge: Judge {
  static let invariant = Invariant.singleFlight
  static let interests: Moments = [.calls, .requests, .replies, .others, .time]

  /// A start that is a violation unless the next event of the same step cancels it.
  private var suspicion: (violation: Violation, request: RequestID)?
  /// The requests that were found guilty when their flights began, so that each is once.
  private var reported: Set<RequestID> = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    resolve(event, at: stamp, &docket)
    guard let id = shadow.begunFlight ?? sender(event), let place = shadow.place(of: id) else { return }
    let started = shadow.groups[place.group].requests[place.index].started
    let group = shadow.groups[place.group]
    let instance = shadow.instance(group.instance)
    guard !instance.isClosed else { return }
    if let other = group.requests.last(where: { $0.id != id && $0.isOutstanding && !$0.isUnsent }),
      !instance.mayHaveMovedEpoch(since: min(started, other.started))
    {
      suspect(
        id, group, stamp,
        "request \(id.rawValue) started while request \(other.id.rawValue), equal to it, was outstanding since "
          + seconds(other.started))
    } else if group.live == 0, group.lastLive < stamp.nanoseconds {
      suspect(id, group, stamp, "request \(id.rawValue) started although no reader was waiting for it")
    }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    confirm(&docket)
    if reply.overlapped, reply.isSourceClaimed { docket.check() }
    if let finished = reply.finishedFlight {
      docket.check()
      docket.convict(
        reply, at: stamp, request: finished,
        "was given \(reply.outcome.words) from request \(finished.rawValue), which had finished before: a finished "
          + "flight takes no new waiter")
    }
  }

  mutating func timeAdvances(
    from stamp: Stamp, _ sleepers: [Sleeper], _ shadow: inout Shadow, _ docket: inout Docket
  ) {
    confirm(&docket)
  }

  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    confirm(&docket)
    shadow.calls.forEach { number, call in
      guard call.isLive, call.group >= 0, call.order < shadow.instance(call.instance).closed else { return }
      let group = shadow.groups[Int(call.group)]
      guard group.range(of: call).isEmpty else { return }
      guard let finished = group.predecessor, finished.order >= call.fence, finished.order < call.order else {
        return
      }
      docket.check()
      docket.convict(
        at: stamp, reader: call.reader, instance: call.instance, call: CallID(number), request: finished.id,
        "\(call.subject), called at \(seconds(call.began)), never returned: no request was made for it, and request "
          + "\(finished.id.rawValue), equal to it, had finished before: a finished flight takes no new waiter"
      )
    }
  }

  private mutating func suspect(_ id: RequestID, _ group: RequestGroup, _ stamp: Stamp, _ message: String) {
    let violation = Violation(
      invariant: Self.invariant, stamp: stamp, reader: group.latestCaller, instance: group.instance,
      request: id,
      message: "instance \(group.instance.rawValue): \(message)")
    suspicion = (violation, id)
  }

  private mutating func resolve(_ event: Event, at stamp: Stamp, _ docket: inout Docket) {
    guard let suspicion else { return }
    switch event {
    case .requestCancelled(suspicion.request) where suspicion.violation.stamp == stamp:
      self.suspicion = nil
    case .authorized(suspicion.request, .some) where suspicion.violation.stamp == stamp:
      self.suspicion = nil
    default:
      confirm(&docket)
    }
  }

  /// The flight that an event shows to go on after its authorization.
  private func sender(_ event: Event) -> RequestID? {
    guard case .requestStarted(let id, _, _, _) = event, !reported.contains(id) else { return nil }
    return id
  }

  private mutating func confirm(_ docket: inout Docket) {
    guard let suspicion else { return }
    self.suspicion = nil
    reported.insert(suspicion.request)
    docket.check()
    docket.convict(suspicion.violation)
  }
}
