import Events
import Foundation
import Simulation
import Synchronization
import Testing

/// What leaves a simulation is counted, and where it can be caught it is run inside, so that even a faulty program is
/// deterministic.
@Suite struct EscapeTests {
  private struct Run {
    var order: [String]
    var escapes: [Escape]
    var outcome: Simulator.Outcome<Void>
  }

  private func run(
    seed: UInt64, _ body: @escaping @Sendable (Simulator, Journal<String>) async -> Void
  ) -> Run {
    let simulator = Simulator(seed: seed)
    let journal = Journal<String>()
    let escapes = Journal<Escape>()
    let outcome = simulator.run(onEscape: { escapes.note($0) }) { await body(simulator, journal) }
    return Run(order: journal.entries, escapes: escapes.entries, outcome: outcome)
  }

  private func expectCaught(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Simulator, Journal<String>) async -> Void
  ) {
    for seed in 0..<10 as Range<UInt64> {
      let first = run(seed: seed, body)
      let second = run(seed: seed, body)
      #expect(first.outcome.end == .finished, sourceLocation: sourceLocation)
      #expect(first.escapes.allSatisfy { $0 == .globalExecutor }, sourceLocation: sourceLocation)
      #expect(first.escapes.count >= count, sourceLocation: sourceLocation)
      #expect(first.outcome.escapes == first.escapes.count, sourceLocation: sourceLocation)
      #expect(first.order == second.order, "seed \(seed)", sourceLocation: sourceLocation)
      #expect(first.outcome.digest == second.outcome.digest, "seed \(seed)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a bare task is counted, captured and deterministic`() {
    expectCaught(3) { _, journal in
      let tasks = (0..<3).map { number in Task { journal.note("bare \(number)") } }
      for task in tasks { await task.value }
    }
  }

  @Test func `a detached task is counted, captured and deterministic`() {
    expectCaught(3) { simulator, journal in
      let tasks = (0..<3).map { number in
        Task.detached {
          journal.note("detached \(number)")
          try? await simulator.clock.sleep(for: .nanoseconds(1))
          journal.note("woken \(number) at \(simulator.clock.now.nanoseconds)")
        }
      }
      for task in tasks { await task.value }
    }
  }

  @Test func `captured tasks run in orders that the seed decides`() {
    let orders = (0..<20).map { seed in
      run(seed: seed) { simulator, journal in
        for number in 0..<6 { Task { journal.note("\(number)") } }
        await simulator.idle()
      }.order
    }
    #expect(Set(orders).count > 15)
    for order in orders { #expect(order.sorted() == (0..<6).map { "\($0)" }) }
  }

  @Test func `nothing is counted where nothing escapes`() {
    let clean = run(seed: 1) { simulator, journal in
      simulator.spawn { journal.note("spawned") }
      try? await simulator.clock.sleep(for: .seconds(1))
    }
    #expect(clean.escapes == [])
    #expect(clean.outcome.escapes == 0)
  }

  /// Runs a body that waits for a foreign thread until the simulation notices that, which takes a moment of real time
  /// that a busy machine may not have: hence more than one attempt.
  private static func isNoticed(_ body: @escaping @Sendable (Simulator) async -> Void) -> Bool {
    (0..<20 as Range<UInt64>).contains { seed in
      let simulator = Simulator(seed: seed)
      let escapes = Journal<Escape>()
      let outcome = simulator.run(onEscape: { escapes.note($0) }) { await body(simulator) }
      return outcome.end == .finished && escapes.entries == [.foreignThread] && outcome.escapes == 1
    }
  }

  @Test func `a job that a foreign thread hands in is counted`() {
    let isNoticed = Self.isNoticed { simulator in
      await withCheckedContinuation { continuation in
        // In a later step, so that the continuation is surely waited for.
        simulator.spawn { Thread { continuation.resume() }.start() }
      }
    }
    #expect(isNoticed)
  }

  /// In a process of its own: other tests block the pool's threads, one of which has to hand the job back.
  @Test func `a sleep in real time is noticed when the job is handed back`() async {
    await #expect(processExitsWith: .success) {
      #expect(Self.isNoticed { _ in try? await Task.sleep(for: .milliseconds(20)) })
    }
  }

  @Test func `an escape after the last awaited step is counted too`() {
    let run = run(seed: 1) { _, journal in Task { journal.note("late") } }
    #expect(run.order == ["late"])
    #expect(run.outcome.escapes >= 1)
  }

  @Test func `tasks of the rest of the process are none of a simulation's business`() async {
    let load = PoolLoad()
    // Bare tasks on the pool, all the while a simulation runs on this thread.
    let busy = Task.detached {
      while !load.isOver.load(ordering: .relaxed) {
        await Task { _ = load.rounds.add(1, ordering: .relaxed) }.value
      }
    }
    let run = run(seed: 1) { simulator, journal in
      for _ in 0..<2000 { try? await simulator.clock.sleep(for: .nanoseconds(1)) }
      journal.note("done")
    }
    load.isOver.store(true, ordering: .relaxed)
    await busy.value
    #expect(run.escapes == [])
    #expect(run.order == ["done"])
  }

  private final class PoolLoad: Sendable {
    let isOver = Atomic<Bool>(false)
    let rounds = Atomic<Int>(0)
  }
}
