import Events
import Invariants
import Testing

@Suite struct FlagsHistoryTests {
  @Test(arguments: 0..<10)
  func `no legal history of devices turns a judge red`(block: UInt64) {
    FlagsReferenceRun.expectLegal(block: block)
  }

  @Test func `legal histories of devices exercise every judge of what is held`() {
    FlagsReferenceRun.expectChecks(
      of: FlagsReferenceRun.judged, seeds: 0..<400)
  }

  @Test(arguments: FlagsBug.allCases)
  func `a bug of the flags client turns its judge red within 150 histories`(bug: FlagsBug) {
    FlagsReferenceRun.expectSeen(bug)
  }
}
