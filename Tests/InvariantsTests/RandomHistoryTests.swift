import Events
import Invariants
import Testing

@Suite struct RandomHistoryTests {
  @Test(arguments: 0..<10)
  func `no legal history turns a judge red`(block: UInt64) { ReferenceRun.expectLegal(block: block) }

  @Test func `legal histories exercise every judge of evaluations`() {
    ReferenceRun.expectChecks(
      of: [
        .singleFlight, .answersOnce, .cancelIsolated, .ttl, .degradeOrder, .invalidation, .requestEconomy,
        .stateMatchesService, .retryAfter, .nothingLeft,
      ], seeds: 0..<400)
  }

  @Test(arguments: Bug.allCases)
  func `a bug turns its judge red within 150 histories`(bug: Bug) { ReferenceRun.expectSeen(bug) }
}
