import Invariants
import ScenarioFormat

extension Scenario {
  /// The requirements that count on the clock of the run.
  ///
  /// What only virtual time can judge cannot be exercised on the wall clock, so requiring it there proves nothing
  /// either way.
  var applicableRequirements: [Requirement] {
    clock == .virtual ? requirements : requirements.filter(\.invariant.isJudgedOnWallClock)
  }

  /// A sentence for each requirement that does not count on the clock of the run.
  var inapplicableRequirements: [String] {
    guard clock == .wall else { return [] }
    return requirements.filter { !$0.invariant.isJudgedOnWallClock }.map { requirement in
      "require: \(requirement.invariant.id) can only be judged on the virtual clock"
    }
  }
}
