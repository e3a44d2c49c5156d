import Events

/// Runs Swift concurrency code deterministically in virtual time.
///
/// Give the code under test `clock` where it takes a clock and `spawn` where it starts a task, and call it from the
/// closure of `run`. Child tasks and default actors follow by themselves. The same seed gives the same interleaving
/// in every process of one build, and `Outcome.digest` tells two interleavings apart.
///
/// ```swift
/// let simulator = Simulator(seed: 7, strategy: .random)
/// let outcome = simulator.run {
///   try? await simulator.clock.sleep(for: .seconds(3600))
///   return "an hour later"
/// }
/// ```
///
/// Several simulators may exist and run at once, each on the thread that called `run`; nothing is shared between them.
/// A simulator runs once.
public final class Simulator: Sendable {
  /// How a run came to its end.
  public enum End: Sendable, Equatable {
    /// The closure returned.
    case finished
    /// `stop()` was called.
    case stopped
    /// The interrupt check given to `run` said so.
    case interrupted
    /// Nothing could run, no timer was armed, and the closure had not returned.
    case stuck
    /// More steps than the limit were taken without time moving.
    case livelock
  }

  /// What a run did and left behind.
  public struct Outcome<Value: Sendable>: Sendable {
    /// What the closure returned; nil unless it finished.
    public let value: Value?
    /// How the run ended.
    public let end: End
    /// The hash over every scheduling decision, every move of time and every recorded event.
    public let digest: Digest
    /// The number of jobs that were run.
    public let steps: UInt64
    /// The virtual time that passed.
    public let simulated: Duration
    /// Tasks started with `spawn` that had not ended when the closure returned and everything had come to rest.
    public let unfinishedTasks: Int
    /// Timers that were armed at that moment.
    public let armedTimers: Int
    /// Spawned tasks that did not end even when cancelled; each keeps its memory for ever.
    public let abandonedTasks: Int
    /// How often a step put work outside the simulation.
    public let escapes: Int
    /// The choices of the run, for `init(replaying:)`; nil unless recording was asked for.
    public let choices: ChoiceLog?
  }

  private let scheduler: Scheduler
  private let state: SimulationState

  /// Creates a simulator whose choices follow from a seed.
  ///
  /// - Parameters:
  ///   - seed: Any number.
  ///   - strategy: How the next job is picked.
  ///   - recordsChoices: Whether `Outcome.choices` is wanted.
  public convenience init(seed: UInt64, strategy: Strategy = .random, recordsChoices: Bool = false) {
    self.init(choices: ChoiceSource(seed: seed, recording: recordsChoices), strategy: strategy)
  }

  /// Creates a simulator that repeats the choices of an earlier run.
  ///
  /// - Parameters:
  ///   - recorded: The choices; after the last one of a label every choice is 0.
  ///   - strategy: The strategy of the earlier run.
  public convenience init(replaying recorded: ChoiceLog, strategy: Strategy = .random) {
    self.init(choices: ChoiceSource(replaying: recorded, recording: true), strategy: strategy)
  }

  private init(choices: ChoiceSource, strategy: Strategy) {
    scheduler = Scheduler(choices: choices, strategy: strategy)
    state = SimulationState()
  }

  // MARK: What the code under test is given

  /// The virtual clock.
  public var clock: VirtualClock { VirtualClock(scheduler: scheduler) }

  /// Starts a task inside the simulation, as `Task {}` would outside.
  ///
  /// - Parameter operation: What the task does.
  /// - Returns: The task. It is cancelled when the run ends.
  @discardableResult
  public func spawn(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let state = state
    let number = state.begin()
    let task = Task(executorPreference: scheduler, priority: .medium) {
      await operation()
      state.end(number)
    }
    state.keep(task, number)
    return task
  }

  /// Draws one of `bound` possibilities from a labelled stream.
  ///
  /// Call it from inside the simulation only.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - bound: How many possibilities there are, at least 1.
  ///   - label: The stream.
  /// - Returns: A number from 0, the simplest choice, up to but not including `bound`.
  public func choose(upTo bound: UInt64, label: ChoiceLabel) -> UInt64 {
    scheduler.choices.choose(upTo: bound, label: label)
  }

  // MARK: What the driver of a run uses

  /// The present point of the run.
  ///
  /// Read it from inside the simulation only.
  public var stamp: Stamp { scheduler.stamp }

  /// The digest of everything up to now.
  ///
  /// Read it from inside the simulation only.
  public var digest: Digest { scheduler.digest }

  /// The choices made up to now; nil unless recording.
  ///
  /// Read it from inside the simulation only.
  public var choices: ChoiceLog? { scheduler.choices.log }

  /// Records that something happened: it enters the digest.
  ///
  /// Call it from inside the simulation only.
  ///
  /// - Parameter event: What happened.
  public func record(_ event: Event) { event.mix(into: &scheduler.digest) }

  /// Suspends until nothing else can run at the present instant; time does not move meanwhile.
  public func idle() async { await scheduler.idle() }

  /// Ends the run after the present step.
  ///
  /// Call it from inside the simulation only.
  public func stop() { state.isStopped = true }

  /// Runs a closure and everything it starts until it returns, then cancels and drains what is left.
  ///
  /// Blocks the calling thread; everything in the simulation runs on it.
  /// - Parameters:
  ///   - stepLimit: The largest number of steps without time moving; more ends the run as a livelock.
  ///   - onEscape: Called in the step that put work outside the simulation.
  ///   - onTimeAdvance: Called when everything of an instant has happened and time is about to move.
  ///   - isInterrupted: Asked every 256 steps whether to give up.
  ///   - onEnd: Called when the run has ended and come to rest, before what is left is cancelled.
  ///   - body: What to run. It may call every method of this simulator.
  /// - Returns: What happened.
  public func run<Value: Sendable>(
    stepLimit: UInt64 = 100_000_000,
    onEscape: (@Sendable (Escape) -> Void)? = nil,
    onTimeAdvance: (@Sendable (Stamp) -> Void)? = nil,
    isInterrupted: (@Sendable () -> Bool)? = nil,
    onEnd: (@Sendable (End) -> Void)? = nil,
    _ body: @escaping @Sendable () async -> Value
  ) -> Outcome<Value> {
    invariant(!state.hasRun, "a simulator runs once: create one for each run")
    state.hasRun = true
    scheduler.onEscape = onEscape
    scheduler.onTimeAdvance = onTimeAdvance
    let state = state
    let result = ResultBox<Value>()
    let root = Task(executorPreference: scheduler, priority: .medium) { result.fill(await body()) }
    var interrupted = false
    let pause = scheduler.drive(movesTime: true, limit: stepLimit) { _, isCheckpoint in
      if isCheckpoint, let isInterrupted, isInterrupted() { interrupted = true }
      return interrupted || state.isStopped || result.isFilled
    }
    let end: End =
      switch pause {
      case .nothingLeft: .stuck
      case .tooManySteps: .livelock
      case .asked: result.isFilled ? .finished : interrupted ? .interrupted : .stopped
      }
    if end == .finished { settle(stepLimit) }
    let unfinished = state.liveCount
    let armed = scheduler.armedTimers
    onEnd?(end)
    let digest = scheduler.digest
    let steps = scheduler.steps
    scheduler.onTimeAdvance = nil
    scheduler.onEscape = nil
    // Cancelling frees what would otherwise stay for ever: a suspended task that is dropped is never deallocated.
    root.cancel()
    state.cancelAll()
    settle(stepLimit)
    return Outcome(
      value: result.value, end: end, digest: digest, steps: steps, simulated: .nanoseconds(scheduler.now),
      unfinishedTasks: unfinished, armedTimers: armed, abandonedTasks: state.liveCount,
      escapes: scheduler.escapes, choices: scheduler.choices.log)
  }

  /// Runs what is ready without letting time move.
  private func settle(_ limit: UInt64) {
    _ = scheduler.drive(movesTime: false, limit: limit) { _, _ in false }
  }
}
