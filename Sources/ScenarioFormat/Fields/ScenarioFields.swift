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
      .required("client", .object(.client), "The app instances and their clients."),
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
        .list(of: .object(.timelineEntry), atLeast: 0, isUnique: false),
        default: [],
        "What happens to the service or to all clients at a time of the run."
      ),
      .optional(
        "faults",
        .emptyList,
        default: [],
        "Faults are not available in this version: leave it empty."
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

  /// The app instances and their clients.
  static let client = FieldTable(
    name: "\"client\"",
    fields: [
      .required("kind", .word(ClientSpec.Kind.allCases.map(\.rawValue)), "The client under test."),
      .optional(
        "instances",
        .count(1...Bounds.readers),
        default: 1,
        """
        How many app instances, each with a client of its own, share the readers: 1 is one process, as many as \
        readers is a fleet of devices.
        """
      ),
      .optional(
        "subjects",
        .population,
        default: "shared",
        "Whose flags the readers ask for: one subject, one for each reader, or so many in turn."
      ),
      .optional(
        "stores",
        .population,
        default: "shared",
        "Which stores the readers ask in: one, one for each reader, or so many in turn."
      ),
      .optional("cacheTTL", .duration, default: "45s", "How long an answer stays fresh."),
      .optional("requestTimeout", .duration, default: "3s", "How long a request may take."),
      .optional(
        "keys",
        .list(of: .text(pattern: nil), atLeast: 1, isUnique: true),
        default: ["fc.checkout_v2"],
        "The flag keys that an evaluation asks for."
      ),
      .optional(
        "environment",
        .text(pattern: nil),
        default: "production",
        "The environment of the configuration."
      ),
      .optional("platform", .text(pattern: nil), default: "ios", "The platform of the context."),
      .optional("appVersion", .text(pattern: nil), default: "1.0.0", "The app's version in the context."),
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
    ]
  )

  /// The network.
  static let network = FieldTable(
    name: "\"network\"",
    fields: [
      .optional("latency", .latency, default: "0ms", "How long a message takes in one direction.")
    ]
  )

  /// One entry of the timeline.
  static let timelineEntry = FieldTable(
    name: "an entry of the timeline",
    fields: [
      .required("at", .duration, "When, after the start of the run."),
      .required(
        "do",
        .word(TimelineAction.allCases.map(\.rawValue)),
        "The service publishes a new version, every client's cache is invalidated, or every client is closed."
      ),
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
        .boolean,
        "true: drawn around 0, multiples of the TTL and the timeout, each ± 1 ns."
      )
    ]
  )

  /// The three forms of a latency that are objects.
  static let latencies = [uniformLatency, lognormalLatency, boundaryLatency]
}
