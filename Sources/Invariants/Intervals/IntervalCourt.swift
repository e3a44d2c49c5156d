import Events

/// Judges a run on the wall clock by what is certain of its intervals.
///
/// `single-flight`, `answers-once`, `degrade-order`, `invalidation` and `nothing-left` are judged; what needs a total order
/// of events is not applicable.
///
/// - Complexity: O(n log n) in the number of records, and O(k) for the requests that each call may have waited for.
/// - Parameters:
///   - log: What happened.
///   - judging: The invariants to judge; those that no judge of this build knows are left out of the verdicts.
///   - facts: What the run was configured with.
/// - Returns: One verdict for each invariant to judge, in the order of `Invariant.judged`.
public func judgeIntervals(
  _ log: IntervalLog,
  judging: [Invariant],
  facts: RunFacts
) -> [InvariantVerdict] {
  let index = IntervalIndex(log, facts: facts)
  return Set(judging).filter { $0.unit != nil }.sorted().map { invariant in
    guard invariant.isApplicable(to: facts) else {
      return InvariantVerdict(notApplicable: invariant)
    }
    var docket = Docket(invariant)
    switch invariant {
    case .singleFlight: IntervalSingleFlight(index: index).judge(&docket)
    case .answersOnce: IntervalAnswersOnce(index: index).judge(&docket)
    case .degradeOrder: IntervalDegradeOrder(index: index).judge(&docket)
    case .invalidation: IntervalInvalidation(index: index).judge(&docket)
    case .nothingLeft: judgeLeftovers(log, &docket)
    default: return InvariantVerdict(notApplicable: invariant)
    }
    return docket.verdict
  }
}

/// Judges `nothing-left` on the wall clock, as in virtual time: each kind looked for is a check.
private func judgeLeftovers(_ log: IntervalLog, _ docket: inout Docket) {
  for remainder in log.leftovers {
    docket.check()
    guard remainder.count > 0 else { continue }
    let time = remainder.instance.flatMap { log.closed[$0] } ?? 0
    docket.convict(
      at: Stamp(nanoseconds: time, step: 0), instance: remainder.instance,
      NothingLeftJudge.message(remainder.instance, remainder.kind, remainder.count))
  }
}
