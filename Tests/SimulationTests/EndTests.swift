import Events
import Simulation
import Synchronization
import Testing

@Suite struct EndTests {
  @Test func `a run that leaves nothing says so`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run {
      simulator.spawn { try? await simulator.clock.sleep(for: .seconds(1)) }
      try? await simulator.clock.sleep(for: .seconds(2))
      return 5
    }
    #expect(outcome.end == .finished)
    #expect(outcome.value == 5)
    #expect(outcome.unfinishedTasks == 0)
    #expect(outcome.armedTimers == 0)
    #expect(outcome.abandonedTasks == 0)
    #expect(outcome.escapes == 0)
  }

  @Test func `leftover tasks and timers are counted, then cancelled, and time does not move for them`() {
    let simulator = Simulator(seed: 1)
    let journal = Journal<String>()
    let outcome = simulator.run {
      for number in 0..<7 {
        simulator.spawn {
          do {
            try await simulator.clock.sleep(for: .seconds(3600))
            journal.note("woken")
          } catch { journal.note("cancelled \(number) at \(simulator.clock.now.nanoseconds)") }
        }
      }
      await simulator.idle()
    }
    #expect(outcome.unfinishedTasks == 7)
    #expect(outcome.armedTimers == 7)
    #expect(outcome.abandonedTasks == 0)
    #expect(outcome.simulated == .zero)
    #expect(journal.entries.sorted() == (0..<7).map { "cancelled \($0) at 0" })
  }

  @Test func `what is ready when the closure returns still runs and is no leftover`() {
    let simulator = Simulator(seed: 1)
    let journal = Journal<Int>()
    let outcome = simulator.run { for number in 0..<7 { simulator.spawn { journal.note(number) } } }
    #expect(journal.entries.count == 7)
    #expect(outcome.unfinishedTasks == 0)
  }

  @Test func `a task that ignores its cancellation is counted as abandoned`() {
    let simulator = Simulator(seed: 1)
    let kept = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    let outcome = simulator.run {
      simulator.spawn { await withUnsafeContinuation { waiter in kept.withLock { $0 = waiter } } }
      await simulator.idle()
    }
    #expect(outcome.end == .finished)
    #expect(outcome.unfinishedTasks == 1)
    #expect(outcome.abandonedTasks == 1)
  }

  @Test func `cancelled leftovers may still clean up behind an await`() {
    let simulator = Simulator(seed: 1)
    let journal = Journal<String>()
    let outcome = simulator.run {
      simulator.spawn {
        try? await simulator.clock.sleep(for: .seconds(1))
        await simulator.spawn { journal.note("cleaned up") }.value
      }
      await simulator.idle()
    }
    #expect(journal.entries == ["cleaned up"])
    #expect(outcome.abandonedTasks == 0)
  }

  @Test func `the digest and the steps do not count the draining`() {
    func run(leaving count: Int) -> Simulator.Outcome<Void> {
      let simulator = Simulator(seed: 1, strategy: .fifo)
      return simulator.run {
        for _ in 0..<5 {
          simulator.spawn {
            try? await simulator.clock.sleep(for: .seconds(1))
            for _ in 0..<count { await simulator.idle() }
          }
        }
        await simulator.idle()
      }
    }
    #expect(run(leaving: 0).digest == run(leaving: 10).digest)
    #expect(run(leaving: 0).steps == run(leaving: 10).steps)
  }

  @Test func `a run in which nobody can go on is stuck, and is let go of`() {
    let simulator = Simulator(seed: 1)
    let (stream, feed) = AsyncStream<Int>.makeStream()
    let outcome = simulator.run { () -> Int in
      try? await simulator.clock.sleep(for: .seconds(1))
      for await number in stream { return number }
      return -1
    }
    withExtendedLifetime(feed) {}
    #expect(outcome.end == .stuck)
    #expect(outcome.simulated == .seconds(1))
    #expect(outcome.unfinishedTasks == 0, "only what was spawned is counted")
  }

  @Test func `a run that repeats without a delay is a livelock, with the steps it took`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run(stepLimit: 1000) {
      try? await simulator.clock.sleep(for: .seconds(1))
      while true { await simulator.idle() }
    }
    #expect(outcome.end == .livelock)
    #expect(outcome.simulated == .seconds(1))
    #expect((1000...1010).contains(outcome.steps))
  }

  @Test func `the step limit counts within one instant only`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run(stepLimit: 100) {
      for _ in 0..<1000 { try? await simulator.clock.sleep(for: .nanoseconds(1)) }
    }
    #expect(outcome.end == .finished)
    #expect(outcome.steps >= 1000)
  }

  @Test func `what was spawned in a livelock is cancelled and ends`() {
    let simulator = Simulator(seed: 1)
    let journal = Journal<String>()
    let outcome = simulator.run(stepLimit: 1000) {
      simulator.spawn {
        try? await simulator.clock.sleep(for: .seconds(1))
        journal.note("ended")
      }
      while !Task.isCancelled { await simulator.idle() }
    }
    #expect(outcome.end == .livelock)
    #expect(outcome.unfinishedTasks == 1)
    #expect(outcome.abandonedTasks == 0)
    #expect(journal.entries == ["ended"])
  }

  @Test func `a livelock that ignores its cancellation still comes to an end`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run(stepLimit: 1000) {
      simulator.spawn { while true { await simulator.idle() } }
      while true { await simulator.idle() }
    }
    #expect(outcome.end == .livelock)
    #expect(outcome.abandonedTasks == 1)
  }

  @Test func `stop ends the run after the present step`() {
    let simulator = Simulator(seed: 1)
    let journal = Journal<String>()
    let outcome = simulator.run { () -> Int in
      simulator.spawn {
        try? await simulator.clock.sleep(for: .seconds(5))
        journal.note("stopping")
        simulator.stop()
        journal.note("still in the step")
      }
      try? await simulator.clock.sleep(for: .seconds(10))
      return 1
    }
    #expect(outcome.end == .stopped)
    #expect(outcome.simulated == .seconds(5))
    #expect(journal.entries == ["stopping", "still in the step"])
  }

  @Test func `stop from the hook before time moves keeps time where it is`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run(onTimeAdvance: { _ in simulator.stop() }) {
      try? await simulator.clock.sleep(for: .seconds(10))
    }
    #expect(outcome.end == .stopped)
    #expect(outcome.simulated == .zero)
  }

  @Test func `an interruption ends the run soon`() {
    let simulator = Simulator(seed: 1)
    let steps = Atomic<Int>(0)
    let outcome = simulator.run(isInterrupted: { steps.load(ordering: .relaxed) >= 5000 }) {
      while !Task.isCancelled {
        steps.add(1, ordering: .relaxed)
        try? await simulator.clock.sleep(for: .nanoseconds(1))
      }
    }
    #expect(outcome.end == .interrupted)
    #expect((5000...5600).contains(outcome.steps))
  }

  @Test func `a simulator that is used twice ends the process with the remedy`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let simulator = Simulator(seed: 1)
      _ = simulator.run {}
      _ = simulator.run {}
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("a simulator runs once: create one for each run"))
  }

  @Test func `a simulator does not outlive its run`() {
    weak var witness: Simulator?
    do {
      let simulator = Simulator(seed: 1)
      witness = simulator
      _ = simulator.run { [weak simulator] in
        simulator?.spawn {}
        try? await simulator?.clock.sleep(for: .seconds(1))
      }
    }
    #expect(witness == nil)
  }
}
