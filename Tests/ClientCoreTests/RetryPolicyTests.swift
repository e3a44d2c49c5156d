import ClientCore
import Testing

/// The three small values that say when a client may ask: epoch, backoff and gate.
@Suite struct RetryPolicyTests {
  // MARK: EpochFence

  @Test func `an epoch is equal to itself and to no later one`() {
    var fence = EpochFence()
    let first = fence.current
    #expect(first == fence.current)
    fence.advance()
    let second = fence.current
    fence.advance()
    #expect(Set([first, second, fence.current]).count == 3)
  }

  @Test func `a copy of a fence moves by itself`() {
    let fence = EpochFence()
    var copy = fence
    copy.advance()
    #expect(copy.current != fence.current)
  }

  // MARK: Backoff

  /// The longest n-th gap, by the words of the rule and without its overflow.
  private func upper(_ failures: Int) -> Duration {
    failures > 30 ? .seconds(60) : min(.seconds(60), .seconds(1 << failures))
  }

  @Test func `the n-th gap lies between 100 ms and min(60 s, 2ⁿ s), also after ten thousand failures`() {
    var backoff = Backoff()
    let random = ControllableRandomSource(seed: 1)
    for failures in 1...10_000 {
      let gap = backoff.nextGap(random: random.next())
      #expect(gap >= .milliseconds(100) && gap <= upper(failures), "failure \(failures): \(gap)")
      #expect(backoff.failures == failures)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 62, 63, 64, 65, 10_000])
  func `both ends of the n-th gap are reached`(failures: Int) {
    var shortest = Backoff()
    var longest = Backoff()
    for _ in 1..<failures {
      _ = shortest.nextGap(random: 0)
      _ = longest.nextGap(random: 0)
    }
    #expect(shortest.nextGap(random: 0) == .milliseconds(100))
    #expect(longest.nextGap(random: .max) == upper(failures))
  }

  @Test func `gaps are spread evenly`() {
    let random = ControllableRandomSource(seed: 3)
    var counts = Array(repeating: 0, count: 10)
    for _ in 0..<10_000 {
      var backoff = Backoff()
      let offset = backoff.nextGap(random: random.next()) - .milliseconds(100)
      counts[min(9, Int(offset / .milliseconds(190)))] += 1
    }
    // 1,000 each are due; six standard deviations are 180.
    #expect(counts.allSatisfy { abs($0 - 1_000) < 180 }, "\(counts)")
  }

  @Test func `only success starts over`() {
    var backoff = Backoff()
    for _ in 1...20 { _ = backoff.nextGap(random: 0) }
    #expect(backoff.nextGap(random: .max) == .seconds(60))
    backoff.reset()
    #expect(backoff == Backoff())
    #expect(backoff.nextGap(random: .max) == .seconds(2))
  }

  // MARK: RetryGate

  private func at(_ nanoseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `a gate is open until somebody closes it`(now: Int64) {
    #expect(RetryGate<String>().refusal(at: at(now)) == nil)
  }

  @Test(arguments: [(0, "429"), (1_999, "429"), (2_000, nil), (2_001, nil)] as [(Int64, String?)])
  func `a closed gate says why until the delay is over`(now: Int64, refusal: String?) {
    var gate = RetryGate<String>()
    gate.close(for: .microseconds(2), from: at(0), because: "429")
    #expect(gate.refusal(at: at(now)) == refusal)
  }

  @Test func `a shorter delay opens no gate earlier and does not change the reason`() {
    var gate = RetryGate<String>()
    gate.close(for: .seconds(10), from: at(0), because: "long")
    gate.close(for: .seconds(1), from: at(5), because: "short")
    #expect(gate.refusal(at: at(9_999_999_999)) == "long")
    #expect(gate.refusal(at: at(10_000_000_000)) == nil)
  }

  @Test func `a longer delay keeps the gate closed for longer and takes over the reason`() {
    var gate = RetryGate<String>()
    gate.close(for: .seconds(1), from: at(0), because: "short")
    gate.close(for: .seconds(1), from: at(500_000_000), because: "long")
    #expect(gate.refusal(at: at(1_499_999_999)) == "long")
    #expect(gate.refusal(at: at(1_500_000_000)) == nil)
  }

  @Test func `no delay closes no gate and an endless one does not overflow`() {
    var gate = RetryGate<String>()
    gate.close(for: .zero, from: at(0), because: "zero")
    #expect(gate.refusal(at: at(0)) == nil)
    gate.close(for: .seconds(Int64.max), from: at(7), because: "endless")
    #expect(gate.refusal(at: at(.max - 1)) == "endless")
  }
}
