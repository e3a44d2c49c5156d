import Events

/// Who has to get well after the last fault has healed, and by when: what the judges of `liveness` of both clients share.
struct RecoveryWatch: Sendable {
  /// The words for time that stands still.
  static let stalling = "time stands still: something repeats without a delay"

  /// The words for a call that never came back.
  static let silence = "was pending when the last fault healed and never returned"

  private static let slack: Int64 = 60_000_000_000

  /// When the last fault healed.
  private(set) var healed: Int64?
  private var largestLatency: Int64 = 0
  /// The instances that have to get well, with the instant from which they are asked.
  private(set) var awaited: [InstanceID: Int64] = [:]
  /// The same for all that ever had to.
  private(set) var asked: [InstanceID: Int64] = [:]

  var isHealed: Bool { healed != nil }

  mutating func heal(_ largestLatency: Int64, at now: Int64) {
    healed = now
    self.largestLatency = largestLatency
  }

  mutating func `await`(_ instance: InstanceID, at now: Int64) {
    awaited[instance] = now
    asked[instance] = now
  }

  /// Judges that an awaited instance was given an answer; each is a check.
  mutating func recover(
    _ instance: InstanceID, _ differing: Int, by limit: Int64, at stamp: Stamp, _ docket: inout Docket
  ) {
    guard awaited.removeValue(forKey: instance) != nil else { return }
    docket.check()
    if stamp.nanoseconds > limit {
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) got an answer of the service's only at \(seconds(stamp.nanoseconds)); "
          + "\(seconds(limit)) was the limit")
    } else if differing > 0 {
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue): \(differing) \(differing == 1 ? "key differs" : "keys differ") from "
          + "what the service resolves")
    }
  }

  /// Judges the instances that never got well; each is a check.
  func finish(at stamp: Stamp, _ docket: inout Docket) {
    for instance in awaited.keys.sorted() {
      docket.check()
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) got no answer of the service's, although it was asked from "
          + "\(seconds(awaited[instance] ?? 0)) on and no fault was left")
    }
  }

  /// The words for a call that came back too late.
  static func lateness(_ now: Int64, _ limit: Int64) -> String {
    "was pending when the last fault healed and returned only at \(seconds(now)); \(seconds(limit)) was the limit"
  }

  /// When something that has been due since an instant is too late.
  ///
  /// - Parameters:
  ///   - began: Since when, in nanoseconds.
  ///   - gates: What the service has asked the instance to leave alone.
  ///   - requests: How many requests it takes.
  ///   - timeout: The deadline of each.
  /// - Returns: The last instant that is in time.
  func limit(from began: Int64, _ gates: RetryGates, requests: Int64, of timeout: Int64) -> Int64 {
    let open = EndpointFamily.allCases.map { gates[$0].lastEnd }.max() ?? began
    return max(began, open) + timeout * requests + Self.slack + 2 * largestLatency
  }
}
