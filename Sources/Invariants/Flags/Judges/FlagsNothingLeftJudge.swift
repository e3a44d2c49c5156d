import Events

/// Judges `nothing-left` of the flags client (BEHAVIOUR rule 1.9).
///
/// **Statement.** After close and drain no task, timer, request or continuation of the client is left, and a second
/// identical run in the same process grows memory by less than 1 %.
///
/// **Unit of a check.** A report of one kind of leftover, for one closed device or for the whole run.
///
/// **Red.**
/// 1. A report that is not 0.
/// 2. In a later instant than that in which the client was closed: a request starts, the socket opens, a topic is
///    joined, or an operation on the record begins.
///
/// **Why a correct client is never red.** A close is told when it has returned, the last flush of analytics included. What
/// its step set free may still run in the rest of the instant.
///
/// **Not seen.** What nobody looked for. What a killed process left: it is gone.
struct FlagsNothingLeftJudge: FlagsJudge {
  static let invariant = Invariant.nothingLeft
  static let interests: Moments = [.requests, .others]

  /// When the client of each device was closed, in nanoseconds.
  private var closed: [InstanceID: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .leftover(let instance, let kind, let count):
      NothingLeftJudge.judge(kind, count, of: instance, at: stamp, &docket)
    case .instanceClosed(let instance): closed[instance] = stamp.nanoseconds
    case .device(.launched(let instance, _, _)): closed[instance] = nil
    case .requestStarted(let request, let instance, _, _):
      judge(instance, "request \(request.rawValue) started", request, at: stamp, &docket)
    case .device(.socketChanged(let instance, isOpen: true)):
      judge(instance, "a socket was opened", at: stamp, &docket)
    case .device(.joinAsked(let instance, let topic, _, _)):
      judge(instance, "\(topic) was joined", at: stamp, &docket)
    case .device(.recordWriteBegan(let instance, _, _)):
      judge(instance, "an operation on the record began", at: stamp, &docket)
    default: break
    }
  }

  private func judge(
    _ instance: InstanceID, _ deed: @autoclosure () -> String, _ request: RequestID? = nil, at stamp: Stamp,
    _ docket: inout Docket
  ) {
    guard let closed = closed[instance], closed < stamp.nanoseconds else { return }
    docket.check()
    docket.convict(
      at: stamp, instance: instance, request: request,
      "instance \(instance.rawValue): \(deed()) after the client was closed")
  }
}
