import Testing

@testable import Command

@Suite struct `The bookkeeping of an exploration` {
  private static func passed(_ seed: UInt64, checks: [Int] = [1, 0], missed: [Int] = []) -> WorkerLine {
    .passed(.init(seed: seed, steps: 10, checks: checks, missed: missed))
  }

  private static func violated(_ seed: UInt64, _ invariant: String = "ttl") -> WorkerLine {
    .violated(
      .init(seed: seed, steps: 5, checks: [1, 1], missed: []),
      .init(invariant: invariant, nanoseconds: 0, step: 1, message: "at \(seed)"))
  }

  private static func seeds(_ block: Exploration.Block?) -> [UInt64] {
    block.map { Array($0.first..<$0.end) } ?? []
  }

  // MARK: Blocks

  @Test(arguments: [(1, 1), (7, 1), (7, 3), (100, 2), (1000, 2), (10_000, 4), (3, 8)], [false, true])
  func `every seed is handed out once, in order`(plan: (count: UInt64, jobs: Int), keepsGoing: Bool) {
    var exploration = Exploration(first: 5, count: plan.count, jobs: plan.jobs, keepsGoing: keepsGoing)
    var seen: [UInt64] = []
    var child = 0
    while !exploration.isExhausted {
      let block = Self.seeds(exploration.nextBlock(for: child))
      #expect((1...64).contains(block.count))
      #expect(!exploration.isIdle(child))
      for seed in block {
        exploration.take(.begun(seed), from: child)
        #expect(exploration.seed(of: child) == seed)
        exploration.take(Self.passed(seed), from: child)
      }
      #expect(exploration.isIdle(child))
      seen += block
      child += 1
    }
    #expect(seen == Array(5..<5 + plan.count))
    #expect(exploration.nextBlock(for: 0) == nil)
    #expect(exploration.seedsRun == plan.count)
    #expect(exploration.steps == 10 * plan.count)
    #expect(exploration.firstFinding == nil)
  }

  @Test func `what the seeds exercised is added up`() {
    var exploration = Exploration(first: 0, count: 3, jobs: 1, keepsGoing: false)
    for child in 0..<3 {
      exploration.take(.invariants(["ttl", "fleet"]), from: child)
      _ = exploration.nextBlock(for: child)
    }
    exploration.take(Self.passed(0, checks: [4, 0]), from: 0)
    exploration.take(Self.passed(2, checks: [0, 0]), from: 2)
    exploration.take(Self.passed(1, checks: [5, 1]), from: 1)
    #expect(exploration.invariants == ["ttl", "fleet"])
    #expect(exploration.checks == [9, 1])
    #expect(exploration.exercised == [2, 1])
  }

  // MARK: Findings

  /// Two children at seeds 0 and 1; what they say may come in either order.
  @Test(arguments: [[0, 1], [1, 0]]) func `the lowest seed's finding is the one, whoever speaks first`(
    order: [Int]
  ) {
    var exploration = Exploration(first: 0, count: 2, jobs: 1, keepsGoing: false)
    for child in 0..<2 { #expect(exploration.nextBlock(for: child)?.count == 1) }
    for child in order { exploration.take(Self.violated(UInt64(child)), from: child) }
    #expect(exploration.findings.map(\.seed) == [0])
    #expect(exploration.seedsRun == 1, "what came after it does not count, whoever was faster")
  }

  @Test func `after a finding lower seeds are run to their end and higher ones are left`() {
    var exploration = Exploration(first: 0, count: 64, jobs: 2, keepsGoing: false)
    let blocks = (0..<3).map { exploration.nextBlock(for: $0) }
    #expect(blocks.map(Self.seeds) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])
    exploration.take(Self.passed(4), from: 1)
    exploration.take(Self.violated(5), from: 1)
    #expect(exploration.isExhausted)
    #expect(exploration.nextBlock(for: 3) == nil)
    #expect(!exploration.isIdle(0), "seeds 0 to 3 may show something lower")
    #expect(exploration.isIdle(1), "6 and 7 cannot")
    #expect(exploration.isIdle(2))
    for seed in 0..<3 { exploration.take(Self.passed(UInt64(seed)), from: 0) }
    #expect(!exploration.isIdle(0))
    exploration.take(.stuck(3, "stood still"), from: 0)
    #expect(exploration.isIdle(0))
    #expect(
      exploration.firstFinding == Finding(kind: .stuck, seed: 3, invariant: nil, message: "stood still"))
  }

  @Test func `one that keeps going hands out everything and keeps every finding`() {
    var exploration = Exploration(first: 0, count: 6, jobs: 1, keepsGoing: true)
    for seed in 0..<6 {
      #expect(exploration.nextBlock(for: 0)?.first == UInt64(seed))
      exploration.take(
        seed.isMultiple(of: 2) ? Self.violated(UInt64(seed)) : Self.passed(UInt64(seed)), from: 0)
    }
    #expect(exploration.isExhausted)
    #expect(exploration.findings.map(\.seed) == [0, 2, 4])
    #expect(exploration.findings.map(\.message) == ["at 0", "at 2", "at 4"])
    #expect(exploration.firstFinding?.invariant == "ttl")
    #expect(exploration.seedsRun == 6)
  }

  // MARK: Lost children

  @Test(arguments: [Finding.Kind.crash, .hang])
  func `a child that is lost is a finding of the seed it was at`(kind: Finding.Kind) {
    var exploration = Exploration(first: 0, count: 32, jobs: 1, keepsGoing: true)
    #expect(Self.seeds(exploration.nextBlock(for: 0)) == [0, 1, 2, 3])
    exploration.take(.begun(0), from: 0)
    exploration.take(Self.passed(0), from: 0)
    exploration.take(.begun(1), from: 0)
    exploration.lose(0, kind, "gone", lastWords: ["fatal"])
    #expect(
      exploration.findings == [
        Finding(kind: kind, seed: 1, invariant: nil, message: "gone", lastWords: ["fatal"])
      ])
    #expect(exploration.seedsRun == 2)
    // What it had not begun is run by another, before anything new.
    #expect(Self.seeds(exploration.nextBlock(for: 1)) == [2, 3])
    #expect(Self.seeds(exploration.nextBlock(for: 2)) == [4, 5, 6, 7])
  }

  @Test func `a child lost between two seeds is a finding of the next`() {
    var exploration = Exploration(first: 0, count: 32, jobs: 1, keepsGoing: false)
    _ = exploration.nextBlock(for: 0)
    exploration.take(Self.passed(0), from: 0)
    exploration.lose(0, .crash, "gone", lastWords: [])
    #expect(exploration.firstFinding?.seed == 1)
    #expect(exploration.firstFinding?.kind == .stuck, "what had not begun cannot have crashed it")
    #expect(exploration.nextBlock(for: 1) == nil)
  }

  @Test func `a child lost at the last seed of its block leaves nothing behind`() {
    var exploration = Exploration(first: 0, count: 4, jobs: 4, keepsGoing: true)
    #expect(Self.seeds(exploration.nextBlock(for: 0)) == [0])
    exploration.lose(0, .crash, "gone", lastWords: [])
    #expect(Self.seeds(exploration.nextBlock(for: 1)) == [1])
  }

  @Test func `a child that had nothing to do is no finding`() {
    var exploration = Exploration(first: 0, count: 1, jobs: 1, keepsGoing: false)
    exploration.lose(9, .crash, "gone", lastWords: [])
    _ = exploration.nextBlock(for: 0)
    exploration.take(Self.passed(0), from: 0)
    exploration.lose(0, .crash, "gone", lastWords: [])
    #expect(exploration.findings == [])
    #expect(exploration.seedsRun == 1)
  }

  // MARK: What was never exercised

  @Test func `only what no seed exercised is told`() {
    var exploration = Exploration(first: 0, count: 3, jobs: 1, keepsGoing: false)
    for child in 0..<3 { _ = exploration.nextBlock(for: child) }
    // Each child numbers its sentences by itself.
    exploration.take(.sentence(0, "a"), from: 0)
    exploration.take(.sentence(1, "b"), from: 0)
    exploration.take(Self.passed(0, missed: [0, 1]), from: 0)
    #expect(exploration.neverExercised == ["a", "b"])
    exploration.take(.sentence(0, "b"), from: 1)
    exploration.take(.sentence(1, "a"), from: 1)
    exploration.take(.sentence(2, "c"), from: 1)
    exploration.take(Self.passed(1, missed: [0, 1, 2]), from: 1)
    #expect(exploration.neverExercised == ["a", "b"], "seed 0 exercised c")
    exploration.take(.sentence(0, "b"), from: 2)
    exploration.take(Self.passed(2, missed: [0]), from: 2)
    #expect(exploration.neverExercised == ["b"])
  }

  @Test func `a seed that was lost has no say in what was never exercised`() {
    var exploration = Exploration(first: 0, count: 3, jobs: 1, keepsGoing: true)
    for child in 0..<3 { _ = exploration.nextBlock(for: child) }
    exploration.take(.sentence(0, "a"), from: 0)
    exploration.take(Self.passed(0, missed: [0]), from: 0)
    exploration.take(.begun(1), from: 1)
    exploration.lose(1, .crash, "gone", lastWords: [])
    #expect(exploration.neverExercised == ["a"])
    exploration.take(Self.passed(2), from: 2)
    #expect(exploration.neverExercised == [])
  }

  @Test func `without a seed that told anything nothing is said to be never exercised`() {
    var exploration = Exploration(first: 0, count: 1, jobs: 1, keepsGoing: false)
    _ = exploration.nextBlock(for: 0)
    exploration.take(.sentence(0, "a"), from: 0)
    exploration.lose(0, .crash, "gone", lastWords: [])
    #expect(exploration.neverExercised == [])
  }

  @Test func `what is counted does not depend on who was faster`() {
    // Seed 2 ends first and counts only when 0 and 1 have.
    var exploration = Exploration(first: 0, count: 3, jobs: 1, keepsGoing: false)
    exploration.take(.invariants(["ttl", "fleet"]), from: 0)
    for child in 0..<3 { _ = exploration.nextBlock(for: child) }
    exploration.take(Self.passed(2, checks: [100, 0]), from: 2)
    #expect(exploration.seedsRun == 0)
    exploration.take(Self.passed(0), from: 0)
    #expect(exploration.seedsRun == 1)
    exploration.take(Self.violated(1), from: 1)
    #expect(exploration.seedsRun == 2)
    #expect(exploration.checks == [2, 1], "seed 2 is beyond the finding")
    #expect(exploration.steps == 15)
  }
}

@Suite struct `Options of explore` {
  private func settings(_ arguments: String...) throws -> ExploreSettings {
    ExploreSettings(try ArgumentParser.parse(["explore", "f"] + arguments))
  }

  @Test func `what is not given has its default`() throws {
    let settings = try settings()
    #expect(settings.problems == [])
    #expect(settings.seeds == 1000)
    #expect(settings.firstSeed == nil)
    #expect(settings.jobs == nil)
    #expect(settings.timeout == 30_000_000_000)
  }

  @Test func `what is given is taken`() throws {
    let settings = try settings("--seeds", "7", "--first-seed=0", "--jobs", "3", "--timeout", "90s")
    #expect(settings.problems == [])
    #expect(settings.seeds == 7)
    #expect(settings.firstSeed == 0)
    #expect(settings.jobs == 3)
    #expect(settings.timeout == 90_000_000_000)
    #expect(try self.settings("--timeout", "5").timeout == 5_000_000_000)
  }

  @Test(arguments: [
    ("seeds", "0"), ("seeds", "1000000001"), ("seeds", "-1"), ("seeds", "ten"), ("seeds", "1e3"),
    ("seeds", "٣"),
    ("first-seed", "9007199254740992"), ("first-seed", "+1"), ("jobs", "0"), ("jobs", "257"), ("jobs", "1.5"),
    ("timeout", "0s"), ("timeout", "s"), ("timeout", "1m"), ("timeout", "86401s"), ("timeout", "0.5s"),
  ])
  func `a wrong value is told with what is right`(option: String, value: String) throws {
    let problems = try settings("--\(option)=\(value)").problems.map(\.message)
    #expect(problems.count == 1)
    #expect(problems[0].hasPrefix("--\(option) "))
    #expect(problems[0].contains("the value is not right; write "))
  }

  @Test func `all problems are told at once`() throws {
    #expect(try settings("--seeds=0", "--jobs=0", "--timeout=x", "--first-seed=x").problems.count == 4)
  }
}
