extension Invariant {
  /// Whether this build has a judge for the invariant.
  public var isJudged: Bool { unit != nil }

  /// Whether the invariant can also be judged from the intervals of a wall-clock run (DESIGN §3).
  public var isJudgedOnWallClock: Bool { isJudged && Self.onWallClock.contains(self) }

  private static let onWallClock: [Invariant] = [
    singleFlight, answersOnce, degradeOrder, invalidation, nothingLeft,
  ]
}
