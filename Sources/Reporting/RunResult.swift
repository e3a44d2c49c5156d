import Metrics

/// What came of one run: the one value that every report prints (DESIGN §5).
///
/// The run fixes all numbers once; formats only write them down. Everything that may differ between two runs of one
/// seed on the virtual clock is in ``machine``.
public struct RunResult: Sendable, Equatable {
  /// The version of the format of `result.json` that this version writes.
  public static let currentSchemaVersion = 1

  /// The program that made the run.
  public struct Tool: Sendable, Equatable {
    /// The version, as `0.1.0`.
    public var version: String
    /// What tells two builds of one version apart, as a commit.
    public var build: String

    /// Creates a description of a program.
    public init(version: String, build: String) {
      self.version = version
      self.build = build
    }
  }

  /// The clock of a run.
  public enum Clock: String, Sendable, Hashable, CaseIterable {
    /// Time moves only when nothing is ready.
    case virtual
    /// Real time on the real pool.
    case wall
  }

  /// What was run.
  public struct ScenarioIdentity: Sendable, Equatable {
    /// The name in the scenario file.
    public var name: String
    /// 16 hexadecimal digits over the canonical effective scenario without seed and description.
    public var hash: String
    /// The seed of the run, at most 2⁵³−1.
    public var seed: UInt64
    /// The clock of the run.
    public var clock: Clock
    /// What the command line changed, as `readers=100000`, in the order given.
    public var overrides: [String]

    /// Creates an identity.
    public init(name: String, hash: String, seed: UInt64, clock: Clock, overrides: [String] = []) {
      self.name = name
      self.hash = hash
      self.seed = seed
      self.clock = clock
      self.overrides = overrides
    }
  }

  /// Why a run ended.
  public enum EndReason: String, Sendable, Hashable, CaseIterable {
    /// Executors and timeline were done.
    case completed
    /// A threshold that aborts failed.
    case threshold
    /// An invariant was violated.
    case violation
    /// The process was told to stop.
    case signal
    /// A bug, or something the machine refused.
    case `internal`

    /// Whether the run saw everything it was meant to see, so that what is judged at the end can be judged.
    public var isWhole: Bool { self == .completed || self == .threshold }
  }

  /// How the time of a run was spent, in nanoseconds of its clock.
  public struct Window: Sendable, Equatable {
    /// The time before measuring began, excluded from metrics.
    public var warmupNanoseconds: Int64
    /// The time that the metrics cover.
    public var measuredNanoseconds: Int64
    /// The time from the end of measuring until nothing was left to do.
    public var drainNanoseconds: Int64

    /// Creates a window.
    public init(warmupNanoseconds: Int64 = 0, measuredNanoseconds: Int64, drainNanoseconds: Int64 = 0) {
      self.warmupNanoseconds = warmupNanoseconds
      self.measuredNanoseconds = measuredNanoseconds
      self.drainNanoseconds = drainNanoseconds
    }
  }

  /// The version of the format of `result.json`.
  public var schemaVersion: Int
  /// The program that made the run.
  public var tool: Tool
  /// What was run.
  public var scenario: ScenarioIdentity
  /// Why the run ended.
  public var endReason: EndReason
  /// 16 hexadecimal digits over everything that happened; nil on the wall clock.
  public var digest: String?
  /// How the time was spent.
  public var window: Window
  /// How much virtual time passed, in nanoseconds; nil on the wall clock.
  public var simulatedNanoseconds: Int64?
  /// How many steps the scheduler made; nil on the wall clock.
  public var steps: UInt64?
  /// Where it was run, and what that cost.
  public var machine: Machine
  /// The metrics, sorted by name and tags, as `MetricStore.rows(windowNanoseconds:)` gives them.
  public var metrics: [MetricRow]
  /// The metrics over time, sorted by name.
  public var series: [MetricSeries]
  /// What each judge found, in a fixed order.
  public var invariants: [InvariantResult]
  /// What became of each threshold, in the order of the scenario.
  public var thresholds: [ThresholdResult]
  /// The faults and timeline entries that met nothing, in the order of the scenario.
  public var notExercised: [String]
  /// What each part of the outcome means for the exit code.
  public var verdicts: [Verdict]
  /// How the run counts as a whole.
  public var exitCode: ExitCode
  /// What happened, in a few sentences for people; not part of `result.json`.
  public var story: [String]

  /// Creates a result.
  ///
  /// - Parameters:
  ///   - tool: The program that made the run.
  ///   - scenario: What was run.
  ///   - endReason: Why the run ended.
  ///   - digest: 16 hexadecimal digits over everything that happened; nil on the wall clock.
  ///   - window: How the time was spent.
  ///   - simulatedNanoseconds: How much virtual time passed; nil on the wall clock.
  ///   - steps: How many steps the scheduler made; nil on the wall clock.
  ///   - machine: Where it was run, and what that cost.
  ///   - metrics: The metrics, sorted by name and tags.
  ///   - series: The metrics over time, sorted by name.
  ///   - invariants: What each judge found, in a fixed order.
  ///   - thresholds: What became of each threshold, in the order of the scenario.
  ///   - notExercised: The faults and timeline entries that met nothing.
  ///   - verdicts: What each part means for the exit code, as ``Verdict/judge(endReason:invariants:requirements:thresholds:signal:)``
  ///     gives them; the exit code of the result is the worst of theirs.
  ///   - story: What happened, in a few sentences for people.
  public init(
    tool: Tool,
    scenario: ScenarioIdentity,
    endReason: EndReason,
    digest: String?,
    window: Window,
    simulatedNanoseconds: Int64?,
    steps: UInt64?,
    machine: Machine,
    metrics: [MetricRow],
    series: [MetricSeries] = [],
    invariants: [InvariantResult],
    thresholds: [ThresholdResult],
    notExercised: [String] = [],
    verdicts: [Verdict],
    story: [String] = []
  ) {
    self.schemaVersion = RunResult.currentSchemaVersion
    self.tool = tool
    self.scenario = scenario
    self.endReason = endReason
    self.digest = digest
    self.window = window
    self.simulatedNanoseconds = simulatedNanoseconds
    self.steps = steps
    self.machine = machine
    self.metrics = metrics
    self.series = series
    self.invariants = invariants
    self.thresholds = thresholds
    self.notExercised = notExercised
    self.verdicts = verdicts
    self.exitCode = ExitCode.worst(of: verdicts.map(\.exitCode))
    self.story = story
  }
}
