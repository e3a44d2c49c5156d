import Metrics
import Testing

@Suite struct CatalogueTests {
  /// DESIGN §5, "Metrics", word for word, and last what has been added to it.
  private static let contract = """
    requests arrivals requests_per_client request_duration evaluations evaluation_duration reads coalesced
    cache_hits retry_delay time_to_first_value propagation_delay staleness exposures batches batch_size gone
    snapshots deltas notices dropped_arrivals interrupted allocations_per_evaluation
    peak_arrivals requests_per_device_hour
    reader_changes refresh_duration relaunches sockets
    """

  @Test func `the catalogue has exactly the names of the contract, sorted`() {
    let names = CatalogueTests.contract.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(Metric.catalogue.map(\.name) == names.sorted())
  }

  @Test func `every metric explains itself in one line and is found by its name`() {
    for metric in Metric.catalogue {
      #expect(metric.summary.hasSuffix("."))
      #expect(!metric.summary.contains("\n"))
      #expect(Metric.named(metric.name)?.kind == metric.kind)
      #expect(metric.tag(named: "group") != nil)
    }
    #expect(Metric.named("request") == nil)
  }

  @Test(arguments: [
    ("request", "requests"), ("Requests", "requests"), ("evaluation_durration", "evaluation_duration"),
    ("cache-hits", "cache_hits"), ("coalseced", "coalesced"), ("nonsense", nil), ("", nil), ("xyz", nil),
  ])
  func `a mistyped name finds the nearest metric, a strange one none`(typed: String, nearest: String?) {
    #expect(Metric.nearest(to: typed)?.name == nearest)
  }

  @Test func `a name of a million letters is near to nothing, at once`() {
    #expect(Metric.nearest(to: String(repeating: "requests", count: 125_000)) == nil)
  }

  @Test func `of equally near candidates the first is meant`() {
    #expect(Spelling.nearest(to: "bat", among: ["cat", "bad", "hat"]) == "cat")
    #expect(Spelling.nearest(to: "ab", among: ["xy"]) == nil)
    #expect(Spelling.nearest(to: "evaluaet", among: ["evaluate", "evaluates"]) == "evaluate")
  }
}
