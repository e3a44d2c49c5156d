// The steps of an iteration: the word of a step says which keys it has, and which kind of client it is for.

extension FieldTable {
  /// The steps with their keys, those of both kinds of client first in the order in which they came to be.
  static let stepTables: [(word: String, table: FieldTable)] = [
    step("evaluate", evaluationFields, for: .featureControl),
    step("evaluate-or-throw", evaluationFields, for: .featureControl),
    step("invalidate", for: .featureControl),
    step(
      "cancel",
      evaluationFields.map { $0.only(.featureControl) } + [
        .optional(
          "after",
          .latency,
          default: ["boundary": true],
          "How long after its beginning the waiter of the evaluation, or of the refresh, is cancelled."
        )
      ]
    ),
    step("sleep", [.required("duration", .latency, "How long the reader pauses.")]),
    step(
      "record-exposure",
      [.optional("count", .count(1...10_000), default: 1, "How many exposures it records, each unique.")],
      for: .featureControl
    ),
    step("flush"),
    step(
      "list-notifications",
      [
        .optional("status", .word(["all", "unread"]), default: "all", "Which notifications."),
        .optional("limit", .count(1...100), default: 20, "How many a page holds."),
        .optional(
          "atMost",
          .count(1...Bounds.notifications),
          default: nil,
          "How many the reader takes at most; left out, it walks over all pages."
        ),
      ],
      for: .featureControl
    ),
    step("mark-read", for: .featureControl),
    step("mark-all-read", for: .featureControl),
    step("switch-user"),
    step("read", readFields, for: .flags),
    step("refresh", for: .flags),
    step("sign-in", for: .flags),
    step("sign-out", for: .flags),
    step("background", for: .flags),
    step("foreground", for: .flags),
    step("relaunch", relaunchFields, for: .flags),
    step("consent", consentFields, for: .flags),
    step(
      "capture",
      [.optional("count", .count(1...10_000), default: 1, "How many events it captures, each unique.")],
      for: .flags
    ),
  ]

  /// The steps that can stand as a bare word: those that need no key.
  static let bareSteps = stepTables.filter { $0.table.fields.filter(\.isRequired).count == 1 }.map(\.word)

  /// The keys of all steps, each with whom it belongs to.
  static let stepOwners = KeyOwners(stepTables.map(\.table))

  /// The steps of one kind of client only, each with that client.
  static let foreignSteps = stepTables.compactMap { entry in
    entry.table.client.map { KeyOwner(key: entry.word, owner: $0.words) }
  }

  private static let evaluationFields: [Field] = [
    .optional(
      "keys",
      .list(of: .text(pattern: nil), atLeast: 1, isUnique: true),
      default: nil,
      "The flag keys it asks for, some of the client's; all of them if left out."
    ),
    .optional(
      "switchStore",
      .boolean,
      default: false,
      "Whether the reader moves on to the next store before it asks."
    ),
  ]

  private static let readFields: [Field] = [
    .optional(
      "keys",
      .list(of: .text(pattern: nil), atLeast: 1, isUnique: true),
      default: nil,
      "The flag keys it reads, some of the client's; all of them if left out."
    ),
    .optional(
      "as",
      .word(ReadHow.allCases.map(\.rawValue)),
      default: "typed",
      """
      By which read: "value", the one of each flag's type, "all" once, "source", or the one of its type on \
      pb.flags.state.
      """
    ),
    .optional("count", .count(1...100_000), default: 1, "How many times it reads them."),
  ]

  /// What a relaunch says, as a step or in the timeline.
  static let relaunchFields: [Field] = [
    .optional(
      "record",
      .word(RecordState.allCases.map(\.rawValue)),
      default: "intact",
      """
      What the next launch finds on disk: the record as it was, torn, an older one, one of a schema that it does not \
      know, or none.
      """
    ),
    .optional(
      "version",
      .text(pattern: nil),
      default: nil,
      "The version of the app that is launched; left out, that of the one that was killed."
    ),
  ]

  /// What a change of consent says, as a step or in the timeline.
  static let consentFields: [Field] = [
    .required("given", .boolean, "Whether analytics and personalization are allowed from here on.")
  ]

  private static func step(
    _ word: String, _ fields: [Field] = [], for client: ClientSpec.Kind? = nil
  ) -> (word: String, table: FieldTable) {
    let table = FieldTable(
      name: "the step \"\(word)\"",
      fields: [.required("step", .word([word]), "What the reader does.")] + fields + [
        .optional(
          "weight",
          .count(0...Bounds.weight),
          default: nil,
          "How often the step is picked in proportion to the weights of the others."
        ),
        .optional("think", .latency, default: "0s", "The pause after the step."),
      ],
      client: client
    )
    return (word, table)
  }
}
