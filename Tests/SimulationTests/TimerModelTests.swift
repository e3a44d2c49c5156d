import Events
import Simulation
import Testing

/// The timers against a model that is too simple to be wrong: a list, sorted by deadline and then by arming.
@Suite struct TimerModelTests {
  /// What became of a timer: when, and how.
  private struct Ending: Equatable, Sendable {
    var timer: Int
    var time: Int64
    var isCancelled: Bool
  }

  /// One round: arm some timers at once, cancel some that are armed, let some time pass.
  private struct Round {
    var delays: [Int64]
    var cancelled: [Int]
    var pause: Int64
  }

  /// Draws a plan; `span` says how far deadlines lie apart: a small one makes most of them ties.
  private static func plan(seed: UInt64, rounds: Int, armed: Int, span: UInt64, cancelPercent: UInt64)
    -> [Round]
  {
    var source = ChoiceSource(seed: seed)
    var timers = 0
    return (0..<rounds).map { _ in
      let count = Int(source.choose(upTo: UInt64(armed) + 1, label: .workload))
      let delays = (0..<count).map { _ in Int64(source.choose(upTo: span, label: .latency)) + 1 }
      timers += count
      // Any timer, also one that has ended: cancelling it must do nothing.
      let cancelled = (0..<max(0, timers)).filter { _ in
        source.choose(upTo: 100, label: .fault) < cancelPercent
      }
      return Round(
        delays: delays, cancelled: cancelled, pause: Int64(source.choose(upTo: span, label: .workload)) + 1)
    }
  }

  private static func expected(_ plan: [Round]) -> [Ending] {
    var armed: [(timer: Int, deadline: Int64)] = []
    var endings: [Ending] = []
    var now: Int64 = 0
    var timers = 0
    for round in plan {
      for delay in round.delays {
        armed.append((timers, now + delay))
        timers += 1
      }
      for timer in round.cancelled where armed.contains(where: { $0.timer == timer }) {
        armed.removeAll { $0.timer == timer }
        endings.append(Ending(timer: timer, time: now, isCancelled: true))
      }
      now += round.pause
      // A stable sort, so that ties stay in the order of arming.
      for due in armed.filter({ $0.deadline <= now }).sorted(by: {
        ($0.deadline, $0.timer) < ($1.deadline, $1.timer)
      }) {
        endings.append(Ending(timer: due.timer, time: due.deadline, isCancelled: false))
      }
      armed.removeAll { $0.deadline <= now }
    }
    return endings
  }

  private static func simulated(_ plan: [Round]) -> (endings: [Ending], armed: Int) {
    let simulator = Simulator(seed: 0, strategy: .fifo)
    let journal = Journal<Ending>()
    let outcome = simulator.run {
      let clock = simulator.clock
      var tasks: [Task<Void, Never>] = []
      for round in plan {
        for delay in round.delays {
          let timer = tasks.count
          tasks.append(
            simulator.spawn {
              do {
                try await clock.sleep(for: .nanoseconds(delay))
                journal.note(Ending(timer: timer, time: clock.now.nanoseconds, isCancelled: false))
              } catch {
                journal.note(Ending(timer: timer, time: clock.now.nanoseconds, isCancelled: true))
              }
            })
        }
        await simulator.idle()
        for timer in round.cancelled { tasks[timer].cancel() }
        await simulator.idle()
        try? await clock.sleep(for: .nanoseconds(round.pause))
        // The pause is armed last, but a timer of a later round may be due at its end.
        await simulator.idle()
      }
      return journal.entries
    }
    return (outcome.value ?? [], outcome.armedTimers)
  }

  private func compare(_ plan: [Round], sourceLocation: SourceLocation = #_sourceLocation) {
    let expected = Self.expected(plan)
    let simulated = Self.simulated(plan)
    #expect(simulated.endings == expected, sourceLocation: sourceLocation)
    let armed = plan.reduce(0) { $0 + $1.delays.count } - expected.count
    #expect(simulated.armed == armed, sourceLocation: sourceLocation)
  }

  @Test(arguments: [1, 2, 5, 1000, 1_000_000_000] as [UInt64])
  func `arming, cancelling and firing agree with the model in thousands of small cases`(span: UInt64) {
    for seed in 0..<400 as Range<UInt64> {
      for cancelPercent in [0, 10, 60] as [UInt64] {
        compare(Self.plan(seed: seed, rounds: 6, armed: 8, span: span, cancelPercent: cancelPercent))
      }
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `they agree in long runs`(seed: UInt64) {
    compare(Self.plan(seed: seed, rounds: 60, armed: 40, span: 200, cancelPercent: 5))
  }

  /// The heap drops what was cancelled when that is more than half of a large one; the order must survive it.
  @Test(arguments: [3, 1_000_000] as [UInt64])
  func `they agree when most of a large heap is cancelled`(span: UInt64) {
    var source = ChoiceSource(seed: span)
    let count = 4000
    let delays = (0..<count).map { _ in Int64(source.choose(upTo: span, label: .latency)) + 1 }
    let cancelled = (0..<count).filter { _ in source.choose(upTo: 10, label: .fault) < 8 }
    compare([
      Round(delays: delays, cancelled: cancelled, pause: 1),
      Round(delays: delays, cancelled: [], pause: Int64(span) + 2),
    ])
  }

  @Test func `the model itself can tell a wrong order`() {
    let plan = [Round(delays: [2, 1, 2, 1], cancelled: [2], pause: 5)]
    #expect(Self.expected(plan).map(\.timer) == [2, 1, 3, 0])
    #expect(Self.expected(plan).map(\.time) == [0, 1, 1, 2])
  }
}
