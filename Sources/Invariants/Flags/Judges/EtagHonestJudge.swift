import Events

/// Judges `etag-honest` (BEHAVIOUR rule 1.5 and §3, "snapshot").
///
/// **Statement.** `If-None-Match` carries only an ETag that names exactly the values held for this reader and this context,
/// and a 304 alters no value.
///
/// **Unit of a check.** A request with an ETag, or a look at a device that a 304 has reached since the last look.
///
/// **Red.**
/// 1. A request carries an ETag that none of the records names which the device may hold: one of another reader or context,
///    of an earlier snapshot, or one whose values a delta has changed since or some of which were skipped.
/// 2. A delta carries an ETag.
/// 3. What a device shows is none of the records that it may hold, and the latest answer that reached it was a 304.
///
/// **Why a correct client is never red.** The ETag of a record that was on the device before the run, or whose writing the
/// run has not seen, is not judged. A 304 may name a new ETag for the same values; both are right then.
///
/// **Not seen.** A client that asks without an ETag although it holds one: that costs bytes and breaks no rule.
struct EtagHonestJudge: FlagsJudge {
  static let invariant = Invariant.etagHonest
  static let interests: Moments = [.requests, .others]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .device(.queried(let request, let query)):
      guard let etag = query.etag, let record = shadow.requests[request] else { return }
      let device = shadow.device(record.instance)
      guard device.isLooked else { return }
      docket.check()
      if query.since == nil, device.held.mayHold({ $0.etags?.contains(etag) ?? true }) { return }
      docket.convict(
        at: stamp, instance: record.instance, request: request,
        query.since == nil
          ? "request \(request.rawValue) carries an ETag that does not name what instance "
            + "\(record.instance.rawValue) holds for this reader and context"
          : "request \(request.rawValue) asks for a delta and carries an ETag")
    case .device(.held(let instance, let held)):
      let device = shadow.device(instance)
      guard device.isLooked, let arrival = device.held.arrival, arrival.answer.isNotModified, !arrival.isOlder
      else { return }
      docket.check()
      guard let fault = device.fault(of: held) else { return }
      docket.convict(
        at: stamp, instance: instance, request: arrival.answer.request,
        "instance \(instance.rawValue) \(fault), after a 304 to request \(arrival.answer.request.rawValue)")
    default: break
    }
  }
}

extension SyncAnswer {
  /// Whether it is a 304, asked for or not.
  var isNotModified: Bool {
    switch kind {
    case .notModified, .nothingNewer, .notModifiedUnasked: true
    case .snapshot, .delta, .gone, .failure: false
    }
  }
}
