import Events

/// Judges `ttl` (BEHAVIOUR rule 1.1).
///
/// **Statement.** A value is fresh exactly if `begin − receipt < TTL`, half-open; what is called fresh made no request;
/// a call at or past the TTL makes or joins one.
///
/// **Unit of a check.** A key answered as fresh; and a call that found nothing younger than the TTL.
///
/// **Red**, for calls that were not cancelled:
/// 1. A key called fresh whose answer had been received a TTL or more before the call began.
/// 2. A key called stale whose answer had been received in an earlier instant and less than a TTL before.
/// 3. A key called fresh whose answer arrived in a later instant than the call began: it was not in the cache then.
///    And a call that had fresh values in hand when it began and yet waited while a request of its own was out.
/// 4. A call returned without being fresh, nothing younger than the TTL can have been held for its cache key when it
///    began, and it may have waited for no request of its own.
///
/// **Why a correct client is never red.** A call reads the clock in the instant in which it begins. A good answer to any
/// request with this cache key that arrived within the TTL counts as possibly held, also in the very instant of
/// the call; a call that waited and degrades to an entry filled meanwhile calls it stale, for it did ask. While a
/// Retry-After may run 4 is not judged.
///
/// **Not seen.** A client that fetches although it holds a fresh entry: invalidation, eviction and other stores' entries
/// make that legal in most places; thresholds on `requests` catch it.
struct TTLJudge: Judge {
  static let invariant = Invariant.ttl
  static let interests: Moments = .replies

  init() {}

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard reply.isJudged else { return }
    let fault = judgeClaims(reply, at: stamp, shadow, &docket) ?? judgeAbsence(reply, at: stamp, &docket)
    if let fault { docket.convict(reply, at: stamp, request: reply.source?.id, fault) }
  }

  /// Clauses 1 to 3.
  private func judgeClaims(
    _ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket
  ) -> String? {
    guard case .answered(let answers) = reply.outcome else { return nil }
    var fault: String?
    for answer in answers where answer.origin == .fresh || answer.origin == .stale {
      if answer.origin == .fresh { docket.check() }
      guard fault == nil, let serial = answer.serial, let record = shadow.answers[serial.rawValue] else {
        continue
      }
      let age = reply.call.began - record.received
      let ttl = shadow.facts.cacheTTL
      if answer.origin == .fresh, age >= ttl {
        fault = "was given a value \(seconds(age)) old as fresh; the TTL is \(seconds(ttl))"
      } else if answer.origin == .fresh, age < 0 {
        fault =
          "was given as fresh a value that arrived only at \(seconds(record.received)): what is fresh was held before"
      } else if answer.origin == .fresh, age > 0, stamp.nanoseconds > reply.call.began, reply.hadRequest {
        fault =
          "was given a value \(seconds(age)) old as fresh, but waited for a request until "
          + seconds(stamp.nanoseconds)
      } else if answer.origin == .stale, age > 0, age < ttl, shadow.facts.answersNameEveryKey {
        fault = "was given a value \(seconds(age)) old as stale; the TTL is \(seconds(ttl))"
        docket.check()
      }
    }
    return fault
  }

  /// Clause 4.
  private func judgeAbsence(_ reply: Reply, at stamp: Stamp, _ docket: inout Docket) -> String? {
    guard reply.shape != .fresh, !reply.mayHaveFoundFresh, !reply.neededNoRequest else { return nil }
    docket.check()
    guard !reply.hadRequest, reply.finishedFlight == nil else { return nil }
    return "found nothing younger than the TTL and neither made nor joined a request"
  }
}
