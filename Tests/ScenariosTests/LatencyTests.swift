import Events
import Foundation
import Metrics
import Scenarios
import Testing

/// Latencies as they come out of a run: the distance from a request's start to its answer.
@Suite struct LatencyTests {
  /// Makes so many requests at once, each of a client of its own, and gives their durations.
  private func durations(
    _ count: Int, service: String, network: String = "\"0ms\"", timeout: String = "1h", ttl: String = "45s"
  ) throws -> MetricSummary {
    let report = try run(
      """
      "invariants": [],
      "client": { "kind": "feature-control", "subjects": "per-reader", "requestTimeout": "\(timeout)",
        "cacheTTL": "\(ttl)" },
      "service": { "flags": 1, "latency": \(service) }, "network": { "latency": \(network) },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": \(count),
        "do": ["evaluate"], "maxDuration": "100h" } }
      """)
    #expect(report.count(.requests) == Int64(count))
    return try #require(report.metrics.query(.requestDuration))
  }

  @Test func `a fixed latency is always the same`() throws {
    let durations = try durations(100, service: "\"80ms\"")
    #expect(durations.min == 80_000_000)
    #expect(durations.max == 80_000_000)
  }

  @Test func `the network's latency is added on the way there and on the way back`() throws {
    let durations = try durations(100, service: "\"80ms\"", network: "\"7ms\"")
    #expect(durations.min == 94_000_000)
    #expect(durations.max == 94_000_000)
  }

  @Test func `a uniform latency stays within its bounds, reaches them, and is spread evenly`() throws {
    let durations = try durations(3000, service: "{ \"min\": \"10ns\", \"max\": \"13ns\" }")
    #expect(durations.min == 10)
    #expect(durations.max == 13)
    #expect(abs((durations.avg ?? 0) - 11.5) < 0.1)
    #expect(durations.percentile(20) == 10)
    #expect(durations.percentile(45) == 11)
    #expect(durations.percentile(70) == 12)
    #expect(durations.percentile(80) == 13)
  }

  @Test func `a uniform latency of one value draws nothing`() throws {
    let durations = try durations(10, service: "{ \"min\": \"5ms\", \"max\": \"5ms\" }")
    #expect(durations.min == 5_000_000)
    #expect(durations.max == 5_000_000)
  }

  @Test func `request and answer draw their network latency separately`() throws {
    let durations = try durations(
      2000, service: "\"0ms\"", network: "{ \"min\": \"0ns\", \"max\": \"10ns\" }")
    #expect(durations.min == 0)
    #expect(durations.max == 20)
    // The sum of two is in the middle more often than one draw, twice, would be: 9, 10 or 11 in 31 of 121.
    let middle = (durations.percentile(62) ?? 0) - (durations.percentile(38) ?? 0)
    #expect(middle <= 3)
  }

  /// Lets so many readers pause, and gives how long they did: the time until each has its first value, which the
  /// cache gives it at once.
  private func pauses(_ count: Int, _ latency: String, seed: Int) throws -> MetricSummary {
    let report = try run(
      """
      "invariants": [], "seed": \(seed), "client": { "kind": "feature-control", "cacheTTL": "1000h" },
      "service": { "flags": 1, "latency": "0ms" },
      "readers": {
        "first": { "executor": "per-reader-iterations", "readers": 1, "do": ["evaluate"] },
        "rest": { "executor": "per-reader-iterations", "readers": \(count), "startTime": "1s",
          "maxDuration": "900h", "do": [{ "step": "sleep", "duration": \(latency) }, "evaluate"] } }
      """)
    #expect(report.count(.requests) == 1)
    let pauses = try #require(report.metrics.query(.timeToFirstValue, ["group": "rest"]))
    #expect(pauses.count == Int64(count))
    return pauses
  }

  @Test(arguments: [(median: 80, p99: 400), (median: 80, p99: 100), (median: 20, p99: 60)])
  func `half of the lognormal draws are below the median, 99 of 100 below the p99`(
    median: Int, p99: Int
  ) throws {
    let pauses = try pauses(100_000, "{ \"median\": \"\(median)ms\", \"p99\": \"\(p99)ms\" }", seed: 2)
    let middle = try #require(pauses.med) / 1e6 / Double(median)
    let high = try #require(pauses.p99) / 1e6 / Double(p99)
    #expect(abs(middle - 1) < 0.01, "\(middle) of the median")
    // The histogram itself may be nearly 1 % off, and so far up the sample too.
    #expect(abs(high - 1) < 0.02, "\(high) of the p99")
    // The mean is exact: a lognormal distribution has median · exp(σ² / 2).
    let sigma = log(Double(p99) / Double(median)) / 2.326_347_874
    let mean = try #require(pauses.avg) / 1e6 / (Double(median) * exp(sigma * sigma / 2))
    #expect(abs(mean - 1) < 0.03, "\(mean) of the mean")
  }

  @Test func `a boundary latency meets every edge of TTL and timeout, and what lies between`() throws {
    let second: Int64 = 1_000_000_000
    var met: Set<Int64> = []
    // A run of one pause lasts exactly as long as the pause.
    for seed in 0..<300 {
      let report = try run(
        """
        "seed": \(seed), "client": { "kind": "feature-control", "cacheTTL": "10s", "requestTimeout": "3s" },
        "service": { "flags": 1 },
        "readers": { "a": { "executor": "per-reader-iterations", "readers": 1,
          "do": [{ "step": "sleep", "duration": { "boundary": true } }] } }
        """)
      met.insert(report.simulatedNanoseconds)
    }
    let edges: Set<Int64> = Set(
      [3, 10, 20].map { $0 * second }.flatMap { [$0 - 1, $0, $0 + 1] } + [0, 1] as [Int64])
    for edge in edges.sorted() { #expect(met.contains(edge), "\(edge) ns") }
    let others = met.subtracting(edges)
    #expect(others.count > 5)
    #expect(others.allSatisfy { (0..<3 * second).contains($0) })
  }

  @Test(arguments: ["{ \"min\": \"3ms\", \"max\": \"90ms\" }", "{ \"boundary\": true }"])
  func `the choice 0 is the shortest duration`(latency: String) throws {
    let report = try run(
      """
      "client": { "kind": "feature-control" },
      "readers": { "a": { "executor": "per-reader-iterations", "readers": 1,
        "do": [{ "step": "sleep", "duration": \(latency) }] } }
      """,
      options: RunOptions(replay: ChoiceLog()))
    #expect(report.simulatedNanoseconds == (latency.contains("boundary") ? 0 : 3_000_000))
  }
}
