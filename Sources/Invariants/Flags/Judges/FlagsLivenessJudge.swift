import Events

/// Judges `liveness` of the flags client.
///
/// **Statement.** After the last fault has healed every pending call returns, every device is brought to what the service
/// resolves, and its queue of analytics drains, all within requestTimeout + the Retry-After that still runs + 60 s +
/// twice the largest latency. Nothing ever repeats without a delay. Before the healing, too, a device that was told of a
/// newer version asks for it by itself, and keeps a socket that works (BEHAVIOUR §3, "Sync" and "realtime").
///
/// **Unit of a check.** A device that was asked until it was well, a call that was pending at the healing, a request that
/// was owed after a notice, and a socket that was given up or asked for when it was due.
///
/// **Red.**
/// 1. A call that was pending at the healing returns later than that, or never.
/// 2. A device is not well by then, or shows other values than the service resolves.
/// 3. The client says after that time that events still wait.
/// 4. Time stands still while steps go on.
/// 5. A device that was told of a version, holds an older one and has no request out starts none in time (`NoticeWatch`).
/// 6. A device keeps a socket that is silent, or asks for none after it has lost one (`SocketWatch`).
///
/// **Why a correct client is never red.** A device is asked from `recoveryAwaited` on, which may be long after the healing:
/// its time runs from there. Each request that it starts since the healing gives its calls and its queue a requestTimeout
/// more, for a flight may take a delta and a snapshot, and a queue many batches. What a killed process owed is
/// forgiven.
///
/// **Not seen.** Anything but clauses 4 to 6 in a run without faults; a device that no notice reaches is only seen when it is
/// asked.
struct FlagsLivenessJudge: FlagsJudge {
  static let invariant = Invariant.liveness
  static let interests: Moments = [.calls, .requests, .others]

  private struct Call {
    let reader: ReaderID
    let instance: InstanceID
    let operation: Events.Operation
    let began: Int64
    var isPending = false

    var words: String { "reader \(reader.rawValue): \(operation.name), called at \(seconds(began))," }
  }

  private var watch = RecoveryWatch()
  private var notices = NoticeWatch()
  private var sockets = SocketWatch()
  private var gates = FlagsGates()
  private var calls: [CallID: Call] = [:]
  /// How many requests each device has started since the healing.
  private var started: [InstanceID: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    let now = stamp.nanoseconds
    gates.observe(event, at: now, shadow)
    if let (instance, debt) = notices.observe(event, at: now, shadow, gates, &docket) {
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) was told of version \(debt.version) at \(seconds(debt.told)), holds an older one "
          + "and should have asked for it by \(seconds(debt.due))")
    }
    if let (instance, debt) = sockets.observe(event, at: now, shadow, gates, &docket) {
      docket.convict(at: stamp, instance: instance, "instance \(instance.rawValue) \(debt.words)")
    }
    switch event {
    case .callBegan(let call, let reader, let instance, let operation, _):
      calls[call] = Call(reader: reader, instance: instance, operation: operation, began: now)
    case .callReturned(let call, _):
      guard let record = calls.removeValue(forKey: call), record.isPending, let healed = watch.healed else {
        return
      }
      docket.check()
      let limit = limit(of: record.instance, from: healed, shadow)
      guard now > limit else { return }
      docket.convict(
        at: stamp, reader: record.reader, instance: record.instance, call: call,
        "\(record.words) \(RecoveryWatch.lateness(now, limit))")
    case .requestStarted(_, let instance, _, _) where watch.isHealed:
      started[instance, default: 0] += 1
    case .device(.killed(let instance)):
      if !calls.isEmpty { calls = calls.filter { $0.value.instance != instance } }
    case .healed(let largestLatency):
      watch.heal(largestLatency, at: now)
      for call in calls.keys { calls[call]?.isPending = true }
    case .recoveryAwaited(let instance): watch.await(instance, at: now)
    case .recovered(let instance, let differing):
      guard let began = watch.awaited[instance] else { return }
      watch.recover(instance, differing, by: limit(of: instance, from: began, shadow), at: stamp, &docket)
    case .device(.tallied(let instance, let tally)) where !shadow.device(instance).isClosed:
      judgeQueue(of: instance, tally, at: stamp, shadow, &docket)
    case .stalled: docket.convict(at: stamp, RecoveryWatch.stalling)
    default: break
    }
  }

  mutating func finish(at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    for call in calls.keys.sorted() {
      guard let record = calls[call], record.isPending else { continue }
      docket.check()
      docket.convict(
        at: stamp, reader: record.reader, instance: record.instance, call: call,
        "\(record.words) \(RecoveryWatch.silence)")
    }
    for (instance, debt) in sockets.finish(at: stamp.nanoseconds, gates) {
      docket.convict(at: stamp, instance: instance, "instance \(instance.rawValue) \(debt.words)")
    }
    watch.finish(at: stamp, &docket)
  }

  private func judgeQueue(
    of instance: InstanceID, _ tally: AnalyticsTally, at stamp: Stamp, _ shadow: FlagsShadow,
    _ docket: inout Docket
  ) {
    guard tally.pending > 0, shadow.device(instance).isRunning,
      let began = watch.asked[instance] ?? watch.healed
    else { return }
    let limit = limit(of: instance, from: began, shadow)
    guard stamp.nanoseconds > limit else { return }
    docket.convict(
      at: stamp, instance: instance,
      "instance \(instance.rawValue): \(tally.pending) events wait at \(seconds(stamp.nanoseconds)); "
        + "\(seconds(limit)) was the limit for its queue to drain")
  }

  /// When something of a device that has been due since an instant is too late.
  private func limit(of instance: InstanceID, from began: Int64, _ shadow: FlagsShadow) -> Int64 {
    watch.limit(
      from: began, gates[instance], requests: 1 + (started[instance] ?? 0),
      of: shadow.facts.requestTimeout)
  }
}
