import Metrics
import Testing

@Suite struct ThresholdEvaluationTests {
  private static let success = Metric(name: "success", kind: .rate, unit: .ratio, summary: "A share.")

  private func result(
    _ metric: String,
    _ expression: String,
    in store: MetricStore,
    window: Int64 = 2_000_000_000,
    allowsEmpty: Bool = false
  ) throws -> ThresholdResult {
    try Threshold.parse(metric: metric, expression: expression, allowsEmpty: allowsEmpty)
      .evaluate(in: store, windowNanoseconds: window)
  }

  private func store(_ metric: Metric, _ values: [Int64], tags: Tags = .none) -> MetricStore {
    var store = MetricStore()
    let handle = store.handle(metric, tags)
    for value in values {
      metric.kind == .trend ? store.record(value, in: handle, at: 0) : store.add(value, to: handle, at: 0)
    }
    return store
  }

  @Test(arguments: [
    ("count==3", true), ("count!=3", false), ("count<3", false), ("count<=3", true), ("count>3", false),
    ("count>=3", true), ("count<3.5", true), ("count==3.0", true), ("rate==1.5", true), ("rate>1.5", false),
  ])
  func `a counter is judged by its value or by its growth per second`(expression: String, isMet: Bool) throws
  {
    let found = try result("requests", expression, in: store(.requests, [1, 2]))
    #expect(found.status == (isMet ? .passed : .failed))
    #expect(found.isFailure == !isMet)
    #expect(found.samples == 2)
    #expect(found.observed == (expression.hasPrefix("rate") ? 1.5 : 3))
  }

  @Test func `a limit at the very nanosecond is told from its neighbours`() throws {
    let third = store(.evaluationDuration, [3_000_000_001])
    #expect(try result("evaluation_duration", "max<=3s", in: third).status == .failed)
    #expect(try result("evaluation_duration", "max>3s", in: third).status == .passed)
    #expect(try result("evaluation_duration", "max<3.000000002s", in: third).status == .passed)
    #expect(try result("evaluation_duration", "max==3.000000001s", in: third).status == .passed)
  }

  @Test func `beyond 2⁵³ nanoseconds limits are exact as well`() throws {
    let long = store(.staleness, [9_007_199_254_740_993])
    #expect(try result("staleness", "max==9007199254740993ns", in: long).status == .passed)
    #expect(try result("staleness", "max==9007199254740992ns", in: long).status == .failed)
  }

  @Test func `a mean is compared as a fraction of whole numbers`() throws {
    // 1 ÷ 3 is no binary fraction: three of them would be compared wrongly.
    let thirds = store(.batchSize, [0, 0, 1])
    #expect(try result("batch_size", "avg<=0.333333333", in: thirds).status == .failed)
    #expect(try result("batch_size", "avg<=0.333333334", in: thirds).status == .passed)
    #expect(
      try result("batch_size", "avg==0.1", in: store(.batchSize, Array(repeating: 0, count: 9) + [1])).status
        == .passed
    )
  }

  @Test func `trends are judged by each of their figures`() throws {
    let ten = store(.batchSize, Array(1...10))
    for (expression, observed) in [
      ("count<=10", 10.0), ("min<=1", 1), ("max<=10", 10), ("med<=5", 5), ("avg<=5.5", 5.5), ("p(90)<=9", 9),
      ("p(99.9)<=10", 10), ("p(0)<=1", 1),
    ] {
      let found = try result("batch_size", expression, in: ten)
      #expect(found.observed == observed, "\(expression)")
      #expect(found.status == .passed, "\(expression)")
    }
  }

  @Test func `a gauge is judged by its value`() throws {
    var store = MetricStore()
    let handle = store.handle(.allocationsPerEvaluation, .none)
    store.set(12.5, of: handle)
    #expect(try result("allocations_per_evaluation", "value<=12.5", in: store).status == .passed)
    #expect(try result("allocations_per_evaluation", "value<12.5", in: store).status == .failed)
  }

  @Test func `only the rows with the given tags are judged`() throws {
    var both = store(.requests, [1], tags: ["endpoint": "evaluate", "status": "200"])
    both.merge(store(.requests, [7], tags: ["endpoint": "telemetry", "status": "200"]))
    #expect(try result("requests{endpoint:evaluate}", "count==1", in: both).status == .passed)
    #expect(try result("requests{status:200}", "count==8", in: both).status == .passed)
    #expect(try result("requests", "count==8", in: both).metric == "requests")
  }

  @Test(arguments: ["count==0", "rate<1", "count>=0"])
  func `an empty metric never passes`(expression: String) throws {
    let found = try result("requests", expression, in: MetricStore())
    #expect(found.status == .noData)
    #expect(found.status.rawValue == "no-data")
    #expect(found.isFailure)
    #expect(found.observed == nil)
    #expect(found.samples == 0)
    let allowed = try result("requests", expression, in: MetricStore(), allowsEmpty: true)
    #expect(allowed.status == .noData)
    #expect(!allowed.isFailure)
  }

  @Test func `only invalid samples are no data either`() throws {
    #expect(try result("staleness", "max<1s", in: store(.staleness, [-1])).status == .noData)
  }

  @Test func `a counter that was watched and stayed at zero has data`() throws {
    #expect(try result("interrupted", "count==0", in: store(.interrupted, [0])).status == .passed)
  }

  @Test func `growth per second in an empty window is no data`() throws {
    #expect(try result("requests", "rate<1", in: store(.requests, [1]), window: 0).status == .noData)
  }
}
