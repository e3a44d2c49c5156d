/// How the scheduler picks the next of the jobs that are ready.
public enum Strategy: String, Sendable, CaseIterable {
  /// The one that has been ready for longest.
  case fifo
  /// Any one, by a seeded draw from the `schedule` stream.
  case random
}
