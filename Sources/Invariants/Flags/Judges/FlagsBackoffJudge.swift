import Events

/// Judges `backoff` of the flags client (BEHAVIOUR rule 1.6).
///
/// **Statement.** After a failure background work (sync, analytics) waits: the n-th gap in a row is drawn from
/// [100 ms, min(60 s, 2ⁿ s)]. Only success starts over, and no loop ends for good because of an error.
///
/// **Unit of a check.** A request in the background that followed a failure of its family.
///
/// **Red.**
/// 1. It starts less than 100 ms after the failure.
/// 2. It starts, or the process ends, later than the n-th gap allows after a failure that is to be tried again.
/// 3. Ten gaps in a row each lie in the lowest sixteenth of what they may be drawn from: in 10¹² draws that happens once.
///    So looks a gap that does not grow.
///
/// **Why a correct client is never red.** Only failures of background work are judged, which the client certainly took in
/// (`Reception`) and which asked for no patience of their own. A call of `refresh()` or `flush()` may go at once, and so
/// may the analytics when the app leaves the screen or the client is closed; whatever cuts a gap short this way, or a
/// change of reader or consent, breaks a row. As long as no request has carried the install's credential, a flight may have
/// run out of time over the loading of it, which is a failure that nobody sees. For clause 2 the row is taken as long as it may have been, for clause 3 as
/// short. A batch that starts early is not held against a client that is then closed without a sign of life before.
///
/// **Not seen.** The gaps of the socket, which has no failures that are told. Devices in the background are not held to
/// clause 2.
struct FlagsBackoffJudge: FlagsJudge {
  static let invariant = Invariant.backoff
  static let interests: Moments = [.calls, .requests, .others]

  private var lines: [BackoffPlace: BackoffLine] = [:]
  private var calls: [BackoffPlace: BackoffCalls] = [:]
  private var places: [CallID: BackoffPlace] = [:]
  /// The requests that are out, with whether a call may have asked for them.
  private var out: [RequestID: Bool] = [:]
  /// The requests whose answer asks for patience.
  private var patient: Set<RequestID> = []
  private var inBackground: Set<InstanceID> = []
  /// When consent was last withdrawn, with which everything that waits to be sent goes.
  private var withdrawn: [InstanceID: Int64] = [:]
  /// The devices whose install's credential is needed and was not seen yet, and since when failures are not counted there.
  private var unproved: [InstanceID: Int64] = [:]
  private var proved: Set<InstanceID> = []
  /// The requests that may have waited for a credential, so that their deadline is nearer than their start says.
  private var delayed: Set<RequestID> = []
  /// Batches that started early, until the device shows that it is not about to be closed.
  private var suspects: [InstanceID: Violation] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .callBegan(let call, _, let instance, let operation, _):
      confirmSuspect(on: instance, at: stamp, &docket)
      guard operation == .refresh || operation == .flush else { return }
      let place = BackoffPlace(instance: instance, isSync: operation == .refresh)
      places[call] = place
      calls[place, default: BackoffCalls()].begin(at: stamp.nanoseconds)
    case .callReturned(let call, _):
      if let place = places.removeValue(forKey: call) { calls[place]?.open -= 1 }
    case .requestStarted(let request, let instance, let endpoint, _):
      guard let place = BackoffPlace(instance, endpoint) else { return }
      start(request, place, endpoint, at: stamp, shadow, &docket)
    case .patienceAsked(let request, _): patient.insert(request)
    case .requestCancelled(let request): cancel(request, at: stamp.nanoseconds, shadow)
    case .requestCompleted(let request, _): complete(request, at: stamp.nanoseconds, shadow)
    case .instanceClosed(let instance):
      suspects[instance] = nil
      end(instance, at: stamp, &docket)
    case .device(let event): observe(event, at: stamp, shadow, &docket)
    default: break
    }
  }

  private mutating func observe(
    _ event: DeviceEvent, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket
  ) {
    switch event {
    case .launched(let instance, let subject, _):
      inBackground.remove(instance)
      proved.remove(instance)
      unproved[instance] = nil
      expectCredential(of: subject, on: instance, at: stamp.nanoseconds)
      suspects[instance] = nil
      for place in BackoffPlace.both(instance) {
        lines[place] = BackoffLine()
        calls[place] = BackoffCalls()
      }
    case .killed(let instance):
      suspects[instance] = nil
      end(instance, at: stamp, &docket)
    case .readerChanging(let instance, let subject):
      countUnseen(on: instance, at: stamp.nanoseconds, shadow)
      expectCredential(of: subject, on: instance, at: stamp.nanoseconds)
      for place in BackoffPlace.both(instance) {
        judgeDue(place, at: stamp, &docket)
        lines[place]?.beginReader()
      }
    case .consentChanged(let instance, let isGiven):
      if !isGiven { withdrawn[instance] = stamp.nanoseconds }
      lines[BackoffPlace(instance: instance, isSync: false)]?.interrupt()
    case .moved(let instance, let isForeground):
      if isForeground { inBackground.remove(instance) } else { inBackground.insert(instance) }
      for place in BackoffPlace.both(instance) { judgeDue(place, at: stamp, &docket) }
      lines[BackoffPlace(instance: instance, isSync: true)]?.due = nil
      lines[BackoffPlace(instance: instance, isSync: false)]?.interrupt()
    case .queried(let request, let query): prove(query.subject, request, at: stamp.nanoseconds, shadow)
    case .batchSent(let request, let batch): prove(batch.subject, request, at: stamp.nanoseconds, shadow)
    default: break
    }
  }

  private mutating func expectCredential(of subject: Subject, on instance: InstanceID, at now: Int64) {
    if subject.isInstall, !proved.contains(instance), unproved[instance] == nil { unproved[instance] = now }
  }

  private mutating func prove(
    _ subject: Subject?, _ request: RequestID, at now: Int64, _ shadow: FlagsShadow
  ) {
    guard let subject, subject.isInstall, let instance = shadow.requests[request]?.instance else { return }
    countUnseen(on: instance, at: now, shadow)
    unproved[instance] = nil
    proved.insert(instance)
  }

  /// Counts the flights that may have run out of time before there was a credential, as many as there can have been.
  private mutating func countUnseen(on instance: InstanceID, at now: Int64, _ shadow: FlagsShadow) {
    guard let since = unproved[instance] else { return }
    unproved[instance] = now
    let turn = shadow.facts.requestTimeout + BackoffLine.shortest
    let count = Int((now - since + BackoffLine.shortest) / turn)
    for place in BackoffPlace.both(instance) { lines[place]?.mayHaveFailedUnseen(count) }
  }

  // MARK: Starts

  private mutating func start(
    _ request: RequestID, _ place: BackoffPlace, _ endpoint: Endpoint, at stamp: Stamp,
    _ shadow: FlagsShadow, _ docket: inout Docket
  ) {
    let now = stamp.nanoseconds
    let calls = calls[place] ?? BackoffCalls()
    out[request] = calls.open > 0 || calls.latest == now
    judgeDue(place, at: stamp, &docket)
    var line = lines[place] ?? BackoffLine()
    if unproved[place.instance] != nil { delayed.insert(request) }
    let isForced = calls.open > 0 || calls.latest >= line.failed ?? .max
    let gap = line.start(at: now, isForced: isForced)
    lines[place] = line
    guard let gap else { return }
    docket.check()
    let name = "instance \(place.instance.rawValue): request \(request.rawValue) to \(endpoint)"
    if gap < BackoffLine.shortest {
      let violation = Violation(
        invariant: .backoff, stamp: stamp, instance: place.instance, request: request,
        message: "\(name) started only \(seconds(gap)) after a failure; the shortest gap is 0.1 s")
      if place.isSync { docket.convict(violation) } else { suspects[place.instance] = violation }
    } else if line.isStuck {
      docket.convict(
        at: stamp, instance: place.instance, request: request,
        "\(name) started \(seconds(gap)) after failure \(line.least) in a row, and ten gaps in a row were as short "
          + "for their place: they do not grow")
    }
  }

  private mutating func confirmSuspect(on instance: InstanceID, at stamp: Stamp, _ docket: inout Docket) {
    guard let suspect = suspects[instance], suspect.stamp.nanoseconds < stamp.nanoseconds else { return }
    suspects[instance] = nil
    docket.convict(suspect)
  }

  private mutating func judgeDue(_ place: BackoffPlace, at stamp: Stamp, _ docket: inout Docket) {
    guard let line = lines[place], let due = line.due, stamp.nanoseconds > due else { return }
    lines[place]?.due = nil
    docket.convict(
      at: stamp, instance: place.instance,
      "instance \(place.instance.rawValue): after failure \(line.most) in a row, at \(seconds(line.failed ?? 0)), "
        + "\(place.isSync ? "the sync" : "analytics") should have been tried again by \(seconds(due))")
  }

  private mutating func end(_ instance: InstanceID, at stamp: Stamp, _ docket: inout Docket) {
    for place in BackoffPlace.both(instance) {
      judgeDue(place, at: stamp, &docket)
      lines[place] = nil
    }
  }

  // MARK: Ends

  private mutating func cancel(_ request: RequestID, at now: Int64, _ shadow: FlagsShadow) {
    guard let record = shadow.requests[request], let isForced = out[request],
      let place = BackoffPlace(record.instance, record.endpoint)
    else { return }
    let wasDelayed = delayed.remove(request) != nil
    // At the deadline it has failed, though an answer may still come in this instant; else nobody wants it any more.
    if now == record.started + shadow.facts.requestTimeout,
      record.epoch == shadow.device(place.instance).epoch
    {
      let isRetried = place.isSync || shadow.device(place.instance).hasConsent
      fail(place, record, isForced: isForced, isRetried: isRetried, at: now)
    } else if wasDelayed || (!place.isSync && now == record.started + shadow.facts.requestTimeout) {
      // Its deadline may have been nearer; and the batch of a former reader is still the client's to send.
      lines[place]?.mayHaveFailed(orSucceeded: false)
    } else {
      lines[place]?.interrupt()
    }
  }

  private mutating func complete(_ request: RequestID, at now: Int64, _ shadow: FlagsShadow) {
    let isPatient = patient.remove(request) != nil
    delayed.remove(request)
    guard let record = shadow.requests[request], let isForced = out.removeValue(forKey: request),
      let place = BackoffPlace(record.instance, record.endpoint)
    else { return }
    let reception = shadow.reception(of: record, at: now)
    // That nothing came before the cancellation is no news.
    if reception == .none || record.completion == .cancelled { return }
    let end = place.isSync ? record.syncEnd(shadow) : record.batchEnd
    switch end {
    case .success where reception == .certain: lines[place]?.succeed()
    case .success, .behind, .unknown: lines[place]?.mayHaveFailed(orSucceeded: true)
    case .continued: lines[place]?.interrupt()
    case .failure, .retried:
      if reception == .doubtful || isPatient {
        lines[place]?.mayHaveFailed(orSucceeded: false)
      } else {
        let isRetried = end == .retried && (place.isSync || shadow.device(place.instance).hasConsent)
        fail(place, record, isForced: isForced, isRetried: isRetried, at: now)
      }
    }
  }

  private mutating func fail(
    _ place: BackoffPlace, _ record: SyncRecord, isForced: Bool, isRetried: Bool, at now: Int64
  ) {
    let calls = calls[place] ?? BackoffCalls()
    // A batch that was out when consent was withdrawn need not be sent again, also if consent is back.
    let isForgotten = !place.isSync && withdrawn[place.instance].map { $0 >= record.started } == true
    if isForced || isForgotten || calls.open > 0 || calls.latest >= record.started {
      lines[place]?.mayHaveFailed(orSucceeded: false)
      return
    }
    let isExpected = isRetried && !inBackground.contains(place.instance)
    lines[place]?.fail(
      at: now, isRetried: isExpected && (place.isSync || unproved[place.instance] == nil))
  }
}
