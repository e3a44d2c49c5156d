import Events

/// Judges `gone-recovers` (BEHAVIOUR §3, "after 410").
///
/// **Statement.** After a 410 the held version is no base for a delta any more: the next sync request of the epoch is a
/// snapshot, and no delta is asked for before one is applied.
///
/// **Unit of a check.** A sync request of a device whose version was taken back by a 410 and has not been renewed.
///
/// **Red.** Such a request is a delta.
///
/// **Why a correct client is never red.** A 410 that ties with its request's deadline or cancellation may not have been
/// taken in, and then does not count; nor does one that reached an earlier epoch or process. A snapshot is applied also by a
/// 304 that answers its ETag. One flight at a time means that whoever asks again has taken in the answer before.
///
/// **Not seen.** That the version stays the floor is `monotonic-version`'s; that a 410 or a failure of the snapshot backs
/// off is `backoff`'s.
struct GoneRecoversJudge: FlagsJudge {
  static let invariant = Invariant.goneRecovers
  static let interests: Moments = [.requests]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    guard case .device(.queried(let request, let query)) = event, let record = shadow.requests[request]
    else { return }
    let device = shadow.device(record.instance)
    let states = device.held.states
    guard device.isLooked, !states.isEmpty, states.allSatisfy({ $0.base == .gone }) else { return }
    docket.check()
    guard let since = query.since else { return }
    docket.convict(
      at: stamp, instance: record.instance, request: request,
      "request \(request.rawValue) asks for a delta from version \(since), which a 410 has taken back: the next "
        + "request must be a snapshot")
  }
}
