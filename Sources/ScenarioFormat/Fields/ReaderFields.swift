// Groups of readers: which keys there are depends on the word of the executor.

extension FieldTable {
  /// The executors with the keys of their groups.
  static let executorTables: [(word: String, table: FieldTable)] = [
    (
      "per-reader-iterations",
      group(
        "per-reader-iterations",
        [
          .required("readers", .count(1...Bounds.readers), "How many readers."),
          .optional(
            "iterations",
            .count(1...Bounds.iterations),
            default: 1,
            "How many iterations each reader does."
          ),
          .optional(
            "maxDuration",
            .duration,
            default: "10m",
            "When readers that are not done are stopped."
          ),
        ]
      )
    ),
    (
      "constant-readers",
      group(
        "constant-readers",
        [
          .required("readers", .count(1...Bounds.readers), "How many readers."),
          .required("duration", .duration, "How long they repeat their iterations; more than zero."),
        ]
      )
    ),
    (
      "ramping-readers",
      group(
        "ramping-readers",
        [
          .optional(
            "startReaders",
            .count(0...Bounds.readers),
            default: 0,
            "How many readers there are at the start."
          ),
          .required(
            "stages",
            .list(of: .object(.stage), atLeast: 1, isUnique: false),
            "The pieces of the ramp."
          ),
          .optional(
            "gracefulRampDown",
            .duration,
            default: "30s",
            "How long a reader that is taken away may go on with its iteration."
          ),
        ]
      )
    ),
    (
      "constant-arrival-rate",
      group(
        "constant-arrival-rate",
        [
          .required(
            "rate",
            .count(1...Bounds.rate),
            "How many iterations begin in each time unit. \(scalesAlong)"
          ),
          .required("duration", .duration, "How long iterations begin; more than zero."),
        ] + arrivalFields
      )
    ),
    (
      "ramping-arrival-rate",
      group(
        "ramping-arrival-rate",
        [
          .optional(
            "startRate",
            .count(0...Bounds.rate),
            default: 0,
            "How many iterations begin in each time unit at the start. \(scalesAlong)"
          ),
          .required(
            "stages",
            .list(of: .object(.rateStage), atLeast: 1, isUnique: false),
            "The pieces of the line of rates."
          ),
        ] + arrivalFields
      )
    ),
  ]

  /// The keys of all executors, each with whom it belongs to.
  static let executorOwners: [KeyOwner] = executorTables.flatMap { entry in
    entry.table.fields.map { KeyOwner(key: $0.key, owner: "the executor \"\(entry.word)\"") }
  }

  /// What `--readers` does to a rate: the load of each reader stays what it was.
  private static let scalesAlong =
    "The option --readers scales it along with the readers, rounded down, but no rate to nothing."

  private static let arrivalFields: [Field] = [
    .optional("timeUnit", .duration, default: "1s", "What a rate is counted in; more than zero."),
    .required(
      "preAllocatedReaders",
      .count(1...Bounds.readers),
      "How many readers there are from the start."
    ),
    .optional(
      "maxReaders",
      .count(1...Bounds.readers),
      default: nil,
      """
      How many readers there may be, at least as many as from the start, which is also the default. An iteration \
      for which none is free is dropped and counted in "dropped_arrivals".
      """
    ),
  ]

  private static func group(_ executor: String, _ fields: [Field]) -> FieldTable {
    FieldTable(
      name: "a group with the executor \"\(executor)\"",
      fields: [.required("executor", .word([executor]), "When readers start and stop.")] + fields + [
        .optional(
          "startTime",
          .duration,
          default: "0s",
          "When the group starts, after the start of the run."
        ),
        .optional(
          "gracefulStop",
          .duration,
          default: "30s",
          "How long iterations under way may go on after the executor's time is over."
        ),
        .optional("think", .latency, default: "0s", "The pause after each iteration."),
        .required(
          "do",
          .list(of: .step, atLeast: 1, isUnique: false),
          """
          The steps of an iteration, done in order; if they carry weights, each iteration picks one of them.
          """
        ),
      ]
    )
  }

  /// One piece of a ramp.
  static let stage = FieldTable(
    name: "a stage",
    fields: [
      .required("duration", .duration, "How long it takes to reach the target; zero jumps."),
      .required("target", .count(0...Bounds.readers), "The number of readers at its end."),
    ]
  )

  /// One piece of a line of rates.
  static let rateStage = FieldTable(
    name: "a stage",
    fields: [
      .required("duration", .duration, "How long it takes to reach the target; zero jumps."),
      .required(
        "target",
        .count(0...Bounds.rate),
        "How many iterations begin in each time unit at its end. \(scalesAlong)"
      ),
    ]
  )
}
