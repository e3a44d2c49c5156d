// The metrics that only runs of the flags client have.

extension Metric {
  /// The time from a call of `refresh()` to its return with current values.
  public static let refreshDuration = Metric(
    name: "refresh_duration",
    kind: .trend,
    unit: .nanoseconds,
    summary: "Time from a call of refresh() to its return with current values."
  )
  /// Changes of who is signed in on a device.
  public static let readerChanges = Metric(
    name: "reader_changes",
    kind: .counter,
    unit: .count,
    summary: "Changes of who is signed in on a device."
  )
  /// Apps that were killed and launched again.
  public static let relaunches = Metric(
    name: "relaunches",
    kind: .counter,
    unit: .count,
    summary: "Apps that were killed and launched again."
  )
  /// What became of sockets and their channels.
  public static let sockets = Metric(
    name: "sockets",
    kind: .counter,
    unit: .count,
    summary: "What became of sockets and of joins to their channels.",
    tags: [
      Tag(
        name: "outcome", summary: "What happened.",
        values: ["opened", "failed", "dropped", "silenced", "joined", "refused"])
    ]
  )
}
