import Invariants

// The scenario and its parts, readers aside.

extension FieldTable {
  /// The file as a whole.
  static let scenario = FieldTable(
    name: "a scenario",
    fields: [
      .optional(
        "$schema",
        .text(pattern: nil),
        default: nil,
        "The JSON Schema that editors check the file with."
      ),
      .required(
        "name",
        .text(pattern: "^[a-z0-9-]+$"),
        """
        The name: lower-case letters, digits and hyphens, unique in one command. Reports go to the folder of \
        this name; \(reservedNames.joined(separator: ", ")) are reserved.
        """
      ),
      .required("description", .text(pattern: nil), "What the scenario proves."),
      .optional(
        "seed",
        .count(0...Bounds.seed),
        default: 1,
        "The seed of every choice of the run, from 0 to 2^53 - 1."
      ),
      .optional(
        "clock",
        .word(ScenarioClock.allCases.map(\.rawValue)),
        default: "virtual",
        "Simulated time, deterministic, or real time on the real pool."
      ),
      .optional(
        "schedule",
        .word(SchedulePick.allCases.map(\.rawValue)),
        default: "random",
        "How the next of several ready jobs is picked on the virtual clock: by the seed, or the oldest first."
      ),
      .required(
        "client", .anyOf(clientTables.map { .object($0.table) }), "The app instances and their clients."),
      .optional("service", .object(.service), default: [:], "The service that answers."),
      .optional("network", .object(.network), default: [:], "The way between client and service."),
      .required(
        "readers",
        .map(
          keyPattern: groupPattern,
          of: .anyOf(executorTables.map { .object($0.table) }),
          atLeast: 1,
          isOpen: false
        ),
        "The groups of readers by name. The name is the value of the metrics' tag \"group\"."
      ),
      .optional(
        "warmup",
        .duration,
        default: "0s",
        "How much of the run's beginning is kept out of the metrics."
      ),
      .optional(
        "timeline",
        .list(of: .anyOf(timelineTables.map { .object($0.table) }), atLeast: 0, isUnique: false),
        default: [],
        "What happens to the service or to all clients at a time of the run."
      ),
      .optional(
        "faults",
        .list(of: .fault, atLeast: 0, isUnique: false),
        default: [],
        "What goes wrong on purpose. Faults that strike one request apply in this order."
      ),
      .optional(
        "heal",
        .duration,
        default: nil,
        "From when on no fault strikes; left out, that is when readers and timeline are done."
      ),
      .optional(
        "fleet",
        .object(.fleet),
        default: nil,
        "How hard the fleet may hit its service; without it the invariant \"fleet\" is not judged."
      ),
      .optional(
        "invariants",
        .list(of: .word(["all"] + judgedIDs), atLeast: 0, isUnique: true),
        default: ["all"],
        "The invariants that watch the run, or \"all\" alone."
      ),
      .optional(
        "require",
        .list(of: .anyOf([.word(judgedIDs), .object(.requirement)]), atLeast: 0, isUnique: true),
        default: [],
        "The invariants that must have been exercised, else the run is inconclusive (exit 6)."
      ),
      .optional(
        "thresholds",
        .map(
          keyPattern: "^[a-z0-9_]+(\\{.*\\})?$",
          of: .list(of: .anyOf([.text(pattern: nil), .object(.threshold)]), atLeast: 1, isUnique: false),
          atLeast: 0,
          isOpen: true
        ),
        default: [:],
        "The conditions on each metric, such as \"requests{endpoint:evaluate}\": [\"count==1\"]."
      ),
    ]
  )

  /// Names that would put a run's reports where something else is kept.
  static let reservedNames = ["baselines", "mutants", "bench"]
  /// The pattern of a group's name: it becomes the value of a tag.
  static let groupPattern = "^[A-Za-z0-9_-]+$"
  /// The ids that `invariants` and `require` take in this version.
  static let judgedIDs = Invariant.judged.map(\.id)

  /// The bounds of a fleet.
  static let fleet = FieldTable(
    name: "\"fleet\"",
    fields: [
      .required(
        "alpha",
        .ratio(decimals: 3, upTo: 1_000_000, isPositive: true),
        """
        How many times the mean rate of arrivals the peak second after a mark may be; more than zero, with at most \
        three decimals.
        """
      ),
      .required(
        "beta",
        .ratio(decimals: 3, upTo: 1_000_000, isPositive: true),
        "How many requests there may be for each need; more than zero, with at most three decimals."
      ),
      .optional(
        "jitterWindow",
        .duration,
        default: "60s",
        """
        Over how long the fleet's timers are spread, for the case that nothing arrives outside the minutes after \
        marks; more than zero.
        """
      ),
    ]
  )

  /// The service.
  static let service = FieldTable(
    name: "\"service\"",
    fields: [
      .optional(
        "flags",
        .count(1...Bounds.flags),
        default: 200,
        "How many flags are defined, at least as many as the client's keys."
      ),
      .optional("latency", .latency, default: "80ms", "How long the service takes to answer."),
      .optional(
        "inbox", .object(.inbox), default: [:],
        "The inbox of each user; of the client \"feature-control\" only."
      ).only(.featureControl),
      .optional(
        "project", .object(.project), default: [:],
        "The project behind the flags; of the client \"flags\" only."
      ).only(.flags),
    ]
  )

  /// The project behind the flags.
  static let project = FieldTable(
    name: "\"project\"",
    fields: [
      .optional(
        "experiments",
        .list(of: .text(pattern: nil), atLeast: 0, isUnique: true),
        default: [],
        "The flags with a running experiment at the start, some of the client's keys."
      ),
      .optional(
        "deletionLog",
        .count(0...10_000),
        default: 100,
        "How many deletions the project remembers; a delta that would need an older one is answered 410."
      ),
      .optional("audiences", .boolean, default: true, "Whether some flags have conditions on audiences."),
      .optional(
        "conditions",
        .boolean,
        default: true,
        "Whether some flags have conditions on context, percentile, country and clock."
      ),
    ]
  )

  /// The inbox of each user.
  static let inbox = FieldTable(
    name: "\"inbox\"",
    fields: [
      .optional("items", .count(0...10_000), default: 0, "How many notifications a user has at first."),
      .optional(
        "cursors",
        .word(CursorKind.allCases.map(\.rawValue)),
        default: "position",
        """
        What a cursor names: a position, so that new items make others come twice, or an item; "endless" is as \
        "item", but the last page names itself as the next.
        """
      ),
      .optional(
        "emptyCursor",
        .boolean,
        default: false,
        "Whether the cursor of the second page is the empty text, which is a cursor like any other."
      ),
    ]
  )

  /// The network.
  static let network = FieldTable(
    name: "\"network\"",
    fields: [
      .optional("latency", .latency, default: "0ms", "How long a message takes in one direction.")
    ]
  )

  /// A requirement in its long form.
  static let requirement = FieldTable(
    name: "a requirement",
    fields: [
      .required("id", .word(judgedIDs), "The invariant."),
      .optional("minChecks", .count(1...Bounds.checks), default: 1, "How many checks it must have made."),
    ]
  )

  /// A threshold in its long form.
  static let threshold = FieldTable(
    name: "a threshold",
    fields: [
      .required("threshold", .text(pattern: nil), "The condition, such as \"p(95)<400ms\"."),
      .optional(
        "abortOnFail",
        .boolean,
        default: false,
        "Whether the run ends as soon as the condition fails."
      ),
      .optional(
        "delayAbortEval",
        .duration,
        default: "0s",
        "How long after the start of the run a failure may first end it."
      ),
      .optional("allowEmpty", .boolean, default: false, "Whether a metric without samples passes."),
    ]
  )

  /// A latency between two bounds.
  static let uniformLatency = FieldTable(
    name: "a latency between two bounds",
    fields: [
      .required("min", .duration, "The shortest."),
      .required("max", .duration, "The longest, at least \"min\"."),
    ]
  )

  /// A latency of a median and a 99th percentile.
  static let lognormalLatency = FieldTable(
    name: "a lognormal latency",
    fields: [
      .required("median", .duration, "Half of them are shorter; more than zero."),
      .required("p99", .duration, "99 of 100 are shorter; at least \"median\"."),
    ]
  )

  /// A latency around the durations that matter.
  static let boundaryLatency = FieldTable(
    name: "a boundary-biased latency",
    fields: [
      .required(
        "boundary",
        .onlyTrue,
        "Drawn around 0, multiples of the TTL, the timeout and short Retry-After delays, each ± 1 ns."
      )
    ]
  )

  /// The three forms of a latency that are objects.
  static let latencies = [uniformLatency, lognormalLatency, boundaryLatency]

  /// The keys of those forms, each with whom it belongs to.
  static let latencyOwners = KeyOwners(latencies)
}
