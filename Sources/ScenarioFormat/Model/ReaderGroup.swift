/// Readers that do the same: one entry of the file's `readers`.
public struct ReaderGroup: Sendable, Equatable {
  /// The name, the value of the metrics' automatic tag `group`.
  public let name: String
  /// When its readers start and how long they go on.
  public let executor: ReaderExecutor
  /// When the group starts, after the start of the run.
  public let startTime: Duration
  /// How long iterations under way may go on after the executor's time is over, before they are interrupted.
  public let gracefulStop: Duration
  /// The pause after each iteration.
  public let think: Latency
  /// What one iteration does: all of it in order, or one of it if the steps carry weights.
  public let steps: [ReaderStep]

  /// Whether each iteration picks one of the steps by weight instead of doing them all in order.
  ///
  /// - Complexity: O(1): either all steps have a weight or none.
  public var isWeighted: Bool { steps.first?.weight != nil }
}

/// When the readers of a group start and stop, in k6's words.
public enum ReaderExecutor: Sendable, Equatable {
  /// Each reader does so many iterations and ends, or is stopped after `maxDuration`.
  case perReaderIterations(readers: Int, iterations: Int, maxDuration: Duration)
  /// So many readers repeat iterations until `duration` is over.
  case constantReaders(readers: Int, duration: Duration)
  /// The number of readers goes from `startReaders` through the targets of the stages, in a straight line
  /// within each; a reader that is taken away may finish its iteration within `gracefulRampDown`.
  case rampingReaders(startReaders: Int, stages: [RampStage], gracefulRampDown: Duration)
  /// `rate` iterations begin in every `timeUnit`, evenly spaced, whether or not earlier ones are done; each is done by a
  /// reader that is free.
  ///
  /// `preAllocatedReaders` exist from the start, more are made up to `maxReaders`; an iteration for which no reader is
  /// free is dropped and counted.
  case constantArrivalRate(
    rate: Int, timeUnit: Duration, duration: Duration, preAllocatedReaders: Int, maxReaders: Int)
  /// As `constantArrivalRate`, but the rate goes from `startRate` through the targets of the stages (iterations in each
  /// `timeUnit`), in a straight line within each.
  case rampingArrivalRate(
    startRate: Int, timeUnit: Duration, stages: [RampStage], preAllocatedReaders: Int, maxReaders: Int)

  /// The word the file names it by.
  public var word: String {
    switch self {
    case .perReaderIterations: "per-reader-iterations"
    case .constantReaders: "constant-readers"
    case .rampingReaders: "ramping-readers"
    case .constantArrivalRate: "constant-arrival-rate"
    case .rampingArrivalRate: "ramping-arrival-rate"
    }
  }

  /// The largest number of readers at any time, at least 1.
  ///
  /// - Complexity: O(n) in the number of stages.
  public var peakReaders: Int {
    switch self {
    case .perReaderIterations(let readers, _, _), .constantReaders(let readers, _): readers
    case .rampingReaders(let startReaders, let stages, _):
      stages.reduce(startReaders) { max($0, $1.target) }
    case .constantArrivalRate(_, _, _, _, let maxReaders), .rampingArrivalRate(_, _, _, _, let maxReaders):
      maxReaders
    }
  }
}

/// One straight piece of a ramp, of readers or of a rate.
public struct RampStage: Sendable, Equatable {
  /// How long it takes to reach the target; zero jumps.
  public let duration: Duration
  /// The number of readers, or of iterations in each time unit, at its end.
  public let target: Int

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - duration: How long it takes to reach the target.
  ///   - target: The number of readers at its end.
  public init(duration: Duration, target: Int) {
    self.duration = duration
    self.target = target
  }
}
