import Events

/// Judges `observers` of the flags client (BEHAVIOUR rule 1.9 and §3, "Sync" and "Reader").
///
/// **Statement.** Subscribers of `changes` and observers of `state` hear of a change after it is readable, never for equal
/// content, never after close, and no key is dropped; at a change of reader there is exactly one notice of the old keys.
///
/// **Unit of a check.** A notice to a subscriber, and an observer that was woken.
///
/// **Red.**
/// 1. A notice without a key, or one or a wakening in a later instant than that of the close.
/// 2. A notice names a flag whose value cannot have changed since the last notice that named it: each change of reader and
///    each answer that may have changed a flag allows one notice of it.
/// 3. An observer is woken although the value of its flag, or of any for all, cannot have changed since it was last.
/// 4. A subscriber hears of a change, but not, then or before, of a key that certainly changed in an earlier instant
///    since its last notice: it was dropped.
/// 5. A read after a notice gives a value that was certainly replaced by the change.
///
/// **Why a correct client is never red.** What may have changed follows from the records that the shadow thinks possible
/// before and after each event; a record whose values are not known may change any flag. Only a subscriber that hears
/// something again has certainly listened in between.
///
/// **Not seen.** A subscriber that never hears of anything again. A source that changes without the value may be told or
/// not.
struct ObserversJudge: FlagsJudge {
  static let invariant = Invariant.observers
  static let interests: Moments = [.requests, .others, .replies, .time]

  private var devices: [InstanceID: ObservedDevice] = [:]
  /// The devices on which something has happened in this instant, in that order.
  private var touched: [InstanceID] = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .requestCompleted(let request, _):
      guard let record = shadow.requests[request], record.endpoint.family == .flags else { return }
      look(at: record.instance, at: stamp, shadow)
    case .instanceClosed(let instance): devices[instance]?.close(at: stamp.nanoseconds)
    case .device(let event): observe(event, at: stamp, shadow, &docket)
    default: break
    }
  }

  private mutating func observe(
    _ event: DeviceEvent, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket
  ) {
    switch event {
    case .launched(let instance, _, _):
      devices[instance] = ObservedDevice(shadow.device(instance).held.states)
    case .recordFound(let instance, _), .readerChanging(let instance, _):
      look(at: instance, at: stamp, shadow)
    case .readerChanged(let instance):
      devices[instance]?.endChange(shadow.device(instance).held.states)
    case .told(let instance, let subscriber, let flags):
      docket.check()
      if let fault = devices[instance]?.tell(flags, to: subscriber, at: stamp.nanoseconds) {
        docket.convict(
          at: stamp, instance: instance,
          "instance \(instance.rawValue): subscriber \(subscriber) was told \(fault)")
      }
    case .observed(let instance, let flag):
      docket.check()
      if let fault = devices[instance]?.wake(flag, at: stamp.nanoseconds) {
        docket.convict(
          at: stamp, instance: instance,
          "instance \(instance.rawValue): the observer of " + (flag.map { "flag \($0)" } ?? "all flags")
            + " was woken \(fault)")
      }
    case .read(let read):
      guard devices[read.instance]?.contradicts(read) == true else { return }
      docket.convict(
        at: stamp, reader: read.reader, instance: read.instance,
        "\(read), the value from before the change that was just told")
    default: break
    }
  }

  /// Takes in what the device may hold now.
  private mutating func look(at instance: InstanceID, at stamp: Stamp, _ shadow: FlagsShadow) {
    devices[instance]?.look(shadow.device(instance).held.states, at: stamp.nanoseconds)
    if touched.last != instance { touched.append(instance) }
  }

  mutating func timeAdvances(from stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    for instance in touched {
      devices[instance]?.settle(shadow.device(instance).held.states, at: stamp.nanoseconds)
    }
    touched.removeAll(keepingCapacity: true)
  }
}
