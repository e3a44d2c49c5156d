import Events
import Foundation
import Simulation
import Synchronization
import Testing

@Suite struct SeveralSimulatorsTests {
  /// Runs a closure on so many threads of their own at once and returns when all are done.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let done = DispatchSemaphore(value: 0)
    for number in 0..<count {
      let thread = Thread {
        body(number)
        done.signal()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    for _ in 0..<count { done.wait() }
  }

  @Test func `simulators on several threads do not disturb each other`() {
    let alone = (0..<4).map { Medley.run(seed: $0) }
    let results = Mutex<[(seed: UInt64, order: [String], digest: Digest, escapes: Int)]>([])
    onThreads(4) { thread in
      for round in 0..<25 {
        let seed = UInt64((thread + round) % 4)
        let run = Medley.run(seed: seed)
        results.withLock {
          $0.append((seed, run.order, run.outcome.digest, run.outcome.escapes))
        }
      }
    }
    let all = results.withLock { $0 }
    #expect(all.count == 100)
    for result in all {
      #expect(result.digest == alone[Int(result.seed)].outcome.digest)
      #expect(result.order == alone[Int(result.seed)].order)
      #expect(result.escapes == 0)
    }
  }

  @Test func `bare tasks of two simulations are each captured by their own`() {
    @Sendable func run(_ seed: UInt64) -> (order: [Int], escapes: Int) {
      let simulator = Simulator(seed: seed)
      let journal = Journal<Int>()
      let outcome = simulator.run {
        for number in 0..<50 { Task { journal.note(number) } }
        await simulator.idle()
      }
      return (journal.entries, outcome.escapes)
    }
    let expected = [run(1), run(2)]
    let results = Mutex<[(thread: Int, order: [Int], escapes: Int)]>([])
    onThreads(2) { thread in
      for _ in 0..<50 {
        let (order, escapes) = run(UInt64(thread + 1))
        results.withLock { $0.append((thread, order, escapes)) }
      }
    }
    let all = results.withLock { $0 }
    #expect(all.count == 100)
    for result in all {
      #expect(result.order == expected[result.thread].order)
      #expect(result.escapes == expected[result.thread].escapes)
    }
  }

  @Test func `one simulator after the other on one thread starts from nothing`() {
    let first = Medley.run(seed: 5)
    _ = Medley.run(seed: 6, strategy: .fifo)
    let again = Medley.run(seed: 5)
    #expect(first.outcome.digest == again.outcome.digest)
  }
}
