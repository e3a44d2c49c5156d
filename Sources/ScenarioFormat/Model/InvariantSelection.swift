import Invariants

/// Which invariants watch a run.
public enum InvariantSelection: Sendable, Equatable {
  /// All that this version judges.
  case all
  /// These, in the order of the file.
  case only([Invariant])

  /// The selected invariants, in order.
  public var selected: [Invariant] {
    switch self {
    case .all: Invariant.judged
    case .only(let named): named
    }
  }
}

/// An invariant that must have been exercised: otherwise the run is inconclusive.
public struct Requirement: Sendable, Equatable {
  /// The invariant.
  public let invariant: Invariant
  /// How many checks it must have made, at least 1.
  public let minChecks: Int
}
