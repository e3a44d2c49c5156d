import Events

// Sessions are not told: their ids stand in the events that are sent, often long after these were recorded. When an event
// of the workload was recorded is known exactly; an exposure was recorded between the beginning of its reader's time and
// its first sending. From these bounds follows which sessions cannot be.
//
// A period is the time of one reader in one process between two changes of consent. Within it a session ends only by
// thirty minutes without activity; a withdrawal of consent may end it, and the texts do not say so, so both are right.

/// Judges `exposure-once` (BEHAVIOUR §3, "Exposure" and "Analytics").
///
/// **Statement.** An exposure is recorded once for each analytics session, flag and experiment. A session is of one process
/// and one reader's time, and ends there only after 30 minutes without activity.
///
/// **Unit of a check.** An exposure that was sent for the first time.
///
/// **Red.**
/// 1. Two exposures of one session have the same flag, and pairs of experiment and variant that are the same or certainly
///    of one experiment.
/// 2. One session's id stands in events of two devices, processes, readers, or times of the same reader.
/// 3. Events of one period that were certainly recorded within less than 30 minutes have different sessions.
/// 4. Events of one period have the same session, although the device was left alone for more than 30 minutes between
///    them.
///
/// **Why a correct client is never red.** Bounds are compared so that every order of recording that is possible has to be
/// wrong. An exposure whose period is not certain is not compared.
///
/// **Not seen.** Exposures that never leave. An exposure that should have been recorded and was not.
struct ExposureOnceJudge: FlagsJudge {
  static let invariant = Invariant.exposureOnce
  static let interests: Moments = [.calls, .requests, .others, .replies]

  private var experiments = ExperimentBook()
  private var devices: [InstanceID: ExposureSessions] = [:]
  /// The device and the process that each session was first seen in.
  private var homes: [UInt64: (instance: InstanceID, process: Int)] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    let now = stamp.nanoseconds
    switch event {
    case .callBegan(_, _, let instance, _, _): devices[instance]?.touch(at: now)
    case .exposureRecorded(_, let instance, let number):
      devices[instance]?.record(number, isChanging: shadow.device(instance).isChanging, at: now)
    case .device(.launched(let instance, let subject, _)):
      devices[instance] = ExposureSessions(
        process: shadow.device(instance).process, subject: subject, at: now)
    case .device(.readerChanging(let instance, let subject)): devices[instance]?.turn(to: subject, at: now)
    case .device(.consentChanged(let instance, _)): devices[instance]?.turn(to: nil, at: now)
    case .device(.moved(let instance, _)): devices[instance]?.touch(at: now)
    case .device(.read(let read)): devices[read.instance]?.touch(at: now)
    case .device(.served(_, let served)): experiments.learn(served)
    case .device(.batchSent(let request, let batch)):
      guard let record = shadow.requests[request] else { return }
      for event in batch.events { judge(event, batch, record, at: stamp, &docket) }
    default: break
    }
  }

  private mutating func judge(
    _ event: AnalyticsEvent, _ batch: AnalyticsBatch, _ record: SyncRecord, at stamp: Stamp,
    _ docket: inout Docket
  ) {
    guard var device = devices[record.instance], device.process == record.process else { return }
    guard device.isNew(event) else {
      devices[record.instance] = device
      return
    }
    if case .exposure = event.kind { docket.check() }
    var fault: String?
    if let home = homes[event.session], home != (record.instance, record.process) {
      fault = "is of a session that instance \(home.instance.rawValue) had in another process"
    } else {
      homes[event.session] = (record.instance, record.process)
    }
    fault = device.take(event, of: batch.subject, experiments, at: stamp.nanoseconds) ?? fault
    devices[record.instance] = device
    guard let fault else { return }
    docket.convict(
      at: stamp, instance: record.instance, request: record.id,
      "instance \(record.instance.rawValue): \(event.words) in request \(record.id.rawValue) \(fault)")
  }
}

extension AnalyticsEvent {
  /// The event as the subject of a violation.
  var words: String {
    switch kind {
    case .exposure(let flag, _): "the exposure of flag \(flag)"
    case .captured(let number): "event \(number)"
    case .other: "an event that nobody recorded"
    }
  }
}
