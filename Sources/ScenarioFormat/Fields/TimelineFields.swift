// The entries of the timeline: which keys there are depends on what is done.

extension FieldTable {
  /// The actions of this version with the keys of their entries.
  static let timelineTables: [(word: String, table: FieldTable)] = [
    ("publish", entry("publish", "The service publishes a new version.")),
    ("roll-back", entry("roll-back", "The service goes back to the content before, under a new version.")),
    (
      "notify",
      entry(
        "notify",
        "New notifications arrive in every inbox.",
        [.optional("count", .count(1...10_000), default: 1, "How many arrive in each.")]
      )
    ),
    ("invalidate", entry("invalidate", "Every client's cache is invalidated.")),
    ("switch-user", entry("switch-user", "The next user signs in on every app instance.")),
    ("flush", entry("flush", "Every client flushes its exposures.")),
    (
      "clock-forward",
      entry(
        "clock-forward",
        "The wall clock of every device jumps forward.",
        [.required("by", .duration, "How far; more than zero.")]
      )
    ),
    (
      "clock-back",
      entry(
        "clock-back",
        "The wall clock of every device jumps back.",
        [.required("by", .duration, "How far; more than zero.")]
      )
    ),
    ("close", entry("close", "Every client is closed.")),
  ]

  /// The keys of all actions, each with whom it belongs to.
  static let timelineOwners: [(key: String, owner: String)] = timelineTables.flatMap { entry in
    entry.table.fields.map { ($0.key, entry.table.name) }
  }

  private static func entry(_ word: String, _ summary: String, _ fields: [Field] = []) -> FieldTable {
    FieldTable(
      name: "an entry \"\(word)\" of the timeline",
      fields: [
        .required("at", .duration, "When, after the start of the run."),
        .required("do", .word([word]), summary),
      ] + fields
    )
  }

  /// An entry whose action is not known: every key of any action.
  static let anyTimelineEntry: FieldTable = {
    var fields: [Field] = [
      .required("at", .duration, "When, after the start of the run."),
      .required("do", .word(timelineTables.map(\.word)), "What happens."),
    ]
    for field in timelineTables.flatMap(\.table.fields)
    where !fields.contains(where: { $0.key == field.key }) {
      fields.append(.optional(field.key, field.shape, default: nil, field.summary))
    }
    return FieldTable(name: "an entry of the timeline", fields: fields)
  }()
}
