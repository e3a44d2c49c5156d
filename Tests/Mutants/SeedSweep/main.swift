// Runs one scenario with many seeds in one process, which starting `simulate` ten thousand times could not.
//
// It exists only in the copy of the package that carries the mutants. Which mutant is active, if any, is said by the
// environment variable STAMPEDE_MUTANT; the sweep itself does not know.
//
//     seed-sweep FILE FIRST COUNT [EXPECTED FLOOR]
//
// Without an expected invariant it stops at the first seed that violates anything. With one it goes on until a run that
// ends at its first violation violates that one, and for at least FLOOR seeds, so that the table can show what else the
// mutant breaks. The last line of standard output is one JSON object; the exit code is 0 if nothing was violated, 3 if
// something was.

import Foundation
import Invariants
import ScenarioFormat
import Scenarios

struct Findings: Encodable {
  /// How many seeds were run.
  var seeds = 0
  /// The first seed whose run violates the expected invariant before, or in the same event as, any other.
  var decisiveSeed: Int?
  /// For each violated invariant the first seed that violated it, perhaps after another one.
  var firstSeeds: [String: Int] = [:]
  /// How many checks each invariant made over all seeds.
  var checks: [String: Int] = [:]
  /// The first violation's own words, for each invariant.
  var messages: [String: String] = [:]
  /// Runs that ended for another reason than completion or a violation.
  var problems: [String] = []
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("seed-sweep: \(message)\n".utf8))
  exit(64)
}

let arguments = CommandLine.arguments
guard arguments.count == 4 || arguments.count == 6, let first = Int(arguments[2]),
  let count = Int(arguments[3])
else { fail("usage: seed-sweep FILE FIRST COUNT [EXPECTED FLOOR]") }
let file = arguments[1]
let expected = arguments.count == 6 ? arguments[4] : nil
let floor = arguments.count == 6 ? Int(arguments[5]) ?? 1 : 1
guard let text = FileManager.default.contents(atPath: file) else { fail("\(file) cannot be read") }

func run(seed: Int, keepsGoing: Bool) -> RunReport {
  let loaded = ScenarioFile.load([UInt8](text), file: file, overrides: [.seed(String(seed))])
  guard let scenario = loaded.scenario else { fail(loaded.problems.map { "\($0)" }.joined(separator: "\n")) }
  return ScenarioRunner.run(scenario, options: RunOptions(keepsGoing: keepsGoing))
}

func isViolated(_ invariant: String, in report: RunReport) -> Bool {
  report.verdicts.contains { $0.invariant.id == invariant && $0.status == .violated }
}

var findings = Findings()
sweep: for seed in first..<(first + count) {
  let report = run(seed: seed, keepsGoing: true)
  findings.seeds += 1
  if report.endReason == .internal {
    findings.problems.append("seed \(seed): \(report.problem ?? "ended for an internal reason")")
  }
  for verdict in report.verdicts {
    findings.checks[verdict.invariant.id, default: 0] += verdict.checks
    guard verdict.status == .violated, findings.firstSeeds[verdict.invariant.id] == nil else { continue }
    findings.firstSeeds[verdict.invariant.id] = seed
    findings.messages[verdict.invariant.id] = verdict.firstViolation?.message
  }
  guard findings.problems.isEmpty else { break }
  if let expected {
    if findings.decisiveSeed == nil, isViolated(expected, in: report),
      isViolated(expected, in: run(seed: seed, keepsGoing: false))
    {
      findings.decisiveSeed = seed
    }
    if findings.decisiveSeed != nil, findings.seeds >= floor { break sweep }
  } else if !findings.firstSeeds.isEmpty {
    break sweep
  }
}

let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
print(String(decoding: try encoder.encode(findings), as: UTF8.self))
exit(findings.problems.isEmpty ? (findings.firstSeeds.isEmpty ? 0 : 3) : 1)
