import Metrics
import Testing

@Suite struct ThresholdParsingTests {
  private func problems(_ metric: String, _ expression: String, groups: [String]? = nil) -> [String] {
    do {
      _ = try Threshold.parse(metric: metric, expression: expression, groups: groups)
      return []
    } catch {
      return error.problems.map(\.message)
    }
  }

  @Test(arguments: [
    ("requests{endpoint:evaluate}", "count==1", 1.0), ("requests", "rate<=12.5", 12.5),
    ("evaluation_duration", "max<3s", 3e9), ("evaluation_duration", "p(95) <= 80.2ms", 80_200_000),
    ("evaluation_duration", "p(99.9)<1m", 6e10), ("evaluation_duration", "p(0)>=0ns", 0),
    ("evaluation_duration", "p( 100 )<1.5us", 1500), ("evaluation_duration", "avg != 2h", 7.2e12),
    ("evaluation_duration", "med>1d", 8.64e13), ("evaluation_duration", "min>0.5µs", 500),
    ("evaluation_duration", "count>=5000", 5000), ("batch_size", "max<=50", 50),
    ("batch_size", "p(50)<10", 10),
    ("allocations_per_evaluation", "value<40", 40),
    (" requests { endpoint : evaluate } ", "  count  <  2 ", 2),
    ("requests{group:launch,status:timeout}", "count<1", 1), ("requests{}", "count<1", 1),
    ("exposures{outcome:sent}", "count>0", 0),
  ])
  func `a well-formed threshold has its limit in nanoseconds or as a number`(
    metric: String,
    expression: String,
    limit: Double
  ) throws {
    #expect(try Threshold.parse(metric: metric, expression: expression).limit == limit)
  }

  @Test func `metric and expression are kept as they are written, tags sorted`() throws {
    let threshold = try Threshold.parse(
      metric: "requests{status:200, endpoint:evaluate}",
      expression: " count == 1 ",
      allowsEmpty: true
    )
    #expect(threshold.selector.description == "requests{endpoint:evaluate,status:200}")
    #expect(threshold.expression == "count == 1")
    #expect(threshold.aggregation == .count)
    #expect(threshold.comparison == .equal)
    #expect(threshold.allowsEmpty)
    #expect(threshold.unit == .count)
    #expect(
      try Threshold.parse(metric: "staleness", expression: "p(99.9)<1s").aggregation == .percentile(99.9)
    )
    #expect(try Threshold.parse(metric: "staleness", expression: "p(99.9)<1s").unit == .nanoseconds)
  }

  /// What is wrong, and words of the message that must tell it and its remedy.
  @Test(arguments: [
    ("request", "count==1", ["unknown metric \"request\"", "did you mean \"requests\"?"]),
    ("frobnicate", "count==1", ["unknown metric \"frobnicate\"", "simulate explain"]),
    ("requests{endpont:evaluate}", "count==1", ["no tag \"endpont\"", "did you mean \"endpoint\"?"]),
    (
      "requests{colour:red}", "count==1",
      ["no tag \"colour\"", "\"endpoint\", \"status\", \"injected\", \"group\""]
    ),
    ("requests{endpoint:evaluat}", "count==1", ["never \"evaluat\"", "did you mean \"evaluate\"?"]),
    ("requests{endpoint:evaluate", "count==1", ["must end in \"}\""]),
    ("requests{evaluate}", "count==1", ["\"evaluate\" is no tag", "name:value"]),
    ("requests{endpoint:}", "count==1", ["is no tag"]),
    ("requests{endpoint:evaluate,}", "count==1", ["\"\" is no tag"]),
    ("requests{endpoint:evaluate,endpoint:read}", "count==1", ["given twice"]),
    ("exposures", "count==1", ["count one thing several times", "exposures{outcome:…}", "recorded, sent"]),
    ("requests", "count=1", ["write \"==\""]), ("requests", "count=<1", ["write \"<=\""]),
    ("requests", "count≤1", ["write \"<=\""]), ("requests", "count<<1", ["one of < <= > >= == !="]),
    ("requests", "count", ["no comparison", "count==1"]), ("requests", "", ["no comparison"]),
    ("requests", "==1", ["nothing stands before"]), ("requests", "count==", ["nothing stands after"]),
    ("requests", "cuont==1", ["did you mean \"count\"?"]),
    ("staleness", "median<1s", ["did you mean \"med\"?"]),
    ("staleness", "p95<1s", ["write \"p(95)\""]), ("staleness", "p(150)<1s", ["between 0 and 100"]),
    ("staleness", "p(-1)<1s", ["between 0 and 100"]), ("staleness", "p()<1s", ["between 0 and 100"]),
    ("staleness", "p(95<1s", ["closing bracket"]), ("staleness", "p(99.9999999)<1s", ["six decimals"]),
    ("requests", "p(95)<1", ["does not suit \"requests\"", "a counter", "use count or rate"]),
    ("requests", "max<1", ["does not suit"]), ("staleness", "rate<1", ["a trend", "p(N)"]),
    ("allocations_per_evaluation", "count<1", ["a gauge", "use value"]),
    ("staleness", "max<3", ["needs a unit", "\"3ms\" or \"3s\""]),
    ("staleness", "max<3sec", ["\"sec\" is no unit of time", "ns us ms s m h d"]),
    ("staleness", "max<-3s", ["negative"]), ("staleness", "max<0.5ns", ["finer than a nanosecond"]),
    ("staleness", "max<200000d", ["longer than 292 years"]), ("staleness", "max<.5s", ["is no limit"]),
    ("staleness", "max<1.s", ["is no limit"]), ("staleness", "max<1.2.3s", ["is no limit"]),
    ("staleness", "max<abc", ["is no limit"]), ("requests", "count<1s", ["has a unit"]),
    ("requests", "rate<1%", ["write 0.01 for 1 %"]),
    ("requests", "count<1e3", ["is no limit", "plain digits"]),
    ("requests", "count<1,000", ["is no limit"]),
    ("requests", "count<9999999999999999999", ["too many digits"]),
    ("staleness", "p(95)<=baseline*1.10", ["baselines are not available in this version"]),
    ("staleness", "p(95)<=baseline", ["baselines are not available in this version"]),
    ("staleness", "p(95)<=baseline+1", ["may be followed by a factor"]),
    ("requests", "count==1 && rate<2", ["is no limit"]),
  ])
  func `what is wrong is told with its remedy`(metric: String, expression: String, words: [String]) {
    let found = problems(metric, expression)
    #expect(found.count == 1, "\(found)")
    for word in words { #expect(found.joined().contains(word), "\(found)") }
  }

  @Test func `all problems are told at once, each in its place`() throws {
    let error = try #require(throws: ThresholdError.self) {
      try Threshold.parse(metric: "request{", expression: "cuont=1,5")
    }
    #expect(error.problems.map(\.part) == [.metric, .metric, .expression, .expression, .expression])
    #expect(error.problems.map(\.suggestion) == ["requests", nil, "==", "count", nil])
    #expect(error.description.split(separator: "\n").count == 5)
  }

  @Test func `a wrong tag does not hide what is wrong with the expression`() {
    #expect(problems("requests{x:y}", "p(95)<1s").count == 2)
  }

  @Test func `the tag group is checked if the groups are known`() {
    #expect(problems("evaluations{group:lunch}", "count>1").isEmpty)
    let found = problems("evaluations{group:lunch}", "count>1", groups: ["launch", "resume"])
    #expect(found == ["the tag \"group\" is never \"lunch\"; did you mean \"launch\"?"])
    #expect(problems("evaluations{group:launch}", "count>1", groups: ["launch"]).isEmpty)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `no text traps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let letters = Array("requests{endpoint:evaluate}count<=p(99.9)0123456789msbaseline* \u{0}é👍🏽\n\"")
    for _ in 0..<500 {
      let length = Int.random(in: 0..<24, using: &generator)
      func text() -> String {
        String((0..<length).map { _ in letters.randomElement(using: &generator) ?? " " })
      }
      let (metric, expression) = (text(), text())
      _ = problems(metric, expression)
      _ = problems("staleness", expression)
      _ = problems(metric, "count==1")
    }
  }
}
