/// The clock of a simulation: time stands still while anything can run and jumps to the next timer when nothing can.
///
/// Sleepers with one deadline wake in the order in which they began to sleep; a random strategy may then run them in
/// any order. Sleeping until a deadline that is not in the future gives the other ready jobs a turn and moves no time.
public struct VirtualClock: Clock {
  /// A point of virtual time.
  public struct Instant: InstantProtocol {
    /// Nanoseconds since the start of the simulation.
    public let nanoseconds: Int64

    /// Creates the instant that lies this many nanoseconds after the start.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns the instant that lies `duration` later; a fraction of a nanosecond is cut off.
    ///
    /// - Parameter duration: How much later; what exceeds 292 years counts as 292 years.
    /// - Returns: The later instant.
    public func advanced(by duration: Duration) -> Instant {
      let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
      return Instant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// Returns how long it is from this instant to another one.
    ///
    /// - Parameter other: The later instant; an earlier one gives a negative duration.
    /// - Returns: The distance.
    public func duration(to other: Instant) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

    /// Returns whether the left instant lies before the right one.
    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
  }

  let scheduler: Scheduler

  /// The present virtual time.
  ///
  /// Read it from inside the simulation only.
  ///
  /// - Complexity: O(1), no system call.
  public var now: Instant { Instant(nanoseconds: scheduler.now) }

  /// The smallest step of virtual time, one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the calling task until virtual time has come to `deadline`.
  ///
  /// - Complexity: O(log n) in the number of armed timers.
  /// - Parameters:
  ///   - deadline: When to go on.
  ///   - tolerance: Ignored: virtual time is exact.
  /// - Throws: `CancellationError` in the step in which the calling task is cancelled, or at once if it was before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scheduler.sleep(until: deadline.nanoseconds)
  }
}

extension VirtualClock {
  /// Suspends the calling task for a stretch of virtual time.
  ///
  /// - Complexity: O(log n) in the number of armed timers.
  /// - Parameters:
  ///   - duration: How long; nothing or less gives the other ready jobs a turn.
  ///   - tolerance: Ignored: virtual time is exact.
  /// - Throws: `CancellationError`, as `sleep(until:tolerance:)` does.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await scheduler.sleep(until: now.advanced(by: duration).nanoseconds)
  }
}

extension Duration {
  /// The whole nanoseconds of the duration, cut off towards zero and clamped to what 64 bits hold.
  var wholeNanoseconds: Int64 {
    // Up to 18 seconds the attoseconds fit one word, whose division costs a tenth of the 128-bit one.
    if let short = UInt64(exactly: attoseconds) { return Int64(short / 1_000_000_000) }
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || sumOverflow ? (self < .zero ? -.max : .max) : sum
  }
}
