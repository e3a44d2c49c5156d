import Events
import Simulation
import Testing

@Suite struct TimeTests {
  @Test func `an hour passes at once, and exactly`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run { () -> [Int64] in
      var times = [simulator.clock.now.nanoseconds]
      try? await simulator.clock.sleep(for: .seconds(3600))
      times.append(simulator.clock.now.nanoseconds)
      try? await simulator.clock.sleep(for: .nanoseconds(1))
      times.append(simulator.clock.now.nanoseconds)
      return times
    }
    #expect(outcome.value == [0, 3_600_000_000_000, 3_600_000_000_001])
    #expect(outcome.simulated == .seconds(3600) + .nanoseconds(1))
  }

  @Test(arguments: Strategy.allCases)
  func `time moves only when nothing is ready`(strategy: Strategy) {
    let simulator = Simulator(seed: 3, strategy: strategy)
    let journal = Journal<(what: String, time: Int64)>()
    _ = simulator.run {
      let clock = simulator.clock
      simulator.spawn {
        try? await clock.sleep(for: .nanoseconds(1))
        journal.note(("timer", clock.now.nanoseconds))
      }
      await withTaskGroup(of: Void.self) { group in
        // A thousand rounds of work that never waits for time.
        for _ in 0..<10 {
          group.addTask {
            for _ in 0..<100 {
              await simulator.idle()
              journal.note(("work", clock.now.nanoseconds))
            }
          }
        }
      }
      try? await clock.sleep(for: .nanoseconds(2))
    }
    #expect(journal.entries.count == 1001)
    for entry in journal.entries.dropLast() { #expect(entry.what == "work" && entry.time == 0) }
    #expect(journal.entries.last?.what == "timer" && journal.entries.last?.time == 1)
  }

  @Test func `timers wake in the order of their deadlines, whatever order they were armed in`() {
    let simulator = Simulator(seed: 1, strategy: .random)
    let journal = Journal<Int>()
    let delays = (0..<100).map { ($0 * 37) % 100 + 1 }
    _ = simulator.run {
      for delay in delays {
        simulator.spawn {
          try? await simulator.clock.sleep(for: .milliseconds(delay))
          journal.note(delay)
        }
      }
      try? await simulator.clock.sleep(for: .seconds(1))
    }
    #expect(journal.entries == Array(1...100))
  }

  @Test func `timers of one deadline wake in the order in which they were armed`() {
    let simulator = Simulator(seed: 1, strategy: .fifo)
    let journal = Journal<Int>()
    _ = simulator.run {
      let deadline = VirtualClock.Instant(nanoseconds: 1000)
      for number in 0..<100 {
        simulator.spawn {
          // Armed at different times, in the order of the numbers, for the same instant.
          try? await simulator.clock.sleep(for: .nanoseconds(number))
          try? await simulator.clock.sleep(until: deadline)
          journal.note(number)
        }
      }
      try? await simulator.clock.sleep(for: .nanoseconds(1001))
    }
    #expect(journal.entries == Array(0..<100))
  }

  @Test func `the random strategy runs timers of one deadline in different orders`() {
    let orders = (0..<20 as Range<UInt64>).map { seed -> [Int] in
      let simulator = Simulator(seed: seed)
      let journal = Journal<Int>()
      _ = simulator.run {
        for number in 0..<10 {
          simulator.spawn {
            try? await simulator.clock.sleep(for: .seconds(1))
            journal.note(number)
          }
        }
        try? await simulator.clock.sleep(for: .seconds(2))
      }
      return journal.entries
    }
    #expect(Set(orders).count == 20)
    for order in orders { #expect(order.sorted() == Array(0..<10)) }
  }

  @Test(arguments: [0, -1, -1_000_000_000] as [Int64])
  func `sleeping until no later than now gives the others a turn and moves no time`(nanoseconds: Int64) {
    let simulator = Simulator(seed: 1, strategy: .fifo)
    let journal = Journal<String>()
    let outcome = simulator.run { () -> Int64 in
      try? await simulator.clock.sleep(for: .seconds(5))
      simulator.spawn { journal.note("other") }
      journal.note("before")
      try? await simulator.clock.sleep(for: .nanoseconds(nanoseconds))
      journal.note("after")
      return simulator.clock.now.nanoseconds
    }
    #expect(journal.entries == ["before", "other", "after"])
    #expect(outcome.value == 5_000_000_000)
  }

  @Test func `the end of time is far away and can be slept until`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run { () -> Int64 in
      try? await simulator.clock.sleep(until: .init(nanoseconds: .max))
      return simulator.clock.now.nanoseconds
    }
    #expect(outcome.value == .max)
  }

  @Test func `instants count whole nanoseconds and stop at the ends of 64 bits`() {
    let zero = VirtualClock.Instant(nanoseconds: 0)
    #expect(zero.advanced(by: .nanoseconds(7)).nanoseconds == 7)
    #expect(zero.advanced(by: .nanoseconds(-7)).nanoseconds == -7)
    #expect(
      zero.advanced(by: Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999)).nanoseconds == 1)
    #expect(
      zero.advanced(by: Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999)).nanoseconds == -1
    )
    #expect(zero.advanced(by: .seconds(20)).nanoseconds == 20_000_000_000)
    #expect(zero.advanced(by: .seconds(Int64.max)).nanoseconds == .max)
    #expect(VirtualClock.Instant(nanoseconds: .max).advanced(by: .seconds(1)).nanoseconds == .max)
    #expect(VirtualClock.Instant(nanoseconds: .min).advanced(by: .seconds(-1)).nanoseconds == .min)
    #expect(zero.duration(to: .init(nanoseconds: -3)) == .nanoseconds(-3))
    #expect(zero < VirtualClock.Instant(nanoseconds: 1))
    #expect(!(zero < zero))
  }

  @Test func `every conversion between eighteen seconds and a century is exact`() {
    let zero = VirtualClock.Instant(nanoseconds: 0)
    var nanoseconds: Int64 = 1
    while nanoseconds < 3_000_000_000_000_000_000 {
      for value in [nanoseconds - 1, nanoseconds, nanoseconds + 1, 18_446_744_073, 18_446_744_074] {
        #expect(zero.advanced(by: .nanoseconds(value)).nanoseconds == value)
        #expect(zero.duration(to: .init(nanoseconds: value)) == .nanoseconds(value))
      }
      nanoseconds *= 3
    }
  }

  @Test func `idle returns when everything else has come to rest, before time moves`() {
    for seed in 0..<20 as Range<UInt64> {
      let simulator = Simulator(seed: seed)
      let journal = Journal<String>()
      _ = simulator.run {
        for number in 0..<10 {
          simulator.spawn {
            for _ in 0..<number { try? await simulator.clock.sleep(for: .zero) }
            journal.note("work")
          }
        }
        simulator.spawn {
          try? await simulator.clock.sleep(for: .nanoseconds(1))
          journal.note("later")
        }
        await simulator.idle()
        journal.note("idle at \(simulator.clock.now.nanoseconds)")
        try? await simulator.clock.sleep(for: .nanoseconds(1))
        await simulator.idle()
        journal.note("idle at \(simulator.clock.now.nanoseconds)")
      }
      #expect(
        journal.entries == Array(repeating: "work", count: 10) + ["idle at 0", "later", "idle at 1"],
        "seed \(seed)")
    }
  }

  @Test func `whoever moves time says so before it moves`() {
    let simulator = Simulator(seed: 1)
    let journal = Journal<String>()
    _ = simulator.run(onTimeAdvance: { journal.note("instant \($0.nanoseconds) is over") }) {
      for delay in [1, 1, 5] {
        simulator.spawn {
          try? await simulator.clock.sleep(for: .nanoseconds(delay))
          journal.note("woken")
        }
      }
      try? await simulator.clock.sleep(for: .nanoseconds(9))
    }
    #expect(
      journal.entries == [
        "instant 0 is over", "woken", "woken", "instant 1 is over", "woken", "instant 5 is over",
      ])
  }
}
