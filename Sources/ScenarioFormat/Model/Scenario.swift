/// One scenario as it will run: every default filled in, every override applied, every value checked.
///
/// A value of this type exists only if its file had no problem (DESIGN §4), so that whoever runs it needs no
/// checks of its own.
public struct Scenario: Sendable, Equatable {
  /// The name, of `a`–`z`, `0`–`9` and `-`: reports go to the folder of this name.
  public let name: String
  /// What the scenario proves, for people.
  public let description: String
  /// The seed of every choice of the run, from 0 to 2⁵³ − 1 (exact in a JSON number).
  ///
  /// It alone may be changed: nothing else depends on it, so a sweep runs copies of one scenario.
  public var seed: UInt64
  /// Whether time is simulated or real.
  public let clock: ScenarioClock
  /// How the scheduler picks among ready jobs on the virtual clock; the wall clock ignores it.
  public let schedule: SchedulePick
  /// The app instances and their clients.
  public let client: ClientSpec
  /// The service that answers.
  public let service: ServiceSpec
  /// The way between client and service.
  public let network: NetworkSpec
  /// The groups of readers, in the order of the file.
  public let groups: [ReaderGroup]
  /// How much of the run's beginning is kept out of the metrics.
  public let warmup: Duration
  /// What happens to the service or to all clients, in order of time, ties in the order of the file.
  public let timeline: [TimelineEntry]
  /// What goes wrong on purpose, in the order of the file.
  public let faults: [FaultSpec]
  /// From when on no fault strikes; nil if that is when readers and timeline are done.
  public let heal: Duration?
  /// The bounds of the invariant `fleet`; nil if it is not to be judged.
  public let fleet: FleetSpec?
  /// Which judges watch the run.
  public let invariants: InvariantSelection
  /// What must have been exercised for the run to pass.
  public let requirements: [Requirement]
  /// What the metrics must satisfy, in the order of the file.
  public let thresholds: [ThresholdSpec]
  /// The overrides that were applied, as they were given on the command line, for reports.
  public let overrides: [String]

  /// The faults that ever strike.
  ///
  /// - Complexity: O(n) in the number of faults.
  public var strikingFaults: [FaultSpec] { faults.filter(\.canStrike) }

  /// The number of readers of all groups together, counting the peak of a ramp.
  ///
  /// - Complexity: O(n) in the number of groups.
  public var readerCount: Int { groups.reduce(0) { $0 + $1.executor.peakReaders } }

  /// The fingerprint of everything but seed and description: 16 lower-case hexadecimal digits.
  ///
  /// Two files that differ only in spelling, in the order of keys (groups of readers and thresholds aside)
  /// or in defaults left out have the same one; it is a 64-bit FNV-1a over
  /// `canonicalJSON(includingSeed: false)`.
  /// - Complexity: O(n) in the size of the scenario.
  public var hash: String { Fingerprint.hexadecimal(of: canonicalJSON(includingSeed: false)) }
}

/// What time a scenario runs on.
public enum ScenarioClock: String, Sendable, CaseIterable {
  /// Simulated time, which moves only when nothing is ready: deterministic.
  case virtual
  /// Real time, on the real cooperative pool.
  case wall
}

/// How the scheduler picks the next job among those that are ready.
public enum SchedulePick: String, Sendable, CaseIterable {
  /// By the seed.
  case random
  /// The oldest first.
  case fifo
}
