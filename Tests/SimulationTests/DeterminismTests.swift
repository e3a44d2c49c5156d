import Events
import Simulation
import Testing

/// A program with everything in it that a schedule can order: spawned tasks, child tasks, an actor, a stream, ties.
enum Medley {
  struct Result {
    var order: [String]
    var outcome: Simulator.Outcome<Int>
  }

  private actor Counter {
    private var value = 0

    func add(_ amount: Int) -> Int {
      value += amount
      return value
    }
  }

  static func run(on simulator: Simulator) -> Result {
    let journal = Journal<String>()
    let outcome = simulator.run {
      let counter = Counter()
      let clock = simulator.clock
      let (stream, feed) = AsyncStream<Int>.makeStream()
      for number in 0..<5 {
        simulator.spawn {
          try? await clock.sleep(for: .nanoseconds(10 * (number / 2)))
          journal.note("spawned \(number) at \(await counter.add(1))")
          feed.yield(number)
        }
      }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<5 {
          group.addTask {
            let delay = simulator.choose(upTo: 3, label: .latency)
            try? await clock.sleep(for: .nanoseconds(delay * 10))
            journal.note("child \(number) at \(await counter.add(10))")
          }
        }
      }
      var taken = 0
      for await number in stream {
        journal.note("streamed \(number)")
        taken += 1
        if taken == 5 { break }
      }
      simulator.record(.published(version: 1))
      return await counter.add(0)
    }
    return Result(order: journal.entries, outcome: outcome)
  }

  static func run(seed: UInt64, strategy: Strategy = .random) -> Result {
    run(on: Simulator(seed: seed, strategy: strategy, recordsChoices: true))
  }
}

@Suite struct DeterminismTests {
  @Test(arguments: Strategy.allCases, [0, 1, 2026, .max] as [UInt64])
  func `the same seed gives the same order, steps, digest and choices`(strategy: Strategy, seed: UInt64) {
    let first = Medley.run(seed: seed, strategy: strategy)
    let second = Medley.run(seed: seed, strategy: strategy)
    #expect(first.outcome.end == .finished)
    #expect(first.outcome.value == 55)
    #expect(first.order == second.order)
    #expect(first.outcome.digest == second.outcome.digest)
    #expect(first.outcome.steps == second.outcome.steps)
    #expect(first.outcome.simulated == second.outcome.simulated)
    #expect(first.outcome.choices == second.outcome.choices)
    #expect(first.outcome.escapes == 0)
  }

  @Test func `another process takes the same steps from the same seed`() async {
    let here = Medley.run(seed: 7)
    let order = here.order.joined(separator: ";")
    let digest = here.outcome.digest.rawValue
    let steps = here.outcome.steps
    await #expect(processExitsWith: .success) {
      [order = order as String, digest = digest as UInt64, steps = steps as UInt64] in
      let there = Medley.run(seed: 7)
      #expect(there.order.joined(separator: ";") == order)
      #expect(there.outcome.digest.rawValue == digest)
      #expect(there.outcome.steps == steps)
    }
  }

  @Test func `different seeds explore different orders`() {
    let runs = (0..<100).map { Medley.run(seed: $0) }
    #expect(Set(runs.map(\.order)).count >= 95)
    #expect(Set(runs.map(\.outcome.digest)).count == Set(runs.map(\.outcome.choices?.bytes)).count)
  }

  @Test func `three tasks are run in all of their six orders, about equally often`() {
    var counts: [[Int]: Int] = [:]
    let runs = 1200
    for seed in 0..<UInt64(runs) {
      let simulator = Simulator(seed: seed)
      let journal = Journal<Int>()
      _ = simulator.run {
        for number in 0..<3 { simulator.spawn { journal.note(number) } }
        await simulator.idle()
      }
      counts[journal.entries, default: 0] += 1
    }
    #expect(counts.count == 6)
    // Five standard deviations around 200; the seeds are fixed.
    for (order, count) in counts { #expect((135...265).contains(count), "\(order): \(count)") }
  }

  @Test func `the strategy fifo draws nothing and is the same for every seed`() {
    let runs = (0..<10 as Range<UInt64>).map { seed in
      let simulator = Simulator(seed: seed, strategy: .fifo, recordsChoices: true)
      let journal = Journal<Int>()
      let outcome = simulator.run {
        for number in 0..<10 { simulator.spawn { journal.note(number) } }
        await simulator.idle()
      }
      return (journal.entries, outcome.digest, outcome.choices)
    }
    for run in runs {
      #expect(run.0 == Array(0..<10))
      #expect(run.1 == runs[0].1)
      #expect(run.2 == ChoiceLog())
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4] as [UInt64])
  func `replaying the recorded choices is the same run again`(seed: UInt64) throws {
    let first = Medley.run(seed: seed)
    let choices = try #require(first.outcome.choices)
    #expect(choices.byteCount > 0)
    let replayed = Medley.run(on: Simulator(replaying: choices))
    #expect(replayed.order == first.order)
    #expect(replayed.outcome.digest == first.outcome.digest)
    #expect(replayed.outcome.steps == first.outcome.steps)
    #expect(replayed.outcome.choices == choices)
    // Also after a journey through a file.
    let reread = try #require(ChoiceLog(bytes: choices.bytes))
    #expect(Medley.run(on: Simulator(replaying: reread)).outcome.digest == first.outcome.digest)
  }

  @Test func `replaying no choices at all is first in, first out`() {
    let empty = Medley.run(on: Simulator(replaying: ChoiceLog()))
    #expect(empty.outcome.end == .finished)
    let journal = Journal<Int>()
    let simulator = Simulator(replaying: ChoiceLog())
    _ = simulator.run {
      for number in 0..<10 { simulator.spawn { journal.note(number) } }
      await simulator.idle()
    }
    #expect(journal.entries == Array(0..<10))
  }

  @Test func `replaying a truncated log goes on with zeros`() {
    func draws(_ simulator: Simulator) -> [UInt64] {
      simulator.run { (0..<6).map { _ in simulator.choose(upTo: 1000, label: .workload) } }.value ?? []
    }
    var log = ChoiceLog()
    for value in [1, 2, 3] as [UInt64] { log.append(value, label: .workload) }
    #expect(draws(Simulator(replaying: log)) == [1, 2, 3, 0, 0, 0])
    // And so does the schedule: the first choice reorders, the rest is first in, first out.
    var schedule = ChoiceLog()
    schedule.append(4, label: .schedule)
    let journal = Journal<Int>()
    let simulator = Simulator(replaying: schedule)
    _ = simulator.run {
      for number in 0..<5 { simulator.spawn { journal.note(number) } }
      await simulator.idle()
    }
    #expect(journal.entries.first == 4)
    #expect(journal.entries.sorted() == Array(0..<5))
  }

  @Test func `choices are recorded only if asked for`() {
    let simulator = Simulator(seed: 1)
    let outcome = simulator.run { simulator.choices == nil }
    #expect(outcome.value == true)
    #expect(outcome.choices == nil)
  }

  @Test func `draws of one label leave the other streams and the schedule alone`() {
    func run(extraDraws: Int) -> (order: [Int], latencies: [UInt64]) {
      let simulator = Simulator(seed: 11)
      let journal = Journal<Int>()
      let outcome = simulator.run {
        for number in 0..<20 {
          simulator.spawn {
            for _ in 0..<extraDraws { _ = simulator.choose(upTo: 1000, label: .fault) }
            journal.note(number)
          }
        }
        await simulator.idle()
        return (0..<10).map { _ in simulator.choose(upTo: 1000, label: .latency) }
      }
      return (journal.entries, outcome.value ?? [])
    }
    let plain = run(extraDraws: 0)
    let drawn = run(extraDraws: 3)
    #expect(plain.order == drawn.order)
    #expect(plain.latencies == drawn.latencies)
    #expect(plain.latencies.count == 10)
  }

  @Test func `a recorded event changes the digest and nothing else`() {
    func run(_ event: Event?) -> Simulator.Outcome<Bool> {
      let simulator = Simulator(seed: 1)
      return simulator.run {
        let before = simulator.digest
        if let event { simulator.record(event) }
        return simulator.digest != before
      }
    }
    let silent = run(nil)
    let first = run(.published(version: 1))
    let second = run(.published(version: 2))
    #expect(silent.value == false && first.value == true)
    #expect(Set([silent.digest, first.digest, second.digest]).count == 3)
    #expect(silent.steps == first.steps)
  }

  @Test func `what differs only in when it happens has another digest`() {
    func digest(sleeping nanoseconds: Int64) -> Digest {
      let simulator = Simulator(seed: 1)
      return simulator.run { try? await simulator.clock.sleep(for: .nanoseconds(nanoseconds)) }.digest
    }
    #expect(digest(sleeping: 10) == digest(sleeping: 10))
    #expect(digest(sleeping: 10) != digest(sleeping: 11))
  }
}
