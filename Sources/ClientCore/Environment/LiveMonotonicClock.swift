extension MonotonicClock {
  /// The clock of the system that goes on while the device sleeps.
  public static let live = MonotonicClock(ContinuousClock())
}
