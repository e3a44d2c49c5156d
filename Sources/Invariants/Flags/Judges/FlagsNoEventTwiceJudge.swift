import Events

/// Judges `no-event-twice` of analytics (BEHAVIOUR §3, "Analytics").
///
/// **Statement.** The service counts each event id once. A repeat has the same batch id and bytes and follows an attempt
/// whose 202 the client did not get; only what was too large is sent again in other, smaller batches.
///
/// **Unit of a check.** An event in a request.
///
/// **Red.**
/// 1. A batch holds an event twice.
/// 2. A batch id comes again with other bytes, from another process, while the attempt before is out, or after its
///    202 or 413 certainly reached the client.
/// 3. An event that was in a batch comes in one with another id, and its former batch did not end with 413, or was not
///    larger.
/// 4. The service counts an event again.
///
/// **Why a correct client is never red.** An attempt whose end is doubtful (`Reception`) allows both: the batch as it was, and
/// its parts.
///
/// **Not seen.** Whether two events with different ids are one: `exposure-once` and the workload's numbers tell.
struct FlagsNoEventTwiceJudge: FlagsJudge {
  static let invariant = Invariant.noEventTwice
  static let interests: Moments = [.requests, .others]

  /// What is known of the latest attempt to send a batch.
  private enum State {
    case out, failed, accepted, doubtful, tooLarge
  }

  private struct Batch {
    let bytes: UInt64
    let count: Int
    let instance: InstanceID
    let process: Int
    var request: RequestID
    var state = State.out
    /// When the state was last settled by an answer.
    var settled = Int64.min

    var maySplit: Bool { state == .tooLarge || state == .doubtful }
  }

  private var batches: [UInt64: Batch] = [:]
  /// The batch that carried each event last.
  private var carriers: [UInt64: UInt64] = [:]
  /// The batch of each request that is out, or was cancelled in this instant.
  private var open: [RequestID: UInt64] = [:]
  /// For each device the batch whose end it was last told.
  private var latest: [InstanceID: UInt64] = [:]
  private var counted: Set<UInt64> = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    if let instance = event.unsettledDevice(shadow) { doubt(instance, at: stamp.nanoseconds) }
    switch event {
    case .device(.batchSent(let request, let batch)):
      docket.check(batch.events.count)
      guard let record = shadow.requests[request] else { return }
      if let fault = send(batch, record) {
        docket.convict(
          at: stamp, instance: record.instance, request: request,
          "instance \(record.instance.rawValue): request \(request.rawValue) \(fault)")
      }
    case .requestCancelled(let request):
      guard let id = open[request], batches[id]?.state == .out else { return }
      batches[id]?.state = .failed
    case .requestCompleted(let request, let completion):
      end(request, completion, at: stamp.nanoseconds, shadow)
    case .device(.eventsCounted(let request, let ids)):
      for id in ids where !counted.insert(id).inserted {
        docket.convict(
          at: stamp, instance: shadow.requests[request]?.instance, request: request,
          "the service counts event \(id) of request \(request.rawValue) again")
      }
    default: break
    }
  }

  // MARK: Sending

  private mutating func send(_ batch: AnalyticsBatch, _ record: SyncRecord) -> String? {
    var fault: String?
    if Set(batch.events.map(\.id)).count < batch.events.count { fault = "carries an event twice" }
    if let earlier = batches[batch.id] {
      fault = fault ?? self.fault(of: batch, record, after: earlier)
    } else {
      for event in batch.events {
        guard fault == nil, let carrier = carriers[event.id], let earlier = batches[carrier] else { continue }
        if !earlier.maySplit || earlier.count <= batch.events.count {
          fault =
            "carries event \(event.id) in a new batch, which was in that of request "
            + "\(earlier.request.rawValue): a repeat has the same batch id"
        }
      }
    }
    for event in batch.events { carriers[event.id] = batch.id }
    batches[batch.id] = Batch(
      bytes: batch.bytes, count: batch.events.count, instance: record.instance, process: record.process,
      request: record.id)
    open[record.id] = batch.id
    return fault
  }

  private func fault(of batch: AnalyticsBatch, _ record: SyncRecord, after earlier: Batch) -> String? {
    let name = "repeats the batch of request \(earlier.request.rawValue)"
    if earlier.bytes != batch.bytes { return name + " with other bytes" }
    if earlier.instance != record.instance || earlier.process != record.process {
      return name + " of another process"
    }
    switch earlier.state {
    case .failed, .doubtful: return nil
    case .out: return name + " while that is out"
    case .accepted: return name + ", whose 202 the client had got"
    case .tooLarge: return name + ", which was too large: it is to be split"
    }
  }

  // MARK: Ending

  private mutating func end(
    _ request: RequestID, _ completion: RequestCompletion, at now: Int64, _ shadow: FlagsShadow
  ) {
    guard let id = open.removeValue(forKey: request), let record = shadow.requests[request],
      batches[id]?.request == request
    else { return }
    let reception = shadow.reception(of: record, at: now)
    let state: State
    switch (reception, completion) {
    case (.none, _): state = .failed
    case (.doubtful, .answered(200...299, _)), (.doubtful, .answered(413, _)): state = .doubtful
    case (.certain, .answered(202, _)): state = record.damage == .none ? .accepted : .doubtful
    case (.certain, .answered(413, _)): state = .tooLarge
    case (.certain, .answered(200...299, _)): state = .doubtful
    default: state = .failed
    }
    batches[id]?.state = state
    batches[id]?.settled = now
    latest[record.instance] = id
  }

  /// Takes in that what reached a device in this instant may have come too late.
  private mutating func doubt(_ instance: InstanceID, at now: Int64) {
    guard let id = latest[instance], let batch = batches[id], batch.settled == now else { return }
    if batch.state == .accepted || batch.state == .tooLarge { batches[id]?.state = .doubtful }
  }
}
