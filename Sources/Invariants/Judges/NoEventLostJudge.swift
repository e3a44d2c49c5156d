import Events

/// Judges `no-event-lost` (BEHAVIOUR §2, "Exposure buffer", and §4).
///
/// **Statement.** After the last flush and the close each event that was recorded is acknowledged, in a
/// failed request, or in the public count of drops, and these partition what was recorded. A flush leaves
/// nothing waiting that was there when it began.
///
/// **Unit of a check.** An event that was recorded on an instance whose client was closed and then asked for
/// its counts.
///
/// **Red.**
/// 1. A batch carries an event that was never recorded on its instance.
/// 2. The counts of a closed client are not what crossed the transport: `failed` is not the number of events
///    in requests without a timely acknowledgement, `dropped` not the number of those that were in no
///    request, or something waits.
/// 3. A flush returns, uncancelled, at an open client that no Retry-After kept back, and an event whose
///    recording had returned before the flush began has been in no request, beyond those that may have been
///    dropped.
///
/// **Why a correct client is never red.** What `ExposureAccount` cannot tell is left open: an acknowledgement
/// in the very instant of the deadline, of a flush's cancellation or of the close may or may not have been
/// taken in, and a batch that got no authorization is given up without a request.
///
/// **Not seen.** Which events were pushed out: the oldest, says the rule, and `batch-bounds` sees the order
/// of the others. An instance that is never asked for its counts. Events that JSON cannot hold, which a
/// client drops at once: no workload records any.
struct NoEventLostJudge: Judge {
  static let invariant = Invariant.noEventLost
  static let interests: Moments = [.calls, .requests, .replies, .others]

  private struct Batch {
    let instance: InstanceID
    let count: Int
    let deadline: Int64
    var isCancelled = false
  }

  private var accounts: [InstanceID: ExposureAccount] = [:]
  /// The instance that each event was recorded on.
  private var homes: [UInt64: InstanceID] = [:]
  private var recording: [CallID: UInt64] = [:]
  private var batches: [RequestID: Batch] = [:]
  /// Flights to the telemetry endpoint that have sent nothing.
  private var unsent: Set<RequestID> = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .exposureRecorded(let call, let instance, let number):
      recording[call] = number
      homes[number] = instance
      accounts[instance, default: ExposureAccount()].record(number)
    case .flightBegan(let request, let instance, .telemetry, _):
      unsent.insert(request)
      accounts[instance, default: ExposureAccount()].unsentFlights += 1
    case .batchSent(let request, let numbers):
      send(numbers, request, at: stamp, shadow, &docket)
    case .callCancelled(let call):
      guard let record = shadow.calls[call.rawValue], record.operation == .flush else { return }
      accounts[record.instance]?.doubt(at: stamp.nanoseconds)
    case .instanceClosed(let instance):
      accounts[instance]?.doubt(at: stamp.nanoseconds)
    case .requestCancelled(let request):
      batches[request]?.isCancelled = true
    case .requestCompleted(let request, let completion):
      end(request, completion, at: stamp.nanoseconds)
    case .exposuresCounted(let instance, let tally) where shadow.instance(instance).isClosed:
      settle(instance, tally, at: stamp, &docket)
    default:
      break
    }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch reply.call.operation {
    case .recordExposure:
      guard let number = recording.removeValue(forKey: reply.id) else { return }
      accounts[reply.call.instance]?.finishRecording(number, at: shadow.order)
    case .flush: judgeFlush(reply, at: stamp, shadow, &docket)
    default: break
    }
  }

  // MARK: Taking in

  private mutating func send(
    _ numbers: [UInt64], _ request: RequestID, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket
  ) {
    guard let line = shadow.lines[request.rawValue] else { return }
    let instance = line.instance
    if unsent.remove(request) != nil { accounts[instance]?.unsentFlights -= 1 }
    // One that was sent before is for `no-event-twice`.
    if let stranger = numbers.first(where: { homes[$0] != instance }) {
      docket.convict(
        at: stamp, instance: instance, request: request,
        "request \(request.rawValue) carries event \(stranger), which was never recorded on instance "
          + "\(instance.rawValue)")
    }
    accounts[instance, default: ExposureAccount()].send(numbers)
    batches[request] = Batch(instance: instance, count: numbers.count, deadline: line.deadline)
  }

  private mutating func end(_ request: RequestID, _ completion: RequestCompletion, at now: Int64) {
    guard let batch = batches.removeValue(forKey: request) else { return }
    if case .answered(200...299, .some) = completion, !batch.isCancelled, now <= batch.deadline {
      accounts[batch.instance]?.acknowledge(batch.count, at: now, isDoubtful: now == batch.deadline)
    } else {
      accounts[batch.instance]?.failed += batch.count
    }
  }

  // MARK: Judging

  private mutating func settle(
    _ instance: InstanceID, _ tally: ExposureTally, at stamp: Stamp, _ docket: inout Docket
  ) {
    var account = accounts[instance] ?? ExposureAccount()
    docket.check(account.recorded - account.checked)
    accounts[instance, default: account].checked = account.recorded
    // What is still out when the client has been closed has failed.
    for batch in batches.values where batch.instance == instance { account.failed += batch.count }
    guard !account.admits(tally) else { return }
    docket.convict(
      at: stamp, instance: instance,
      "instance \(instance.rawValue): of \(account.recorded) events \(account.acknowledged) were acknowledged, "
        + "\(account.failed) were in failed requests and \(account.neverSent) in none, but the client counts "
        + "\(tally.failed) failed, \(tally.dropped) dropped and \(tally.pending) waiting")
  }

  private func judgeFlush(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    let instance = shadow.instance(reply.call.instance)
    guard reply.call.isLive, !instance.isClosed, instance.gates[.telemetry].lastEnd <= reply.call.began,
      let account = accounts[reply.call.instance]
    else { return }
    let left = account.waiting(before: reply.call.order, beyond: account.lossLimit(shadow.facts))
    guard left > 0 else { return }
    docket.convict(
      reply, at: stamp,
      "returned although \(left) of the events recorded before it have been in no request and cannot "
        + "have been dropped"
    )
  }
}
