import Events

/// Judges `no-event-lost` of analytics (BEHAVIOUR §3, "Analytics", and §4).
///
/// **Statement.** After the last flush and the close each event that was recorded is acknowledged or in the public count of
/// drops, and these partition what was recorded. An event is given up only for a reason.
///
/// **Unit of a check.** An event that was recorded in a process whose client was closed and then asked for its counts.
///
/// **Red.**
/// 1. Whenever the client is asked: `recorded` is not `sent + dropped + pending`, or one of them is negative.
/// 2. After the close something waits.
/// 3. After the close `sent` is not the number of events in batches whose 202 reached the client.
/// 4. After the close fewer were recorded than the workload captured with consent and the requests carried beside these.
/// 5. After the close more events of the workload are missing, in no acknowledged batch, than were dropped.
/// 6. After the close something was dropped, although consent was never withdrawn, nothing refused for good, the queue
///    never full, and the last attempt was acknowledged.
///
/// **Why a correct client is never red.** A 202 that ties with the deadline, or a change of reader or of consent, may or may
/// not have been taken in. A close is told when it has returned, and waits for its flush. A process that was killed owes
/// nothing.
///
/// **Not seen.** Exposures that vanish without being counted or sent. Which events a full queue has pushed out.
struct FlagsNoEventLostJudge: FlagsJudge {
  static let invariant = Invariant.noEventLost
  static let interests: Moments = [.requests, .others]

  private var accounts: [InstanceID: AnalyticsAccount] = [:]
  private var gates = FlagsGates()

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    let now = stamp.nanoseconds
    gates.observe(event, at: now, shadow)
    if case .instanceClosed = event {
      // A close waits for its last flush: what was acknowledged before has been taken in.
    } else if let instance = event.unsettledDevice(shadow) {
      accounts[instance]?.doubt(at: now)
    }
    switch event {
    case .device(.launched(let instance, _, _)):
      accounts[instance] = AnalyticsAccount(process: shadow.device(instance).process)
    case .device(.consentChanged(let instance, isGiven: false)): accounts[instance]?.mayDrop = true
    case .exposureRecorded(_, let instance, let number):
      let device = shadow.device(instance)
      if device.hasConsent, !device.isClosed { accounts[instance]?.capture(number) }
    case .device(.batchSent(let request, let batch)):
      guard let instance = shadow.requests[request]?.instance else { return }
      accounts[instance]?.send(batch, in: request)
    case .requestCompleted(let request, let completion):
      guard let record = shadow.requests[request], record.endpoint == .events else { return }
      accounts[record.instance]?.end(request, completion, shadow.reception(of: record, at: now), at: now)
    case .instanceClosed(let instance):
      if gates[instance][.analytics].lastEnd > now { accounts[instance]?.mayDrop = true }
    case .device(.tallied(let instance, let tally)): judge(instance, tally, at: stamp, shadow, &docket)
    default: break
    }
  }

  private mutating func judge(
    _ instance: InstanceID, _ tally: AnalyticsTally, at stamp: Stamp, _ shadow: FlagsShadow,
    _ docket: inout Docket
  ) {
    let device = shadow.device(instance)
    guard let account = accounts[instance], device.isRunning else { return }
    if device.isClosed, !account.isSettled {
      docket.check(max(0, tally.recorded))
      accounts[instance]?.isSettled = true
    }
    guard let fault = fault(tally, account, isClosed: device.isClosed) else { return }
    docket.convict(
      at: stamp, instance: instance,
      "instance \(instance.rawValue): the client counts \(tally.recorded) events recorded, \(tally.sent) sent, "
        + "\(tally.dropped) dropped and \(tally.pending) waiting, but \(fault)")
  }

  private func fault(_ tally: AnalyticsTally, _ account: AnalyticsAccount, isClosed: Bool) -> String? {
    if tally.recorded != tally.sent + tally.dropped + tally.pending
      || min(tally.sent, tally.dropped, tally.pending) < 0
    {
      return "these do not add up"
    }
    guard isClosed else { return nil }
    if tally.pending != 0 { return "after the close nothing may wait" }
    let (certain, possible) = (account.acknowledged, account.acknowledged + account.doubtful)
    if tally.sent < certain || tally.sent > possible {
      return "\(certain) were acknowledged" + (possible > certain ? ", \(possible) at most" : "")
    }
    if tally.recorded < account.captured + account.others {
      return "\(account.captured) were captured and \(account.others) others were in its requests"
    }
    if account.missing.count > tally.dropped {
      return "\(account.missing.count) of those captured were in no request that was acknowledged"
    }
    if tally.dropped > 0, account.mustBeClean { return "nothing has happened for which any may be dropped" }
    return nil
  }
}
