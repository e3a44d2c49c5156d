import Events

/// Judges `answers-once` for `refresh()` of the flags client (BEHAVIOUR rules 1.2 and 1.9).
///
/// **Statement.** Every call returns exactly once. A `refresh()` that was neither cancelled nor ended by a change of reader
/// returns in the instant in which its flight ends, with that flight's own outcome.
///
/// **Unit of a check.** A call that returned, or one that had not when the run was over.
///
/// **Red.**
/// 1. A return of a call that is not open: it returned before, or never began.
/// 2. A `refresh()` succeeds although no good answer of its epoch reached the device in this instant, or fails with an error
///    that no end of a request of this instant, no Retry-After, no change of reader and no close explains.
/// 3. When time moves, a `refresh()` still waits that was cancelled, that is of an earlier epoch, or whose epoch has no request
///    out any more although one has ended in this instant with an outcome that leaves nothing to wait for.
/// 4. A call is still open when the run is over. The calls of a killed process end with it.
///
/// **Why a correct client is never red.** An answer that is older than what is held, or than a notice, may be asked for again
/// before its waiters are told, or not. Of an instant in which several requests end each explains. A flight whose credential
/// takes longer than its deadline ends without a request.
///
/// **Not seen.** Whether a call that began during one flight and ended with the next should have ended with the first. How
/// long a call waits before its request starts, as long as it returns in the end.
struct RefreshJudge: FlagsJudge {
  static let invariant = Invariant.answersOnce
  static let interests: Moments = [.calls, .requests, .others, .time]

  private struct Open: Sendable {
    let reader: ReaderID
    let instance: InstanceID
    let operation: Events.Operation
    let epoch: Int
    /// When that epoch began.
    let epochBegan: Int64
    let began: Int64
    /// The latest epoch in which the client may have taken the call: a change of reader in the instant in which it began may
    /// have come first.
    var lastEpoch: Int
    var isCancelled = false
    /// Whether a request of its epoch was out while it waited.
    var sawRequest = false
  }

  private var open: [CallID: Open] = [:]
  /// The calls that wait, by device in the order of their beginning.
  private var waiting: [Int32: [CallID]] = [:]
  /// Calls that ended with their process or that a judgement has given up; a return of theirs is nobody's concern.
  private var abandoned: Set<CallID> = []
  private var lastBegun: CallID?
  /// How the sync requests of this instant ended, by device.
  private var ends: [Int32: [SyncEnd]] = [:]
  /// The devices on which something happened in this instant that may end calls.
  private var touched: [InstanceID] = []
  /// Until when the service wants to be left alone, by device.
  private var patience: [Int32: Int64] = [:]
  /// What a request's answer asks for that has not reached the client.
  private var asked: [RequestID: Int64] = [:]
  /// Returns of this instant that only a close explains, which may be told after them.
  private var suspects: [(violation: Violation, instance: InstanceID)] = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .callBegan(let call, let reader, let instance, let operation, _):
      let device = shadow.device(instance)
      var record = Open(
        reader: reader, instance: instance, operation: operation, epoch: device.epoch,
        epochBegan: device.epochBegan, began: stamp.nanoseconds, lastEpoch: device.epoch)
      record.sawRequest = !shadow.flights(of: device, beside: nil).isEmpty
      open[call] = record
      waiting[instance.rawValue, default: []].append(call)
      lastBegun = max(lastBegun ?? call, call)
    case .callCancelled(let call):
      open[call]?.isCancelled = true
      if let record = open[call] { touched.append(record.instance) }
    case .callReturned(let call, let outcome): judge(call, outcome, at: stamp, shadow, &docket)
    case .requestStarted(_, let instance, let endpoint, _) where endpoint.family == .flags:
      let epoch = shadow.device(instance).epoch
      for call in waiting[instance.rawValue] ?? [] where open[call]?.epoch == epoch {
        open[call]?.sawRequest = true
      }
    case .patienceAsked(let request, let nanoseconds): asked[request] = nanoseconds
    case .requestCancelled(let request), .requestCompleted(let request, _):
      end(request, at: stamp, shadow)
    case .device(.readerChanging(let instance, _)):
      for call in waiting[instance.rawValue] ?? [] where open[call]?.began == stamp.nanoseconds {
        open[call]?.lastEpoch = shadow.device(instance).epoch
      }
    case .device(.readerChanged(let instance)): touched.append(instance)
    case .device(.killed(let instance)), .device(.launched(let instance, _, _)): abandon(instance)
    default: break
    }
  }

  mutating func timeAdvances(from stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    for (violation, instance) in suspects where !shadow.device(instance).isClosed {
      docket.convict(violation)
    }
    for instance in touched {
      let device = shadow.device(instance)
      guard device.isLooked else { continue }
      for call in waiting[instance.rawValue] ?? [] {
        guard let record = open[call], record.operation == .refresh,
          let fault = sleepingFault(of: record, device, shadow)
        else { continue }
        docket.check()
        convict(call, record, at: stamp, fault, &docket)
        forget(call, record)
        abandoned.insert(call)
      }
    }
    suspects.removeAll()
    touched.removeAll()
    ends.removeAll()
  }

  mutating func finish(at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    for (call, record) in open.sorted(by: { $0.key < $1.key }) {
      docket.check()
      convict(call, record, at: stamp, "never returned", &docket)
    }
  }

  // MARK: Requests

  /// A sync request is over for the client.
  private mutating func end(_ request: RequestID, at stamp: Stamp, _ shadow: FlagsShadow) {
    let pause = asked[request]
    guard let record = shadow.requests[request], record.endpoint.family == .flags else { return }
    let device = shadow.device(record.instance)
    guard device.isLooked, record.process == device.process, !record.isLate(at: stamp.nanoseconds) else {
      return
    }
    touched.append(record.instance)
    if record.completion != nil, let pause {
      asked[request] = nil
      let place = record.instance.rawValue
      patience[place] = max(patience[place] ?? .min, stamp.nanoseconds + pause)
    }
    let isTied = stamp.nanoseconds - record.started >= shadow.facts.requestTimeout
    ends[record.instance.rawValue, default: []].append(SyncEnd(record, device, isTied: isTied))
  }

  private mutating func abandon(_ instance: InstanceID) {
    patience[instance.rawValue] = nil
    for call in waiting.removeValue(forKey: instance.rawValue) ?? [] {
      open[call] = nil
      abandoned.insert(call)
    }
  }

  private mutating func forget(_ call: CallID, _ record: Open) {
    open[call] = nil
    waiting[record.instance.rawValue]?.removeAll { $0 == call }
  }

  // MARK: Judgements

  private mutating func judge(
    _ call: CallID, _ outcome: CallOutcome, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket
  ) {
    if abandoned.remove(call) != nil { return }
    docket.check()
    guard let record = open[call] else {
      let history =
        lastBegun.map { call <= $0 } == true ? "returned a second time" : "returned although it never began"
      docket.convict(at: stamp, call: call, "call \(call.rawValue) \(history): it was given \(outcome.words)")
      return
    }
    forget(call, record)
    let device = shadow.device(record.instance)
    guard record.operation == .refresh, !record.isCancelled, device.isLooked,
      let fault = fault(of: outcome, record, device, at: stamp.nanoseconds, shadow.facts)
    else { return }
    if case .failed(.closed, _) = outcome {
      let message = "\(words(record)) \(fault)"
      suspects.append(
        (
          Violation(
            invariant: Self.invariant, stamp: stamp, reader: record.reader, instance: record.instance,
            call: call,
            message: message), record.instance
        ))
    } else {
      convict(call, record, at: stamp, fault, &docket)
    }
  }

  /// What is wrong with the outcome of a `refresh()` that nobody cancelled; nil if something explains it.
  private func fault(
    of outcome: CallOutcome, _ call: Open, _ device: DeviceRecord, at now: Int64, _ facts: RunFacts
  ) -> String? {
    let ends = (ends[call.instance.rawValue] ?? []).filter {
      call.epoch <= $0.epoch && $0.epoch <= call.lastEpoch
    }
    if ends.contains(where: { $0.explains(outcome) }) { return nil }
    let isHeldBack = patience[call.instance.rawValue].map { now <= $0 } ?? false
    switch outcome {
    case .failed(.readerChanged, _) where device.epoch != call.epoch || device.isChanging: return nil
    case .failed(.unauthorized, _), .failed(.forbidden, _), .failed(.rateLimited, _), .failed(.server, _):
      if isHeldBack { return nil }
    case .failed(.transport, _):
      // The credential was not there before the deadline.
      if !call.sawRequest, now - call.epochBegan >= facts.requestTimeout { return nil }
    default: break
    }
    let given = "was given \(outcome == .finished ? "success" : outcome.words)"
    guard let end = ends.last else { return "\(given), but no request of its ended in this instant" }
    return "\(given), but request \(end.request.rawValue) \(end.words)"
  }

  /// Why a call may not wait any more when time moves; nil if it may.
  private func sleepingFault(of call: Open, _ device: DeviceRecord, _ shadow: FlagsShadow) -> String? {
    if call.isCancelled { return "still waits although its caller has cancelled it" }
    if call.lastEpoch != device.epoch { return "still waits although the reader has changed" }
    guard shadow.flights(of: device, beside: nil).isEmpty,
      let end = ends[call.instance.rawValue]?.last(where: { $0.epoch == device.epoch }), !end.mayBeRepeated
    else { return nil }
    return "still waits although request \(end.request.rawValue) \(end.words)"
  }

  private func words(_ call: Open) -> String {
    "reader \(call.reader.rawValue): \(call.operation.name), called at \(seconds(call.began)),"
  }

  private func convict(
    _ call: CallID, _ record: Open, at stamp: Stamp, _ fault: String, _ docket: inout Docket
  ) {
    docket.convict(
      at: stamp, reader: record.reader, instance: record.instance, call: call, "\(words(record)) \(fault)")
  }
}
