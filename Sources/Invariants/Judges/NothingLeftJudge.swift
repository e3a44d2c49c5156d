import Events

/// Judges `nothing-left` (BEHAVIOUR rule 1.9).
///
/// **Statement.** After close and drain no task, timer, request or continuation of the client is left, and a second
/// identical run in the same process grows memory by less than 1 %.
///
/// **Unit of a check.** A report of one kind of leftover, for one closed instance or for the whole run. Whoever drives
/// the run looks for each kind and reports 0 when it found none; for memory it reports 0 when growth is below 1 %.
///
/// **Red.** A report that is not 0, and a request that starts at a client that was closed before.
///
/// **Why a correct client is never red.** A report is made after everything came to rest, of things the client made. A
/// flight that was about to start its request at the close was cancelled by it, and looks before it sends.
///
/// **Not seen.** What nobody looked for.
struct NothingLeftJudge: Judge {
  static let invariant = Invariant.nothingLeft
  static let interests: Moments = [.requests, .others]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    if case .requestStarted(let request, let instance, _, _) = event, shadow.instance(instance).isClosed {
      docket.check()
      docket.convict(
        at: stamp, reader: shadow.instance(instance).latestCaller, instance: instance, request: request,
        "instance \(instance.rawValue): request \(request.rawValue) started after the client was closed")
    }
    if case .leftover(let instance, let kind, let count) = event {
      Self.judge(kind, count, of: instance, at: stamp, &docket)
    }
  }

  /// Judges the report of one kind of leftover.
  static func judge(
    _ kind: Leftover, _ count: Int, of instance: InstanceID?, at stamp: Stamp, _ docket: inout Docket
  ) {
    docket.check()
    guard count > 0 else { return }
    docket.convict(at: stamp, instance: instance, message(instance, kind, count))
  }

  /// Returns the line that says what was left.
  static func message(_ instance: InstanceID?, _ kind: Leftover, _ count: Int) -> String {
    let place = instance.map { "instance \($0.rawValue)" } ?? "the run"
    let things =
      switch kind {
      case .task: count == 1 ? "1 task that has not ended" : "\(count) tasks that have not ended"
      case .timer: count == 1 ? "1 armed timer" : "\(count) armed timers"
      case .request: count == 1 ? "1 outstanding request" : "\(count) outstanding requests"
      case .continuation: count == 1 ? "1 call without an answer" : "\(count) calls without an answer"
      case .memory: "\(count) bytes that a second, identical run added"
      }
    return "\(place) left \(things) after close"
  }
}
