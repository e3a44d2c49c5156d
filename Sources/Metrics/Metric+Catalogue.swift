// The metrics of DESIGN §5, "Metrics": names and tags are part of the outside contract.

extension Metric {
  /// Requests that a client handed to its transport, each counted once.
  public static let requests = Metric(
    name: "requests",
    kind: .counter,
    unit: .count,
    summary: "Requests that clients handed to their transport, each counted once.",
    tags: [.endpoint, .status, .injected],
    courseTag: .status
  )
  /// Requests that reached the service.
  public static let arrivals = Metric(
    name: "arrivals",
    kind: .counter,
    unit: .count,
    summary: "Requests that reached the service.",
    tags: [.endpoint]
  )
  /// How many requests each client made.
  public static let requestsPerClient = Metric(
    name: "requests_per_client",
    kind: .trend,
    unit: .count,
    summary: "How many requests each client made in the run."
  )
  /// The time from a request's start to its outcome at the client.
  public static let requestDuration = Metric(
    name: "request_duration",
    kind: .trend,
    unit: .nanoseconds,
    summary: "Time from a request's start to its outcome at the client.",
    tags: [.endpoint, .status, .injected]
  )
  /// Evaluations that returned to their reader.
  public static let evaluations = Metric(
    name: "evaluations",
    kind: .counter,
    unit: .count,
    summary: "Evaluations that returned to their reader."
  )
  /// The time from a reader's call of an evaluation to its return.
  public static let evaluationDuration = Metric(
    name: "evaluation_duration",
    kind: .trend,
    unit: .nanoseconds,
    summary: "Time from a reader's call of an evaluation to its return."
  )
  /// Flag values that were read without waiting.
  public static let reads = Metric(
    name: "reads",
    kind: .counter,
    unit: .count,
    summary: "Flag values that were read without waiting.",
    tags: [Tag(name: "how", summary: "By which read.", values: ["value", "typed", "all", "source", "state"])]
  )
  /// Calls that joined a flight instead of making a request.
  public static let coalesced = Metric(
    name: "coalesced",
    kind: .counter,
    unit: .count,
    summary: "Calls that joined a request already under way, cancelled ones included."
  )
  /// Answers given from what the client held.
  public static let cacheHits = Metric(
    name: "cache_hits",
    kind: .counter,
    unit: .count,
    summary: "Answers given from what the client held.",
    tags: [.state],
    courseTag: .state
  )
  /// How long a client waited before it tried again.
  public static let retryDelay = Metric(
    name: "retry_delay",
    kind: .trend,
    unit: .nanoseconds,
    summary: "How long a client waited before it tried again."
  )
  /// The time from a client's start to the first value it got from the service.
  public static let timeToFirstValue = Metric(
    name: "time_to_first_value",
    kind: .trend,
    unit: .nanoseconds,
    summary: "Time from a client's start to its first value from the service."
  )
  /// The time from a publish to its being applied at a client.
  public static let propagationDelay = Metric(
    name: "propagation_delay",
    kind: .trend,
    unit: .nanoseconds,
    summary: "Time from a publish to its being applied at a client."
  )
  /// The age of what a reader was given.
  public static let staleness = Metric(
    name: "staleness",
    kind: .trend,
    unit: .nanoseconds,
    summary: "Age of the values that readers were given."
  )
  /// Exposure events by what became of them; one event has several outcomes in its life.
  public static let exposures = Metric(
    name: "exposures",
    kind: .counter,
    unit: .count,
    summary: "Exposure events by what became of them.",
    tags: [
      Tag(
        name: "outcome",
        summary: "What became of the event.",
        values: ["recorded", "sent", "dropped", "duplicate"]
      )
    ],
    hasOverlappingParts: true
  )
  /// Batches of events that were sent.
  public static let batches = Metric(
    name: "batches",
    kind: .counter,
    unit: .count,
    summary: "Batches of events that were sent."
  )
  /// How many events a batch held.
  public static let batchSize = Metric(
    name: "batch_size",
    kind: .trend,
    unit: .count,
    summary: "How many events each batch held."
  )
  /// Answers that told a client that its version is no base for a delta.
  public static let gone = Metric(
    name: "gone",
    kind: .counter,
    unit: .count,
    summary: "Answers (410) that told a client its version is no base for a delta."
  )
  /// Snapshots that the service answered with.
  public static let snapshots = Metric(
    name: "snapshots",
    kind: .counter,
    unit: .count,
    summary: "Snapshots that the service answered with."
  )
  /// Deltas that the service answered with.
  public static let deltas = Metric(
    name: "deltas",
    kind: .counter,
    unit: .count,
    summary: "Deltas that the service answered with."
  )
  /// Notices of a change that reached clients.
  public static let notices = Metric(
    name: "notices",
    kind: .counter,
    unit: .count,
    summary: "Notices of a change that reached clients."
  )
  /// Arrivals of an open model for which no reader was free.
  public static let droppedArrivals = Metric(
    name: "dropped_arrivals",
    kind: .counter,
    unit: .count,
    summary: "Arrivals of an open model for which no reader was free."
  )
  /// Iterations that were cut off by the end of their group.
  public static let interrupted = Metric(
    name: "interrupted",
    kind: .counter,
    unit: .count,
    summary: "Iterations that were cut off by the end of their group."
  )
  /// How many requests arrived at the service in the busiest second.
  public static let peakArrivals = Metric(
    name: "peak_arrivals",
    kind: .gauge,
    unit: .count,
    summary: "Requests that arrived at the service in the busiest second."
  )
  /// How many requests each app instance made in an hour.
  public static let requestsPerDeviceHour = Metric(
    name: "requests_per_device_hour",
    kind: .gauge,
    unit: .count,
    summary: "Requests divided by the app instances and the measured hours."
  )
  /// Memory allocations of the process for each evaluation.
  public static let allocationsPerEvaluation = Metric(
    name: "allocations_per_evaluation",
    kind: .gauge,
    unit: .count,
    summary: "Memory allocations of the process divided by the evaluations."
  )

  /// Every metric of this project, sorted by name.
  public static let catalogue: [Metric] = [
    allocationsPerEvaluation, arrivals, batchSize, batches, cacheHits, coalesced, deltas, droppedArrivals,
    evaluationDuration, evaluations, exposures, gone, interrupted, notices, peakArrivals,
    propagationDelay, readerChanges, reads, refreshDuration, relaunches, requestDuration, requests,
    requestsPerClient, requestsPerDeviceHour, retryDelay, snapshots, sockets, staleness, timeToFirstValue,
  ].sorted { $0.name < $1.name }

  /// Returns the metric of the catalogue with exactly the given name.
  ///
  /// - Complexity: O(n) in the size of the catalogue.
  /// - Parameter name: The name to look up.
  /// - Returns: The metric, or nil if there is none.
  public static func named(_ name: String) -> Metric? { catalogue.first { $0.name == name } }

  /// Returns the metric whose name is most like a mistyped one.
  ///
  /// - Complexity: O(n·l²) for n metrics and names of length l.
  /// - Parameter name: The name as typed.
  /// - Returns: The nearest metric, or nil if none is near.
  public static func nearest(to name: String) -> Metric? {
    Spelling.nearest(to: name, among: catalogue.map(\.name)).flatMap(named)
  }
}

extension Metric.Tag {
  /// The part of the service that was asked.
  static let endpoint = Metric.Tag(
    name: "endpoint",
    summary: "The part of the service that was asked.",
    values: [
      "evaluate", "notifications", "read", "read-all", "telemetry", "snapshot", "delta", "events", "realtime",
    ]
  )
  /// How the request ended.
  static let status = Metric.Tag(
    name: "status",
    summary: "How the request ended: the HTTP status, or `timeout`, `cancelled`, `lost`."
  )
  /// What an answer without a request was made of.
  static let state = Metric.Tag(
    name: "state", summary: "What was held.", values: ["fresh", "stale", "default"])
  /// Whether a fault struck the request.
  static let injected = Metric.Tag(
    name: "injected",
    summary: "Whether a fault of the scenario struck the request.",
    values: ["true", "false"]
  )
}
