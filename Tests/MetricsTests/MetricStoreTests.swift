import Metrics
import Testing

@Suite struct MetricStoreTests {
  private static let success = Metric(name: "success", kind: .rate, unit: .ratio, summary: "A share.")

  /// Two endpoints and two statuses of requests, with durations of 1 to 4 ms.
  private func filled() -> MetricStore {
    var store = MetricStore()
    for (position, tags) in [
      ["endpoint": "evaluate", "status": "200"], ["endpoint": "evaluate", "status": "500"],
      ["endpoint": "telemetry", "status": "200"],
    ].enumerated() as EnumeratedSequence<[Tags]> {
      let count = store.handle(.requests, tags)
      let duration = store.handle(.requestDuration, tags)
      for _ in 0...position {
        store.add(to: count, at: 0)
        store.record(Int64(position + 1) * 1_000_000, in: duration, at: 0)
      }
    }
    return store
  }

  @Test func `a handle is the same for the same metric and tags`() {
    var store = MetricStore()
    let first = store.handle(.requests, ["endpoint": "evaluate", "status": "200"])
    #expect(store.handle(.requests, ["status": "200", "endpoint": "evaluate"]) == first)
    #expect(store.handle(.requests, ["status": "500", "endpoint": "evaluate"]) != first)
    #expect(store.handle(.arrivals, ["endpoint": "evaluate", "status": "200"]) != first)
  }

  @Test func `a query merges the rows whose tags contain what is asked for`() {
    let store = filled()
    #expect(store.query(.requests)?.count == 6)
    #expect(store.query(.requests, ["endpoint": "evaluate"])?.count == 3)
    #expect(store.query(.requests, ["status": "200"])?.count == 4)
    #expect(store.query(.requests, ["endpoint": "evaluate", "status": "500"])?.count == 2)
    #expect(store.query(.requests, ["endpoint": "snapshot"]) == nil)
    #expect(store.query(.arrivals) == nil)
    let durations = store.query(.requestDuration, ["status": "200"])
    #expect(durations?.count == 4)
    #expect(durations?.min == 1_000_000)
    #expect(durations?.max == 3_000_000)
    #expect(durations?.sum == 10_000_000)
    #expect(durations?.avg == 2_500_000)
  }

  @Test func `rows are sorted by name and tags, the total first`() {
    let rows = filled().rows(windowNanoseconds: 2_000_000_000)
    #expect(
      rows.map { "\($0.name){\($0.tags)}" } == [
        "request_duration{}", "request_duration{endpoint:evaluate,status:200}",
        "request_duration{endpoint:evaluate,status:500}", "request_duration{endpoint:telemetry,status:200}",
        "requests{}", "requests{endpoint:evaluate,status:200}", "requests{endpoint:evaluate,status:500}",
        "requests{endpoint:telemetry,status:200}",
      ]
    )
    #expect(rows[0].count == 6)
    #expect(rows[0].max == 3_000_000)
    #expect(rows[0].rate == nil)
    #expect(rows[4].count == 6)
    #expect(rows[4].rate == 3)
    #expect(rows[4].min == nil)
  }

  @Test func `rows do not depend on the order of recording`() {
    var store = MetricStore()
    for tags in [["status": "500"], ["status": "200"], ["status": "lost"]] as [Tags] {
      let handle = store.handle(.requests, tags)
      store.add(to: handle, at: 0)
    }
    var reversed = MetricStore()
    for tags in [["status": "lost"], ["status": "200"], ["status": "500"]] as [Tags] {
      let handle = reversed.handle(.requests, tags)
      reversed.add(to: handle, at: 0)
    }
    #expect(store.rows() == reversed.rows())
  }

  @Test func `samples without tags are part of the total and have no second row`() {
    var store = MetricStore()
    let plain = store.handle(.evaluations, .none)
    let tagged = store.handle(.evaluations, ["group": "launch"])
    store.add(2, to: plain, at: 0)
    #expect(store.rows().map(\.count) == [2])
    store.add(3, to: tagged, at: 0)
    #expect(store.rows().map(\.count) == [5, 3])
    #expect(store.rows().map(\.tags) == [.none, ["group": "launch"]])
  }

  @Test func `a metric whose parts overlap has no total and no series`() {
    var store = MetricStore()
    for outcome in ["sent", "recorded"] {
      let handle = store.handle(.exposures, ["outcome": outcome])
      store.add(to: handle, at: 0)
    }
    #expect(store.rows().map(\.tags.description) == ["outcome:recorded", "outcome:sent"])
    #expect(store.series().isEmpty)
  }

  @Test func `of a gauge the value set last counts, and it has no total`() {
    var store = MetricStore()
    let first = store.handle(.allocationsPerEvaluation, ["group": "a"])
    let second = store.handle(.allocationsPerEvaluation, ["group": "b"])
    #expect(store.query(.allocationsPerEvaluation) == nil)
    store.set(3, of: first)
    store.set(5, of: second)
    store.set(4, of: first)
    #expect(store.query(.allocationsPerEvaluation)?.value == 4)
    #expect(store.query(.allocationsPerEvaluation, ["group": "b"])?.value == 5)
    #expect(store.rows().map(\.value) == [4, 5])
    #expect(store.rows().map(\.count) == [nil, nil])
  }

  @Test func `a rate is the share of hits`() {
    var store = MetricStore()
    let handle = store.handle(MetricStoreTests.success, .none)
    for sample in 0..<8 { store.rate(sample < 2, in: handle, at: 0) }
    let summary = store.query(MetricStoreTests.success)
    #expect(summary?.rate == 0.25)
    #expect(summary?.count == 8)
    #expect(store.rows(windowNanoseconds: 1_000_000_000).map(\.rate) == [0.25])
  }

  @Test func `asking for a handle is no sample, adding nothing is one`() {
    var store = MetricStore()
    let handle = store.handle(.interrupted, ["group": "launch"])
    #expect(store.query(.interrupted) == nil)
    #expect(store.rows().isEmpty)
    store.add(0, to: handle, at: 0)
    #expect(store.query(.interrupted)?.count == 0)
    #expect(store.query(.interrupted)?.recordings == 1)
    #expect(store.rows().map(\.count) == [0, 0])
  }

  @Test func `no sample vanishes: what makes no sense is counted as invalid`() {
    var store = MetricStore()
    let duration = store.handle(.evaluationDuration, .none)
    let count = store.handle(.evaluations, .none)
    let gauge = store.handle(.allocationsPerEvaluation, .none)
    store.record(-1, in: duration, at: 0)
    store.add(-5, to: count, at: 0)
    store.set(.nan, of: gauge)
    store.set(.infinity, of: gauge)
    #expect(store.query(.evaluationDuration)?.invalid == 1)
    #expect(store.query(.evaluationDuration)?.recordings == 0)
    #expect(store.query(.evaluations)?.invalid == 1)
    #expect(store.query(.evaluations)?.count == 0)
    #expect(store.query(.allocationsPerEvaluation)?.invalid == 2)
    #expect(store.query(.allocationsPerEvaluation)?.value == nil)
    #expect(store.rows().map(\.invalid) == [2, 1, 1])
  }

  @Test func `a copy is a store of its own, and handles are good for both`() {
    var store = MetricStore()
    let handle = store.handle(.requests, .none)
    store.add(to: handle, at: 0)
    var copy = store
    copy.add(to: handle, at: 0)
    #expect(store.query(.requests)?.count == 1)
    #expect(copy.query(.requests)?.count == 2)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `stores of many threads merged are the store of one`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var whole = MetricStore()
    var parts = Array(repeating: MetricStore(), count: 4)
    for _ in 0..<2000 {
      let tags: Tags = ["status": ["200", "500", "lost"].randomElement(using: &generator) ?? ""]
      let value = Int64.random(in: 0..<5_000_000_000, using: &generator)
      let time = Int64.random(in: 0..<20_000_000_000, using: &generator)
      let part = Int.random(in: 0..<4, using: &generator)
      for metric in [Metric.requests, .requestDuration, MetricStoreTests.success] {
        let wholeHandle = whole.handle(metric, tags)
        let partHandle = parts[part].handle(metric, tags)
        switch metric.kind {
        case .counter:
          whole.add(value, to: wholeHandle, at: time)
          parts[part].add(value, to: partHandle, at: time)
        case .trend:
          whole.record(value, in: wholeHandle, at: time)
          parts[part].record(value, in: partHandle, at: time)
        case .rate, .gauge:
          whole.rate(value.isMultiple(of: 3), in: wholeHandle, at: time)
          parts[part].rate(value.isMultiple(of: 3), in: partHandle, at: time)
        }
      }
    }
    var merged = MetricStore()
    for part in parts { merged.merge(part) }
    #expect(merged.rows(windowNanoseconds: 1) == whole.rows(windowNanoseconds: 1))
    #expect(merged.series() == whole.series())
  }

  @Test func `a merged gauge has the value of the store that was merged last`() {
    var first = MetricStore()
    var second = MetricStore()
    let a = first.handle(.allocationsPerEvaluation, ["group": "a"])
    let b = second.handle(.allocationsPerEvaluation, ["group": "b"])
    for value in 1...3 { first.set(Double(value), of: a) }
    second.set(9, of: b)
    first.merge(second)
    #expect(first.query(.allocationsPerEvaluation)?.value == 9)
  }

  @Test func `a handle of one kind used for another ends the process`() async {
    await #expect(processExitsWith: .failure) {
      var store = MetricStore()
      let handle = store.handle(.requests, .none)
      store.record(1, in: handle, at: 0)
    }
  }
}
