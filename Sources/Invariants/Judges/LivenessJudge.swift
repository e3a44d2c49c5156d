import Events

/// Judges `liveness`.
///
/// **Statement.** After the last fault has healed every pending call returns, every app instance gets an
/// answer that is what the service resolves, and its queue drains, all within requestTimeout + the
/// Retry-After that still runs + 60 s + twice the largest latency. Nothing ever repeats without a delay.
///
/// **Unit of a check.** An app instance that was asked until it was well, and a call that was pending at the
/// healing.
///
/// **Red.**
/// 1. A call that was pending at the healing returns later than that, or never.
/// 2. An instance has no answer of the service's by then, or one that differs from what the service resolves.
/// 3. Exposures still wait by then.
/// 4. Time stands still while steps go on.
///
/// **Why a correct client is never red.** An instance is asked from `recoveryAwaited` on, which may be long
/// after the healing: its time runs from there. Whoever drives the run asks again and again, with pauses of
/// at most 16 s, which the 60 s cover. A Retry-After that still runs counts for each instance by itself. The
/// bound is one of a single request: a flush that sends several batches and a walk over several pages have a
/// requestTimeout more for each further one.
///
/// **Not seen.** Anything but clause 4 in a run without faults. A step that never ends: no simulation can end
/// it, whoever runs the process must.
struct LivenessJudge: Judge {
  static let invariant = Invariant.liveness
  static let interests: Moments = [.replies, .others]

  private var watch = RecoveryWatch()
  /// The calls that were pending at the healing and still are, each with the pages that it was brought since.
  private var pending: [CallID: Int64] = [:]
  /// The batches that each instance has sent since it was asked.
  private var batches: [InstanceID: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .healed(let largestLatency):
      watch.heal(largestLatency, at: stamp.nanoseconds)
      shadow.calls.forEach { number, _ in pending[CallID(number)] = 0 }
    case .recoveryAwaited(let instance):
      watch.await(instance, at: stamp.nanoseconds)
      batches[instance] = 0
    case .recovered(let instance, let differing):
      guard let began = watch.awaited[instance] else { return }
      watch.recover(instance, differing, by: limit(of: instance, from: began, 0, shadow), at: stamp, &docket)
    case .batchSent(let request, _) where watch.isHealed:
      guard let instance = shadow.lines[request.rawValue]?.instance else { return }
      batches[instance, default: 0] += 1
    case .pageDelivered(_, let call, _) where watch.isHealed:
      pending[call]? += 1
    case .exposuresCounted(let instance, let tally) where !shadow.instance(instance).isClosed:
      judgeQueue(of: instance, tally, at: stamp, shadow, &docket)
    case .stalled:
      docket.convict(at: stamp, RecoveryWatch.stalling)
    default:
      break
    }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard !pending.isEmpty, let pages = pending.removeValue(forKey: reply.id), let healed = watch.healed
    else { return }
    docket.check()
    let further = pages + (reply.call.operation == .flush ? batches[reply.call.instance] ?? 0 : 0)
    let limit = limit(of: reply.call.instance, from: healed, further, shadow)
    guard stamp.nanoseconds > limit else { return }
    docket.convict(reply, at: stamp, RecoveryWatch.lateness(stamp.nanoseconds, limit))
  }

  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    for call in pending.keys.sorted() {
      guard let record = shadow.calls[call.rawValue] else { continue }
      docket.check()
      docket.convict(
        at: stamp, reader: record.reader, instance: record.instance, call: call,
        "\(record.subject), called at \(seconds(record.began)), \(RecoveryWatch.silence)")
    }
    watch.finish(at: stamp, &docket)
  }

  private func judgeQueue(
    of instance: InstanceID, _ tally: ExposureTally, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket
  ) {
    guard let began = watch.asked[instance] ?? watch.healed else { return }
    let limit = limit(of: instance, from: began, batches[instance] ?? 0, shadow)
    guard tally.pending > 0 || stamp.nanoseconds > limit else { return }
    docket.convict(
      at: stamp, instance: instance,
      "instance \(instance.rawValue): \(tally.pending) exposures wait at \(seconds(stamp.nanoseconds)); "
        + "\(seconds(limit)) was the limit for its queue to drain")
  }

  /// When something of an instance that has been due since an instant, and took some further requests, is too
  /// late.
  private func limit(of instance: InstanceID, from began: Int64, _ further: Int64, _ shadow: Shadow) -> Int64
  {
    watch.limit(
      from: began, shadow.instance(instance).gates, requests: 1 + further, of: shadow.facts.requestTimeout)
  }
}
