import Events
import Testing

@Suite struct EventTrailTests {
  private func stamp(_ number: Int) -> Stamp { Stamp(nanoseconds: Int64(number) * 10, step: UInt64(number)) }

  @Test(arguments: [1, 2, 3, 7, 200], [0, 1, 2, 3, 6, 7, 8, 20, 199, 200, 201, 1000])
  func `the last events are kept, oldest first`(capacity: Int, count: Int) {
    var trail = EventTrail(capacity: capacity)
    for number in 0..<count { trail.append(.published(version: Int64(number)), at: stamp(number)) }
    let kept = max(0, count - capacity)..<count
    #expect(trail.entries.map(\.event) == kept.map { .published(version: Int64($0)) })
    #expect(trail.entries.map(\.stamp) == kept.map(stamp))
  }

  @Test(arguments: [0, -5])
  func `a trail keeps at least one event`(capacity: Int) {
    var trail = EventTrail(capacity: capacity)
    trail.append(.published(version: 1), at: stamp(1))
    trail.append(.published(version: 2), at: stamp(2))
    #expect(trail.entries.map(\.event) == [.published(version: 2)])
  }

  @Test func `an entry prints its time to the nanosecond, its step and the event as a sentence`() {
    var trail = EventTrail(capacity: 1)
    trail.append(.requestArrived(RequestID(3)), at: Stamp(nanoseconds: 80_000_001, step: 12))
    #expect(trail.entries.map(\.description) == ["0.080000001 s  step 12  request 3 arrives at the service"])
  }

  @Test func `stamps are ordered by time, then by step`() {
    let stamps = [(0, 0), (0, 1), (5, 0), (5, 7), (6, 1)].map { Stamp(nanoseconds: $0, step: $1) }
    #expect(stamps.reversed().sorted() == stamps)
  }
}
