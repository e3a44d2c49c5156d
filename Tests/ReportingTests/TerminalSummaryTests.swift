import Metrics
import Reporting
import Testing

@Suite struct TerminalSummaryTests {
  private let reports = ["Reports/cold-cache/result.json", "Reports/cold-cache/junit.xml"]

  private func lines(_ result: RunResult, columns: Int = 80, isColored: Bool = false) -> [Substring] {
    result.summaryText(style: SummaryStyle(columns: columns, isColored: isColored), reports: reports)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Counts as a terminal does, for the letters that the fixtures use.
  private func width(_ line: Substring) -> Int {
    line.reduce(0) { $0 + (("\u{3000}"..."\u{9FFF}").contains($1.unicodeScalars.first ?? " ") ? 2 : 1) }
  }

  @Test func `the cold cache at 80 columns`() throws {
    let text = try Fixtures.coldCache().summaryText(style: SummaryStyle(columns: 80), reports: reports)
    #expect(
      text == """
        ✓ PASSED · cold-cache · seed 1 · virtual clock

          5,000 readers, 1 request, 4,999 joined it.

        Invariants
          ✓ single-flight    passed  4,999 checks
          ✓ answers-once     passed  5,000 checks
          ✓ cancel-isolated  passed  5,000 checks
          ✓ request-economy  passed       1 check
          ✓ nothing-left     passed      5 checks
          ✓ no-escape        passed       1 check
          ○ not exercised: ttl, invalidation
          – not applicable: delta-base

        Thresholds                                observed  limit
          ✓ requests{endpoint:evaluate} count==1         1      1
          ✓ evaluation_duration max<3s             80.2 ms    3 s

        Metrics                       value
          evaluations                 5,000
          requests                        1
          coalesced                   4,999
          allocations_per_evaluation   41.3

        Distributions          count      med      p95      p99      max
          evaluation_duration  5,000  80.2 ms  80.2 ms  80.2 ms  80.2 ms
          request_duration         1  80.2 ms  80.2 ms  80.2 ms  80.2 ms
          requests_per_client      1        1        1        1        1

        3.08 s of virtual time in 412 ms · 25,034 steps · 48.2 MB · 3.12 kB per reader
        digest 9f86d081884c7d65

        Reports
          Reports/cold-cache/result.json
          Reports/cold-cache/junit.xml

        """
    )
  }

  @Test func `verdict and story lead`() throws {
    for result in [try Fixtures.coldCache(), try Fixtures.troubled(), try Fixtures.interrupted()] {
      let first = try #require(lines(result).first)
      #expect(first.contains(result.scenario.name))
      #expect(first.contains("exit \(result.exitCode.rawValue)") == (result.exitCode != .passed))
    }
    let troubled = lines(try Fixtures.troubled())
    #expect(troubled[0].hasPrefix("✗ INVARIANT VIOLATED"))
    #expect(troubled.firstIndex { $0.contains("100,000 readers, 2 requests") } ?? .max < 5)
  }

  @Test(arguments: [24, 30, 40, 52, 60, 79, 80, 100, 200])
  func `no line is wider than the terminal, save paths and words of commands`(columns: Int) throws {
    for result in [try Fixtures.coldCache(), try Fixtures.troubled(), try Fixtures.interrupted()] {
      for line in lines(result, columns: columns) where width(line) > columns {
        #expect(line.contains("Reports/"), "\(line)")
      }
    }
  }

  @Test func `a command that is too wide is broken between words so that it can be pasted`() throws {
    var result = try Fixtures.coldCache()
    var violation = Fixtures.violation
    violation.replay =
      "./simulate run Scenarios/cold-cache.json --seed 12345 --set 'client.keys=[\"a b\"]' --readers 100000"
    result.invariants = [.init(id: "ttl", status: .violated, checks: 1, firstViolation: violation)]
    let all = lines(result, columns: 44)
    let start = try #require(all.firstIndex { $0.contains("./simulate run") })
    let end = try #require(all[start...].firstIndex { !$0.hasSuffix("\\") })
    #expect(end > start)
    let pasted = all[start...end].map { $0.hasSuffix("\\") ? $0.dropLast() : $0 }
      .flatMap { $0.split(separator: " ") }.joined(separator: " ")
    #expect(pasted == violation.replay)
    #expect(all[start...end].contains { $0.contains("'client.keys=[\"a b\"]'") })
  }

  @Test func `colour is only put on, and only where it is asked for`() throws {
    let result = try Fixtures.troubled()
    let colored = result.summaryText(style: SummaryStyle(columns: 80, isColored: true), reports: reports)
    let plain = result.summaryText(style: SummaryStyle(columns: 80), reports: reports)
    #expect(colored.contains("\u{1B}[31m"))
    #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
    #expect(!plain.contains("\u{1B}"))
  }

  @Test func `words of a scenario cannot steer the terminal`() throws {
    let plain = try Fixtures.troubled().summaryText()
    #expect(plain.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(!plain.unicodeScalars.contains("\u{202E}"))
    #expect(plain.contains("日本語"))
  }

  @Test func `a violation tells invariant, message, time, step, reader, instance and command`() throws {
    let text = try Fixtures.troubled().summaryText()
    #expect(text.contains("✗ single-flight violated"))
    #expect(text.contains("at 80.213412 ms of virtual time, step 12,345, reader 17, instance 0"))
    #expect(text.contains("\n    ./simulate replay Reports/cold-cache/failure.json\n"))
  }

  @Test func `what was not exercised is told apart from what passed, and more so if it was required`() throws
  {
    let text = try Fixtures.troubled().summaryText()
    #expect(text.contains("○ not exercised: no-escape\n"))
    #expect(text.contains(/○ invalidation +required, not exercised +0 checks/))
    #expect(text.contains(/○ answers-once +too few checks +2 checks/))
    #expect(text.contains("○ fault \"outage\" met no request"))
  }

  @Test func `a number that only just missed its limit is told to the last digit`() throws {
    let text = try Fixtures.troubled().summaryText()
    #expect(text.contains(/✗ evaluation_duration max<=80\.213411ms +80\.213412 ms +80\.2 ms/))
    #expect(text.contains(/✗ retry_delay p\(99\.9\)<1\.5s +no data +1\.5 s/))
  }

  @Test func `refused samples are shown`() throws {
    #expect(try Fixtures.troubled().summaryText().contains("! 1 sample of staleness refused as invalid"))
  }

  @Test func `an interrupted run does not call failed what it did not reach`() throws {
    let text = try Fixtures.interrupted().summaryText()
    #expect(text.hasPrefix("○ INTERRUPTED (exit 130) · warm-cache · seed 1 · wall clock\n"))
    #expect(text.contains("The run was cut off: what it did not reach is not judged."))
    #expect(!text.contains("✗"))
    #expect(text.contains(/evaluations +5,000 +62,334/))
  }

  @Test func `titles stand over their figures, also where names are shorter than the heading`() throws {
    var result = try Fixtures.coldCache()
    result.metrics = [
      MetricRow(name: "gone", kind: .trend, unit: .count, count: 7, med: 1, p95: 2, p99: 3, max: 4)
    ]
    let all = lines(result)
    let heading = try #require(all.firstIndex { $0.hasPrefix("Distributions") })
    #expect(all[heading] == "Distributions  count  med  p95  p99  max")
    #expect(all[heading + 1] == "  gone             7    1    2    3    4")
  }
}
