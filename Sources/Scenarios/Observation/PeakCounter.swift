/// Finds the busiest second of a run.
///
/// On several threads the times may come a little out of order; one that belongs to a second which is over is counted in the
/// present one.
struct PeakCounter {
  private static let second: Int64 = 1_000_000_000

  private var present = Int64.min
  private var count = 0
  /// The most that came in one second.
  private(set) var peak = 0

  /// Counts something at a time, in nanoseconds of the run.
  mutating func count(at time: Int64) {
    let second = time / Self.second
    if second > present {
      present = second
      count = 0
    }
    count += 1
    peak = max(peak, count)
  }
}
