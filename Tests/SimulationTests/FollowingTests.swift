import Simulation
import Testing

/// Structured concurrency and default actors need no help: they follow the task they are used from.
@Suite struct FollowingTests {
  private actor Ledger {
    private(set) var lines: [Int] = []
    private let clock: VirtualClock

    init(clock: VirtualClock) { self.clock = clock }

    func write(_ line: Int) { lines.append(line) }

    func writeLater(_ line: Int) async {
      try? await clock.sleep(for: .nanoseconds(line))
      lines.append(line)
    }
  }

  private func expectNoEscape<Value: Equatable & Sendable>(
    _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Simulator) async -> Value
  ) {
    for seed in 0..<20 as Range<UInt64> {
      let simulator = Simulator(seed: seed)
      let outcome = simulator.run { await body(simulator) }
      #expect(outcome.value == expected, "seed \(seed)", sourceLocation: sourceLocation)
      #expect(outcome.end == .finished, "seed \(seed)", sourceLocation: sourceLocation)
      #expect(outcome.escapes == 0, "seed \(seed)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a default actor follows`() {
    expectNoEscape([1, 2, 3, 4, 5]) { simulator in
      let ledger = Ledger(clock: simulator.clock)
      await withDiscardingTaskGroup { group in
        for line in [5, 3, 1, 4, 2] { group.addTask { await ledger.writeLater(line) } }
      }
      return await ledger.lines
    }
  }

  @Test func `an actor serves one caller at a time, in an order that the seed decides`() {
    let orders = (0..<30 as Range<UInt64>).map { seed -> [Int] in
      let simulator = Simulator(seed: seed)
      return simulator.run {
        let ledger = Ledger(clock: simulator.clock)
        await withDiscardingTaskGroup { group in
          for line in 0..<5 { group.addTask { await ledger.write(line) } }
        }
        return await ledger.lines
      }.value ?? []
    }
    #expect(Set(orders).count > 20)
    for order in orders { #expect(order.sorted() == [0, 1, 2, 3, 4]) }
  }

  @Test func `async let follows`() {
    expectNoEscape([30, 60]) { simulator in
      let clock = simulator.clock
      async let first: Int = {
        try? await clock.sleep(for: .nanoseconds(30))
        return 10
      }()
      async let second: Int = {
        try? await clock.sleep(for: .nanoseconds(20))
        return 20
      }()
      let sum = await first + second
      return [sum, Int(clock.now.nanoseconds) * 2]
    }
  }

  @Test func `a task group follows, and its results come in the order of time`() {
    expectNoEscape([1, 2, 3, 4, 5]) { simulator in
      await withTaskGroup(of: Int.self) { group in
        for number in [4, 2, 5, 1, 3] {
          group.addTask {
            try? await simulator.clock.sleep(for: .milliseconds(number))
            return number
          }
        }
        var results: [Int] = []
        for await number in group { results.append(number) }
        return results
      }
    }
  }

  @Test func `a throwing group cancels its other children at the instant of the error`() {
    struct Failure: Error {}
    expectNoEscape(7_000_000 as Int64) { simulator in
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await simulator.clock.sleep(for: .seconds(3600)) }
          group.addTask {
            try await simulator.clock.sleep(for: .milliseconds(7))
            throw Failure()
          }
          while try await group.next() != nil {}
        }
      } catch { #expect(error is Failure) }
      return simulator.clock.now.nanoseconds
    }
  }

  @Test func `a stream follows`() {
    expectNoEscape(Array(0..<10)) { simulator in
      let (stream, feed) = AsyncStream<Int>.makeStream()
      simulator.spawn {
        for number in 0..<10 {
          try? await simulator.clock.sleep(for: .nanoseconds(number % 3))
          feed.yield(number)
        }
        feed.finish()
      }
      var received: [Int] = []
      for await number in stream { received.append(number) }
      return received
    }
  }

  @Test func `spawned tasks may spawn, and their values can be awaited`() {
    expectNoEscape(["inner", "outer"]) { simulator in
      let journal = Journal<String>()
      let outer = simulator.spawn {
        await simulator.spawn { journal.note("inner") }.value
        journal.note("outer")
      }
      await outer.value
      return journal.entries
    }
  }

  @Test func `checked continuations resume inside the simulation`() {
    expectNoEscape(42) { simulator in
      await withCheckedContinuation { continuation in
        simulator.spawn {
          try? await simulator.clock.sleep(for: .seconds(1))
          continuation.resume(returning: 42)
        }
      }
    }
  }

  @Test func `task-local values reach spawned tasks`() {
    expectNoEscape("value") { simulator in
      let journal = Journal<String>()
      await Place.$name.withValue("value") {
        await simulator.spawn { journal.note(Place.name) }.value
      }
      return journal.entries.joined()
    }
  }

  private enum Place {
    @TaskLocal static var name = "none"
  }

  @Test func `code that takes any clock takes the virtual one`() {
    @Sendable func patience<Time: Clock>(_ clock: Time) async throws where Time.Duration == Duration {
      try await clock.sleep(until: clock.now.advanced(by: .seconds(60)), tolerance: .seconds(1))
    }
    expectNoEscape(60_000_000_000 as Int64) { simulator in
      let clock: any Clock<Duration> = simulator.clock
      try? await patience(clock)
      return simulator.clock.now.nanoseconds
    }
  }
}
