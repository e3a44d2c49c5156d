import Events
import Simulation
import Testing

// Actors that know nothing of simulation, each with the classic mistake of actors: what was checked before an `await`
// is believed after it. Each takes its clock as a parameter, and that is all it does for its tests.

/// An account whose balance must never be negative.
private actor Account<Time: Clock> where Time.Duration == Duration {
  private(set) var balance: Int
  private let clock: Time
  private let isFixed: Bool

  init(balance: Int, clock: Time, isFixed: Bool) {
    self.balance = balance
    self.clock = clock
    self.isFixed = isFixed
  }

  func withdraw(_ amount: Int, audit: Duration) async throws -> Bool {
    guard balance >= amount else { return false }
    if isFixed { balance -= amount }
    try await clock.sleep(for: audit, tolerance: nil)
    if !isFixed { balance -= amount }
    return true
  }
}

/// A cache of one token, which must be fetched once as long as it does not expire.
private actor TokenCache<Time: Clock> where Time.Duration == Duration {
  private(set) var fetches = 0
  private var token: Int?
  private var waiters: [CheckedContinuation<Int, Never>]?
  private let clock: Time
  private let isFixed: Bool

  init(clock: Time, isFixed: Bool) {
    self.clock = clock
    self.isFixed = isFixed
  }

  func get() async -> Int {
    if let token { return token }
    if isFixed, waiters != nil { return await withCheckedContinuation { waiters?.append($0) } }
    waiters = []
    fetches += 1
    try? await clock.sleep(for: .milliseconds(20), tolerance: nil)
    token = fetches
    for waiter in waiters ?? [] { waiter.resume(returning: fetches) }
    waiters = nil
    return fetches
  }
}

/// A counter whose users read it, add one and write it back.
private actor Tally {
  private(set) var value = 0

  func set(_ value: Int) { self.value = value }

  func increment() { value += 1 }
}

@Suite struct PlantedRaceTests {
  enum Program: String, CaseIterable, Sendable {
    case account, tokenCache, tally
  }

  /// Runs a program once.
  ///
  /// - Returns: Whether it broke its promise.
  private static func isBroken(_ program: Program, isFixed: Bool, on simulator: Simulator) -> Bool? {
    let outcome =
      switch program {
      case .account: simulator.run { await overdraws(isFixed, simulator) }
      case .tokenCache: simulator.run { await fetchesTwice(isFixed, simulator) }
      case .tally: simulator.run { await losesAnUpdate(isFixed) }
      }
    return outcome.escapes == 0 ? outcome.value : nil
  }

  private static func overdraws(_ isFixed: Bool, _ simulator: Simulator) async -> Bool {
    let account = Account(balance: 100, clock: simulator.clock, isFixed: isFixed)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let start = simulator.choose(upTo: 10, label: .workload)
          let audit = simulator.choose(upTo: 3, label: .latency)
          try? await simulator.clock.sleep(for: .milliseconds(start * 10))
          _ = try? await account.withdraw(70, audit: .milliseconds(audit * 10))
        }
      }
    }
    return await account.balance < 0
  }

  private static func fetchesTwice(_ isFixed: Bool, _ simulator: Simulator) async -> Bool {
    let cache = TokenCache(clock: simulator.clock, isFixed: isFixed)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          // Ties with the end of the fetch are likely: draws hit multiples of its length.
          let start = simulator.choose(upTo: 6, label: .workload)
          try? await simulator.clock.sleep(for: .milliseconds(start * 20))
          _ = await cache.get()
        }
      }
    }
    return await cache.fetches > 1
  }

  /// Nothing here depends on time: only another order of the same steps shows the mistake.
  private static func losesAnUpdate(_ isFixed: Bool) async -> Bool {
    let tally = Tally()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          if isFixed {
            await tally.increment()
          } else {
            let value = await tally.value
            await tally.set(value + 1)
          }
        }
      }
    }
    return await tally.value != 2
  }

  private static func firstBrokenSeed(_ program: Program) -> UInt64? {
    (0..<50 as Range<UInt64>).first { seed in
      isBroken(program, isFixed: false, on: Simulator(seed: seed)) == true
    }
  }

  @Test(arguments: Program.allCases)
  func `the race is found within 50 seeds`(program: Program) throws {
    let seed = try #require(Self.firstBrokenSeed(program), "not found")
    #expect(seed < 50)
  }

  @Test(arguments: Program.allCases)
  func `the race depends on the seed: most programs would pass a test that runs once`(program: Program) {
    let broken = (0..<200 as Range<UInt64>).count { seed in
      Self.isBroken(program, isFixed: false, on: Simulator(seed: seed)) == true
    }
    #expect((1..<200).contains(broken), "\(broken) of 200")
  }

  @Test(arguments: Program.allCases)
  func `the right version of the program is never blamed`(program: Program) {
    for seed in 0..<2000 as Range<UInt64> {
      #expect(Self.isBroken(program, isFixed: true, on: Simulator(seed: seed)) == false, "seed \(seed)")
    }
  }

  @Test(arguments: Program.allCases)
  func `a seed that shows the race shows it every time, and so do its choices`(program: Program) throws {
    let seed = try #require(Self.firstBrokenSeed(program))
    for _ in 0..<20 {
      #expect(Self.isBroken(program, isFixed: false, on: Simulator(seed: seed)) == true)
    }
    let recorder = Simulator(seed: seed, recordsChoices: true)
    let outcome = recorder.run { () -> Bool in
      switch program {
      case .account: await Self.overdraws(false, recorder)
      case .tokenCache: await Self.fetchesTwice(false, recorder)
      case .tally: await Self.losesAnUpdate(false)
      }
    }
    #expect(outcome.value == true)
    let choices = try #require(outcome.choices)
    #expect(Self.isBroken(program, isFixed: false, on: Simulator(replaying: choices)) == true)
  }
}
