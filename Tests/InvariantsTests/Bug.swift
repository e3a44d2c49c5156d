import Invariants

/// One rule that the reference client breaks.
enum Bug: String, CaseIterable, Sendable {
  case noSingleFlight, twoLeaders, ttlIncludesEnd, fillsAfterInvalidation, firstCancelEndsAll,
    finishedTakesWaiter
  case keyedWithoutStore, lostWakeUp, keepsOrphan, noDeadline, returnsTwice, neverReturns, degradesGoodAnswer
  case staleWithoutRequest, prefetches, givesLateAnswer, wrongError, sharesCacheOfInstances
  case forgetsHeld, asksDuringRetryAfter

  /// The judges of which one must be first to see it.
  var seenBy: [Invariant] {
    switch self {
    case .noSingleFlight, .twoLeaders: [.singleFlight]
    case .ttlIncludesEnd: [.ttl]
    case .fillsAfterInvalidation: [.invalidation, .ttl]
    case .firstCancelEndsAll: [.cancelIsolated]
    case .finishedTakesWaiter: [.singleFlight, .answersOnce]
    case .returnsTwice, .degradesGoodAnswer, .wrongError: [.answersOnce]
    case .lostWakeUp, .neverReturns, .keyedWithoutStore: [.cancelIsolated, .answersOnce]
    case .keepsOrphan: [.cancelIsolated]
    case .noDeadline: [.cancelIsolated, .answersOnce]
    case .staleWithoutRequest: [.ttl, .answersOnce]
    case .prefetches: [.singleFlight, .requestEconomy]
    case .givesLateAnswer: [.answersOnce, .cancelIsolated]
    case .sharesCacheOfInstances: [.answersOnce]
    case .forgetsHeld: [.degradeOrder]
    case .asksDuringRetryAfter: [.retryAfter]
    }
  }
}
