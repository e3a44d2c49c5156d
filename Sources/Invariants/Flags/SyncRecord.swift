import Events

/// What the shadow knows of one request of the flags client.
struct SyncRecord: Sendable {
  let id: RequestID
  let instance: InstanceID
  let endpoint: Endpoint
  /// The device's epoch and process when the request started.
  let epoch: Int
  let process: Int
  /// When it started, in nanoseconds.
  let started: Int64
  var query: FlagsQuery?
  var batch: AnalyticsBatch?
  var hasArrived = false
  /// What the service answered, before anything went wrong with it; the latest, if it was asked more than once.
  var served: ServedFlags?
  /// The answers that the service gave before the latest.
  private var earlier: [(serial: Serial, served: ServedFlags)] = []
  var serial: Serial?
  var status: Int?
  var damage = AnswerDamage.none
  /// When the client asked for its cancellation.
  var cancelled: Int64?
  /// When and how it ended.
  var completed: Int64?
  var completion: RequestCompletion?

  init(
    id: RequestID, instance: InstanceID, endpoint: Endpoint, epoch: Int, process: Int, started: Int64
  ) {
    self.id = id
    self.instance = instance
    self.endpoint = endpoint
    self.epoch = epoch
    self.process = process
    self.started = started
  }

  /// The answer of the serial that the completion names.
  var servedAnswer: ServedFlags? {
    guard case .answered(_, let serial?) = completion, serial != self.serial,
      let answer = earlier.first(where: { $0.serial == serial })
    else { return served }
    return answer.served
  }

  /// Whether the completion names an answer of the service.
  var hasSerial: Bool {
    if case .answered(_, .some) = completion { true } else { false }
  }

  /// Whether the client had asked for its cancellation before this instant, so that no answer counts any more.
  func isLate(at now: Int64) -> Bool { cancelled.map { $0 < now } ?? false }

  mutating func serve(_ answer: ServedFlags) {
    if let serial, let served { earlier.append((serial, served)) }
    served = answer
    serial = nil
  }
}
