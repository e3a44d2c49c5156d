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

  private static let slack: Int64 = 60_000_000_000

  private var healed: (at: Int64, largestLatency: Int64)?
  /// The calls that were pending at the healing and still are, each with the pages that it was brought since.
  private var pending: [CallID: Int64] = [:]
  /// The instances that have to get well, with the instant from which they are asked.
  private var awaited: [InstanceID: Int64] = [:]
  /// The instant from which each instance was asked, and the batches that it has sent since the healing.
  private var asked: [InstanceID: Int64] = [:]
  private var batches: [InstanceID: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .healed(let largestLatency):
      healed = (stamp.nanoseconds, largestLatency)
      shadow.calls.forEach { number, _ in pending[CallID(number)] = 0 }
    case .recoveryAwaited(let instance):
      awaited[instance] = stamp.nanoseconds
      asked[instance] = stamp.nanoseconds
      batches[instance] = 0
    case .recovered(let instance, let differing):
      recover(instance, differing, at: stamp, shadow, &docket)
    case .batchSent(let request, _) where healed != nil:
      guard let instance = shadow.lines[request.rawValue]?.instance else { return }
      batches[instance, default: 0] += 1
    case .pageDelivered(_, let call, _) where healed != nil:
      pending[call]? += 1
    case .exposuresCounted(let instance, let tally) where !shadow.instance(instance).isClosed:
      judgeQueue(of: instance, tally, at: stamp, shadow, &docket)
    case .stalled:
      docket.convict(at: stamp, "time stands still: something repeats without a delay")
    default:
      break
    }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard !pending.isEmpty, let pages = pending.removeValue(forKey: reply.id), let healed else { return }
    docket.check()
    let further = pages + (reply.call.operation == .flush ? batches[reply.call.instance] ?? 0 : 0)
    let limit = limit(of: reply.call.instance, from: healed.at, further, shadow)
    guard stamp.nanoseconds > limit else { return }
    docket.convict(
      reply, at: stamp,
      "was pending when the last fault healed and returned only at \(seconds(stamp.nanoseconds)); "
        + "\(seconds(limit)) was the limit")
  }

  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    for call in pending.keys.sorted() {
      guard let record = shadow.calls[call.rawValue] else { continue }
      docket.check()
      docket.convict(
        at: stamp, reader: record.reader, instance: record.instance, call: call,
        "\(record.subject), called at \(seconds(record.began)), was pending when the last fault healed and "
          + "never returned")
    }
    for instance in awaited.keys.sorted() {
      docket.check()
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) got no answer of the service's, although it was asked from "
          + "\(seconds(awaited[instance] ?? 0)) on and no fault was left")
    }
  }

  private mutating func recover(
    _ instance: InstanceID, _ differing: Int, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket
  ) {
    guard let began = awaited.removeValue(forKey: instance) else { return }
    docket.check()
    let limit = limit(of: instance, from: began, 0, shadow)
    if stamp.nanoseconds > limit {
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) got an answer of the service's only at \(seconds(stamp.nanoseconds)); "
          + "\(seconds(limit)) was the limit")
    } else if differing > 0 {
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue): \(differing) \(differing == 1 ? "key differs" : "keys differ") from "
          + "what the service resolves")
    }
  }

  private func judgeQueue(
    of instance: InstanceID, _ tally: ExposureTally, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket
  ) {
    guard let began = asked[instance] ?? healed?.at else { return }
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
    let gates = shadow.instance(instance).gates
    let open = EndpointFamily.allCases.map { gates[$0].lastEnd }.max() ?? began
    return max(began, open) + shadow.facts.requestTimeout * (1 + further) + Self.slack
      + 2 * (healed?.largestLatency ?? 0)
  }
}
