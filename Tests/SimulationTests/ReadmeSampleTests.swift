import Simulation
import Testing

// The sample of README.md, which a repository test compares with this file.

// sample
/// Keeps a token for its users and renews it when it is old, but looks before it leaps.
actor TokenHolder<C: Clock> where C.Duration == Duration {
  private let clock: C
  private var isFresh = false
  private(set) var renewals = 0

  init(clock: C) { self.clock = clock }

  func use() async throws {
    if isFresh { return }
    try await clock.sleep(for: .milliseconds(20))  // The request: others come in meanwhile.
    renewals += 1
    isFresh = true
  }
}

/// The seeds, of the first hundred, in which two users make the cache renew its token more than once.
func seedsWithTwoRenewals() -> [UInt64] {
  (1...100).filter { seed in
    let simulator = Simulator(seed: seed)
    let outcome = simulator.run {
      let cache = TokenHolder(clock: simulator.clock)
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let pause = Int(simulator.choose(upTo: 100, label: .workload))
            try? await simulator.clock.sleep(for: .milliseconds(pause))
            try? await cache.use()
          }
        }
      }
      return await cache.renewals
    }
    return outcome.value != 1
  }
}
// end of sample

@Suite struct ReadmeSampleTests {
  @Test func `the sample of the README finds its race, in some seeds and not in all`() {
    let seeds = seedsWithTwoRenewals()
    #expect(!seeds.isEmpty)
    #expect(seeds.count < 100)
    #expect(seeds == seedsWithTwoRenewals())
  }
}
