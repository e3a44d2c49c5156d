import Events
import Invariants
import Testing

/// A run of devices, told event by event and judged by all judges of the flags client.
///
///     var story = DeviceStory()
///     story.launch()
///     story.capture(1...3)
///     story.at(1)
///     story.batch(1, [1, 2, 3])
///     story.at(2)
///     story.answer(1, 202)
///     #expect(story.end().red == [])
///
/// Times are in seconds. The deadline is 10 s.
struct DeviceStory {
  private var court: Court
  private var now: Int64 = 0
  private var step: UInt64 = 0
  private var calls: UInt64 = 0

  init(_ judging: [Invariant] = Invariant.judged, fleet: FleetBounds? = nil) {
    var facts = RunFacts(clientKind: .flags, cacheTTL: 45_000_000_000, requestTimeout: 10_000_000_000)
    facts.fleet = fleet
    court = Court(judging: judging, facts: facts)
  }

  /// Moves on to a later time.
  mutating func at(_ seconds: Double) {
    let next = Int64((seconds * 1_000_000_000).rounded())
    precondition(next >= now, "time runs backwards")
    if next > now { court.timeAdvances(from: Stamp(nanoseconds: now, step: step)) }
    now = next
  }

  mutating func tell(_ event: Event) {
    step += 1
    court.observe(event, at: Stamp(nanoseconds: now, step: step))
  }

  mutating func tell(_ event: DeviceEvent) { tell(.device(event)) }

  /// Ends the run.
  mutating func end() -> DeviceStory {
    court.finish(at: Stamp(nanoseconds: now, step: step))
    return self
  }

  // MARK: Verdicts

  /// The ids of the invariants that were violated.
  var red: [String] { court.verdicts().filter { $0.status == .violated }.map(\.invariant.id) }

  func verdict(_ invariant: Invariant) -> InvariantVerdict? {
    court.verdicts().first { $0.invariant == invariant }
  }

  func checks(_ invariant: Invariant) -> Int { verdict(invariant)?.checks ?? -1 }

  func violations(_ invariant: Invariant) -> Int { verdict(invariant)?.violations ?? -1 }

  func message(_ invariant: Invariant) -> String { verdict(invariant)?.firstViolation?.message ?? "" }

  // MARK: Life

  mutating func launch(_ device: Int32 = 0, _ subject: Subject = .user(1), allows: Bool = true) {
    tell(.launched(InstanceID(device), subject, context: 0))
    tell(.recordFound(InstanceID(device), .missing))
    tell(.started(InstanceID(device)))
    guard allows else { return }
    tell(.consentChanged(InstanceID(device), isGiven: true))
    tell(.analyticsUsed(InstanceID(device)))
  }

  mutating func change(_ device: Int32 = 0, to subject: Subject) {
    tell(.readerChanging(InstanceID(device), to: subject))
    tell(.readerChanged(InstanceID(device)))
  }

  mutating func close(_ device: Int32 = 0) { tell(.instanceClosed(InstanceID(device))) }

  // MARK: Calls

  mutating func begin(_ call: UInt64, _ operation: Events.Operation, on device: Int32 = 0) {
    tell(.callBegan(CallID(call), ReaderID(0), InstanceID(device), operation, nil))
  }

  mutating func finish(_ call: UInt64, _ outcome: CallOutcome = .finished) {
    tell(.callReturned(CallID(call), outcome))
  }

  /// Events of the workload are captured, by a call of their own each.
  mutating func capture(_ numbers: ClosedRange<UInt64>, on device: Int32 = 0) {
    for number in numbers {
      calls += 1
      begin(1_000_000 + calls, .capture, on: device)
      tell(.exposureRecorded(CallID(1_000_000 + calls), InstanceID(device), number))
      finish(1_000_000 + calls)
    }
  }

  // MARK: Requests

  /// A request with a batch of captured events; their ids are 1,000 and their numbers.
  mutating func batch(
    _ request: UInt64, _ numbers: [UInt64], id: UInt64? = nil, bytes: UInt64? = nil, session: UInt64 = 1,
    as subject: Subject? = .user(1), on device: Int32 = 0
  ) {
    let events = numbers.map { AnalyticsEvent(id: 1_000 + $0, session: session, kind: .captured($0)) }
    send(request, events, id: id, bytes: bytes, as: subject, on: device)
  }

  mutating func send(
    _ request: UInt64, _ events: [AnalyticsEvent], id: UInt64? = nil, bytes: UInt64? = nil,
    as subject: Subject? = .user(1), on device: Int32 = 0
  ) {
    tell(.requestStarted(RequestID(request), InstanceID(device), .events, nil))
    tell(
      .batchSent(
        RequestID(request),
        AnalyticsBatch(
          subject: subject, id: id ?? request, bytes: bytes ?? id ?? request, events: events)))
  }

  /// A sync request starts: a snapshot, or a delta onto a version.
  mutating func sync(
    _ request: UInt64, since: Int64? = nil, as subject: Subject = .user(1), on device: Int32 = 0
  ) {
    tell(
      .requestStarted(
        RequestID(request), InstanceID(device), since == nil ? .snapshot : .delta, nil))
    tell(.queried(RequestID(request), FlagsQuery(subject: subject, context: 0, since: since)))
  }

  /// The service answers a sync request, and the answer reaches the client at once.
  mutating func serve(
    _ request: UInt64, _ kind: ServedFlags.Kind, version: Int64, whole: [FlagValue],
    to subject: Subject = .user(1)
  ) {
    let served = ServedFlags(
      subject: subject, kind: kind, version: version, etag: nil, whole: ContentDigest(whole))
    tell(.requestArrived(RequestID(request)))
    tell(.served(RequestID(request), served))
    let status: Int =
      switch kind {
      case .snapshot, .delta: 200
      case .notModified: 304
      case .gone: 410
      case .refused: 403
      }
    tell(.answerProduced(RequestID(request), Serial(request), status: status))
    answer(request, status)
  }

  /// The whole of a snapshot, asked for and answered in one instant.
  mutating func snapshot(
    _ request: UInt64, _ values: [FlagValue], version: Int64, of subject: Subject = .user(1),
    on device: Int32 = 0
  ) {
    sync(request, as: subject, on: device)
    serve(request, .snapshot(values), version: version, whole: values, to: subject)
  }

  mutating func answer(_ request: UInt64, _ status: Int, patience: Double? = nil) {
    if let patience {
      tell(.patienceAsked(RequestID(request), nanoseconds: Int64(patience * 1_000_000_000)))
    }
    tell(.requestCompleted(RequestID(request), .answered(status: status, serial: Serial(request))))
  }

  mutating func lose(_ request: UInt64) { tell(.requestCompleted(RequestID(request), .lost)) }

  mutating func cancel(_ request: UInt64) { tell(.requestCancelled(RequestID(request))) }

  // MARK: Reads

  mutating func read(
    _ flag: Int32, _ method: ReadMethod, _ result: ReadResult, on device: Int32 = 0
  ) {
    tell(
      .read(
        FlagRead(
          instance: InstanceID(device), reader: ReaderID(0), method: method, flag: flag, result: result)))
  }
}

extension FlagValue {
  /// A text of a flag's default.
  static func text(_ flag: Int32, _ digest: UInt64) -> FlagValue {
    FlagValue(flag: flag, digest: digest, type: .string, source: .default)
  }

  /// A text of an experiment.
  static func tried(_ flag: Int32, _ digest: UInt64, _ assignment: Int32) -> FlagValue {
    FlagValue(flag: flag, digest: digest, type: .string, source: .experiment, assignment: assignment)
  }
}
