import Events

/// Whether devices keep a socket that works (BEHAVIOUR §3, "realtime").
///
/// A socket that carries nothing more is given up when two beats of 30 s have passed: the reply to a heartbeat may have been
/// the last thing that it carried, and the next one goes unanswered for a beat. A device that has lost its socket, or was
/// refused one, asks for the next after a gap of 30 s at most, or when the patience that the service asked for is over.
///
/// Nothing is owed while the app is off the screen, while the reader changes, before the first attempt of a process and after
/// its end.
struct SocketWatch: Sendable {
  /// Something that a device has not done in time.
  struct Debt: Sendable {
    /// What it should have done.
    enum Kind: Sendable {
      /// To give up a socket that is silent.
      case end
      /// To ask for a socket.
      case attempt
    }

    let kind: Kind
    let since: Int64
    let due: Int64

    /// The debt in words, after the device's name.
    var words: String {
      switch kind {
      case .end:
        "has a socket that carries nothing since \(seconds(since)) and should have given it up by \(seconds(due))"
      case .attempt: "has no socket since \(seconds(since)) and should have asked for one by \(seconds(due))"
      }
    }
  }

  private struct Watched {
    /// How many sockets are open; two while one that came too late is being closed.
    var open = 0
    /// The requests for a socket that are out.
    var attempts: [RequestID] = []
    var hasAsked = false
    var debt: Debt?
    var isInBackground = false
    var isRetired = false
  }

  private static let beat: Int64 = 30_000_000_000
  private static let longestGap: Int64 = 30_000_000_000
  /// What rounding may add.
  private static let slack: Int64 = 100_000_000

  private var devices: [Watched] = []

  /// Takes in an event.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - event: The event, of the kinds `requests` and `others`.
  ///   - now: When, in nanoseconds.
  ///   - shadow: What is known.
  ///   - gates: Until when the service has asked devices to leave it alone.
  ///   - docket: Counts a debt that was paid as a check.
  /// - Returns: The debt that has not been met in time, with its device; nil if there is none.
  mutating func observe(
    _ event: Event, at now: Int64, _ shadow: FlagsShadow, _ gates: FlagsGates, _ docket: inout Docket
  ) -> (InstanceID, Debt)? {
    guard let instance = Self.device(of: event, shadow) else { return nil }
    let number = Int(instance.rawValue)
    while devices.count <= number { devices.append(Watched()) }
    let overdue = overdue(number, at: now, gates)
    if overdue != nil { devices[number].debt = nil }
    take(event, number, shadow.device(instance), at: now, &docket)
    return overdue.map { (instance, $0) }
  }

  /// Returns the debts that are overdue at the end of the run.
  func finish(at now: Int64, _ gates: FlagsGates) -> [(InstanceID, Debt)] {
    devices.indices.compactMap { number in
      overdue(number, at: now, gates).map { (InstanceID(Int32(number)), $0) }
    }
  }

  private static func device(of event: Event, _ shadow: FlagsShadow) -> InstanceID? {
    switch event {
    case .requestStarted(_, let instance, _, _), .recoveryAwaited(let instance), .recovered(let instance, _),
      .instanceClosed(let instance):
      instance
    case .requestCompleted(let id, _), .requestCancelled(let id): shadow.requests[id]?.instance
    case .device(let event): event.instance
    default: nil
    }
  }

  private func overdue(_ number: Int, at now: Int64, _ gates: FlagsGates) -> Debt? {
    let watched = devices[number]
    guard let debt = watched.debt, !watched.isRetired else { return nil }
    let rest =
      switch debt.kind {
      case .end: Int64.min
      case .attempt: gates[InstanceID(Int32(number))][.realtime].lastEnd
      }
    let limit = max(debt.due, rest == .min ? rest : rest + Self.slack)
    return now > limit ? Debt(kind: debt.kind, since: debt.since, due: limit) : nil
  }

  private mutating func take(
    _ event: Event, _ number: Int, _ device: DeviceRecord, at now: Int64, _ docket: inout Docket
  ) {
    switch event {
    case .requestStarted(let id, _, .realtime, _):
      if case .attempt? = devices[number].debt?.kind {
        docket.check()
        devices[number].debt = nil
      }
      devices[number].hasAsked = true
      devices[number].attempts.append(id)
    case .requestCompleted(let id, _), .requestCancelled(let id):
      guard let index = devices[number].attempts.firstIndex(of: id) else { return }
      devices[number].attempts.remove(at: index)
      owe(number, device, at: now)
    case .device(.socketChanged(_, isOpen: true)):
      devices[number].open += 1
      devices[number].debt = nil
    case .device(.socketChanged(_, isOpen: false)):
      devices[number].open -= 1
      if let debt = devices[number].debt, debt.kind == .end {
        // One that ends sooner did not end because it was silent.
        if now - debt.since >= Self.beat { docket.check() }
        devices[number].debt = nil
      }
      owe(number, device, at: now)
    case .device(.socketSilenced(_, let lastFrame)):
      let since = max(now, lastFrame)
      devices[number].debt = Debt(kind: .end, since: since, due: since + 2 * Self.beat + Self.slack)
    case .device(.moved(_, let isForeground)):
      if !isForeground || devices[number].debt?.kind == .attempt { devices[number].debt = nil }
      devices[number].isInBackground = !isForeground
      owe(number, device, at: now)
    case .device(.readerChanging): devices[number].debt = nil
    case .device(.readerChanged): owe(number, device, at: now)
    case .device(.launched): devices[number] = Watched()
    case .instanceClosed, .device(.killed): devices[number].isRetired = true
    default: break
    }
  }

  private mutating func owe(_ number: Int, _ device: DeviceRecord, at now: Int64) {
    let watched = devices[number]
    guard watched.open == 0, watched.attempts.isEmpty, watched.hasAsked, watched.debt == nil,
      device.isRunning, !device.isClosed, !device.isChanging, !watched.isInBackground
    else { return }
    devices[number].debt = Debt(kind: .attempt, since: now, due: now + Self.longestGap + Self.slack)
  }
}
