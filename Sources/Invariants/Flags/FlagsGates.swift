import Events

/// When the service has asked the present process of each device to leave a family of endpoints alone
/// (BEHAVIOUR rule 1.6).
///
/// Only refusals bind: patience asked for with a success is nobody's. A new process knows of none.
struct FlagsGates: Sendable {
  /// What the answers that are about to complete ask for, in nanoseconds.
  private var patience: [RequestID: Int64] = [:]
  /// The gates of each device by its number.
  private var gates: [RetryGates] = []

  /// The gates of a device.
  subscript(instance: InstanceID) -> RetryGates {
    let number = Int(instance.rawValue)
    return number < gates.count ? gates[number] : RetryGates()
  }

  /// Takes in an event of the kinds `requests` and `others`.
  ///
  /// - Complexity: O(1).
  mutating func observe(_ event: Event, at now: Int64, _ shadow: FlagsShadow) {
    if let instance = event.unsettledDevice(shadow) { update(instance) { $0.doubt(at: now) } }
    switch event {
    case .patienceAsked(let request, let nanoseconds): patience[request] = nanoseconds
    case .requestCompleted(let request, let completion):
      guard let nanoseconds = patience.removeValue(forKey: request), let record = shadow.requests[request],
        case .answered(400..., _) = completion
      else { return }
      let reception = shadow.reception(of: record, at: now)
      guard reception != .none else { return }
      update(record.instance) {
        $0[record.endpoint.family].close(for: nanoseconds, at: now, isDoubtful: reception == .doubtful)
      }
    case .device(.launched(let instance, _, _)): update(instance) { $0 = RetryGates() }
    default: break
    }
  }

  private mutating func update(_ instance: InstanceID, _ change: (inout RetryGates) -> Void) {
    while gates.count <= Int(instance.rawValue) { gates.append(RetryGates()) }
    change(&gates[Int(instance.rawValue)])
  }
}
