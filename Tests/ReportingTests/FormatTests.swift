import Foundation
import Metrics
import Reporting
import Testing

/// What all formats of one run have in common, and the forms that other programs read.
@Suite struct FormatTests {
  private static func distribution(_ values: some Sequence<Int64>) -> RunPictures.Distribution {
    var histogram = Histogram()
    for value in values { histogram.record(value) }
    return .init(metric: .evaluationDuration, histogram: histogram)
  }

  @Test func `the figures for a dashboard are those of the result`() throws {
    let result = try Fixtures.coldCache()
    let entries = try #require(
      try JSONSerialization.jsonObject(with: Data(result.benchmarkText().utf8)) as? [[String: Any]])
    let values = Dictionary(
      uniqueKeysWithValues: entries.map { ($0["name"] as? String ?? "", $0["value"] as? Double ?? -1) })
    #expect(values["cold-cache: requests"] == 1)
    #expect(values["cold-cache: allocations_per_evaluation"] == 41.25)
    let row = try #require(result.metrics.first { $0.name == "evaluation_duration" && $0.tags.isEmpty })
    #expect(values["cold-cache: evaluation_duration p99"] == Double(try #require(row.p99)) / 1e6)
    // More of these is not worse.
    #expect(values["cold-cache: evaluations"] == nil && values["cold-cache: coalesced"] == nil)
    #expect(Set(entries.flatMap(\.keys)) == ["name", "unit", "value", "extra"])
  }

  @Test func `a distribution is written as HdrHistogram writes it`() {
    let lines = Self.distribution((1...1_000).map { $0 * 1_000_000 }).hdrText().split(separator: "\n")
    #expect(lines.first == "       Value     Percentile TotalCount 1/(1-Percentile)")
    #expect(lines[1] == "       1.000 0.000000000000          1            1.00")
    let rows = lines.dropFirst().prefix { !$0.hasPrefix("#") }.map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows.last?.prefix(3) == ["1000.000", "1.000000000000", "1000"])
    let shares = rows.compactMap { Double($0[1]) }
    #expect(shares == shares.sorted() && shares.count == rows.count)
    let counts = rows.compactMap { Int($0[2]) }
    #expect(counts == counts.sorted())
    for (share, count) in zip(shares, counts) { #expect(Double(count) >= share * 1_000 - 0.001) }
    #expect(lines.contains("#[Max     =     1000.000, Total count    =         1000]"))
  }

  @Test(arguments: [[], [0], [5, 5, 5]] as [[Int64]])
  func `a distribution of nothing, of one value and of equal ones is whole`(values: [Int64]) {
    let text = Self.distribution(values).hdrText()
    #expect(text.hasSuffix("]\n"))
    let rows = text.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("#") }
    #expect(rows.count == (values.isEmpty ? 0 : 1))
  }

  @Test func `all formats of a run carry the same numbers`() throws {
    let result = try Fixtures.coldCache()
    let store = Fixtures.store()
    let pictures = RunPictures(course: store.course())
    let json = result.jsonText()
    for row in result.metrics where row.kind == .counter && row.tags.isEmpty {
      let count = try #require(row.count)
      #expect(json.contains("\"name\": \"\(row.name)\""))
      #expect(
        result.htmlText(pictures).contains("<td>\(row.name)</td><td class=\"n\">\(Figures.whole(count))</td>")
      )
      #expect(
        result.markdownText().replacing("\\", with: "").contains("| \(row.name) | \(Figures.whole(count)) |"))
      #expect(result.summaryText().contains(row.name))
    }
    for invariant in result.invariants where invariant.status == .passed {
      let checks = Figures.whole(invariant.checks)
      #expect(result.summaryText().contains(checks) && result.markdownText().contains(checks))
      #expect(result.htmlText(pictures).contains(checks))
    }
    for threshold in result.thresholds {
      for text in [result.summaryText(), result.markdownText(), result.htmlText(pictures)] {
        #expect(text.contains(Figures.decimal(threshold.limit)) || text.contains("3 s"))
      }
    }
  }
}
