import Events

/// Judges `request-economy`.
///
/// **Statement.** At every moment an instance has started at most as many evaluate requests as it had evaluate calls
/// that were not fresh hits.
///
/// **Unit of a check.** An evaluate request that started.
///
/// **Why a correct client is never red.** Each request is started for one call, which has begun and which no other
/// request was started for. A call is taken for a fresh hit only if it was not cancelled, returned in the instant
/// in which it began and gave a value received in an earlier instant: then the entry was there when it looked.
/// Every other call, and each that is still open, may have made a request.
///
/// **Not seen.** Requests too many while many calls join flights: joined calls count as calls that missed.
/// `single-flight` looks closer; this judge bounds the sum, whatever the reason.
struct RequestEconomyJudge: Judge {
  static let invariant = Invariant.requestEconomy
  static let interests: Moments = [.calls, .requests, .replies]

  /// For each instance how many calls may have needed a request, less the requests started.
  private var allowance: ContiguousArray<Int> = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .callBegan(_, _, let instance, let operation, .some) where operation != .invalidate:
      add(1, to: instance)
    case .flightBegan(let request, let instance, .evaluate, _),
      .requestStarted(let request, let instance, .evaluate, _):
      // A flight that began with its authorization was counted then.
      if case .requestStarted = event, shadow.begunFlight == nil, shadow.place(of: request) != nil { return }
      docket.check()
      if add(-1, to: instance) < 0 {
        docket.convict(
          at: stamp, reader: shadow.instance(instance).latestCaller, instance: instance, request: request,
          "instance \(instance.rawValue): request \(request.rawValue) is more than there were calls that missed the "
            + "cache")
      }
    default:
      break
    }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard reply.shape == .fresh, !reply.call.isCancelled, reply.call.began == stamp.nanoseconds else {
      return
    }
    let isHit = reply.answers.contains { answer in
      guard answer.origin == .fresh, let serial = answer.serial else { return false }
      guard let record = shadow.answers[serial.rawValue] else { return false }
      return record.received < reply.call.began
    }
    if isHit { add(-1, to: reply.call.instance) }
  }

  @discardableResult
  private mutating func add(_ count: Int, to instance: InstanceID) -> Int {
    let index = Int(instance.rawValue)
    while allowance.count <= index { allowance.append(0) }
    allowance[index] += count
    return allowance[index]
  }
}
