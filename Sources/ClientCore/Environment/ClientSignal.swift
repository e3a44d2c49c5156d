/// What a client tells its `observe` hook: enough for metrics, nothing of values, tokens or subjects.
public enum ClientSignal: Sendable, Equatable {
  /// A call was answered from a cache entry younger than the TTL.
  case servedFresh
  /// A call started a flight.
  case startedFlight
  /// A call joined a flight that another call had started.
  case joinedFlight
  /// A call was answered from what was held, because nothing newer could be had.
  case servedHeld
  /// A call was answered without any held value.
  case servedDefaults
  /// A flight was given up because its last waiter left.
  case abandonedFlight
  /// This many flags of an answer could not be decoded and were skipped.
  case skippedFlags(Int)
  /// The values held are from now on those of this version of the project.
  case appliedVersion(Int64)
}
