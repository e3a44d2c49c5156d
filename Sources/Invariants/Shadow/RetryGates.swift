import Events

/// When the service has asked one instance to leave one family of endpoints alone (BEHAVIOUR rule 1.6).
///
/// A client notices an answer somewhere within the instant in which it arrives, and drops it if its last waiter is
/// cancelled in that instant. So there are two readings: until when requests *may* be kept back, and until when they
/// *must* be.
struct RetryGate: Sendable {
  /// When the latest closing came, and until when it may keep requests back.
  private var closed = Int64.min
  private var mayOpen = Int64.min
  /// Until when requests must be kept back because of answers of earlier instants.
  private var settled = Int64.min
  /// The same because of answers of the instant `closed`, unless there is doubt that the client took them in.
  private var fresh = Int64.min
  private var isDoubtful = false

  /// Takes in that an answer asks for patience.
  ///
  /// - Parameters:
  ///   - nanoseconds: For how long.
  ///   - now: When it arrived.
  ///   - isDoubtful: Whether the client may have dropped it.
  mutating func close(for nanoseconds: Int64, at now: Int64, isDoubtful: Bool) {
    if closed < now { settle() }
    let end = now &+ nanoseconds
    closed = now
    mayOpen = max(mayOpen, end)
    if isDoubtful { self.isDoubtful = true } else { fresh = max(fresh, end) }
  }

  /// Takes in that a caller of the instance was cancelled, so that the answers of this instant may have been dropped.
  mutating func doubt(at now: Int64) {
    if closed == now { isDoubtful = true }
  }

  /// Returns whether requests may be kept back at an instant, the one of the closing included.
  func mayHoldBack(at now: Int64) -> Bool { closed <= now && now < mayOpen }

  /// Until when requests must be kept back, as of an instant; in the past if they need not be.
  func end(at now: Int64) -> Int64 { closed < now && !isDoubtful ? max(settled, fresh) : settled }

  /// Until when they may be, at the latest.
  var lastEnd: Int64 { mayOpen }

  private mutating func settle() {
    if !isDoubtful { settled = max(settled, fresh) }
    fresh = .min
    isDoubtful = false
  }
}

/// The gates of one instance.
struct RetryGates: Sendable {
  private var evaluate = RetryGate()
  private var inbox = RetryGate()
  private var telemetry = RetryGate()
  private var flags = RetryGate()
  private var analytics = RetryGate()
  private var realtime = RetryGate()

  subscript(family: EndpointFamily) -> RetryGate {
    get {
      switch family {
      case .evaluate: evaluate
      case .inbox: inbox
      case .telemetry: telemetry
      case .flags: flags
      case .analytics: analytics
      case .realtime: realtime
      }
    }
    set {
      switch family {
      case .evaluate: evaluate = newValue
      case .inbox: inbox = newValue
      case .telemetry: telemetry = newValue
      case .flags: flags = newValue
      case .analytics: analytics = newValue
      case .realtime: realtime = newValue
      }
    }
  }

  /// Takes in that a caller of the instance was cancelled.
  mutating func doubt(at now: Int64) {
    evaluate.doubt(at: now)
    inbox.doubt(at: now)
    telemetry.doubt(at: now)
    flags.doubt(at: now)
    analytics.doubt(at: now)
    realtime.doubt(at: now)
  }
}

extension Events.Operation {
  /// The family of endpoints that a call of the operation may have to wait for; nil if it makes no request.
  var family: EndpointFamily? {
    switch self {
    case .evaluate, .evaluateOrThrow: .evaluate
    case .flush: .telemetry
    case .listNotifications, .markRead, .markAllRead: .inbox
    case .refresh: .flags
    case .invalidate, .recordExposure, .capture: nil
    }
  }
}
