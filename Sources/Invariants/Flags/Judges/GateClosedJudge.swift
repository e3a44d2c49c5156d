import Events

/// Judges `gate-closed` (BEHAVIOUR §3, "Reader").
///
/// **Statement.** From the step of a reader change on no read, stream element, newly issued request, join, batch or disk write
/// carries the old reader's data or credential.
///
/// **Unit of a check.** One of these, or a look, on a device whose reader has changed in this process.
///
/// **Red.** After the call that changed the reader has returned
/// 1. a sync request or a join carries another credential than the present reader's, or joins another reader's topic;
/// 2. a read or a look shows what the device cannot hold for the present reader, but held for an earlier one, or was answered
///    late for one;
/// 3. a record is written under another reader's name, or with an earlier reader's values;
/// 4. in a later instant a subscriber is told a flag that the present reader has never had.
///
/// And at any time a sync request carries a credential that is not the reader's, a batch holds an event that was captured for another reader than the one whose credential it carries, or
/// events of one session go under two readers' credentials.
///
/// **Why a correct client is never red.** While the call runs either reader is the device's. The one notice of the old keys
/// comes in the instant of the change. A batch that holds only an old reader's events may go under that reader's credential
/// at any time. Values that both readers have prove nothing.
///
/// **Not seen.** Whether an exposure is the present reader's: it names no reader, its session does (`exposure-true`).
struct GateClosedJudge: FlagsJudge {
  static let invariant = Invariant.gateClosed
  static let interests: Moments = [.requests, .replies, .others]

  /// For whom each event was captured that the service has not acknowledged; nil where a change was under way.
  private var owners: [UInt64: Subject?] = [:]
  /// Under whose credential each session went first.
  private var sessions: [UInt64: Subject] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .exposureRecorded(_, let instance, let number):
      let device = shadow.device(instance)
      owners[number] = .some(device.isChanging ? nil : device.subject)
    case .device(.batchSent(let request, let batch)): judge(batch, request, at: stamp, shadow, &docket)
    case .requestCompleted(let request, .answered(status: 202, _)):
      for case .captured(let number) in (shadow.requests[request]?.batch?.events ?? []).map(\.kind) {
        owners[number] = nil
      }
    case .device(.queried(let request, let query)):
      guard let record = shadow.requests[request], let subject = query.subject else { return }
      let device = shadow.device(record.instance)
      guard device.isLooked, !device.isChanging else { return }
      if device.isGated || subject != device.subject { docket.check() }
      guard subject != device.subject else { return }
      docket.convict(
        at: stamp, instance: record.instance, request: request,
        "request \(request.rawValue) carries the credential of \(subject), but \(device.reader)")
    case .device(let event): judge(event, at: stamp, shadow, &docket)
    default: break
    }
  }

  private func judge(
    _ event: DeviceEvent, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket
  ) {
    guard let instance = event.instance else { return }
    let device = shadow.device(instance)
    guard device.isGated, device.isLooked else { return }
    let fault: String?
    switch event {
    case .read(let read): fault = device.formerFault { $0.gives(read) }.map { _ in "\(read)" }
    case .held(_, let held): fault = device.formerFault { $0.shows(held) }.map { "the device shows \($0)" }
    case .recordWriteBegan(_, _, let stored?): fault = device.writeFault(stored)
    case .told(_, _, let flags):
      guard stamp.nanoseconds > device.epochBegan, let known = device.held.flagsOfEpoch else { return }
      fault = flags.first { !known.contains($0) }.map {
        "a subscriber is told flag \($0), which only an earlier reader had"
      }
    case .joinAsked(_, let topic, let credential, _):
      fault = device.joinFault(topic, credential)
    default: return
    }
    docket.check()
    guard let fault else { return }
    var reader: ReaderID?
    if case .read(let read) = event { reader = read.reader }
    docket.convict(at: stamp, reader: reader, instance: instance, "\(fault), but \(device.reader)")
  }

  private mutating func judge(
    _ batch: AnalyticsBatch, _ request: RequestID, at stamp: Stamp, _ shadow: FlagsShadow,
    _ docket: inout Docket
  ) {
    guard let record = shadow.requests[request], let subject = batch.subject else { return }
    if shadow.device(record.instance).isGated { docket.check() }
    for event in batch.events {
      if case .captured(let number) = event.kind, let owner = owners[number], let owner, owner != subject {
        docket.check()
        docket.convict(
          at: stamp, instance: record.instance, request: request,
          "request \(request.rawValue) carries event \(number) of \(owner) under the credential of \(subject)"
        )
        return
      }
      let first = sessions[event.session] ?? subject
      sessions[event.session] = first
      if first != subject {
        docket.check()
        docket.convict(
          at: stamp, instance: record.instance, request: request,
          "request \(request.rawValue) carries events of a session of \(first) under the credential of \(subject)"
        )
        return
      }
    }
  }
}

extension DeviceRecord {
  /// Whether the reader has changed in this process and the call that did it has returned.
  fileprivate var isGated: Bool { previousSubject != nil && !isChanging }

  /// Who reads, and since when.
  fileprivate var reader: String {
    "the reader of instance \(instance.rawValue) is " + (subject.map { "\($0)" } ?? "nobody")
      + " since \(seconds(epochBegan))"
  }

  /// What an earlier reader's record is called that explains what the present reader's do not; nil if there is none.
  fileprivate func formerFault(_ explains: (HeldState) -> Bool) -> String? {
    if held.mayHold(explains) { return nil }
    return held.former.last(where: explains).map { state in
      "an earlier reader's values" + (state.version.map { " of version \($0)" } ?? "")
    }
  }

  /// What is wrong with a record that is written after a change of reader.
  fileprivate func writeFault(_ stored: StoredFlags) -> String? {
    if let written = stored.subject, written != subject { return "a record of \(written) is written" }
    if held.recent.contains(where: { $0.isStored(as: stored) }) || stored.content == .empty { return nil }
    return formerFault { $0.isStored(as: stored) }.map { "a record is written with \($0)" }
  }

  /// What is wrong with a join after a change of reader.
  fileprivate func joinFault(_ topic: ChannelTopic, _ credential: Subject?) -> String? {
    if let credential, credential != subject { return "a join carries the credential of \(credential)" }
    if case .reader(let other) = topic, other != subject { return "the topic of \(other) is joined" }
    return nil
  }
}
