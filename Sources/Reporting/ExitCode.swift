/// How the command ends, for scripts to branch on (DESIGN §5, "Exit").
public enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  /// Everything that was asked for holds.
  case passed = 0
  /// A bug or the machine stopped the run, or a report could not be written.
  case internalError = 1
  /// A threshold failed, or a figure regressed against the baseline.
  case threshold = 2
  /// An invariant was violated.
  case violation = 3
  /// There is no baseline, or none that can be compared.
  case noBaseline = 5
  /// The run proves nothing: saturated, too few samples, or a required invariant was not exercised.
  case inconclusive = 6
  /// The arguments or a scenario are invalid; nothing was run.
  case usage = 64
  /// The run was interrupted (SIGINT); reports were written.
  case interrupted = 130
  /// The run was told to end (SIGTERM); reports were written.
  case terminated = 143

  /// Returns the code of a command that did several things: the worst of theirs.
  ///
  /// Worst first: 1, 3, 2, 6, 5, 130 (DESIGN §5). 143 ranks with 130, and of the two the first given wins. 64 comes
  /// right after 1: it is settled before anything runs and meets no other code.
  /// - Complexity: O(n) in the number of codes.
  /// - Parameter codes: The codes of the parts.
  /// - Returns: The worst code; `passed` if there are none.
  public static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
    codes.reduce(.passed) { $1.rank > $0.rank ? $1 : $0 }
  }

  /// How bad the code is; more is worse.
  private var rank: Int {
    switch self {
    case .passed: 0
    case .interrupted, .terminated: 1
    case .noBaseline: 2
    case .inconclusive: 3
    case .threshold: 4
    case .violation: 5
    case .usage: 6
    case .internalError: 7
    }
  }
}
