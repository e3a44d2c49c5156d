// The entries of the timeline: the word of an entry says which keys it has, and which kind of client it is for.

extension FieldTable {
  /// The actions with the keys of their entries: what happens to the service, then what happens to every device.
  static let timelineTables: [(word: String, table: FieldTable)] = [
    entry(
      "publish",
      "The service publishes a new version.",
      [
        .optional(
          "keys",
          .list(of: .text(pattern: nil), atLeast: 1, isUnique: true),
          default: nil,
          "The flags that get other values; left out, the service chooses. Of the client \"flags\" only."
        ).only(.flags)
      ]
    ),
    entry("roll-back", "The service goes back to the content before, under a new version."),
    entry(
      "notify",
      "New notifications arrive in every inbox.",
      [.optional("count", .count(1...10_000), default: 1, "How many arrive in each.")],
      for: .featureControl
    ),
    entry("invalidate", "Every client's cache is invalidated.", for: .featureControl),
    entry("switch-user", "The next user signs in on every app instance.", [within.only(.flags)]),
    entry("flush", "Every client flushes its exposures, or its events.", [within.only(.flags)]),
    entry("clock-forward", "The wall clock of every device jumps forward.", [jump]),
    entry("clock-back", "The wall clock of every device jumps back.", [jump]),
    entry("close", "Every client is closed."),
    entry("delete", "The project deletes a flag.", [flag], for: .flags),
    entry("define", "The project defines a flag, anew if it has been deleted.", [flag], for: .flags),
    entry(
      "give-user",
      "A server gives users a value of their own.",
      [flag, user, .optional("value", .scalar, default: true, "The value: a boolean, a number or a text.")],
      for: .flags
    ),
    entry("take-user", "A server takes users' own value away.", [flag, user], for: .flags),
    entry("start-experiment", "An experiment begins on a flag.", [flag], for: .flags),
    entry("stop-experiment", "The experiment on a flag ends.", [flag], for: .flags),
    entry("change-audiences", "Readers come into other analytics audiences.", for: .flags),
    entry("rotate-etags", "Every snapshot gets another ETag, without a new version.", for: .flags),
    device("sign-in", "The instance's user signs in."),
    device("sign-out", "Every app instance signs out."),
    device("same-user-again", "Whoever is signed in signs out and in again."),
    device("background", "Every app goes into the background."),
    device("foreground", "Every app comes back to the front."),
    device("relaunch", "Every app is killed and launched again.", relaunchFields),
    device("consent", "Consent to analytics and personalization changes.", consentFields),
    device("refresh", "Every app calls pb.flags.refresh()."),
    device("drop-sockets", "Every open socket breaks."),
  ]

  /// The keys of all actions, each with whom it belongs to.
  static let timelineOwners = KeyOwners(timelineTables.map(\.table))

  private static let within = Field.optional(
    "within",
    .duration,
    default: nil,
    """
    Over how long it is spread, more than zero: each app instance does it at an instant of its own, drawn from so long \
    after "at"; left out, all do it at once.
    """
  )

  private static let jump = Field.required("by", .duration, "How far; more than zero.")

  private static let flag = Field.required(
    "key", .text(pattern: nil), "The key of the flag, which need not be one of the client's.")

  private static let user = Field.optional(
    "user", .count(0...(Bounds.readers - 1)), default: nil, "The user, counted from 0; all if left out.")

  private static func device(
    _ word: String, _ summary: String, _ fields: [Field] = []
  ) -> (word: String, table: FieldTable) {
    entry(word, summary, [within] + fields, for: .flags)
  }

  private static func entry(
    _ word: String, _ summary: String, _ fields: [Field] = [], for client: ClientSpec.Kind? = nil
  ) -> (word: String, table: FieldTable) {
    let table = FieldTable(
      name: "an entry \"\(word)\" of the timeline",
      fields: [
        .required("at", .duration, "When, after the start of the run."),
        .required("do", .word([word]), summary),
      ] + fields,
      client: client
    )
    return (word, table)
  }

  /// Returns the table of an entry whose action is not known: every key of any action.
  ///
  /// - Parameter kind: The kind of client, whose words are those that are meant; nil if it is not known.
  /// - Returns: The table.
  static func anyTimelineEntry(_ kind: ClientSpec.Kind?) -> FieldTable {
    var fields: [Field] = [
      .required("at", .duration, "When, after the start of the run."),
      .required("do", .word(timelineTables.filter { $0.table.isFor(kind) }.map(\.word)), "What happens."),
    ]
    for field in timelineTables.flatMap(\.table.fields)
    where !fields.contains(where: { $0.key == field.key }) {
      fields.append(field.anywhere)
    }
    return FieldTable(name: "an entry of the timeline", fields: fields)
  }
}
