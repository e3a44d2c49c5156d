import Events

/// Judges `single-flight` for the sync of the flags client (BEHAVIOUR rule 1.2).
///
/// **Statement.** At most one sync request, snapshot or delta, is outstanding (started, not completed, cancel not requested)
/// for each process and epoch of a device; `refresh()` calls share it.
///
/// **Unit of a check.** A `refresh()` that began while a sync request of its epoch was outstanding, and at the start of a
/// request every call that waits beyond the one that it may be for. N calls on a cold start are N − 1 checks.
///
/// **Red.** A sync request starts while one of the same process and epoch is outstanding, and that one is not over when time
/// moves.
///
/// **Why a correct client is never red.** What ends a request in the instant in which the next one starts, a deadline, a
/// cancellation or an answer, may be told after that start. A change of reader begins a new epoch, whose request does not
/// wait for the old one's end.
///
/// **Not seen.** Two requests at once that both are over within the instant in which the second one starts.
struct SyncFlightJudge: FlagsJudge {
  static let invariant = Invariant.singleFlight
  static let interests: Moments = [.calls, .requests, .others, .time]

  /// Requests of this instant that started beside another one.
  private var suspects: [(stamp: Stamp, instance: InstanceID, request: RequestID, other: RequestID)] = []
  /// The `refresh()` calls that wait, by device in the order of their beginning.
  private var waiting: [Int32: [(call: CallID, epoch: Int)]] = [:]
  private var places: [CallID: Int32] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .callBegan(let call, _, let instance, .refresh, _):
      let device = shadow.device(instance)
      waiting[instance.rawValue, default: []].append((call, device.epoch))
      places[call] = instance.rawValue
      if !shadow.flights(of: device, beside: nil).isEmpty { docket.check() }
    case .callReturned(let call, _):
      guard let place = places.removeValue(forKey: call) else { return }
      waiting[place]?.removeAll { $0.call == call }
    case .device(.killed(let instance)):
      for (call, _) in waiting.removeValue(forKey: instance.rawValue) ?? [] { places[call] = nil }
    case .requestStarted(let request, let instance, let endpoint, _) where endpoint.family == .flags:
      let device = shadow.device(instance)
      guard device.isLooked else { return }
      let waiters = (waiting[instance.rawValue] ?? []).count { $0.epoch == device.epoch }
      if waiters > 1 { docket.check(waiters - 1) }
      if let other = shadow.flights(of: device, beside: request).last {
        suspects.append((stamp, instance, request, other))
      }
    default: break
    }
  }

  mutating func timeAdvances(from stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    for suspect in suspects {
      guard shadow.device(suspect.instance).outstanding.contains(suspect.other) else { continue }
      docket.check()
      docket.convict(
        at: suspect.stamp, instance: suspect.instance, request: suspect.request,
        "instance \(suspect.instance.rawValue): request \(suspect.request.rawValue) started while request "
          + "\(suspect.other.rawValue) of the same reader was outstanding")
    }
    suspects.removeAll()
  }
}

extension FlagsShadow {
  /// The outstanding sync requests of a device's present epoch, but for one.
  func flights(of device: DeviceRecord, beside request: RequestID?) -> [RequestID] {
    device.outstanding.filter { id in
      id != request && requests[id]?.process == device.process && requests[id]?.epoch == device.epoch
    }
  }
}
