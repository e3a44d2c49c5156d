import Events
import Invariants
import Testing

@Suite struct ExposureHistoryTests {
  @Test(arguments: 0..<10)
  func `no legal history of exposures turns a judge red`(block: UInt64) {
    ExposureRun.expectLegal(block: block)
  }

  @Test func `legal histories exercise every judge of exposures`() {
    ExposureRun.expectChecks(
      of: [.batchBounds, .noEventLost, .noEventTwice, .wellFormed, .retryAfter], seeds: 0..<150)
  }

  @Test(arguments: ExposureRun.Bug.allCases)
  func `a bug of exposures turns its judge red first`(bug: ExposureRun.Bug) { ExposureRun.expectSeen(bug) }
}
