import Events

/// Judges `delta-base` (BEHAVIOUR rule 1.4 and §3, "Sync").
///
/// **Statement.** A delta is asked for and applied only onto the version that is held, and it is applied whole or not at all.
///
/// **Unit of a check.** A delta that is asked for, or a look at a device that a delta has reached since the last look.
///
/// **Red.**
/// 1. A delta is asked onto a version that the device cannot hold for this reader and context. Values that were loaded for
///    another context are no base.
/// 2. What a device shows is none of the records that it may hold, and the latest answer that reached it was a delta: it was
///    applied in part, or onto another version than its own.
///
/// **Why a correct client is never red.** Of an instant in which an answer arrives both the record before and the one after
/// count. A flag that does not decode keeps its value, the rest of its delta is applied (BEHAVIOUR rule 1.8). A base that a
/// 410 has taken back is `gone-recovers`'s.
///
/// **Not seen.** What becomes of a delta between its arrival and the next look.
struct DeltaBaseJudge: FlagsJudge {
  static let invariant = Invariant.deltaBase
  static let interests: Moments = [.requests, .others]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .device(.queried(let request, let query)): judge(query, of: request, at: stamp, shadow, &docket)
    case .device(.held(let instance, let held)):
      let device = shadow.device(instance)
      guard device.isLooked, let arrival = device.held.arrival,
        case .delta(let since, _, _) = arrival.answer.kind,
        !arrival.isOlder
      else { return }
      docket.check()
      guard let fault = device.fault(of: held) else { return }
      docket.convict(
        at: stamp, instance: instance, request: arrival.answer.request,
        "instance \(instance.rawValue) \(fault), after a delta from version \(since) to \(arrival.answer.version)"
      )
    default: break
    }
  }

  private func judge(
    _ query: FlagsQuery, of request: RequestID, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket
  ) {
    guard let since = query.since, let record = shadow.requests[request] else { return }
    let device = shadow.device(record.instance)
    guard device.isLooked else { return }
    docket.check()
    if device.held.mayHold({ $0.base != .none && $0.version == since }) { return }
    let held = device.held.states.last { $0.base != .none }?.version
    docket.convict(
      at: stamp, instance: record.instance, request: request,
      "request \(request.rawValue) asks for a delta from version \(since), but instance \(record.instance.rawValue) "
        + (held.map { "holds version \($0)" } ?? "holds no version of this reader and context"))
  }
}
