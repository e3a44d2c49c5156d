import Events

/// Whether devices that have heard of a newer version ask for it by themselves (BEHAVIOUR §3, "Sync").
///
/// A device that has been told of a version, holds an older one and has no request out owes one: after a random wait of 3 s
/// at most, and after answers that did not bring the version, or failures, after a gap of [100 ms, min(60 s, 2ⁿ s)] more.
/// How many failures a client counts is not seen, so every end of a request counts as one until a good answer has brought
/// everything; and a process that had to load a credential may have failed unseen as often as makes no difference.
///
/// A debt is forgiven by everything after which a client may start over: a change of reader, leaving the screen, the end of the
/// process, a socket that breaks in the instant of the notice, and the healing, after which devices are asked.
struct NoticeWatch: Sendable {
  /// A device that has not asked.
  struct Debt: Sendable {
    let version: Int64
    let told: Int64
    let due: Int64
  }

  private struct Watched {
    /// The greatest version that it was told of and may not hold; 0 for none.
    var version: Int64 = 0
    var told: Int64 = 0
    /// By when the next request must start; nil while none is owed.
    var due: Int64?
    /// How many ends of requests in a row may count as failures.
    var failures = 0
    var isInBackground = false
    var isRetired = false

    mutating func forgive() {
      version = 0
      due = nil
    }
  }

  /// The longest random wait, with what rounding may add.
  private static let jitter: Int64 = 3_100_000_000
  /// As many failures as make the longest gap.
  private static let most = 6

  private var devices: [Watched] = []

  /// Takes in an event.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - event: The event, of the kinds `requests` and `others`.
  ///   - now: When, in nanoseconds.
  ///   - shadow: What is known.
  ///   - gates: Until when the service has asked devices to leave it alone.
  ///   - docket: Counts a request that was owed and has started as a check.
  /// - Returns: The debt that has not been met in time, with its device; nil if there is none.
  mutating func observe(
    _ event: Event, at now: Int64, _ shadow: FlagsShadow, _ gates: FlagsGates, _ docket: inout Docket
  ) -> (InstanceID, Debt)? {
    guard let instance = Self.device(of: event, shadow) else { return nil }
    let number = Int(instance.rawValue)
    while devices.count <= number { devices.append(Watched()) }
    let overdue = overdue(number, at: now, gates)
    if overdue != nil { devices[number].forgive() }
    take(event, number, shadow.device(instance), at: now, shadow, &docket)
    return overdue.map { (instance, $0) }
  }

  private static func device(of event: Event, _ shadow: FlagsShadow) -> InstanceID? {
    switch event {
    case .requestStarted(_, let instance, let endpoint, _): endpoint.family == .flags ? instance : nil
    case .requestCompleted(let id, _), .requestCancelled(let id):
      shadow.requests[id].flatMap { $0.endpoint.family == .flags ? $0.instance : nil }
    case .recoveryAwaited(let instance), .instanceClosed(let instance): instance
    case .device(.launched(let instance, _, _)), .device(.killed(let instance)),
      .device(.readerChanging(let instance, _)), .device(.moved(let instance, _)),
      .device(.socketChanged(let instance, isOpen: false)), .device(.noticed(let instance, _, _)):
      instance
    default: nil
    }
  }

  private func overdue(_ number: Int, at now: Int64, _ gates: FlagsGates) -> Debt? {
    let watched = devices[number]
    guard let due = watched.due, !watched.isRetired else { return nil }
    // After the patience that was asked for the next request has a random wait of its own, or a gap.
    let rest = gates[InstanceID(Int32(number))][.flags].lastEnd
    let limit = rest == .min ? due : max(due, rest + Self.jitter + Self.gap(Self.most))
    return now > limit ? Debt(version: watched.version, told: watched.told, due: limit) : nil
  }

  private mutating func take(
    _ event: Event, _ number: Int, _ device: DeviceRecord, at now: Int64, _ shadow: FlagsShadow,
    _ docket: inout Docket
  ) {
    switch event {
    case .requestStarted:
      if devices[number].due != nil { docket.check() }
      devices[number].due = nil
    case .requestCompleted(let id, _): end(id, number, device, at: now, shadow)
    case .requestCancelled: owe(number, device, at: now, isEnd: true)
    case .device(.noticed(_, let version, _)):
      guard !device.held.mayHold({ ($0.version ?? 0) >= version }) else { return }
      if version > devices[number].version {
        (devices[number].version, devices[number].told) = (version, now)
      }
      owe(number, device, at: now, isEnd: false)
    case .device(.socketChanged):
      // The notice may have been lost with what the socket still had to say.
      if devices[number].told == now { devices[number].forgive() }
    case .device(.moved(_, let isForeground)):
      devices[number].forgive()
      devices[number].isInBackground = !isForeground
    case .device(.launched(_, let subject, _)):
      devices[number] = Watched()
      if subject.isInstall { devices[number].failures = Self.most }
    case .device(.readerChanging(_, let subject)):
      devices[number].forgive()
      if subject.isInstall { devices[number].failures = Self.most }
    case .recoveryAwaited, .instanceClosed, .device(.killed):
      devices[number].forgive()
      devices[number].isRetired = true
    default: break
    }
  }

  /// Takes in that a request has ended.
  private mutating func end(
    _ id: RequestID, _ number: Int, _ device: DeviceRecord, at now: Int64, _ shadow: FlagsShadow
  ) {
    guard let record = shadow.requests[id] else { return }
    let reception = shadow.reception(of: record, at: now)
    let version = devices[number].version
    if device.held.mayHold({ ($0.version ?? 0) >= version }) { devices[number].forgive() }
    if devices[number].version == 0, record.syncEnd(shadow) == .success, reception == .certain {
      devices[number].failures = 0
    } else {
      owe(number, device, at: now, isEnd: true)
    }
  }

  private mutating func owe(_ number: Int, _ device: DeviceRecord, at now: Int64, isEnd: Bool) {
    if isEnd { devices[number].failures = min(devices[number].failures + 1, Self.most) }
    guard devices[number].version > 0, devices[number].due == nil, device.outstanding.isEmpty,
      device.isRunning, !device.isClosed, !device.isChanging, !devices[number].isInBackground
    else { return }
    devices[number].due = now + Self.jitter + Self.gap(devices[number].failures)
  }

  /// The longest gap after so many failures, in nanoseconds.
  private static func gap(_ failures: Int) -> Int64 { min(60, 1 << Int64(failures)) * 1_000_000_000 }
}
