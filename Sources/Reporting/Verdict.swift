import Metrics

/// What one part of a run's outcome means for the exit code.
public struct Verdict: Sendable, Equatable {
  /// What is judged.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// How the run ended.
    case run
    /// An invariant.
    case invariant
    /// An invariant that the scenario requires to be exercised.
    case requirement
    /// A threshold.
    case threshold
  }

  /// How it was judged.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// As it should be.
    case passed
    /// Not as it should be.
    case failed
    /// An invariant that did not hold.
    case violated
    /// A threshold without samples.
    case noData = "no-data"
    /// An invariant that nothing in the run speaks of, or less than the scenario requires.
    case notExercised = "not-exercised"
    /// An invariant of another client.
    case notApplicable = "not-applicable"
    /// Something that only a whole run can tell, in a run that was cut off.
    case notJudged = "not-judged"
    /// A run that was told to stop.
    case interrupted
  }

  /// An invariant that must have been exercised, else the run is inconclusive.
  public struct Requirement: Sendable, Equatable {
    /// The invariant.
    public var id: String
    /// How many checks there must be, at least 1.
    public var minChecks: Int64

    /// Creates a requirement.
    ///
    /// - Parameters:
    ///   - id: The invariant.
    ///   - minChecks: How many checks there must be, at least 1.
    public init(id: String, minChecks: Int64 = 1) {
      self.id = id
      self.minChecks = minChecks
    }
  }

  /// The signal that ended a run.
  public enum Signal: String, Sendable, Hashable {
    /// SIGINT, as by Ctrl-C.
    case interrupt = "SIGINT"
    /// SIGTERM.
    case terminate = "SIGTERM"
  }

  /// What is judged.
  public var kind: Kind
  /// The invariant's id, `metric: expression` of a threshold, or why the run ended.
  public var id: String
  /// How it was judged.
  public var status: Status
  /// What it means by itself; `passed` if nothing is wrong.
  public var exitCode: ExitCode

  /// Creates a verdict.
  public init(kind: Kind, id: String, status: Status, exitCode: ExitCode) {
    self.kind = kind
    self.id = id
    self.status = status
    self.exitCode = exitCode
  }

  /// Judges a run: how it ended, each invariant, each requirement, each threshold, in this order.
  ///
  /// A violation counts however the run ended. Requirements and thresholds speak of a whole run: if it was cut off
  /// (by a signal, a violation or an error) those not met are `not-judged` and leave the exit code alone, so that
  /// Ctrl-C gives 130 and not the code of a count that could not be reached.
  /// - Complexity: O(i·r + t) in the numbers of invariants, requirements and thresholds.
  /// - Parameters:
  ///   - endReason: Why the run ended.
  ///   - invariants: What each judge found.
  ///   - requirements: The invariants that the scenario requires to be exercised.
  ///   - thresholds: What became of each threshold.
  ///   - signal: The signal, if the run ended by one.
  /// - Returns: The verdicts. The exit code of the run is the worst of theirs.
  public static func judge(
    endReason: RunResult.EndReason,
    invariants: [InvariantResult],
    requirements: [Requirement] = [],
    thresholds: [ThresholdResult],
    signal: Signal? = nil
  ) -> [Verdict] {
    [verdict(on: endReason, signal: signal)]
      + invariants.map(verdict(on:))
      + requirements.map { requirement in
        let checks = invariants.first { $0.id == requirement.id }?.checks ?? 0
        return verdict(on: requirement, checks: checks, isWhole: endReason.isWhole)
      }
      + thresholds.map { verdict(on: $0, isWhole: endReason.isWhole) }
  }

  private static func verdict(on endReason: RunResult.EndReason, signal: Signal?) -> Verdict {
    switch endReason {
    case .completed, .threshold, .violation:
      // What stopped the run early has a verdict of its own.
      Verdict(kind: .run, id: endReason.rawValue, status: .passed, exitCode: .passed)
    case .signal:
      Verdict(
        kind: .run,
        id: (signal ?? .interrupt).rawValue,
        status: .interrupted,
        exitCode: signal == .terminate ? .terminated : .interrupted
      )
    case .internal:
      Verdict(kind: .run, id: endReason.rawValue, status: .failed, exitCode: .internalError)
    }
  }

  private static func verdict(on result: InvariantResult) -> Verdict {
    let status: Status
    switch result.status {
    case .passed: status = .passed
    case .violated: status = .violated
    case .notExercised: status = .notExercised
    case .notApplicable: status = .notApplicable
    }
    return Verdict(
      kind: .invariant,
      id: result.id,
      status: status,
      exitCode: status == .violated ? .violation : .passed
    )
  }

  private static func verdict(on requirement: Requirement, checks: Int64, isWhole: Bool) -> Verdict {
    let isMet = checks >= Swift.max(requirement.minChecks, 1)
    return Verdict(
      kind: .requirement,
      id: requirement.id,
      status: isMet ? .passed : isWhole ? .notExercised : .notJudged,
      exitCode: isMet || !isWhole ? .passed : .inconclusive
    )
  }

  private static func verdict(on result: ThresholdResult, isWhole: Bool) -> Verdict {
    let status: Status
    switch result.status {
    case .passed: status = .passed
    case .failed: status = isWhole ? .failed : .notJudged
    case .noData: status = isWhole ? .noData : .notJudged
    }
    return Verdict(
      kind: .threshold,
      id: "\(result.metric): \(result.expression)",
      status: status,
      exitCode: result.isFailure && isWhole ? .threshold : .passed
    )
  }
}
