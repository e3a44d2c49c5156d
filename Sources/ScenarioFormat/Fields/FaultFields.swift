// Faults: whom they strike, when, and one effect. Each effect is a key of its own and has a table of its own, so that
// the JSON Schema, too, wants exactly one of them.

extension FieldTable {
  /// The effects with the keys of their faults.
  static let faultTables: [(effect: String, table: FieldTable)] = [
    fault(
      .required(
        "status",
        .count(100...599),
        """
        The service answers with this status and does nothing; not with one from 200 to 299: a good answer is \
        spoiled by "body".
        """
      ),
      [
        .optional(
          "retryAfter",
          .anyOf([.duration, .word(retryAfterWords)] + retryAfterTables.map { .object($0) }),
          default: nil,
          "The answer's Retry-After; a bare duration means seconds, rounded up to whole ones."
        ),
        .optional("code", .text(pattern: nil), default: nil, "The code in the answer's body."),
      ]
    ),
    fault(
      .required(
        "lose",
        .word(LostPart.allCases.map(\.rawValue)),
        "The connection breaks before the request has arrived, or before its answer has; the client is told."
      )
    ),
    fault(
      .required(
        "body",
        .word(BodyFault.allCases.map(\.rawValue)),
        """
        How the answer's body is spoiled. What is done to a flag is done to answers to "evaluate", or to "snapshot" \
        and "delta", only, which is then also what "endpoint" is if left out; "missing-flag" is of the client \
        "feature-control" only.
        """
      )
    ),
    fault(.required("hang", .onlyTrue, "A half-open connection, from which nothing ever comes.")),
    fault(.required("latency", .latency, "So much more time before the request arrives.")),
    fault(
      .required(
        "late",
        .latency,
        "The answer comes this long after the request's timeout, on a connection that heeds no cancellation."
      )
    ),
    fault(.required("duplicate", .onlyTrue, "The request reaches the service twice.")),
    fault(.required("reorder", .onlyTrue, "The answer is held back, so that others overtake it.")),
    fault(.required("offline", .onlyTrue, "There is no network, and the client is told at once.")),
    fault(.required("flapping", .object(.flapping), "The network comes and goes.")),
    fault(
      .required(
        "authorization",
        .anyOf([.word(authorizationWords), .object(.slowAuthorization)]),
        "The app has no token, its closure throws, or it takes longer; only where client.auth is a bearer."
      ).only(.featureControl)
    ),
    fault(
      .required(
        "lag",
        .count(1...64),
        """
        How many versions the answering replica lags behind; only where "endpoint" is "evaluate", or is "snapshot" \
        or "delta", which is what it is if left out.
        """
      )
    ),
    fault(
      .required(
        "gone",
        .word(GoneReason.allCases.map(\.rawValue)),
        "A delta is answered 410 for this reason; \"endpoint\" is \"delta\", or left out."
      ).only(.flags)
    ),
    fault(
      .required(
        "notModified",
        .onlyTrue,
        "A snapshot or a delta is answered 304, unasked; \"endpoint\" is one of the two, or left out."
      ).only(.flags)
    ),
    fault(
      .required(
        "realtime",
        .word(RealtimeFault.allCases.map(\.rawValue)),
        """
        The project's socket refuses joins, breaks, or delivers nothing any more; "endpoint" is "realtime", or left out.
        """
      ).only(.flags)
    ),
    fault(
      .required(
        "earlyNotice",
        .latency,
        """
        A notice is delivered so long before what it announces can be read; "endpoint" is "realtime", or left out.
        """
      ).only(.flags)
    ),
    fault(
      .required(
        "disk",
        .anyOf([.word(diskWords), .object(.slowDisk)]),
        """
        The device's storage is full, leaves torn records, cannot be read, or takes longer. This strikes operations of \
        storage instead of requests, so there is no "endpoint".
        """
      ).only(.flags)
    ),
  ]

  /// Returns the words of the effects that there are for a kind of client, or for any if it is not known.
  static func effects(for kind: ClientSpec.Kind?) -> [String] {
    faultTables.filter { $0.table.field($0.effect)?.isFor(kind) ?? false }.map(\.effect)
  }

  /// What a `Retry-After` may be besides a delay.
  static let retryAfterWords = ["garbled", "negative", "past", "huge", "zero"]
  /// What the app's closure may do besides taking longer.
  static let authorizationWords = ["none", "throws"]

  /// What a disk may do besides taking longer.
  static let diskWords = ["full", "torn", "unreadable"]

  /// The keys that are not every fault's, each with whom it belongs to.
  static let faultOwners: [KeyOwner] = faultTables.flatMap { entry in
    entry.table.fields.map { KeyOwner(key: $0.key, owner: "the effect \"\(entry.effect)\"") }
  }

  private static func fault(_ effect: Field, _ siblings: [Field] = []) -> (effect: String, table: FieldTable)
  {
    let name = "a fault with the effect \"\(effect.key)\""
    return (effect.key, FieldTable(name: name, fields: faultFields + [effect] + siblings))
  }

  private static let faultFields: [Field] = [
    .required("name", .text(pattern: "^[a-z0-9-]+$"), "The name, unique in the scenario."),
    .optional("match", .object(.match), default: [:], "Which requests it may strike; all if left out."),
    .optional("from", .duration, default: "0s", "When it begins, after the start of the run."),
    .optional(
      "until",
      .duration,
      default: nil,
      "When it ends, later than \"from\"; left out, it lasts until everything heals."
    ),
    .optional("firstN", .count(1...Bounds.checks), default: nil, "How many requests it strikes at most."),
    .optional(
      "probability",
      .ratio(decimals: 6, upTo: 1, isPositive: false),
      default: 1,
      "How likely it strikes a request that it may strike, from 0 to 1, with at most six decimals."
    ),
  ]

  /// A fault whose effect is not known, or not one: every key of any fault.
  static let anyFault: FieldTable = {
    var fields = faultFields
    for field in faultTables.flatMap(\.table.fields) where !fields.contains(where: { $0.key == field.key }) {
      var optional = Field.optional(field.key, field.shape, default: nil, field.summary)
      // Which effects there are depends on the kind of client, whatever else stands beside them.
      optional.client = field.client
      fields.append(optional)
    }
    return FieldTable(name: "a fault", fields: fields)
  }()

  /// Returns the table of a fault.
  ///
  /// - Complexity: O(n·m) in the numbers of members and of effects.
  /// - Parameter fault: The fault, whose members tell which effect it has.
  /// - Returns: The table of its effect; that of any fault if it has none, or several.
  static func fault(for fault: JSONValue) -> FieldTable {
    let tables = faultTables.filter { fault.member($0.effect) != nil }.map(\.table)
    return tables.count == 1 ? tables[0] : anyFault
  }
}

extension FieldTable {
  /// Which requests a fault may strike.
  static let match = FieldTable(
    name: "\"match\"",
    fields: [
      .optional(
        "endpoint",
        .oneOrMany(.word(RequestEndpoint.allCases.map(\.rawValue))),
        default: nil,
        "The endpoint, or several; all if left out. Each kind of client has its own."
      ),
      .optional(
        "group",
        .oneOrMany(.text(pattern: groupPattern)),
        default: nil,
        """
        The group of readers on whose behalf the request is made, or several; all if left out. Of the client \
        "feature-control" only: requests of the other are made on nobody's behalf.
        """
      ).only(.featureControl),
      .optional(
        "instances",
        .anyOf([.count(0...(Bounds.readers - 1)), .object(.instanceRange)]),
        default: nil,
        "The app instance, counted from 0, or a range of them; all if left out."
      ),
    ]
  )

  /// A range of app instances.
  static let instanceRange = FieldTable(
    name: "a range of instances",
    fields: [
      .required("from", .count(0...(Bounds.readers - 1)), "The first, counted from 0."),
      .required("to", .count(0...(Bounds.readers - 1)), "The last, not before the first."),
    ]
  )

  /// A network that comes and goes.
  static let flapping = FieldTable(
    name: "\"flapping\"",
    fields: [
      .required("up", .duration, "How long it is there; more than zero."),
      .required("down", .duration, "How long it is then gone; more than zero."),
    ]
  )

  /// A closure that takes longer.
  static let slowAuthorization = FieldTable(
    name: "a slow authorization",
    fields: [.required("slow", .latency, "How much longer the app takes to give a token.")]
  )

  /// A disk that takes longer.
  static let slowDisk = FieldTable(
    name: "a slow disk",
    fields: [.required("slow", .latency, "How much longer each operation of storage takes.")]
  )

  /// The forms of a `Retry-After` that say a delay.
  static let retryAfterTables: [FieldTable] = [
    ("seconds", "As seconds, rounded up to whole ones."),
    ("http-date", "As an HTTP-date so long after the answer's own Date."),
    ("bare-date", "As an HTTP-date so long after the service's clock, in an answer without a Date."),
    ("iso-8601", "As an ISO-8601 date so long after the answer's own Date."),
  ].map { key, summary in
    FieldTable(name: "a Retry-After as \"\(key)\"", fields: [.required(key, .duration, summary)])
  }

  /// The keys of those forms, each with whom it belongs to.
  static let retryAfterOwners = KeyOwners(retryAfterTables)
}
