// The app instances and their clients: the kind of client says which keys there are, and what is left out.

extension FieldTable {
  /// The kinds of client with the keys of their instances.
  static let clientTables: [(kind: ClientSpec.Kind, table: FieldTable)] = ClientSpec.Kind.allCases.map {
    kind in
    let fields =
      switch kind {
      case .featureControl: featureControlFields
      case .flags: flagsFields
      }
    return (
      kind,
      FieldTable(
        name: kind.words,
        fields: [.required("kind", .word([kind.rawValue]), "The client under test."), instances] + fields
      )
    )
  }

  /// The keys of all kinds, each with whom it belongs to.
  static let clientOwners = KeyOwners(clientTables.map(\.table))

  /// A client whose kind is not known: every key of any kind.
  static let anyClient: FieldTable = {
    var fields: [Field] = [
      .required("kind", .word(ClientSpec.Kind.allCases.map(\.rawValue)), "The client under test.")
    ]
    for field in clientTables.flatMap(\.table.fields) where !fields.contains(where: { $0.key == field.key }) {
      fields.append(field.anywhere)
    }
    return FieldTable(name: "\"client\"", fields: fields)
  }()

  private static let instances = Field.optional(
    "instances",
    .count(1...Bounds.readers),
    default: 1,
    """
    How many app instances, each with a client of its own, share the readers: 1 is one process, as many as readers \
    is a fleet of devices.
    """
  )

  private static let featureControlFields: [Field] = [
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
    .optional(
      "auth",
      .anyOf([.word(["header"]), .object(.auth)]),
      default: "header",
      "How requests are authorized: by a fixed header, or by a bearer token that the app is asked for."
    ),
  ]

  private static let flagsFields: [Field] = [
    .optional(
      "subjects",
      .population,
      default: "shared",
      """
      The users that sign in: one, as many as readers, or so many. Instance i starts with user i modulo their \
      number; both are counted from 0.
      """
    ),
    .optional("requestTimeout", .duration, default: "10s", "How long a request may take."),
    .required(
      "keys",
      .list(of: .text(pattern: nil), atLeast: 1, isUnique: true),
      "The flag keys that readers read."
    ),
    .optional("platform", .text(pattern: nil), default: "ios", "The platform of the context."),
    .optional("appVersion", .text(pattern: nil), default: "3.2.1", "The app's version in the context."),
    .optional("language", .text(pattern: nil), default: "en", "The language of the context."),
    .optional(
      "signedIn",
      .boolean,
      default: true,
      "Whether each instance starts with its user signed in; otherwise it starts as the install."
    ),
    .optional(
      "consent",
      .boolean,
      default: true,
      "Whether analytics and personalization are allowed, and pb.analytics is used, from the launch on."
    ),
    .optional(
      "realtime",
      .boolean,
      default: true,
      "Whether there is a socket for notices; without one only a refresh brings values up to date."
    ),
    .optional(
      "launchWithin",
      .duration,
      default: "0s",
      "Each instance is launched at an instant of its own within so long; readers begin when all have been launched."
    ),
  ]

  /// Authorization by a token.
  static let auth = FieldTable(
    name: "an authorization",
    fields: [.required("bearer", .object(.bearer), "A bearer token, asked for before each request.")]
  )

  /// The app's own closure that gives the token.
  static let bearer = FieldTable(
    name: "\"bearer\"",
    fields: [
      .optional("latency", .latency, default: "0ms", "How long the app takes to give a token."),
      .optional(
        "lifetime", .duration, default: nil, "How long a token lasts, more than zero; left out, for ever."),
    ]
  )
}
