import Events

/// Whether a client took in the outcome of a request (BEHAVIOUR rules 1.4 and 1.7).
///
/// A client takes an outcome in within the instant in which it arrives, in a step that nobody sees. What falls into the
/// same instant (the deadline, a cancellation, a change of reader, the close) may have come first.
enum Reception: Sendable, Equatable {
  /// It did.
  case certain
  /// It may have, or not.
  case doubtful
  /// It did not: the process is gone, or had given the request up in an earlier instant.
  case none
}

extension FlagsShadow {
  /// Returns whether the outcome of a request that arrives now is taken in, as far as is known at this point of the
  /// instant.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - record: The request.
  ///   - now: The present instant, in nanoseconds.
  /// - Returns: What is known of it so far; a later event of the instant may make it doubtful.
  func reception(of record: SyncRecord, at now: Int64) -> Reception {
    let device = device(record.instance)
    guard device.isRunning, record.process == device.process else { return .none }
    if let cancelled = record.cancelled, cancelled < now { return .none }
    // The client's deadline may lie before this one: it counts the loading of the credential.
    let isLate = now >= record.started + facts.requestTimeout
    let isFenced = record.endpoint.family == .flags && record.epoch != device.epoch
    if record.cancelled != nil || isLate || isFenced || device.isClosed || device.isChanging
      || device.epochBegan == now
    {
      return .doubtful
    }
    return .certain
  }
}

extension Event {
  /// The device whose client may have left out, because of this event, what reached it earlier in the instant; nil if
  /// the event has no such effect.
  ///
  /// - Complexity: O(1).
  /// - Parameter shadow: What is known of the requests.
  /// - Returns: The device.
  func unsettledDevice(_ shadow: FlagsShadow) -> InstanceID? {
    switch self {
    case .requestCancelled(let request): shadow.requests[request]?.instance
    case .instanceClosed(let instance), .device(.readerChanging(let instance, _)),
      .device(.consentChanged(let instance, _)):
      instance
    default: nil
    }
  }
}
