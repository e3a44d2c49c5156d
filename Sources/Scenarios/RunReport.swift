import Events
import Invariants
import Metrics
import ScenarioFormat

/// Why a run ended.
public enum EndReason: String, Sendable, Equatable {
  /// Executors and timeline were done.
  case completed
  /// A threshold with `abortOnFail` failed.
  case threshold
  /// An invariant was violated and the run was not told to keep going.
  case violation
  /// Somebody interrupted it.
  case signal
  /// The run could not go on; `RunReport.problem` says why.
  case `internal`
}

/// The stretches of a run, in nanoseconds of its own clock.
public struct RunWindow: Sendable, Equatable {
  /// From the start until metrics began to count.
  public var warmup: Int64
  /// From then until the last reader and timeline entry was done.
  public var measured: Int64
  /// From then until everything had come to rest.
  public var drain: Int64

  /// Creates a window of three stretches, each in nanoseconds.
  public init(warmup: Int64, measured: Int64, drain: Int64) {
    self.warmup = warmup
    self.measured = measured
    self.drain = drain
  }
}

/// When the readers of one group were evaluating.
public struct GroupActivity: Sendable, Equatable {
  /// The name of the group.
  public var group: String
  /// How many evaluations returned, the warm-up left out.
  public var evaluations: Int64
  /// When the first of them was called, in nanoseconds of the run.
  public var firstCall: Int64
  /// When the last of them returned.
  public var lastReturn: Int64

  /// Creates an activity of times in nanoseconds of the run.
  public init(group: String, evaluations: Int64, firstCall: Int64, lastReturn: Int64) {
    self.group = group
    self.evaluations = evaluations
    self.firstCall = firstCall
    self.lastReturn = lastReturn
  }
}

/// What differs between two runs of one seed.
public struct RunCost: Sendable, Equatable {
  /// Nanoseconds of real time.
  public var wallNanoseconds: Int64
  /// The largest resident size of the process, in bytes.
  public var residentBytes: Int64
  /// The growth of the resident size during the run divided by the readers, in bytes.
  public var bytesPerReader: Double

  /// Creates a cost.
  public init(wallNanoseconds: Int64, residentBytes: Int64, bytesPerReader: Double) {
    self.wallNanoseconds = wallNanoseconds
    self.residentBytes = residentBytes
    self.bytesPerReader = bytesPerReader
  }
}

/// Everything that one run of a scenario gave.
public struct RunReport: Sendable {
  /// The scenario that was run, overrides applied.
  public var scenario: Scenario
  /// Why the run ended.
  public var endReason: EndReason
  /// What went wrong, for `internal`.
  public var problem: String?
  /// The digest of the run; nil on the wall clock.
  public var digest: Digest?
  /// Scheduler steps; 0 on the wall clock.
  public var steps: UInt64
  /// Nanoseconds of the run's own clock.
  public var simulatedNanoseconds: Int64
  /// The stretches of the run.
  public var window: RunWindow
  /// What it cost.
  public var cost: RunCost
  /// Everything that was measured, the warm-up left out.
  public var metrics: MetricStore
  /// What was measured during the warm-up.
  public var warmupMetrics: MetricStore
  /// When each group that evaluated anything did so, in the scenario's order.
  public var activity: [GroupActivity] = []
  /// What the judges say.
  public var verdicts: [InvariantVerdict]
  /// How each threshold came out, in the scenario's order.
  public var thresholds: [ThresholdResult]
  /// Timeline entries, faults and groups that met nothing, each a sentence.
  public var notExercised: [String]
  /// The last events up to the first violation, oldest first, as lines; empty without a violation.
  public var trail: [String]
  /// The choices up to the end; nil on the wall clock.
  public var choices: ChoiceLog?
}

/// How far a run is.
public struct RunProgress: Sendable, Equatable {
  /// Nanoseconds of the run's own clock.
  public var simulatedNanoseconds: Int64
  /// The part that is done, from 0 to 1; nil if it can't be told.
  public var fraction: Double?
  /// Scheduler steps so far; 0 on the wall clock.
  public var steps: UInt64
  /// Evaluations that have returned.
  public var evaluations: Int64
  /// Requests that have started.
  public var requests: Int64
  /// Violations so far.
  public var violations: Int

  /// Creates a reading.
  public init(
    simulatedNanoseconds: Int64, fraction: Double?, steps: UInt64, evaluations: Int64, requests: Int64,
    violations: Int
  ) {
    self.simulatedNanoseconds = simulatedNanoseconds
    self.fraction = fraction
    self.steps = steps
    self.evaluations = evaluations
    self.requests = requests
    self.violations = violations
  }
}

/// How a scenario is run.
public struct RunOptions: Sendable {
  /// Whether the run goes on after a violation.
  public var keepsGoing: Bool
  /// Reads the allocator's counters.
  public var allocations: AllocationCounter
  /// Asked often, from the thread that runs the scenario: whether to end the run now and report.
  public var isInterrupted: @Sendable () -> Bool
  /// Told how far the run is, at most about every quarter of a second of real time.
  public var progress: (@Sendable (RunProgress) -> Void)?
  /// Choices of an earlier run to repeat, instead of drawing from the seed.
  ///
  /// Virtual clock only.
  public var replay: ChoiceLog?
  /// Runs of up to this many steps are run a second time in the same process, to see that the digest is the same and
  /// that no memory is left.
  public var rerunStepLimit: UInt64

  /// Creates options.
  public init(
    keepsGoing: Bool = false, allocations: AllocationCounter = .none,
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (RunProgress) -> Void)? = nil,
    replay: ChoiceLog? = nil, rerunStepLimit: UInt64 = 200_000
  ) {
    self.keepsGoing = keepsGoing
    self.allocations = allocations
    self.isInterrupted = isInterrupted
    self.progress = progress
    self.replay = replay
    self.rerunStepLimit = rerunStepLimit
  }
}
