import Metrics
import Testing

@Suite struct MetricCourseTests {
  private static let millisecond: Int64 = 1_000_000

  @Test func `the parts of a metric add up to its series`() throws {
    var store = MetricStore()
    for (position, status) in ["200", "503", "200", "timeout"].enumerated() {
      let handle = store.handle(.requests, ["status": status, "endpoint": "evaluate"])
      store.add(Int64(position + 1), to: handle, at: Int64(position) * Self.millisecond)
    }
    let course = store.course()
    #expect(course.parts.map(\.value) == ["200", "503", "timeout"])
    #expect(course.parts.map { $0.points.map(\.count) } == [[1, 0, 3], [0, 2], [0, 0, 0, 4]])
    #expect(try #require(store.series().first).points.map(\.count) == [1, 2, 3, 4])
  }

  @Test func `a metric without a course tag has no parts`() {
    var store = MetricStore()
    store.add(to: store.handle(.evaluations, ["group": "a"]), at: 0)
    #expect(store.course().parts.isEmpty)
    #expect(store.series().count == 1)
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 1_000, 123_456_789, Int64.max])
  func `a value lies within its row, which is an eighth of it wide at most`(value: Int64) {
    let row = HeatMap.row(of: value)
    let (least, next) = (HeatMap.leastValue(ofRow: row), HeatMap.leastValue(ofRow: row + 1))
    #expect(least <= value && (value < next || value == .max))
    #expect(next - least <= max(1, least / 8 + 1))
  }

  @Test func `rows follow each other without a gap`() {
    for row in 1..<400 { #expect(HeatMap.row(of: HeatMap.leastValue(ofRow: row)) == row) }
    for row in 1..<400 { #expect(HeatMap.row(of: HeatMap.leastValue(ofRow: row) - 1) == row - 1) }
  }

  @Test func `a map tells when which value was, and its percentiles are a sixteenth off at most`() throws {
    var store = MetricStore()
    let handle = store.handle(.requestDuration, ["status": "200"])
    for value in 1...1_000 { store.record(Int64(value) * 1_000, in: handle, at: 0) }
    store.record(5_000_000, in: handle, at: 6 * Self.millisecond)
    let map = try #require(store.course().maps.first)
    #expect(map.metric == .requestDuration)
    #expect(map.columnNanoseconds == 6 * Self.millisecond)
    #expect(map.columns.map { $0.reduce(0, +) } == [1_000, 1])
    for (percent, exact) in [(50.0, 500_000.0), (95, 950_000), (99, 990_000)] {
      let value = Double(try #require(map.percentile(percent, inColumn: 0)))
      #expect(abs(value - exact) <= exact / 16)
    }
    #expect(map.totals.reduce(0, +) == 1_001)
  }

  @Test func `a column without values has no percentile`() throws {
    var store = MetricStore()
    store.record(1, in: store.handle(.requestDuration, .none), at: 20 * Self.millisecond)
    let map = try #require(store.course().maps.first)
    #expect(map.percentile(50, inColumn: 0) == nil)
    #expect(map.percentile(50, inColumn: 3) != nil)
  }

  @Test func `only durations have maps`() {
    var store = MetricStore()
    store.record(3, in: store.handle(.requestsPerClient, .none), at: 0)
    #expect(store.course().maps.isEmpty)
  }

  @Test func `the level is what began less what ended, also on a coarser axis`() {
    var store = MetricStore()
    for time in 0..<5 { store.changeLevel(by: 1, at: Int64(time) * Self.millisecond) }
    store.changeLevel(by: -3, at: 5 * Self.millisecond)
    #expect(store.course().levels == [1, 2, 3, 4, 5, 2])
    store.changeLevel(by: -2, at: 600 * Self.millisecond)
    let levels = store.course().levels
    #expect(levels.count == 301)
    #expect(Array(levels.prefix(3)) == [2, 4, 2] && levels.last == 0)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `the course of many parts is the course of the whole`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var whole = MetricStore()
    var parts = [MetricStore(), MetricStore(), MetricStore()]
    for _ in 0..<600 {
      let time = generator.anyMagnitude() >> 24
      let part = Int(time % 3)
      let tags: Tags = ["status": time.isMultiple(of: 2) ? "200" : "429"]
      whole.record(time / 5, in: whole.handle(.requestDuration, tags), at: time)
      parts[part].record(time / 5, in: parts[part].handle(.requestDuration, tags), at: time)
      whole.add(to: whole.handle(.requests, tags), at: time)
      parts[part].add(to: parts[part].handle(.requests, tags), at: time)
      whole.changeLevel(by: time % 7 - 3, at: time)
      parts[part].changeLevel(by: time % 7 - 3, at: time)
    }
    var merged = parts[0]
    merged.merge(parts[1])
    merged.merge(parts[2])
    #expect(merged.course() == whole.course())
    #expect(merged.series() == whole.series())
  }
}
