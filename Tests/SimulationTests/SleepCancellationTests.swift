import Simulation
import Testing

@Suite struct SleepCancellationTests {
  private struct End: Equatable {
    var isCancelled: Bool
    var time: Int64
  }

  /// Runs a sleeper of 10 ns and a hand that cancels it at a time.
  private func sleeper(seed: UInt64, cancelledAt time: Int64?) -> (
    end: End?, outcome: Simulator.Outcome<Void>
  ) {
    let simulator = Simulator(seed: seed)
    let journal = Journal<End>()
    let outcome = simulator.run {
      let task = simulator.spawn {
        do {
          try await simulator.clock.sleep(for: .nanoseconds(10))
          journal.note(End(isCancelled: false, time: simulator.clock.now.nanoseconds))
        } catch {
          #expect(error is CancellationError)
          journal.note(End(isCancelled: true, time: simulator.clock.now.nanoseconds))
        }
      }
      if let time {
        if time > 0 { try? await simulator.clock.sleep(for: .nanoseconds(time)) }
        task.cancel()
      }
      await task.value
    }
    #expect(journal.entries.count == 1, "a sleep ends once")
    return (journal.entries.first, outcome)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a sleep cancelled before it begins ends at once`(seed: UInt64) {
    let run = sleeper(seed: seed, cancelledAt: 0)
    #expect(run.end == End(isCancelled: true, time: 0))
    #expect(run.outcome.simulated == .zero)
  }

  @Test(arguments: [1, 5, 9] as [Int64])
  func `a sleep cancelled while it lasts ends in that instant`(time: Int64) {
    for seed in 0..<20 as Range<UInt64> {
      let run = sleeper(seed: seed, cancelledAt: time)
      #expect(run.end == End(isCancelled: true, time: time))
      #expect(run.outcome.simulated == .nanoseconds(time), "no timer is left that moves time")
      #expect(run.outcome.armedTimers == 0)
    }
  }

  @Test(arguments: [nil, 11, 20] as [Int64?])
  func `a sleep that nobody cancels in time ends at its deadline`(time: Int64?) {
    for seed in 0..<20 as Range<UInt64> {
      #expect(sleeper(seed: seed, cancelledAt: time).end == End(isCancelled: false, time: 10))
    }
  }

  @Test func `a sleep cancelled in the very instant of its deadline ends once, one way or the other`() {
    let ends = (0..<50).map { sleeper(seed: $0, cancelledAt: 10).end }
    for end in ends { #expect(end?.time == 10) }
  }

  @Test func `a cancelled task cannot sleep any more`() {
    let simulator = Simulator(seed: 1)
    let journal = Journal<Bool>()
    let outcome = simulator.run {
      let task = simulator.spawn {
        try? await simulator.clock.sleep(for: .seconds(1))
        for delay in [-1, 0, 1] {
          do {
            try await simulator.clock.sleep(for: .seconds(delay))
            journal.note(false)
          } catch { journal.note(true) }
        }
      }
      await simulator.idle()
      task.cancel()
      await task.value
    }
    #expect(journal.entries == [true, true, true])
    #expect(outcome.simulated == .zero)
  }

  @Test func `a deadline raced against work leaves no timer behind`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run {
      for _ in 0..<5000 {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { try? await simulator.clock.sleep(for: .seconds(3600)) }
          group.addTask { try? await simulator.clock.sleep(for: .nanoseconds(1)) }
          await group.next()
          group.cancelAll()
        }
      }
    }
    #expect(outcome.end == .finished)
    #expect(outcome.armedTimers == 0)
    #expect(outcome.simulated == .nanoseconds(5000))
  }
}
