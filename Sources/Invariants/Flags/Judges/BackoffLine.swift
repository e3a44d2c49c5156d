import Events

/// One family of endpoints on one device, as far as background work goes.
struct BackoffPlace: Hashable, Sendable {
  let instance: InstanceID
  /// Whether it is the sync, else the analytics.
  let isSync: Bool

  init(instance: InstanceID, isSync: Bool) {
    self.instance = instance
    self.isSync = isSync
  }

  /// The place of a request; nil for the socket's.
  init?(_ instance: InstanceID, _ endpoint: Endpoint) {
    switch endpoint.family {
    case .flags: self.init(instance: instance, isSync: true)
    case .analytics: self.init(instance: instance, isSync: false)
    default: return nil
    }
  }

  /// Both places of a device.
  static func both(_ instance: InstanceID) -> [BackoffPlace] {
    [BackoffPlace(instance: instance, isSync: true), BackoffPlace(instance: instance, isSync: false)]
  }
}

/// The calls that may send at once, whatever background work does.
struct BackoffCalls: Sendable {
  var open = 0
  /// When the latest began.
  var latest = Int64.min

  mutating func begin(at now: Int64) {
    open += 1
    latest = now
  }
}

/// The failures in a row at one place, and the gap that runs.
struct BackoffLine: Sendable {
  /// The shortest gap, in nanoseconds.
  static let shortest: Int64 = 100_000_000
  /// How late a request may be beyond its gap: what was held back is spread over 3 s (BEHAVIOUR §3, "Sync").
  private static let slack: Int64 = 3_000_000_000

  /// When the failure came whose gap runs, if it is to be judged.
  private(set) var failed: Int64?
  /// How many failures there were in a row, at most and at least.
  private(set) var most = 0
  private(set) var least = 0
  /// By when the next request must start.
  var due: Int64?
  /// How many gaps in a row were in the lowest sixteenth.
  private var lowGaps = 0

  /// Whether the gaps do not grow.
  var isStuck: Bool { lowGaps >= 10 }

  /// The longest n-th gap.
  private static func longest(_ count: Int) -> Int64 { min(60, 1 << Int64(min(count, 6))) * 1_000_000_000 }

  /// Takes in that a request starts.
  ///
  /// - Returns: The gap that has ended with it; nil if none is to be judged.
  mutating func start(at now: Int64, isForced: Bool) -> Int64? {
    defer {
      failed = nil
      due = nil
    }
    guard let failed, !isForced else {
      lowGaps = 0
      return nil
    }
    let gap = now - failed
    lowGaps = gap <= Self.longest(least) / 16 ? lowGaps + 1 : 0
    return gap
  }

  mutating func fail(at now: Int64, isRetried: Bool) {
    most += 1
    least += 1
    failed = now
    due = isRetried ? now + Self.longest(most) + Self.slack : nil
  }

  /// Takes in that there may have been failures without a request.
  mutating func mayHaveFailedUnseen(_ count: Int) { most += count }

  mutating func succeed() { self = BackoffLine() }

  /// Takes in an end that counts as a failure or not, and perhaps even as a success.
  mutating func mayHaveFailed(orSucceeded: Bool) {
    most += 1
    if orSucceeded { least = 0 }
    interrupt()
  }

  /// Takes in that the gap is not to be judged.
  mutating func interrupt() {
    failed = nil
    due = nil
    lowGaps = 0
  }

  /// Takes in a change of reader, at which a client may start counting anew.
  mutating func beginReader() {
    least = 0
    interrupt()
  }
}

extension SyncRecord {
  /// How a request ended, for whoever counts failures.
  enum End: Sendable {
    case success
    /// A good answer that is not the newest.
    case behind
    /// Another request of the same flight may follow at once.
    case continued
    /// To be tried again after a gap.
    case retried
    /// Not necessarily to be tried again.
    case failure
    case unknown
  }

  /// How a completed sync request ended.
  func syncEnd(_ shadow: FlagsShadow) -> End {
    let answer = SyncAnswer(self)
    let device = shadow.device(instance)
    switch answer.kind {
    case .snapshot, .delta, .notModified, .nothingNewer:
      let isOlder = answer.version < device.noticed || device.held.mayHold { answer.isOlder(than: $0) }
      let isWrong = if case .delta(let since, _, _) = answer.kind { since != query?.since } else { false }
      if isWrong { return .unknown }
      return isOlder || damage != .none ? .behind : .success
    // The first is asked again without a condition; after the second in a flight there is nothing left to ask.
    case .notModifiedUnasked: return .unknown
    case .gone: return query?.since == nil ? .unknown : .continued
    case .failure(let status?) where status >= 400:
      return status == 408 || status == 429 || status >= 500 ? .retried : .failure
    case .failure:
      return completion == .cancelled ? .unknown : .retried
    }
  }

  /// How a completed request with a batch ended.
  var batchEnd: End {
    switch completion {
    case .answered(202, _): .success
    case .answered(408, _), .answered(410, _), .answered(429, _), .answered(500..., _), .lost: .retried
    case .answered, .cancelled, nil: .unknown
    }
  }
}
