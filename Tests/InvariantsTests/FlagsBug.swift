import Invariants

/// One rule that the reference client of flags breaks.
enum FlagsBug: String, CaseIterable, Sendable {
  case twoFlights, neverReturns, returnsTwice, wrongError, lostWaiter, oldWaitersWait
  case appliesOlder, takesOlderValues, halfDelta, wrongBase, otherContextBase, ignoresGone
  case etagAfterDelta, etagOfOtherContext, emptiesOnUnchanged, keepsValuesOfReader, appliesOldReaders
  case oldCredential, writesOldRecord, emptyWindow, coercesTypes, clearsOnFailure, mergesSnapshots
  case appliesLate, loadsOverNewer, keepsDeleted, ignoresAnswers

  /// The judges of which one must be first to see it.
  var seenBy: [Invariant] {
    switch self {
    case .twoFlights: [.singleFlight]
    case .neverReturns, .returnsTwice, .wrongError, .lostWaiter, .oldWaitersWait: [.answersOnce]
    // With the same user again an older answer may show what an earlier epoch held.
    case .appliesOlder, .takesOlderValues: [.monotonicVersion, .oneSnapshotPerRead, .gateClosed]
    case .halfDelta, .keepsDeleted: [.deltaBase, .oneSnapshotPerRead]
    case .wrongBase, .otherContextBase: [.deltaBase]
    case .ignoresGone: [.goneRecovers]
    case .etagAfterDelta, .etagOfOtherContext: [.etagHonest]
    case .emptiesOnUnchanged: [.etagHonest, .oneSnapshotPerRead]
    // What is kept of a reader goes with the next request: its tag.
    case .keepsValuesOfReader: [.gateClosed, .etagHonest]
    case .oldCredential, .writesOldRecord: [.gateClosed]
    case .appliesOldReaders: [.gateClosed, .stateMatchesService, .singleFlight]
    case .emptyWindow, .coercesTypes: [.oneSnapshotPerRead]
    case .appliesLate: [.stateMatchesService, .gateClosed, .goneRecovers, .singleFlight, .oneSnapshotPerRead]
    case .clearsOnFailure, .mergesSnapshots:
      [.stateMatchesService, .oneSnapshotPerRead, .etagHonest, .deltaBase]
    case .ignoresAnswers: [.stateMatchesService, .monotonicVersion, .oneSnapshotPerRead]
    case .loadsOverNewer:
      [.stateMatchesService, .monotonicVersion, .oneSnapshotPerRead, .deltaBase, .etagHonest]
    }
  }
}
