import Events

/// Judges `request-budget` of the flags client.
///
/// **Statement.** A device makes no more sync requests than were called for: one for its launch, one for each reader, each
/// forced refresh, each notice, each join and each return to the screen, and one more for each that left something to be
/// wanted. What a failure calls for has its gap by `backoff`, so the requests in any window stay within one, one for each
/// shortest gap in it, and what was called for.
///
/// **Unit of a check.** A sync request that started.
///
/// **Red.** A process has started more sync requests than were called for.
///
/// **Why a correct client is never red.** What is called for is counted generously: every notice and every join, although a
/// client coalesces them, and a new request after every end that may not have satisfied, such as an answer that came with
/// the deadline, was damaged, or was older than a notice.
///
/// **Not seen.** A client that asks again without need as often as it coalesced before.
struct RequestBudgetJudge: FlagsJudge {
  static let invariant = Invariant.requestBudget
  static let interests: Moments = [.calls, .requests, .others]

  /// How many requests each device may start still.
  private var allowed: [InstanceID: Int] = [:]
  private var out: Set<RequestID> = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .callBegan(_, _, let instance, .refresh, _): allowed[instance, default: 0] += 1
    case .requestStarted(let request, let instance, let endpoint, _):
      guard endpoint.family == .flags else { return }
      docket.check()
      out.insert(request)
      spend(on: instance, request, at: stamp, &docket)
    case .requestCancelled(let request):
      guard out.remove(request) != nil, let record = shadow.requests[request] else { return }
      allowed[record.instance, default: 0] += 1
    case .requestCompleted(let request, _):
      guard out.remove(request) != nil, let record = shadow.requests[request] else { return }
      let isSatisfied =
        record.syncEnd(shadow) == .success && shadow.reception(of: record, at: stamp.nanoseconds) == .certain
      if !isSatisfied { allowed[record.instance, default: 0] += 1 }
    case .device(.launched(let instance, _, _)): allowed[instance] = 1
    case .device(.readerChanging(let instance, _)), .device(.moved(let instance, isForeground: true)),
      .device(.noticed(let instance, _, _)), .device(.joinAsked(let instance, _, _, isAccepted: true)):
      allowed[instance, default: 0] += 1
    default: break
    }
  }

  private mutating func spend(
    on instance: InstanceID, _ request: RequestID, at stamp: Stamp, _ docket: inout Docket
  ) {
    let left = allowed[instance] ?? 0
    allowed[instance] = max(0, left - 1)
    guard left == 0 else { return }
    docket.convict(
      at: stamp, instance: instance, request: request,
      "instance \(instance.rawValue): request \(request.rawValue) was called for by nothing: no launch, reader, refresh, "
        + "notice, join, return to the screen or failure is left that it could answer")
  }
}
