import Metrics
import Scenarios
import Testing

/// Who shares what: app instances, subjects and stores.
@Suite struct PopulationTests {
  private func evaluateAtOnce(readers: Int, client: String) throws -> RunReport {
    try run(
      """
      "client": { "kind": "feature-control"\(client) },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": \(readers), "do": ["evaluate"] } }
      """)
  }

  @Test(arguments: [1, 2, 3, 10, 60])
  func `each app instance has a client of its own`(instances: Int) throws {
    let report = try evaluateAtOnce(readers: 60, client: ", \"instances\": \(instances)")
    #expect(report.count(.requests) == Int64(instances))
    #expect(report.count(.arrivals) == Int64(instances))
    #expect(report.count(.coalesced) == Int64(60 - instances))
    let perClient = try #require(report.metrics.query(.requestsPerClient))
    #expect(perClient.count == Int64(instances))
    #expect(perClient.min == 1)
    #expect(perClient.max == 1)
  }

  @Test(arguments: ["\"shared\"", "1"])
  func `a shared subject is asked for once`(subjects: String) throws {
    let report = try evaluateAtOnce(readers: 60, client: ", \"subjects\": \(subjects)")
    #expect(report.count(.requests) == 1)
    #expect(report.count(.coalesced) == 59)
  }

  @Test(arguments: [2, 3, 7, 60])
  func `a number of subjects is shared out in turn`(subjects: Int) throws {
    let report = try evaluateAtOnce(readers: 60, client: ", \"subjects\": \(subjects)")
    #expect(report.count(.requests) == Int64(subjects))
    #expect(report.count(.coalesced) == Int64(60 - subjects))
  }

  @Test func `each reader may have a subject of its own`() throws {
    let report = try evaluateAtOnce(readers: 60, client: ", \"subjects\": \"per-reader\"")
    #expect(report.count(.requests) == 60)
    #expect(report.count(.coalesced) == 0)
    #expect(report.metrics.query(.requestsPerClient)?.max == 60)
  }

  @Test(arguments: [(stores: "2", requests: 2), (stores: "\"per-reader\"", requests: 60)])
  func `readers in different stores never share a request`(stores: String, requests: Int64) throws {
    let report = try evaluateAtOnce(readers: 60, client: ", \"stores\": \(stores)")
    #expect(report.count(.requests) == requests)
  }

  @Test func `subjects count through all groups, instances too`() throws {
    let report = try run(
      """
      "client": { "kind": "feature-control", "subjects": "per-reader", "instances": 5 },
      "readers": {
        "a": { "executor": "per-reader-iterations", "readers": 3, "do": ["evaluate"] },
        "b": { "executor": "per-reader-iterations", "readers": 2, "do": ["evaluate"] } }
      """)
    #expect(report.count(.requests) == 5)
    #expect(report.count(.requests, ["group": "a"]) == 3)
    #expect(report.count(.requests, ["group": "b"]) == 2)
    #expect(report.metrics.query(.requestsPerClient)?.min == 1)
    #expect(report.metrics.query(.requestsPerClient)?.max == 1)
  }

  @Test func `several clients ask for several subjects each`() throws {
    // Reader n is of instance n mod 2 and of subject n mod 4: two subjects at each instance.
    let report = try evaluateAtOnce(readers: 40, client: ", \"instances\": 2, \"subjects\": 4")
    #expect(report.count(.requests) == 4)
    #expect(report.metrics.query(.requestsPerClient)?.max == 2)
  }

  @Test func `time to the first value is counted once for each reader`() throws {
    let report = try run(
      """
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 10, "iterations": 5, "think": "1s",
        "do": ["evaluate"] } }
      """)
    let first = try #require(report.metrics.query(.timeToFirstValue))
    #expect(first.count == 10)
    #expect(first.min == 80_000_000)
    #expect(first.max == 80_000_000)
  }
}
