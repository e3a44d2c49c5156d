import Reporting

// The bookkeeping of an exploration, apart from the processes that do it: which seeds are whose, what was found, and
// whether it is over. Children come and go by number; the owner feeds in their lines and their ends and asks what to do.
//
// Seeds are handed out in blocks, in their order. Without `keepsGoing` the first finding ends the handing out, and what is
// reported is the finding of the lowest seed: blocks with lower seeds are let finish, and what higher seeds gave does not
// count. So neither the answer nor any number of it depends on how many children there are.

/// Something that a seed showed.
struct Finding: Equatable {
  /// What it is.
  enum Kind: String {
    case violation
    case crash
    case hang
    /// The run ended for a reason of its own.
    case stuck
  }

  var kind: Kind
  var seed: UInt64
  /// The invariant, of a violation.
  var invariant: String?
  var message: String
  /// The last lines that the child wrote to standard error, of a crash or hang.
  var lastWords: [String] = []
}

/// The state of an exploration.
struct Exploration {
  /// Seeds that belong together, to be run in their order.
  struct Block: Equatable {
    var first: UInt64
    var count: UInt64
    /// The seed after the last.
    var end: UInt64 { first + count }
  }

  private struct Child {
    var block: Block?
    /// The next seed of the block that has not ended.
    var next: UInt64 = 0
    /// The seed that has begun and not ended.
    var running: UInt64?
    var sentences: [Int: Int] = [:]
  }

  private let keepsGoing: Bool
  private let blockSize: UInt64
  private let end: UInt64
  private var nextSeed: UInt64
  /// Rests of blocks whose child has died.
  private var rests: [Block] = []
  private var children: [Int: Child] = [:]
  private var sentences: [String] = []
  private var sentenceNumbers: [String: Int] = [:]

  /// The ids of the invariants that are judged.
  private(set) var invariants: [String] = []
  /// For each invariant the checks of all seeds, and how many seeds made any.
  private(set) var checks: [Int] = []
  private(set) var exercised: [Int] = []
  private(set) var steps: UInt64 = 0
  private(set) var seedsRun: UInt64 = 0
  private var missCounts: [Int] = []
  /// How many seeds have told what they exercised.
  private var tallied = 0
  private var found: [Finding] = []
  /// What seeds gave that are beyond the first one still out, by seed: it counts once nothing before it can end it.
  private var early: [UInt64: Outcome] = [:]
  /// The first seed that has not ended.
  private var frontier: UInt64
  /// After so many findings the rest is more of the same.
  private static let mostFindings = 1_000

  /// What came of one seed.
  private struct Outcome {
    var tally: WorkerLine.SeedTally?
    var finding: Finding?
  }

  init(first: UInt64, count: UInt64, jobs: Int, keepsGoing: Bool) {
    self.keepsGoing = keepsGoing
    nextSeed = first
    frontier = first
    end = first + count
    blockSize = max(1, min(64, count / UInt64(jobs * 8)))
  }

  /// What was found, in the order of seeds; without `keepsGoing` at most one.
  var findings: [Finding] {
    let all = (found + early.values.compactMap(\.finding)).sorted { $0.seed < $1.seed }
    return keepsGoing ? all : Array(all.prefix(1))
  }

  /// The finding of the lowest seed; of one seed there is one.
  var firstFinding: Finding? { findings.first }

  /// What no seed exercised, of the sentences that were told.
  var neverExercised: [String] {
    zip(sentences, missCounts).filter { tallied > 0 && $0.1 == tallied }.map(\.0)
  }

  // MARK: Handing out

  /// The next block for a child that has none; nil if there is none for it.
  mutating func nextBlock(for child: Int) -> Block? {
    guard !isExhausted else { return nil }
    let block: Block
    if !rests.isEmpty {
      block = rests.removeFirst()
    } else if nextSeed < end {
      block = Block(first: nextSeed, count: min(blockSize, end - nextSeed))
      nextSeed = block.end
    } else {
      return nil
    }
    children[child, default: Child()].block = block
    children[child]?.next = block.first
    return block
  }

  /// Whether a child's block has been run, or need not be run any more.
  func isIdle(_ child: Int) -> Bool {
    guard let block = children[child]?.block else { return true }
    if keepsGoing { return false }
    guard let found = firstFinding else { return false }
    return (children[child]?.next ?? block.first) > found.seed
  }

  /// Whether there is nothing left to hand out.
  var isExhausted: Bool {
    let hasEnough = keepsGoing ? found.count >= Self.mostFindings : !findings.isEmpty
    return hasEnough || nextSeed >= end && rests.isEmpty
  }

  /// The seed that a child is at.
  func seed(of child: Int) -> UInt64? {
    children[child]?.running ?? children[child]?.block.map { _ in children[child]!.next }
  }

  // MARK: Taking in

  /// Takes in what a child says.
  mutating func take(_ line: WorkerLine, from child: Int) {
    switch line {
    case .invariants(let ids):
      guard invariants.isEmpty else { return }
      invariants = ids
      checks = ids.map { _ in 0 }
      exercised = checks
    case .alive: break
    case .begun(let seed): children[child, default: Child()].running = seed
    case .sentence(let number, let text): children[child, default: Child()].sentences[number] = learn(text)
    case .passed(let tally):
      settle(tally.seed, Outcome(tally: translated(tally, of: child)))
      finish(tally.seed, of: child)
    case .violated(let tally, let violation):
      let finding = Finding(
        kind: .violation, seed: tally.seed, invariant: violation.invariant, message: violation.message)
      settle(tally.seed, Outcome(tally: translated(tally, of: child), finding: finding))
      finish(tally.seed, of: child)
    case .stuck(let seed, let problem):
      settle(seed, Outcome(finding: Finding(kind: .stuck, seed: seed, invariant: nil, message: problem)))
      finish(seed, of: child)
    }
  }

  /// Takes in that a child has died, or was killed because it did not go on, while it had seeds to run.
  mutating func lose(_ child: Int, _ kind: Finding.Kind, _ message: String, lastWords: [String]) {
    defer { children[child] = nil }
    guard let lost = children[child], let block = lost.block else { return }
    let seed = lost.running ?? lost.next
    // One that had not begun the seed cannot have been ended by it.
    let kind = lost.running == nil ? .stuck : kind
    settle(
      seed,
      Outcome(
        finding: Finding(kind: kind, seed: seed, invariant: nil, message: message, lastWords: lastWords)))
    if seed + 1 < block.end { rests.append(Block(first: seed + 1, count: block.end - seed - 1)) }
  }

  /// Keeps what came of a seed, and counts everything up to the first seed that is still out, or to the first finding.
  private mutating func settle(_ seed: UInt64, _ outcome: Outcome) {
    early[seed] = outcome
    while keepsGoing || found.isEmpty, let next = early.removeValue(forKey: frontier) {
      seedsRun += 1
      if let tally = next.tally { add(tally) }
      if let finding = next.finding { found.append(finding) }
      frontier += 1
    }
  }

  private mutating func finish(_ seed: UInt64, of child: Int) {
    children[child]?.running = nil
    children[child]?.next = seed + 1
    if let block = children[child]?.block, seed + 1 >= block.end { children[child]?.block = nil }
  }

  private mutating func add(_ tally: WorkerLine.SeedTally) {
    tallied += 1
    steps += tally.steps
    for (index, count) in tally.checks.enumerated() where index < checks.count {
      checks[index] += count
      if count > 0 { exercised[index] += 1 }
    }
    for known in tally.missed { missCounts[known] += 1 }
  }

  /// A tally whose sentences have this exploration's numbers instead of the child's.
  private func translated(_ tally: WorkerLine.SeedTally, of child: Int) -> WorkerLine.SeedTally {
    var tally = tally
    tally.missed = tally.missed.compactMap { children[child]?.sentences[$0] }
    return tally
  }

  private mutating func learn(_ sentence: String) -> Int {
    if let known = sentenceNumbers[sentence] { return known }
    sentences.append(sentence)
    missCounts.append(0)
    sentenceNumbers[sentence] = sentences.count - 1
    return sentences.count - 1
  }
}
