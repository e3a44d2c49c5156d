import Events
import Invariants
import Testing

/// A bug that can be put into a random history.
protocol PlantedBug: RawRepresentable<String>, Sendable {
  /// The judges that may see it.
  var seenBy: [Invariant] { get }
}

/// A random history of a correct client, or of one with a bug, and its court.
///
/// What is asked of such histories is the same for every client: legal ones are never red and exercise every judge, and a
/// bug turns its own judge red.
protocol RandomHistory {
  associatedtype Bug: PlantedBug

  var court: Court { get }
  /// The events, if they are kept.
  var text: String { get }

  init(seed: UInt64, bug: Bug?, keepsHistory: Bool)

  mutating func run()
}

extension RandomHistory {
  private static func court(_ seed: UInt64, _ bug: Bug? = nil) -> Court {
    var history = Self(seed: seed, bug: bug, keepsHistory: false)
    history.run()
    return history.court
  }

  /// Expects that no legal history of a block of 200 seeds is red; prints the first that is.
  static func expectLegal(block: UInt64) {
    for seed in block * 200..<(block + 1) * 200 {
      guard let violation = court(seed).firstViolation else { continue }
      var again = Self(seed: seed, bug: nil, keepsHistory: true)
      again.run()
      Issue.record("seed \(seed): \(violation)\n\(again.text)")
      return
    }
  }

  /// Expects that legal histories put each judge to more than 150 tests.
  static func expectChecks(of judged: [Invariant], seeds: Range<UInt64>) {
    var checks: [Invariant: Int] = [:]
    for seed in seeds {
      for verdict in court(seed).verdicts() { checks[verdict.invariant, default: 0] += verdict.checks }
    }
    for invariant in judged { #expect(checks[invariant, default: 0] > 150, "\(invariant.id)") }
  }

  /// Expects that a bug is seen in 150 histories, nine times in ten first by a judge of its own.
  static func expectSeen(_ bug: Bug) {
    var firsts: [Invariant: Int] = [:]
    for seed in 0..<150 as Range<UInt64> {
      guard let violation = court(seed, bug).firstViolation else { continue }
      firsts[violation.invariant, default: 0] += 1
    }
    let found = firsts.values.reduce(0, +)
    #expect(found > 0, "\(bug.rawValue) stayed unseen")
    let expected = bug.seenBy.map { firsts[$0, default: 0] }.reduce(0, +)
    #expect(
      expected * 10 >= found * 9,
      "\(bug.rawValue) was seen by \(firsts.map { "\($0.key.id): \($0.value)" }.sorted())")
  }
}

extension ReferenceRun: RandomHistory {}
extension FlagsReferenceRun: RandomHistory {}
extension ExposureRun: RandomHistory {}
extension Bug: PlantedBug {}
extension FlagsBug: PlantedBug {}
extension ExposureRun.Bug: PlantedBug {}
