import Simulation
import Synchronization
import Testing

@Suite struct ScaleTests {
  @Test func `100,000 tasks sleep four times each, and all of them end`() {
    let simulator = Simulator(seed: 1)
    let wakeups = Atomic<Int>(0)
    let outcome = simulator.run {
      for number in 0..<100_000 {
        simulator.spawn {
          for round in 1...4 {
            try? await simulator.clock.sleep(for: .nanoseconds((number * 7919 + round) % 1000 + 1))
            wakeups.add(1, ordering: .relaxed)
          }
        }
      }
      try? await simulator.clock.sleep(for: .seconds(1))
    }
    #expect(outcome.end == .finished)
    #expect(wakeups.load(ordering: .relaxed) == 400_000)
    #expect(outcome.unfinishedTasks == 0)
    #expect(outcome.armedTimers == 0)
    // One step to begin and one for each wake-up.
    #expect((500_000...500_010).contains(outcome.steps))
  }

  @Test func `100,000 leftover sleepers are cancelled and none is abandoned`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run {
      for _ in 0..<100_000 {
        simulator.spawn { try? await simulator.clock.sleep(for: .seconds(3600)) }
      }
      await simulator.idle()
    }
    #expect(outcome.unfinishedTasks == 100_000)
    #expect(outcome.armedTimers == 100_000)
    #expect(outcome.abandonedTasks == 0)
  }
}
