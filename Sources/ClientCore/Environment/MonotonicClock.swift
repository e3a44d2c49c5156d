/// A point on a monotonic clock, in nanoseconds since an origin of the clock's own.
public struct MonotonicInstant: Hashable, Sendable, Comparable {
  /// Nanoseconds since the clock's origin.
  public let nanoseconds: Int64

  /// Creates the instant this many nanoseconds after the clock's origin.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Returns whether the left instant lies before the right one.
  @inlinable
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the instant that lies `duration` later, at most 292 years after the origin.
  ///
  /// - Parameter duration: How much later; a fraction of a nanosecond is cut off.
  /// - Returns: The later instant.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
    return MonotonicInstant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }
}

/// The clock by which a client measures freshness, deadlines and backoff (BEHAVIOUR rule 1.1).
///
/// It wraps any `Clock` whose duration is `Duration`: `ContinuousClock` in production, which goes on while the device
/// sleeps, a simulator's virtual clock, or one that a test moves by hand. Wall-clock jumps never touch it.
public struct MonotonicClock: Sendable {
  @usableFromInline let readNow: @Sendable () -> Int64
  @usableFromInline let sleepUntil: @Sendable (Int64) async throws -> Void

  /// Creates a monotonic clock from any clock; its origin is the present instant.
  ///
  /// - Parameter clock: The clock to read and to sleep on.
  @inlinable
  public init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let origin = clock.now
    readNow = { origin.duration(to: clock.now).clampedNanoseconds }
    sleepUntil = { try await clock.sleep(until: origin.advanced(by: .nanoseconds($0)), tolerance: nil) }
  }

  /// Creates a monotonic clock from two closures that speak nanoseconds.
  ///
  /// - Parameters:
  ///   - now: Gives nanoseconds since an origin; must never fall.
  ///   - sleepUntil: Suspends until the clock shows the given nanoseconds; throws `CancellationError` as soon as the
  ///     calling task is cancelled.
  public init(
    now: @escaping @Sendable () -> Int64, sleepUntil: @escaping @Sendable (Int64) async throws -> Void
  ) {
    readNow = now
    self.sleepUntil = sleepUntil
  }

  /// The present instant.
  ///
  /// - Complexity: O(1), one reading of the clock.
  public var now: MonotonicInstant { MonotonicInstant(nanoseconds: readNow()) }

  /// Suspends until the clock shows `deadline`.
  ///
  /// - Parameter deadline: When to go on.
  /// - Throws: `CancellationError` when the calling task is cancelled.
  @inlinable
  public func sleep(until deadline: MonotonicInstant) async throws {
    try await sleepUntil(deadline.nanoseconds)
  }
}

extension Duration {
  /// The whole nanoseconds of the duration, cut off towards zero and clamped to what 64 bits hold.
  @inlinable
  var clampedNanoseconds: Int64 {
    // Up to 18 seconds the attoseconds fit one word, whose division costs a tenth of the 128-bit one.
    if let short = UInt64(exactly: attoseconds) { return Int64(short / 1_000_000_000) }
    return Int64(clamping: attoseconds / 1_000_000_000)
  }
}
