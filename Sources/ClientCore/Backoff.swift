/// How long background work waits before it tries again (BEHAVIOUR rule 1.6).
///
/// The n-th gap in a row of failures is drawn evenly from [100 ms, min(60 s, 2ⁿ s)]. Only success starts over.
public struct Backoff: Sendable, Equatable {
  /// The shortest gap.
  public static let shortest = Duration.milliseconds(100)
  /// The longest gap.
  public static let longest = Duration.seconds(60)

  /// How many failures there were in a row.
  public private(set) var failures = 0

  /// Creates a backoff without failures.
  public init() {}

  /// Counts a failure and draws the gap that follows it.
  ///
  /// - Complexity: O(1), also after 10⁴ failures: the exponent stops where the upper bound does.
  /// - Parameter random: 64 random bits.
  /// - Returns: The gap, from 100 ms up to min(60 s, 2ⁿ s) for the n-th failure in a row.
  public mutating func nextGap(random: UInt64) -> Duration {
    failures += 1
    let upper = failures >= 6 ? Backoff.longest : .seconds(1 << failures)
    let span = (upper - Backoff.shortest).clampedNanoseconds + 1
    return Backoff.shortest + .nanoseconds(Int64(random.multipliedFullWidth(by: UInt64(span)).high))
  }

  /// Forgets the failures, after a success.
  public mutating func reset() { failures = 0 }
}
