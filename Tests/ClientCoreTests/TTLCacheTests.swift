import ClientCore
import Testing

@Suite struct TTLCacheTests {
  private static let ttl = Duration.seconds(45)
  private static let edge: Int64 = 45_000_000_000

  private var cache = TTLCache<String, Int>(ttl: TTLCacheTests.ttl, capacity: 3)

  private func at(_ nanoseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

  /// What a look-up found, in words.
  private mutating func find(_ key: String, at now: Int64 = 0) -> String {
    switch cache.lookUp(key, at: at(now)) {
    case .fresh(let value): "fresh \(value)"
    case .stale(let value): "stale \(value)"
    case .absent: "absent"
    }
  }

  // MARK: Age

  @Test(arguments: [
    (0, "fresh 1"), (edge - 1, "fresh 1"), (edge, "stale 1"), (edge + 1, "stale 1"), (Int64.max, "stale 1"),
  ])
  mutating func `an entry is fresh while its age is below the TTL`(age: Int64, expected: String) {
    cache.store(1, for: "k", receipt: at(0), order: 1)
    #expect(find("k", at: age) == expected)
  }

  @Test mutating func `age counts from the receipt, not from a use`() {
    cache.store(1, for: "k", receipt: at(1_000), order: 1)
    #expect(find("k", at: Self.edge + 999) == "fresh 1")
    #expect(find("k", at: Self.edge + 1_000) == "stale 1")
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  mutating func `without a TTL nothing is ever fresh`(ttl: Duration) {
    cache = TTLCache(ttl: ttl, capacity: 3)
    cache.store(1, for: "k", receipt: at(5), order: 1)
    #expect(find("k", at: 5) == "stale 1")
  }

  @Test mutating func `a TTL beyond all time does not overflow`() {
    cache = TTLCache(ttl: .seconds(Int64.max), capacity: 3)
    cache.store(1, for: "k", receipt: at(5), order: 1)
    #expect(find("k", at: .max - 1) == "fresh 1")
  }

  @Test mutating func `an unknown key is absent and has no value`() {
    #expect(find("k") == "absent")
    #expect(cache.lookUp("k", at: at(0)).value == nil)
    cache.store(1, for: "k", receipt: at(0), order: 1)
    #expect(cache.lookUp("k", at: at(0)).value == 1)
    #expect(cache.lookUp("k", at: at(Self.edge)).value == 1)
  }

  // MARK: Which flight fills the entry

  @Test mutating func `an entry is replaced by a flight that began later`() {
    cache.store(1, for: "k", receipt: at(0), order: 1)
    cache.store(2, for: "k", receipt: at(10), order: 2)
    #expect(find("k", at: Self.edge + 9) == "fresh 2")
  }

  @Test mutating func `an entry is not replaced by a flight that began earlier, however late it lands`() {
    cache.store(2, for: "k", receipt: at(0), order: 2)
    cache.store(1, for: "k", receipt: at(10), order: 1)
    #expect(find("k") == "fresh 2")
    #expect(find("k", at: Self.edge) == "stale 2", "the receipt stays that of the entry held")
  }

  @Test mutating func `the order counts for each key by itself`() {
    cache.store(2, for: "k", receipt: at(0), order: 2)
    cache.store(1, for: "l", receipt: at(0), order: 1)
    #expect(find("l") == "fresh 1")
  }

  @Test mutating func `after dropping everything an earlier flight may fill again`() {
    cache.store(2, for: "k", receipt: at(0), order: 2)
    cache.removeAll()
    #expect(cache.count == 0)
    #expect(find("k") == "absent")
    cache.store(1, for: "k", receipt: at(0), order: 1)
    #expect(find("k") == "fresh 1")
  }

  // MARK: Capacity

  @Test mutating func `the least recently stored entry goes first`() {
    for (order, key) in ["a", "b", "c", "d", "e"].enumerated() {
      cache.store(order, for: key, receipt: at(0), order: UInt64(order))
    }
    #expect(cache.count == 3)
    #expect(
      ["a", "b", "c", "d", "e"].map { find($0) } == ["absent", "absent", "fresh 2", "fresh 3", "fresh 4"])
  }

  @Test mutating func `a look-up is a use, a stale one too`() {
    for (order, key) in ["a", "b", "c"].enumerated() {
      cache.store(order, for: key, receipt: at(0), order: UInt64(order))
    }
    #expect(find("a", at: Self.edge) == "stale 0")
    cache.store(3, for: "d", receipt: at(0), order: 3)
    #expect(["a", "b", "c", "d"].map { find($0) } == ["fresh 0", "absent", "fresh 2", "fresh 3"])
  }

  @Test mutating func `replacing an entry of a full cache pushes nobody out`() {
    for (order, key) in ["a", "b", "c"].enumerated() {
      cache.store(order, for: key, receipt: at(0), order: UInt64(order))
    }
    cache.store(9, for: "a", receipt: at(0), order: 9)
    #expect(["a", "b", "c"].map { find($0) } == ["fresh 9", "fresh 1", "fresh 2"])
  }

  @Test mutating func `an answer that comes too late pushes nobody out`() {
    for (order, key) in ["a", "b", "c"].enumerated() {
      cache.store(order, for: key, receipt: at(0), order: UInt64(order + 5))
    }
    cache.store(9, for: "a", receipt: at(0), order: 1)
    #expect(["a", "b", "c"].map { find($0) } == ["fresh 0", "fresh 1", "fresh 2"])
  }

  @Test(arguments: [0, -1, 1])
  mutating func `at least one entry is kept`(capacity: Int) {
    cache = TTLCache(ttl: Self.ttl, capacity: capacity)
    cache.store(1, for: "a", receipt: at(0), order: 1)
    cache.store(2, for: "b", receipt: at(0), order: 2)
    #expect(["a", "b"].map { find($0) } == ["absent", "fresh 2"])
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  mutating func `random uses leave what a list ordered by use would keep`(seed: UInt64) {
    let random = ControllableRandomSource(seed: seed)
    cache = TTLCache(ttl: Self.ttl, capacity: 8)
    var byUse: [(key: String, value: Int)] = []
    for step in 0..<2_000 {
      let key = "\(random.next() % 16)"
      let place = byUse.firstIndex { $0.key == key }
      if random.next().isMultiple(of: 2) {
        #expect(find(key) == (place.map { "fresh \(byUse[$0].value)" } ?? "absent"), "step \(step)")
        if let place { byUse.append(byUse.remove(at: place)) }
      } else {
        cache.store(step, for: key, receipt: at(0), order: UInt64(step))
        if let place { byUse.remove(at: place) }
        byUse.append((key, step))
        if byUse.count > 8 { byUse.removeFirst() }
      }
      #expect(cache.count == byUse.count, "step \(step)")
    }
  }
}
