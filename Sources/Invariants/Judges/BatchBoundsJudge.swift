import Events

/// Judges `batch-bounds` (BEHAVIOUR §2, "Exposure buffer").
///
/// **Statement.** A batch carries from one event up to the limit; events leave in the order in which they
/// were recorded; an instance has one batch out at a time, because it has one flush at a time.
///
/// **Unit of a check.** A batch that was sent.
///
/// **Red.**
/// 1. A batch of no event, or of more than the limit.
/// 2. An event leaves after one that was recorded later: whose recording began after its own had returned.
/// 3. A batch is sent while another of the instance is neither completed nor cancelled.
///
/// **Why a correct client is never red.** Recordings that overlap may come in either order. A client that
/// lets a batch go at its deadline or for a cancelled flush asks for its cancellation before it sends the
/// next.
///
/// **Not seen.** Batches that are smaller than they could be: an event may be recorded while a flush is under
/// way. Which events are left out between two that are sent: `no-event-lost` counts them.
struct BatchBoundsJudge: Judge {
  static let invariant = Invariant.batchBounds
  static let interests: Moments = [.requests, .replies, .others]

  private struct Recording {
    let began: Int64
    var returned = Int64.max
  }

  /// The recordings of events that have not been sent.
  private var recordings: [UInt64: Recording] = [:]
  /// The event that each open call records.
  private var recording: [CallID: UInt64] = [:]
  /// For each instance the latest beginning among the recordings of events that were sent.
  private var latestSent: [InstanceID: Int64] = [:]
  /// The batches that are out, and for each instance the latest of them.
  private var open: [RequestID: InstanceID] = [:]
  private var latestOpen: [InstanceID: RequestID] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .exposureRecorded(let call, _, let number):
      recordings[number] = Recording(began: shadow.order)
      recording[call] = number
    case .batchSent(let request, let numbers):
      guard let instance = shadow.lines[request.rawValue]?.instance else { return }
      docket.check()
      if let fault = fault(of: numbers, instance, shadow) {
        docket.convict(
          at: stamp, instance: instance, request: request,
          "instance \(instance.rawValue): request \(request.rawValue) \(fault)")
      }
      open[request] = instance
      latestOpen[instance] = request
    case .requestCompleted(let request, _), .requestCancelled(let request):
      guard let instance = open.removeValue(forKey: request) else { return }
      if latestOpen[instance] == request { latestOpen[instance] = nil }
    default:
      break
    }
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard let number = recording.removeValue(forKey: reply.id) else { return }
    recordings[number]?.returned = shadow.order
  }

  private mutating func fault(of numbers: [UInt64], _ instance: InstanceID, _ shadow: Shadow) -> String? {
    let limit = shadow.facts.batchLimit
    var fault: String?
    if numbers.isEmpty || numbers.count > limit {
      fault = "carries \(numbers.count) events; a batch holds 1 to \(limit)"
    }
    if let other = latestOpen[instance] {
      fault = fault ?? "carries a batch while that of request \(other.rawValue) is out: one flush at a time"
    }
    for number in numbers {
      guard let recording = recordings.removeValue(forKey: number) else { continue }
      let latest = latestSent[instance] ?? .min
      if recording.returned < latest {
        fault = fault ?? "carries event \(number) after one that was recorded later"
      }
      latestSent[instance] = max(latest, recording.began)
    }
    return fault
  }
}
