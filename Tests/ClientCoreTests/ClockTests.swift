import ClientCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClockTests {
  private let controllable = ControllableClock()
  private var clock: MonotonicClock { controllable.clock }

  private func at(_ nanoseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

  // MARK: MonotonicInstant

  @Test func `instants are moved by whole nanoseconds and stop at the ends of time`() {
    #expect(at(5).advanced(by: .nanoseconds(3)) == at(8))
    #expect(at(5).advanced(by: .nanoseconds(-8)) == at(-3))
    #expect(at(0).advanced(by: Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999)) == at(1))
    #expect(at(0).advanced(by: .seconds(20)) == at(20_000_000_000))
    #expect(at(1).advanced(by: .seconds(Int64.max)) == at(.max))
    #expect(at(-2).advanced(by: .seconds(Int64.min)) == at(.min))
    #expect(at(1) < at(2))
  }

  // MARK: MonotonicClock

  /// A clock of another kind: its instants count milliseconds from a large number.
  private struct Ticks: Clock {
    struct Instant: InstantProtocol {
      var ticks: Int64
      func advanced(by duration: Duration) -> Instant {
        Instant(ticks: ticks + Int64(duration / .milliseconds(1)))
      }
      func duration(to other: Instant) -> Duration { .milliseconds(other.ticks - ticks) }
      static func < (left: Instant, right: Instant) -> Bool { left.ticks < right.ticks }
    }

    final class Hand: Sendable {
      let ticks = Mutex<Int64>(1_000_000)
      let slept = Mutex<[Int64]>([])
    }

    let hand = Hand()
    var now: Instant { Instant(ticks: hand.ticks.withLock { $0 }) }
    var minimumResolution: Duration { .milliseconds(1) }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try Task.checkCancellation()
      hand.slept.withLock { $0.append(deadline.ticks) }
      hand.ticks.withLock { $0 = max($0, deadline.ticks) }
    }
  }

  @Test func `any clock becomes a monotonic one whose origin is the present`() async throws {
    let ticks = Ticks()
    let clock = MonotonicClock(ticks)
    #expect(clock.now == at(0))
    ticks.hand.ticks.withLock { $0 += 7 }
    #expect(clock.now == at(7_000_000))
    try await clock.sleep(until: at(10_000_000))
    #expect(ticks.hand.slept.withLock { $0 } == [1_000_010])
    #expect(clock.now == at(10_000_000))
  }

  @Test func `a sleep on any clock ends with its task`() async {
    let clock = MonotonicClock(Ticks())
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: MonotonicInstant(nanoseconds: .max))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func `the live clock does not fall and a sleep into the past returns`() async throws {
    let first = MonotonicClock.live.now
    try await MonotonicClock.live.sleep(until: first)
    #expect(MonotonicClock.live.now >= first)
  }

  // MARK: ControllableClock

  @Test func `a controllable clock stands still until it is moved`() {
    #expect(clock.now == at(0))
    controllable.advance(by: .seconds(1))
    controllable.advance(by: .zero)
    #expect(clock.now == at(1_000_000_000))
  }

  @Test func `a sleeper wakes at its deadline and not a nanosecond earlier`() async throws {
    let woken = Handover<Int64>()
    let sleeper = Task {
      try await clock.sleep(until: MonotonicInstant(nanoseconds: 10))
      woken.put(clock.now.nanoseconds)
    }
    #expect(try await controllable.nextSleeper() == at(10))
    controllable.advance(by: .nanoseconds(9))
    #expect(controllable.deadlines == [at(10)])
    controllable.advance(by: .nanoseconds(1))
    #expect(try await woken.next() == 10)
    #expect(controllable.deadlines.isEmpty)
    try await sleeper.value
  }

  @Test(arguments: [0, -1] as [Int64])
  func `a sleep until now or earlier does not suspend`(deadline: Int64) async throws {
    try await clock.sleep(until: at(deadline))
    #expect(controllable.deadlines.isEmpty)
  }

  @Test func `a cancelled sleeper is gone at once`() async throws {
    let sleeper = Task { try await clock.sleep(until: MonotonicInstant(nanoseconds: 10)) }
    _ = try await controllable.nextSleeper()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(controllable.deadlines.isEmpty)
  }

  @Test func `a sleeper that is cancelled already does not begin to sleep`() async {
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: MonotonicInstant(nanoseconds: 10))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(controllable.deadlines.isEmpty)
  }

  @Test func `deadlines are told earliest first and only the due ones wake`() async throws {
    let sleepers = [30, 10, 20].map { deadline in
      Task { try await clock.sleep(until: MonotonicInstant(nanoseconds: deadline)) }
    }
    for _ in sleepers { _ = try await controllable.nextSleeper() }
    #expect(controllable.deadlines == [at(10), at(20), at(30)])
    controllable.advance(by: .nanoseconds(20))
    #expect(controllable.deadlines == [at(30)])
    try await sleepers[1].value
    try await sleepers[2].value
    controllable.advance(by: .seconds(1))
    try await sleepers[0].value
  }

  @Test func `sleepers cancelled at any moment each end exactly once`() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask {
          let sleeper = Task {
            try await clock.sleep(until: MonotonicInstant(nanoseconds: Int64(number % 50 + 1)))
          }
          for _ in 0..<(number % 7) { await Task.yield() }
          if number.isMultiple(of: 2) { sleeper.cancel() } else { controllable.advance(by: .nanoseconds(1)) }
          if number.isMultiple(of: 2) { _ = await sleeper.result }
        }
      }
    }
    controllable.advance(by: .nanoseconds(50))
    #expect(controllable.deadlines.allSatisfy { $0 > clock.now })
    controllable.advance(by: .seconds(1))
  }
}
