import Events
import Invariants
import Testing

@Suite struct FlagsHistoryTests {
  @Test(arguments: 0..<10)
  func `no legal history of devices turns a judge red`(block: UInt64) {
    for seed in block * 200..<(block + 1) * 200 {
      var run = FlagsReferenceRun(seed: seed)
      run.run()
      guard let violation = run.court.firstViolation else { continue }
      var again = FlagsReferenceRun(seed: seed, keepsHistory: true)
      again.run()
      Issue.record("seed \(seed): \(violation)\n\(again.text)")
      return
    }
  }

  @Test func `legal histories of devices exercise every judge of what is held`() {
    var checks: [Invariant: Int] = [:]
    for seed in 0..<400 as Range<UInt64> {
      var run = FlagsReferenceRun(seed: seed)
      run.run()
      for verdict in run.court.verdicts() { checks[verdict.invariant, default: 0] += verdict.checks }
    }
    for invariant in FlagsReferenceRun.judged {
      #expect(checks[invariant, default: 0] > 150, "\(invariant.id)")
    }
  }

  @Test(arguments: FlagsBug.allCases)
  func `a bug of the flags client turns its judge red within 150 histories`(bug: FlagsBug) {
    var firsts: [Invariant: Int] = [:]
    for seed in 0..<150 as Range<UInt64> {
      var run = FlagsReferenceRun(seed: seed, bug: bug)
      run.run()
      guard let violation = run.court.firstViolation else { continue }
      firsts[violation.invariant, default: 0] += 1
    }
    let found = firsts.values.reduce(0, +)
    #expect(found > 0, "\(bug.rawValue) stayed unseen")
    let expected = bug.seenBy.map { firsts[$0, default: 0] }.reduce(0, +)
    #expect(
      expected * 10 >= found * 9,
      "\(bug.rawValue) was seen by \(firsts.map { "\($0.key.id): \($0.value)" }.sorted())")
  }
}
