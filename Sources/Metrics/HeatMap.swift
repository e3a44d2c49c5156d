// How a distribution moves in time, in bounded memory.
//
// The idea: the store's time axis, six of its stretches to a column, and in each column a coarse log-linear histogram: the
// power of two below a value picks an octave, its next three bits one of eight equal rows. A row is at most an eighth as
// wide as its values are large, so an answer with its middle is at most 1/16 off: good for a picture, not for a verdict,
// which asks the exact-enough `Histogram`. Columns and rows add up, so the map of many parts is the map of the whole.

/// How often values of each size were recorded in each stretch of a run.
public struct HeatMap: Sendable, Equatable {
  /// The most columns that a map has.
  public static let columnLimit = 100
  private static let subRowBits = 3

  /// The metric, a trend.
  public let metric: Metric
  /// How long each column is, in nanoseconds; the first begins at time 0 of the recorded times.
  public let columnNanoseconds: Int64
  /// For each column how many values lie in each row, up to its last row that has one.
  public let columns: [[Int64]]

  /// Creates a map.
  ///
  /// - Parameters:
  ///   - metric: The metric, a trend.
  ///   - columnNanoseconds: How long each column is, in nanoseconds.
  ///   - columns: For each column the counts of its rows.
  public init(metric: Metric, columnNanoseconds: Int64, columns: [[Int64]]) {
    self.metric = metric
    self.columnNanoseconds = columnNanoseconds
    self.columns = columns
  }

  /// How many values lie in each row, all columns together, up to the last row that has one.
  ///
  /// - Complexity: O(c·r) in columns and rows.
  public var totals: [Int64] {
    var totals: [Int64] = []
    for column in columns { totals = HeatCell.sum(totals, column) }
    return totals
  }

  /// Returns the row of a value.
  ///
  /// - Parameter value: The value, not negative.
  /// - Returns: The row, from 0.
  public static func row(of value: Int64) -> Int {
    let shift = Swift.max(0, 63 - subRowBits - value.leadingZeroBitCount)
    return (shift << subRowBits) + Int(value >> Int64(shift))
  }

  /// Returns the least value of a row, in the metric's unit; that of the row behind the last is 2⁶³−1.
  public static func leastValue(ofRow row: Int) -> Int64 {
    let shift = Swift.max(0, (row >> subRowBits) - 1)
    let value = Int64(row - (shift << subRowBits))
    guard shift < 63, value <= Int64.max >> Int64(shift) else { return .max }
    return value << Int64(shift)
  }

  /// Returns the value at or below which a share of a column's values lies, by nearest rank, at most 1/16 off.
  ///
  /// - Complexity: O(r) in the rows.
  /// - Parameters:
  ///   - percent: The share in percent, 0 to 100.
  ///   - column: The column.
  /// - Returns: The middle of the row; nil for a column without values.
  public func percentile(_ percent: Double, inColumn column: Int) -> Int64? {
    let counts = columns[column]
    let count = counts.reduce(0, +)
    guard count > 0 else { return nil }
    let rank = Swift.max(1, Int64((percent * Double(count) / 100).rounded(.up)))
    var passed: Int64 = 0
    for (row, number) in counts.enumerated() {
      passed += number
      if passed >= rank {
        let least = HeatMap.leastValue(ofRow: row)
        return least + (HeatMap.leastValue(ofRow: row + 1) - least) / 2
      }
    }
    return nil
  }
}

/// The counts of one metric's map, on the store's time axis.
struct HeatCell: Sendable {
  /// So many stretches of the axis make a column.
  static let stretchesPerColumn = Int(TimeAxis.bucketLimit) / HeatMap.columnLimit

  let metric: Metric
  private(set) var columns: [[Int64]] = []

  init(metric: Metric) { self.metric = metric }

  mutating func record(_ value: Int64, inBucket bucket: Int) {
    let column = bucket / HeatCell.stretchesPerColumn
    grow(toColumn: column)
    let row = HeatMap.row(of: value)
    if row >= columns[column].count {
      columns[column].append(contentsOf: repeatElement(0, count: row + 1 - columns[column].count))
    }
    columns[column][row] += 1
  }

  /// Adds each column to its neighbour, for an axis twice as coarse.
  mutating func coarsen() {
    var halved: [[Int64]] = []
    halved.reserveCapacity((columns.count + 1) / 2)
    for (column, counts) in columns.enumerated() {
      if column.isMultiple(of: 2) {
        halved.append(counts)
      } else {
        halved[halved.count - 1] = HeatCell.sum(halved[halved.count - 1], counts)
      }
    }
    columns = halved
  }

  /// Adds the counts of another map whose columns are as wide.
  mutating func merge(_ other: [[Int64]]) {
    grow(toColumn: other.count - 1)
    for (column, counts) in other.enumerated() { columns[column] = HeatCell.sum(columns[column], counts) }
  }

  private mutating func grow(toColumn column: Int) {
    while columns.count <= column { columns.append([]) }
  }

  static func sum(_ left: [Int64], _ right: [Int64]) -> [Int64] {
    var sum = left.count >= right.count ? left : right
    for (row, count) in (left.count >= right.count ? right : left).enumerated() { sum[row] += count }
    return sum
  }
}
