import Events

/// Judges `invalidation`.
///
/// **Statement.** No call that began after an `invalidateCache()` of its instance had returned gets a value whose
/// request had started before that `invalidateCache()` was called.
///
/// **Unit of a check.** A call that began after an `invalidateCache()` of its instance had returned, and got at
/// least one value of an answer. Cancelled calls count: stale entries are dropped as well.
///
/// **Why a correct client is never red.** `invalidateCache()` takes effect somewhere between its call and its return,
/// so only requests that started before the former and calls that began after the latter are judged. A request
/// that starts after the call may belong to a flight begun before it; that is not judged.
///
/// **Not seen.** An effect that is late but within the call; a flight begun before and started within it.
struct InvalidationJudge: Judge {
  static let invariant = Invariant.invalidation
  static let interests: Moments = .replies

  init() {}

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard reply.call.fence > 0, case .answered(let answers) = reply.outcome else { return }
    guard answers.contains(where: { $0.serial != nil }) else { return }
    docket.check()
    for answer in answers {
      guard let serial = answer.serial, let record = shadow.answers[serial.rawValue] else { continue }
      guard record.instance == reply.call.instance, record.startOrder < reply.call.fence else { continue }
      docket.convict(
        reply, at: stamp, request: record.request,
        "was given a value of answer \(serial.rawValue) as \(answer.origin), requested at "
          + "\(seconds(record.started)), before an invalidateCache() that had returned")
      return
    }
  }
}
