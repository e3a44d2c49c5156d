import Events

/// Judges `retry-after` of the flags client (BEHAVIOUR rule 1.6).
///
/// **Statement.** While a Retry-After of flags, of analytics or of the socket runs at a device, no request of that family
/// starts, whatever asks for one: a retry, a notice, the app's return, a reader. A refresh that begins within it fails
/// at once.
///
/// **Unit of a check.** A call that began while a Retry-After of its family certainly ran, and a request that started
/// after one had run out.
///
/// **Red.**
/// 1. A request starts in a later instant than that in which the refusal with the Retry-After arrived, and before its
///    end.
/// 2. A refresh that began within it returns in a later instant, or says that it has finished.
///
/// **Why a correct client is never red.** Only refusals that the client certainly took in bind (`Reception`), of two the
/// later end, and no process is bound by what its predecessor was told. Snapshots and deltas are two ways to one thing and
/// share a Retry-After. A refresh that its reader cancelled, or that a change of reader or the close ends, is not judged.
///
/// **Not seen.** A client that stays away for too long.
struct FlagsRetryAfterJudge: FlagsJudge {
  static let invariant = Invariant.retryAfter
  static let interests: Moments = [.calls, .requests, .others]

  private struct Refresh {
    let instance: InstanceID
    let reader: ReaderID
    let began: Int64
  }

  private var gates = FlagsGates()
  /// The open refreshes that began while a Retry-After certainly ran.
  private var refreshes: [CallID: Refresh] = [:]
  /// For each device and family the end of the Retry-After that was last seen to run out.
  private var seen: [Int: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    gates.observe(event, at: stamp.nanoseconds, shadow)
    switch event {
    case .callBegan(let call, let reader, let instance, let operation, _):
      guard let family = operation.flagsFamily else { return }
      guard stamp.nanoseconds < gates[instance][family].end(at: stamp.nanoseconds) else { return }
      docket.check()
      if operation == .refresh {
        refreshes[call] = Refresh(instance: instance, reader: reader, began: stamp.nanoseconds)
      }
    case .callCancelled(let call): refreshes[call] = nil
    case .callReturned(let call, let outcome): judgeReturn(of: call, outcome, at: stamp, &docket)
    case .instanceClosed(let instance), .device(.readerChanging(let instance, _)),
      .device(.killed(let instance)):
      guard !refreshes.isEmpty else { return }
      refreshes = refreshes.filter { $0.value.instance != instance }
    case .device(.launched(let instance, _, _)):
      for family in EndpointFamily.allCases { seen[place(instance, family)] = nil }
    case .requestStarted(let request, let instance, let endpoint, _):
      judgeStart(of: request, instance, endpoint, at: stamp, shadow, &docket)
    default: break
    }
  }

  private mutating func judgeReturn(
    of call: CallID, _ outcome: CallOutcome, at stamp: Stamp, _ docket: inout Docket
  ) {
    guard let refresh = refreshes.removeValue(forKey: call) else { return }
    let fault: String
    if stamp.nanoseconds > refresh.began {
      fault = "returned only at \(seconds(stamp.nanoseconds))"
    } else if outcome == .finished {
      fault = "says that it has finished"
    } else {
      return
    }
    docket.convict(
      at: stamp, reader: refresh.reader, instance: refresh.instance, call: call,
      "reader \(refresh.reader.rawValue): refresh, called at \(seconds(refresh.began)), \(fault), although a "
        + "Retry-After was running: it is to fail at once")
  }

  private mutating func judgeStart(
    of request: RequestID, _ instance: InstanceID, _ endpoint: Endpoint, at stamp: Stamp,
    _ shadow: FlagsShadow,
    _ docket: inout Docket
  ) {
    guard !shadow.device(instance).isClosed else { return }
    let end = gates[instance][endpoint.family].end(at: stamp.nanoseconds)
    if stamp.nanoseconds < end {
      docket.check()
      docket.convict(
        at: stamp, instance: instance, request: request,
        RetryAfterJudge.message(request, instance, endpoint, early: end - stamp.nanoseconds))
    } else if end > .min, seen.updateValue(end, forKey: place(instance, endpoint.family)) != end {
      docket.check()
    }
  }

  private func place(_ instance: InstanceID, _ family: EndpointFamily) -> Int {
    Int(instance.rawValue) * EndpointFamily.allCases.count + Int(family.rawValue)
  }
}

extension Events.Operation {
  /// The family whose Retry-After a call of the flags client meets; nil if it makes no request itself.
  fileprivate var flagsFamily: EndpointFamily? {
    switch self {
    case .refresh: .flags
    case .flush: .analytics
    default: nil
    }
  }
}
