import Events

/// Judges `batch-bounds` of analytics (BEHAVIOUR §3, "Analytics").
///
/// **Statement.** A batch carries from one event up to 50, of one reader and under that reader's credential; events leave in
/// the order in which they were recorded; a device has one batch out at a time.
///
/// **Unit of a check.** A batch that was sent.
///
/// **Red.**
/// 1. A batch of no event, or of more than 50.
/// 2. An event of the workload leaves for the first time after one that was recorded later.
/// 3. A batch is sent while another of the same process is neither completed nor cancelled.
/// 4. A batch carries an event of the workload under another reader's credential than that of its moment.
///
/// **Why a correct client is never red.** Recording is one step, so its order is known. What was in a batch before
/// comes again in its old place or in halves, and is not judged again. An event that was recorded while the reader
/// changed may be of either.
///
/// **Not seen.** The place of exposures among the rest: when they were recorded is not told. Batches that are smaller
/// than they could be.
struct FlagsBatchBoundsJudge: FlagsJudge {
  static let invariant = Invariant.batchBounds
  static let interests: Moments = [.requests, .others]

  /// How many events a batch may hold (BEHAVIOUR §3).
  private static let limit = 50

  private struct Recording {
    let order: Int
    /// Nil while the reader changed.
    let subject: Subject?
  }

  private struct Line {
    let process: Int
    /// The latest place among the events that were sent.
    var latestSent = 0
    var out: RequestID?
  }

  private var order = 0
  /// The events that have not been sent, by number.
  private var recordings: [UInt64: Recording] = [:]
  private var lines: [InstanceID: Line] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .exposureRecorded(_, let instance, let number):
      order += 1
      let device = shadow.device(instance)
      recordings[number] = Recording(order: order, subject: device.isChanging ? nil : device.subject)
    case .device(.batchSent(let request, let batch)):
      guard let record = shadow.requests[request] else { return }
      docket.check()
      var line = lines[record.instance] ?? Line(process: record.process)
      if line.process != record.process { line = Line(process: record.process) }
      if let fault = fault(of: batch, &line) {
        docket.convict(
          at: stamp, instance: record.instance, request: request,
          "instance \(record.instance.rawValue): request \(request.rawValue) \(fault)")
      }
      line.out = request
      lines[record.instance] = line
    case .requestCompleted(let request, _), .requestCancelled(let request):
      guard let instance = shadow.requests[request]?.instance, lines[instance]?.out == request else { return }
      lines[instance]?.out = nil
    default: break
    }
  }

  private mutating func fault(of batch: AnalyticsBatch, _ line: inout Line) -> String? {
    var fault: String?
    if batch.events.isEmpty || batch.events.count > Self.limit {
      fault = "carries \(batch.events.count) events; a batch holds 1 to \(Self.limit)"
    }
    if let other = line.out {
      fault = fault ?? "carries a batch while that of request \(other.rawValue) is out: one at a time"
    }
    for case .captured(let number) in batch.events.map(\.kind) {
      guard let recording = recordings.removeValue(forKey: number) else { continue }
      if recording.order < line.latestSent {
        fault = fault ?? "carries event \(number) after one that was recorded later"
      }
      if let subject = recording.subject, batch.subject != subject {
        fault =
          fault ?? "carries event \(number) of \(subject) under the credential of "
          + (batch.subject.map { "\($0)" } ?? "nobody")
      }
      line.latestSent = max(line.latestSent, recording.order)
    }
    return fault
  }
}
