import Events

/// Judges `exposure-true` (BEHAVIOUR §3, "Exposure").
///
/// **Statement.** An exposure is recorded only for a value that a by-key read (`bool`, `string`, `number`, `int`, `decode`,
/// `value`) really returned, and that an experiment gave, with consent and after analytics was used; it names the pair of
/// experiment and variant that the value is of.
///
/// **Unit of a check.** An exposure that was sent for the first time.
///
/// **Red.**
/// 1. There was no such read for the reader in whose name it is sent, in this process, or not as many as there are
///    exposures.
/// 2. It names a pair that the run does not know.
/// 3. It is sent in a later instant than that in which consent was withdrawn.
///
/// **Why a correct client is never red.** A read counts for every record that the device may hold at that moment and that
/// would give its result, and while the reader changes for both readers. What a record from before the run says of
/// experiments nobody knows: there any value counts.
///
/// **Not seen.** Exposures that are missing. Which read of several it was.
struct ExposureTrueJudge: FlagsJudge {
  static let invariant = Invariant.exposureTrue
  static let interests: Moments = [.requests, .others, .replies]

  /// What an exposure may be of.
  private struct Cause: Hashable {
    let subject: Subject
    let flag: Int32
    /// Nil for a value of which it is not known.
    let assignment: Int32?
  }

  private struct Device {
    let process: Int
    /// How many reads there were that may cause an exposure, less those that have caused one.
    var causes: [Cause: Int] = [:]
    /// The ids of the exposures that were sent.
    var sent: Set<UInt64> = []
    var consentChanged = Int64.min
  }

  private var devices: [InstanceID: Device] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .device(.launched(let instance, _, _)):
      devices[instance] = Device(process: shadow.device(instance).process)
    case .device(.consentChanged(let instance, _)):
      devices[instance]?.consentChanged = stamp.nanoseconds
    case .device(.read(let read)): take(read, shadow)
    case .device(.batchSent(let request, let batch)):
      guard let record = shadow.requests[request] else { return }
      for event in batch.events {
        guard case .exposure(let flag, let assignment) = event.kind else { continue }
        guard devices[record.instance]?.sent.insert(event.id).inserted == true else { continue }
        docket.check()
        if let fault = fault(flag, assignment, of: batch.subject, record) {
          docket.convict(
            at: stamp, instance: record.instance, request: request,
            "instance \(record.instance.rawValue): \(event.words) in request \(request.rawValue) \(fault)")
        }
      }
      judgeConsent(batch, record, at: stamp, shadow, &docket)
    default: break
    }
  }

  /// Takes in a read, which the shadow has not yet drawn conclusions from.
  private mutating func take(_ read: FlagRead, _ shadow: FlagsShadow) {
    let device = shadow.device(read.instance)
    guard case .value(let digest) = read.result, device.hasConsent, device.usesAnalytics, !device.isClosed
    else { return }
    let values = device.mayHold(read.flag).filter {
      $0.source == .experiment && $0.digest == digest && $0.type.isRead(by: read.method)
    }
    let subjects = [device.subject, device.isChanging ? device.previousSubject : nil].compactMap { $0 }
    for subject in Set(subjects) {
      for value in values where value.assignment != nil {
        count(Cause(subject: subject, flag: read.flag, assignment: value.assignment), on: read.instance)
      }
      if device.holdsUnknownValues {
        count(Cause(subject: subject, flag: read.flag, assignment: nil), on: read.instance)
      }
    }
  }

  private mutating func count(_ cause: Cause, on instance: InstanceID) {
    devices[instance]?.causes[cause, default: 0] += 1
  }

  private mutating func fault(
    _ flag: Int32, _ assignment: Int32?, of subject: Subject?, _ record: SyncRecord
  ) -> String? {
    guard let assignment else { return "names an experiment and a variant that nobody was given" }
    guard let subject else { return nil }
    for known in [assignment, nil] {
      let cause = Cause(subject: subject, flag: flag, assignment: known)
      guard let count = devices[record.instance]?.causes[cause], count > 0 else { continue }
      devices[record.instance]?.causes[cause] = count - 1
      return nil
    }
    return "was caused by no read of \(subject) that returned a value of that experiment and variant"
  }

  private func judgeConsent(
    _ batch: AnalyticsBatch, _ record: SyncRecord, at stamp: Stamp, _ shadow: FlagsShadow,
    _ docket: inout Docket
  ) {
    guard !shadow.device(record.instance).hasConsent, let device = devices[record.instance],
      device.consentChanged < stamp.nanoseconds,
      let exposure = batch.events.first(where: { if case .exposure = $0.kind { true } else { false } })
    else { return }
    docket.convict(
      at: stamp, instance: record.instance, request: record.id,
      "instance \(record.instance.rawValue): \(exposure.words) in request \(record.id.rawValue) is sent without "
        + "consent")
  }
}
