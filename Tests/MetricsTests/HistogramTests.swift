import Metrics
import Testing

@Suite struct HistogramTests {
  private func histogram(of values: [Int64]) -> Histogram {
    var histogram = Histogram()
    for value in values { histogram.record(value) }
    return histogram
  }

  /// The value with the rank that `percentile` promises, from the values themselves.
  private func exact(_ permille: Int, ofSorted values: [Int64]) -> Int64 {
    values[max(1, (permille * values.count + 999) / 1000) - 1]
  }

  @Test func `an empty histogram has no figures`() {
    let empty = Histogram()
    #expect(empty.count == 0)
    #expect(empty.sum == 0)
    #expect(empty.min == nil)
    #expect(empty.max == nil)
    #expect(empty.average == nil)
    #expect(empty.percentile(50) == nil)
    #expect(empty.bucketBytes == 0)
  }

  @Test func `one value is every percentile, exactly`() {
    for value in [0, 1, 127, 128, 255, 256, 257, 80_213_412, Int64.max] {
      let one = histogram(of: [value])
      for percent in [0, 0.1, 50, 99.9, 100] { #expect(one.percentile(percent) == value) }
    }
  }

  @Test func `below 256 every percentile is exact`() {
    let all = histogram(of: Array(0...255))
    for rank in 1...256 {
      #expect(all.percentile(Double(rank) * 100 / 256) == Int64(rank - 1), "rank \(rank)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `quantiles are less than 1 % off and never fall, count, sum, minimum and maximum are exact`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let values = (0..<5000).map { _ in generator.anyMagnitude() }
    let filled = histogram(of: values)
    #expect(filled.count == 5000)
    #expect(filled.sum == values.reduce(Int128(0)) { $0 + Int128($1) })
    #expect(filled.min == values.min())
    #expect(filled.max == values.max())
    let sorted = values.sorted()
    var last: Int64 = 0
    for permille in 0...1000 {
      let truth = exact(permille, ofSorted: sorted)
      let answer = filled.percentile(Double(permille) / 10) ?? -1
      #expect(Double((answer - truth).magnitude) <= Double(truth) / 100, "p(\(Double(permille) / 10))")
      #expect(answer >= last, "p(\(Double(permille) / 10)) fell")
      last = answer
    }
  }

  @Test func `the rank is not what binary fractions make of it`() {
    // 99.9 × 1,000 ÷ 100 is a little more than 999 as a binary fraction.
    let values = histogram(of: (1...1000).map { $0 <= 999 ? 7 : 200 })
    #expect(values.percentile(99.9) == 7)
    #expect(values.percentile(99.91) == 200)
  }

  @Test func `a percent outside 0 to 100 has no value`() {
    let some = histogram(of: [1, 2, 3])
    for percent in [-0.1, 100.1, .nan, .infinity, -.infinity] { #expect(some.percentile(percent) == nil) }
  }

  @Test func `a negative value is counted as invalid and in nothing else`() {
    var some = histogram(of: [5])
    some.record(-1)
    some.record(.min)
    #expect(some.invalid == 2)
    #expect(some.count == 1)
    #expect(some.sum == 5)
    #expect(some.min == 5)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `parts merged in any order are the whole`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let values = (0..<999).map { _ in generator.anyMagnitude() }
    let whole = histogram(of: values)
    var parts = (0..<3).map { part in histogram(of: stride(from: part, to: 999, by: 3).map { values[$0] }) }
    parts.shuffle(using: &generator)
    var merged = Histogram()
    for part in parts { merged.merge(part) }
    #expect(merged == whole)
    #expect(merged.percentile(99) == whole.percentile(99))
    merged.merge(Histogram())
    #expect(merged == whole)
    merged.record(values[0])
    #expect(merged != whole)
  }

  @Test func `memory follows the spread of the values and not their number`() {
    var same = Histogram()
    for _ in 0..<100_000 { same.record(80_000_000) }
    #expect(same.bucketBytes <= 2048)
    var generator = SeededGenerator(seed: 1)
    var all = Histogram()
    for _ in 0..<100_000 { all.record(generator.anyMagnitude()) }
    #expect(all.bucketBytes <= 60_000)
  }

  @Test func `the sum of the greatest values does not overflow`() {
    let greatest = histogram(of: Array(repeating: .max, count: 100))
    #expect(greatest.sum == Int128(Int64.max) * 100)
    #expect(greatest.average == Double(Int64.max))
  }
}

@Suite struct HistogramCountTests {
  private static func histogram(_ values: some Sequence<Int64>) -> Histogram {
    var histogram = Histogram()
    for value in values { histogram.record(value) }
    return histogram
  }

  @Test func `the count through a value is that of all at most as large`() {
    let histogram = Self.histogram([0, 5, 5, 200, 1_000_000, 1_000_000_000])
    let counts = [-1, 0, 4, 5, 199, 200, 999_000, 1_000_000, .max].map { histogram.count(through: $0) }
    #expect(counts == [0, 1, 1, 3, 3, 4, 4, 5, 6])
    #expect(Histogram().count(through: 5) == 0)
  }

  @Test func `the deviation is that of the values within a hundredth`() {
    #expect(Histogram().standardDeviation == 0)
    #expect(Self.histogram([7, 7, 7]).standardDeviation == 0)
    #expect(Self.histogram([2, 4, 4, 4, 5, 5, 7, 9]).standardDeviation == 2)
    let large = Self.histogram((1...10_000).map { Int64($0) * 1_000_003 })
    let exact = 1_000_003 * ((1e8 - 1) / 12).squareRoot()
    #expect(abs(large.standardDeviation - exact) < exact / 100)
  }
}
