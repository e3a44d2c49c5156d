import Metrics
import Testing

@Suite struct MetricSeriesTests {
  private static let millisecond: Int64 = 1_000_000

  @Test func `a short run is cut into milliseconds`() throws {
    var store = MetricStore()
    let handle = store.handle(.requests, ["endpoint": "evaluate"])
    let other = store.handle(.requests, ["endpoint": "telemetry"])
    store.add(to: handle, at: 0)
    store.add(to: handle, at: 999_999)
    store.add(3, to: other, at: 2 * MetricSeriesTests.millisecond)
    let series = try #require(store.series().first)
    #expect(store.series().count == 1)
    #expect(series.metric == .requests)
    #expect(series.bucketNanoseconds == MetricSeriesTests.millisecond)
    #expect(series.points.map(\.count) == [2, 0, 3])
  }

  @Test func `a trend keeps count, sum and maximum of each stretch`() throws {
    var store = MetricStore()
    let handle = store.handle(.evaluationDuration, .none)
    store.record(5, in: handle, at: 0)
    store.record(9, in: handle, at: 0)
    store.record(-1, in: handle, at: 0)
    store.record(2, in: handle, at: MetricSeriesTests.millisecond)
    let series = try #require(store.series().first)
    #expect(series.points == [.init(count: 2, sum: 14, max: 9), .init(count: 1, sum: 2, max: 2)])
  }

  @Test func `when the buckets are full their width doubles and nothing is lost`() throws {
    var store = MetricStore()
    let handle = store.handle(.requests, .none)
    for tick in 0..<600 { store.add(to: handle, at: Int64(tick) * MetricSeriesTests.millisecond) }
    #expect(try #require(store.series().first).points.count == 600)
    store.add(to: handle, at: 600 * MetricSeriesTests.millisecond)
    let series = try #require(store.series().first)
    #expect(series.bucketNanoseconds == 2 * MetricSeriesTests.millisecond)
    #expect(series.points.map(\.count) == Array(repeating: 2, count: 300) + [1])
  }

  @Test func `all series share one axis`() {
    var store = MetricStore()
    let early = store.handle(.requests, .none)
    let late = store.handle(.evaluations, .none)
    store.add(to: early, at: 0)
    store.add(to: late, at: 3_600_000_000_000)
    #expect(Set(store.series().map(\.bucketNanoseconds)).count == 1)
    #expect(store.series().map(\.metric.name) == ["evaluations", "requests"])
  }

  @Test func `memory is bounded however long the run is`() throws {
    var store = MetricStore()
    let handle = store.handle(.requests, .none)
    for time in [0, 1, 1_000_000, 3_600_000_000_000, Int64.max / 2, Int64.max] {
      store.add(to: handle, at: time)
    }
    let series = try #require(store.series().first)
    #expect(series.points.count <= 600)
    #expect(series.points.reduce(0) { $0 + $1.count } == 6)
  }

  @Test func `a time before the origin falls into the first stretch`() throws {
    var store = MetricStore()
    let handle = store.handle(.requests, .none)
    store.add(to: handle, at: 700 * MetricSeriesTests.millisecond)
    store.add(to: handle, at: -5)
    store.add(to: handle, at: .min)
    #expect(try #require(store.series().first).points.first?.count == 2)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `the series is the same in whatever order the samples came`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var samples = (0..<500).map { _ in generator.anyMagnitude() >> 20 }
    func series() -> [MetricSeries] {
      var store = MetricStore()
      let handle = store.handle(.requestDuration, .none)
      for time in samples { store.record(time / 3, in: handle, at: time) }
      return store.series()
    }
    let inOrder = series()
    samples.shuffle(using: &generator)
    #expect(series() == inOrder)
  }
}
