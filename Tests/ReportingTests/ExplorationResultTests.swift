import Foundation
import Reporting
import Testing

@Suite struct ExplorationResultTests {
  private static func result(_ findings: [ExplorationResult.Finding] = []) -> ExplorationResult {
    ExplorationResult(
      tool: Fixtures.tool, scenario: "cold-cache", hash: "0123456789abcdef", overrides: ["--readers 100"],
      firstSeed: 1, seeds: 10_000, seedsRun: 10_000, isInterrupted: false, steps: 12_345_678,
      invariants: [
        .init(id: "single-flight", checks: 990_000, seeds: 10_000), .init(id: "ttl", checks: 0, seeds: 0),
        .init(id: "no-event-lost", checks: 7, seeds: 3), .init(id: "fleet", checks: 0, seeds: 0),
      ],
      findings: findings,
      notExercised: [
        "faults.captive-portal struck nothing", "timeline[3] (publish at 7000 ms) was not reached",
      ],
      wallNanoseconds: 8_000_000_000, jobs: 2)
  }

  private static func finding(
    _ seed: UInt64, _ kind: String = "violation", _ invariant: String? = "ttl"
  ) -> ExplorationResult.Finding {
    ExplorationResult.Finding(
      kind: kind, seed: seed, invariant: invariant,
      message:
        "reader 3 was given a value of 2.5 s as fresh, and the time to live is 2 s: it was received at 1 s",
      command: "simulate run Scenarios/cold-cache.json --seed \(seed) --readers 100")
  }

  private func json(_ result: ExplorationResult) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(result.jsonText().utf8)) as? [String: Any])
  }

  // MARK: JSON

  @Test func `the file holds everything, what differs between two explorations apart`() throws {
    let json = try json(Self.result([Self.finding(7), Self.finding(9, "crash", nil)]))
    #expect(
      json.keys.sorted() == [
        "findings", "firstSeed", "interrupted", "invariants", "machine", "notExercised", "scenario",
        "schemaVersion",
        "seeds", "seedsRun", "steps", "tool",
      ])
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["seeds"] as? Int == 10_000)
    #expect(json["seedsRun"] as? Int == 10_000)
    #expect(json["steps"] as? Int == 12_345_678)
    #expect(json["interrupted"] as? Bool == false)
    let scenario = try #require(json["scenario"] as? [String: Any])
    #expect(scenario["name"] as? String == "cold-cache")
    #expect(scenario["hash"] as? String == "0123456789abcdef")
    #expect(scenario["overrides"] as? [String] == ["--readers 100"])
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.map { $0["seed"] as? Int } == [7, 9])
    #expect(findings[0]["invariant"] as? String == "ttl")
    #expect(findings[1]["invariant"] is NSNull)
    let machine = try #require(json["machine"] as? [String: Any])
    #expect(machine["jobs"] as? Int == 2)
    #expect(machine["wall_ns"] as? Int == 8_000_000_000)
    #expect(machine["seedsPerSecond"] as? Double == 1250)
    let rows = try #require(json["invariants"] as? [[String: Any]])
    #expect(rows.map { $0["id"] as? String } == ["single-flight", "ttl", "no-event-lost", "fleet"])
    #expect(rows[2]["checks"] as? Int == 7)
    #expect(rows[2]["seeds"] as? Int == 3)
  }

  @Test func `two explorations of the same seeds differ below machine only`() throws {
    let first = Self.result([Self.finding(7)])
    var second = first
    second.wallNanoseconds = 1
    second.jobs = 9
    func before(_ result: ExplorationResult) -> String {
      result.jsonText().components(separatedBy: "\"machine\"")[0]
    }
    #expect(before(first) == before(second))
    #expect(first.jsonText() != second.jsonText())
  }

  @Test func `an exploration that took no time has no rate`() throws {
    var result = Self.result()
    result.wallNanoseconds = 0
    #expect(result.seedsPerSecond == 0)
    #expect((try json(result)["machine"] as? [String: Any])?["seedsPerSecond"] as? Double == 0)
  }

  // MARK: The summary

  @Test func `nothing found at 80 columns`() {
    let text = Self.result().summaryText(columns: 80, file: "Reports/cold-cache/explore.json")
    #expect(
      text == """
        ✓ NOTHING FOUND · cold-cache · seeds 1 to 10000

          10,000 seeds in 8 s with 2 processes: 1,250 seeds a second, 12,345,678 steps.

        Invariants
          single-flight  990,000 checks in 10,000 seeds
          no-event-lost  7 checks in 3 seeds
          ○ not exercised by any seed: ttl; fleet; faults.captive-portal struck nothing;
            timeline[3] (publish at 7000 ms) was not reached

        Report
          Reports/cold-cache/explore.json

        """)
  }

  @Test func `the first finding of each kind is told with its command`() {
    let findings = [
      Self.finding(7), Self.finding(8), Self.finding(9, "crash", nil), Self.finding(12),
      Self.finding(20, "violation", "fleet"),
    ]
    let text = Self.result(findings).summaryText(columns: 80, file: "r.json")
    #expect(text.hasPrefix("✗ FOUND 5 · cold-cache · seeds 1 to 10000\n"))
    #expect(text.contains("✗ ttl violated by seed 7, and by 2 more\n"))
    #expect(text.contains("✗ crash by seed 9\n"))
    #expect(text.contains("✗ fleet violated by seed 20\n"))
    #expect(!text.contains("seed 8"))
    #expect(text.contains("\n    simulate run Scenarios/cold-cache.json --seed 7 --readers 100\n"))
  }

  @Test func `an interrupted exploration that found nothing says so`() {
    var result = Self.result()
    result.isInterrupted = true
    #expect(result.summaryText(columns: 80, file: "r").hasPrefix("○ INTERRUPTED · cold-cache"))
    result.findings = [Self.finding(7)]
    #expect(result.summaryText(columns: 80, file: "r").hasPrefix("✗ FOUND 1 · cold-cache"))
  }

  @Test(arguments: [80, 60, 40]) func `the text fits its columns`(columns: Int) {
    let text = Self.result([Self.finding(7), Self.finding(9, "hang", nil)]).summaryText(
      columns: columns, file: "r.json")
    for line in text.split(separator: "\n") {
      // A command is to be copied in one piece, and the first line names what was run.
      if line.contains("simulate run") || line.contains("FOUND") || line.contains(" checks in ") { continue }
      #expect(line.count <= columns, "\(line)")
      #expect(line.last != " ")
    }
  }
}
