import Events

/// Judges `retry-after` (BEHAVIOUR rule 1.6).
///
/// **Statement.** While a Retry-After of an endpoint runs at an instance, no request of that endpoint starts, whatever asks
/// for it; an evaluation that begins within it is answered at once.
///
/// **Unit of a check.** A call that began while a Retry-After of its endpoint certainly ran, and a request that started
/// after one had run out.
///
/// **Red.**
/// 1. A request is sent in a later instant than that in which the answer with the Retry-After arrived, and before its end.
///    It counts when it is sent and not when its flight began: a client looks again after its authorization.
/// 2. An evaluation that was not fresh and began within it returns in a later instant.
/// 3. `evaluateOrThrow` that began within it throws something that no refusal is.
///
/// **Why a correct client is never red.** Only answers that reached the client in time bind, and only where no caller was
/// cancelled in the instant of their arrival, since the client drops an answer that nobody waits for any more. Of two
/// Retry-Afters the later end binds. At the very end the endpoint is free.
///
/// **Not seen.** A client that stays away for too long. The endpoints of one row of BEHAVIOUR §2's table count as one.
struct RetryAfterJudge: Judge {
  static let invariant = Invariant.retryAfter
  static let interests: Moments = [.calls, .requests, .replies]

  /// For each instance and family the end of the Retry-After that was last seen to run out.
  private var seen: [Int: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .callBegan(_, _, let instance, let operation, _):
      guard let family = operation.family else { return }
      let end = shadow.instance(instance).gates[family].end(at: stamp.nanoseconds)
      if stamp.nanoseconds < end { docket.check() }
    case .requestStarted(let request, let instance, let endpoint, _):
      judgeStart(of: request, instance, endpoint, at: stamp, shadow, &docket)
    default:
      break
    }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard reply.isJudged, reply.call.mustBeHeldBack, reply.shape != .fresh else { return }
    if stamp.nanoseconds > reply.call.began {
      docket.convict(
        reply, at: stamp,
        "was answered only at \(seconds(stamp.nanoseconds)), although a Retry-After was running: it is to be "
          + "answered at once")
    } else if case .failed(let kind, _) = reply.shape, kind == .transport || kind == .other {
      docket.convict(
        reply, at: stamp,
        "was given \(reply.outcome.words) instead of the refusal whose Retry-After was running")
    }
  }

  private mutating func judgeStart(
    of request: RequestID, _ instance: InstanceID, _ endpoint: Endpoint, at stamp: Stamp, _ shadow: Shadow,
    _ docket: inout Docket
  ) {
    let record = shadow.instance(instance)
    guard !record.isClosed else { return }
    let end = record.gates[endpoint.family].end(at: stamp.nanoseconds)
    if stamp.nanoseconds < end {
      docket.check()
      docket.convict(
        at: stamp, reader: endpoint == .evaluate ? record.latestCaller : nil, instance: instance,
        request: request, Self.message(request, instance, endpoint, early: end - stamp.nanoseconds))
    } else if end > .min {
      let place = Int(instance.rawValue) * EndpointFamily.allCases.count + Int(endpoint.family.rawValue)
      if seen.updateValue(end, forKey: place) != end { docket.check() }
    }
  }

  /// Returns the line that says by how much a request is too early.
  static func message(
    _ request: RequestID, _ instance: InstanceID, _ endpoint: Endpoint, early: Int64
  ) -> String {
    "instance \(instance.rawValue): request \(request.rawValue) to \(endpoint) started \(seconds(early)) "
      + "before a Retry-After of that endpoint had run out"
  }
}
