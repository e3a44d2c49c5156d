// A log-linear histogram.
//
// The idea: the power of two below a value picks an octave, the next seven bits of the value pick one of 128
// equal buckets of that octave. Below 256 every value has a bucket of its own; above, a bucket is at most 1/128
// as wide as its values are large, and answering with its middle is at most 1/256 (0.4 %) off.
//
// Buckets are numbered without a gap, 128 to a chunk, 57 chunks for all of 0…2⁶³−1. A chunk exists only once a
// value fell into it, so memory follows the spread of the values and never their number: 1 KB for each octave
// met, at most 57 KB. Chunks lie behind each other in one array, in the order in which they were first needed.
//
// Count, sum, minimum and maximum are kept beside the buckets and are exact. Merging adds everything up, so the
// histogram of many parts is exactly the histogram of the whole.
//
// Not modelled: values below zero. A negative duration or size is a mistake of whoever recorded it; it is counted
// as `invalid` and shown, and takes part in nothing else.

/// A distribution of whole numbers from 0 to 2⁶³−1, whose quantiles are less than 1 % off.
public struct Histogram: Sendable {
  private static let subBucketBits = 7
  private static let chunkSize = 1 << subBucketBits
  private static let chunkCount = 64 - subBucketBits

  /// How many values were recorded.
  public private(set) var count: Int64 = 0
  /// The exact sum of the values.
  public private(set) var sum: Int128 = 0
  /// How many negative values were offered; they are in no other figure.
  public private(set) var invalid: Int64 = 0
  private var least = Int64.max
  private var greatest = Int64.min

  /// The buckets of the chunks met so far.
  private var buckets: [Int64] = []
  /// For each chunk where it begins in `buckets`, or −1; empty before the first value.
  private var starts: [Int32] = []

  /// Creates a histogram without values.
  public init() {}

  /// The least value, exactly; nil without values.
  public var min: Int64? { count == 0 ? nil : least }

  /// The greatest value, exactly; nil without values.
  public var max: Int64? { count == 0 ? nil : greatest }

  /// The mean of the values; nil without values.
  public var average: Double? { count == 0 ? nil : Double(sum) / Double(count) }

  /// How far the values lie from their mean, as the root of the mean square; 0 without values, at most 1 % off.
  ///
  /// - Complexity: O(1) in the number of values.
  public var standardDeviation: Double {
    guard let average, count > 0 else { return 0 }
    var sum = 0.0
    for (chunk, start) in starts.enumerated() where start >= 0 {
      for offset in 0..<Histogram.chunkSize where buckets[Int(start) + offset] > 0 {
        let middle = Histogram.middle(ofBucket: (chunk << Histogram.subBucketBits) + offset)
        let distance = Double(Swift.min(Swift.max(middle, least), greatest)) - average
        sum += distance * distance * Double(buckets[Int(start) + offset])
      }
    }
    return (sum / Double(count)).squareRoot()
  }

  /// How many bytes the buckets take.
  public var bucketBytes: Int { buckets.count * 8 + starts.count * 4 }

  /// Adds a value.
  ///
  /// - Complexity: O(1).
  /// - Parameter value: The value; a negative one is counted in ``invalid`` only.
  public mutating func record(_ value: Int64) {
    guard value >= 0 else {
      invalid += 1
      return
    }
    let bucket = Histogram.bucket(of: value)
    let chunk = bucket >> Histogram.subBucketBits
    let start = starts.isEmpty ? -1 : starts[chunk]
    let position = start >= 0 ? Int(start) : makeChunk(chunk)
    buckets[position + (bucket & (Histogram.chunkSize - 1))] += 1
    count += 1
    sum += Int128(value)
    if value < least { least = value }
    if value > greatest { greatest = value }
  }

  /// Adds all values of another histogram.
  ///
  /// - Complexity: O(1) in the number of values; at most 57 chunks are added up.
  /// - Parameter other: The histogram to add.
  public mutating func merge(_ other: Histogram) {
    count += other.count
    sum += other.sum
    invalid += other.invalid
    least = Swift.min(least, other.least)
    greatest = Swift.max(greatest, other.greatest)
    for (chunk, from) in other.starts.enumerated() where from >= 0 {
      let start = starts.isEmpty ? -1 : starts[chunk]
      let into = start >= 0 ? Int(start) : makeChunk(chunk)
      for offset in 0..<Histogram.chunkSize { buckets[into + offset] += other.buckets[Int(from) + offset] }
    }
  }

  /// Returns the value below or at which the given share of the values lies, by nearest rank.
  ///
  /// At most 0.4 % off, never outside the least and greatest value, exact at both ends and below 256, and never
  /// falling as `percent` grows. The rank is computed in whole numbers, so that `percentile(99.9)` of 1,000
  /// values is the 999th whatever binary fractions make of 99.9.
  /// - Complexity: O(1) in the number of values.
  /// - Parameter percent: The share in percent, 0 to 100, with up to six decimals.
  /// - Returns: The value; nil without values, or if `percent` is not within 0 to 100.
  public func percentile(_ percent: Double) -> Int64? {
    guard count > 0, percent >= 0, percent <= 100 else { return nil }
    let share = Int128((percent * 1e6).rounded())
    let rank = Int64((share * Int128(count) + 99_999_999) / 100_000_000)
    return value(atRank: Swift.min(Swift.max(rank, 1), count))
  }

  /// Returns how many values are at most a given one, or share its bucket.
  ///
  /// - Complexity: O(1) in the number of values.
  /// - Parameter value: The value.
  /// - Returns: The count; 0 for a negative value.
  public func count(through value: Int64) -> Int64 {
    guard value >= 0 else { return 0 }
    let last = Histogram.bucket(of: value)
    var passed: Int64 = 0
    for (chunk, start) in starts.enumerated() where start >= 0 {
      let first = chunk << Histogram.subBucketBits
      for offset in 0..<Histogram.chunkSize where first + offset <= last {
        passed += buckets[Int(start) + offset]
      }
    }
    return passed
  }

  /// Returns the value with the given rank, from 1 to `count`.
  private func value(atRank rank: Int64) -> Int64 {
    if rank == 1 { return least }
    if rank == count { return greatest }
    var passed: Int64 = 0
    for (chunk, start) in starts.enumerated() where start >= 0 {
      for offset in 0..<Histogram.chunkSize {
        passed += buckets[Int(start) + offset]
        if passed >= rank {
          let middle = Histogram.middle(ofBucket: (chunk << Histogram.subBucketBits) + offset)
          return Swift.min(Swift.max(middle, least), greatest)
        }
      }
    }
    return greatest
  }

  /// Makes room for a chunk and returns where it begins.
  private mutating func makeChunk(_ chunk: Int) -> Int {
    if starts.isEmpty { starts = Array(repeating: -1, count: Histogram.chunkCount) }
    let start = buckets.count
    starts[chunk] = Int32(start)
    buckets.append(contentsOf: repeatElement(0, count: Histogram.chunkSize))
    return start
  }

  /// Returns the number of the bucket of a value that is not negative.
  private static func bucket(of value: Int64) -> Int {
    let shift = Swift.max(0, 63 - subBucketBits - value.leadingZeroBitCount)
    return (shift << subBucketBits) + Int(value >> Int64(shift))
  }

  /// Returns the middle of a bucket.
  private static func middle(ofBucket bucket: Int) -> Int64 {
    let shift = Swift.max(0, (bucket >> subBucketBits) - 1)
    let lowest = Int64(bucket - (shift << subBucketBits)) << Int64(shift)
    return lowest + ((Int64(1) << Int64(shift)) - 1) / 2
  }
}

extension Histogram: Equatable {
  /// Returns whether two histograms hold the same values as far as their buckets can tell.
  ///
  /// - Complexity: O(1) in the number of values.
  public static func == (left: Histogram, right: Histogram) -> Bool {
    guard left.count == right.count, left.sum == right.sum, left.invalid == right.invalid,
      left.min == right.min, left.max == right.max
    else { return false }
    // Chunks lie in the order in which they were needed, which says nothing about the values.
    return (0..<chunkCount).allSatisfy { left.chunk($0) == right.chunk($0) }
  }

  private func chunk(_ chunk: Int) -> ArraySlice<Int64>? {
    guard !starts.isEmpty, starts[chunk] >= 0 else { return nil }
    let start = Int(starts[chunk])
    return buckets[start..<(start + Histogram.chunkSize)]
  }
}
