import Foundation
import Metrics
import Reporting
import Testing

@Suite struct ResultJSONTests {
  private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden/result.json")

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// After a wanted change of the format: `STAMPEDE_WRITE_GOLDEN=1 swift test --filter ResultJSONTests`, then look at
  /// the difference.
  @Test func `the result of the cold cache is, byte for byte, the golden one`() throws {
    let text = try Fixtures.coldCache().jsonText()
    if ProcessInfo.processInfo.environment["STAMPEDE_WRITE_GOLDEN"] == "1" {
      try text.write(to: ResultJSONTests.golden, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: ResultJSONTests.golden, encoding: .utf8)))
  }

  @Test func `every kind of result fits the schema`() throws {
    let validator = try SchemaValidator(schema: RunResult.resultSchema)
    for result in [try Fixtures.coldCache(), try Fixtures.troubled(), try Fixtures.interrupted()] {
      #expect(try validator.problems(of: result.jsonText()) == [])
    }
  }

  @Test(arguments: [
    ("\"exitCode\": 0", "\"exitCode\": 4"), ("\"digest\"", "\"digests\""), ("\"seed\": 1", "\"seed\": -1"),
    ("\"type\": \"counter\"", "\"type\": \"count\""), ("\"checks\": 4999", "\"checks\": 4999.5"),
    ("\"9f86d081884c7d65\"", "\"9F86D081884C7D65\""), ("\"steps\": 25034", "\"steps\": \"25034\""),
    ("\"bucket_ns\"", "\"bucket\""), ("\"group\": \"launch\"", "\"group\": 7"),
    ("\"schemaVersion\": 1", "\"schemaVersion\": 2"), ("\"status\": \"passed\"", "\"status\": \"ok\""),
  ])
  func `the schema refuses a result that was tampered with`(good: String, bad: String) throws {
    let text = try Fixtures.coldCache().jsonText()
    #expect(text.contains(good))
    let validator = try SchemaValidator(schema: RunResult.resultSchema)
    #expect(try !validator.problems(of: text.replacingOccurrences(of: good, with: bad)).isEmpty)
  }

  @Test func `equal results have equal texts, and the machine is all that may differ`() throws {
    let result = try Fixtures.coldCache()
    #expect(result.jsonText() == (try Fixtures.coldCache().jsonText()))
    var elsewhere = result
    elsewhere.machine.wallNanoseconds += 1
    elsewhere.story = ["Another story."]
    var (here, there) = (try object(result.jsonText()), try object(elsewhere.jsonText()))
    #expect(here["machine"] as? NSDictionary != there["machine"] as? NSDictionary)
    (here["machine"], there["machine"]) = (nil, nil)
    #expect(here as NSDictionary == there as NSDictionary)
  }

  @Test func `what is absent is null and never left out`() throws {
    let result = try object(Fixtures.interrupted().jsonText())
    for name in ["digest", "simulated_ns", "steps"] { #expect(result[name] is NSNull, "\(name)") }
    let rows = try #require(result["metrics"] as? [[String: Any]])
    let requests = try #require(rows.first { $0["name"] as? String == "requests" })
    for name in ["min", "avg", "med", "p90", "p95", "p99", "max", "value"] {
      #expect(requests[name] is NSNull)
    }
    #expect(requests["count"] as? Int == 1)
  }

  @Test func `any text survives being written and read`() throws {
    var result = try Fixtures.troubled()
    let hostile =
      (0...0x2FF).compactMap { Unicode.Scalar($0 as UInt32) }.map(String.init).joined() + "\u{2028}\u{2029}👍🏽"
    result.notExercised = [hostile]
    result.story = []
    let text = result.jsonText()
    #expect(try object(text)["notExercised"] as? [String] == [hostile])
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
  }

  @Test(arguments: [
    (0.1, "0.1"), (3.0, "3"), (-0.0, "0"), (1.0 / 3, "0.3333333333333333"), (1e300, "1e+300"),
    (.leastNonzeroMagnitude, "5e-324"),
    (9_007_199_254_740_992, "9007199254740992"), (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
  ])
  func `a number is written as briefly as it can be read back, or as null`(number: Double, text: String)
    throws
  {
    var result = try Fixtures.coldCache()
    result.metrics = [MetricRow(name: "m", kind: .gauge, unit: .count, value: number)]
    #expect(result.jsonText().contains("\"value\": \(text),"))
  }

  @Test func `a gap in a series has no mean and no maximum`() throws {
    var store = MetricStore()
    let handle = store.handle(.staleness, .none)
    store.record(3, in: handle, at: 0)
    store.record(4, in: handle, at: 0)
    store.record(9, in: handle, at: 2_000_000)
    var result = try Fixtures.coldCache()
    result.series = store.series()
    let expected = """
      "staleness": {"bucket_ns": 1000000, "count": [2, 0, 1], "avg": [3.5, null, 9], "max": [4, null, 9]}
      """
    #expect(result.jsonText().contains(expected))
  }
}
