// The JSON Schema of scenario files, printed from the tables that the decoder reads by. It says less than the
// decoder knows: what depends on two values at once (a latency's order, a step's keys among the client's, a step or
// a fault of the other kind of client) is beyond it.

/// The JSON Schema that `simulate schema` prints.
public enum ScenarioSchema {
  /// The schema as JSON text, in the dialect 2020-12, ending in a line break.
  ///
  /// - Complexity: O(n) in the size of the schema; it is built once.
  public static let text = JSONWriter.pretty(document)

  private static let document: JSONValue = {
    guard case .object(var members) = schema(of: FieldTable.scenario).content else { return [:] }
    members.insert(JSONMember("$schema", "https://json-schema.org/draft/2020-12/schema"), at: 0)
    members.insert(JSONMember("title", "Stampede scenario"), at: 1)
    members.append(
      JSONMember(
        "$defs",
        [
          "duration": durationSchema, "latency": latencySchema, "population": populationSchema,
          "step": stepSchema, "fault": faultSchema,
        ]
      )
    )
    return JSONValue(.object(members))
  }()

  private static let durationSchema: JSONValue = [
    "type": "string", "pattern": .init(.string(DurationText.pattern)),
    "description": "A number with one of the units ns us ms s m h d, such as 250ms or 1.5s.",
  ]

  private static let latencySchema: JSONValue = [
    "description":
      "A fixed latency, one between two bounds, a lognormal one, or one around the client's edges.",
    "anyOf": JSONValue(
      .array([schema(of: Shape.duration)] + FieldTable.latencies.map { schema(of: $0) })
    ),
  ]

  private static let populationSchema: JSONValue = [
    "anyOf": [["enum": ["shared", "per-reader"]], schema(of: Shape.count(1...Bounds.readers))]
  ]

  private static let stepSchema: JSONValue = [
    "description": "What a reader does: a word, or an object with the word and its keys.",
    "anyOf": JSONValue(
      .array(
        [schema(of: Shape.word(FieldTable.bareSteps))] + FieldTable.stepTables.map { schema(of: $0.table) }
      )
    ),
  ]

  private static let faultSchema: JSONValue = [
    "description": "Something that goes wrong on purpose: whom it strikes, when, and exactly one effect.",
    "anyOf": JSONValue(.array(FieldTable.faultTables.map { schema(of: $0.table) })),
  ]

  private static func schema(of table: FieldTable) -> JSONValue {
    let required = table.fields.filter(\.isRequired).map { JSONValue(.string($0.key)) }
    var members: [JSONMember] = [
      JSONMember("type", "object"),
      JSONMember("properties", JSONValue(.object(table.fields.map { JSONMember($0.key, schema(of: $0)) }))),
    ]
    if !required.isEmpty { members.append(JSONMember("required", JSONValue(.array(required)))) }
    members.append(JSONMember("additionalProperties", false))
    return JSONValue(.object(members))
  }

  private static func schema(of field: Field) -> JSONValue {
    guard case .object(var members) = schema(of: field.shape).content else { return true }
    members.insert(JSONMember("description", JSONValue(.string(field.summary))), at: 0)
    if let value = field.defaultValue { members.append(JSONMember("default", value)) }
    return JSONValue(.object(members))
  }

  private static func schema(of shape: Shape) -> JSONValue {
    switch shape {
    case .text(let pattern):
      ["type": "string", "pattern": JSONValue(.string(pattern ?? "\\S"))]
    case .word(let words): ["enum": JSONValue(.array(words.map { JSONValue(.string($0)) }))]
    case .boolean: ["type": "boolean"]
    case .onlyTrue: ["enum": [true]]
    case .count(let bounds):
      [
        "type": "integer", "minimum": JSONValue(integerLiteral: bounds.lowerBound),
        "maximum": JSONValue(integerLiteral: bounds.upperBound),
      ]
    case .ratio(_, let limit, let isPositive): ratioSchema(upTo: limit, isPositive: isPositive)
    case .duration: ["$ref": "#/$defs/duration"]
    case .latency: ["$ref": "#/$defs/latency"]
    case .population: ["$ref": "#/$defs/population"]
    case .scalar: ["anyOf": [["type": "boolean"], ["type": "number"], ["type": "string"]]]
    case .step: ["$ref": "#/$defs/step"]
    case .fault: ["$ref": "#/$defs/fault"]
    case .list(let element, let least, let isUnique): listSchema(element, least, isUnique)
    case .object(let table): schema(of: table)
    case .map(let pattern, let element, let least, _): mapSchema(pattern, element, least)
    case .anyOf(let shapes): ["anyOf": JSONValue(.array(shapes.map { schema(of: $0) }))]
    }
  }

  // How many decimals there may be is left to the decoder: validators disagree on multiples of 0.001.
  private static func ratioSchema(upTo limit: Int64, isPositive: Bool) -> JSONValue {
    let bound = JSONMember(isPositive ? "exclusiveMinimum" : "minimum", 0)
    return JSONValue(
      .object([JSONMember("type", "number"), bound, JSONMember("maximum", JSONValue(integerLiteral: limit))])
    )
  }

  private static func listSchema(_ element: Shape, _ least: Int, _ isUnique: Bool) -> JSONValue {
    var members = [JSONMember("type", "array"), JSONMember("items", schema(of: element))]
    if least > 0 { members.append(JSONMember("minItems", JSONValue(integerLiteral: Int64(least)))) }
    members.append(JSONMember("maxItems", JSONValue(integerLiteral: Int64(Bounds.elements))))
    if isUnique { members.append(JSONMember("uniqueItems", true)) }
    return JSONValue(.object(members))
  }

  private static func mapSchema(_ keyPattern: String, _ element: Shape, _ least: Int) -> JSONValue {
    var members = [
      JSONMember("type", "object"),
      JSONMember("propertyNames", ["pattern": JSONValue(.string(keyPattern))]),
      JSONMember("additionalProperties", schema(of: element)),
    ]
    if least > 0 { members.append(JSONMember("minProperties", JSONValue(integerLiteral: Int64(least)))) }
    members.append(JSONMember("maxProperties", JSONValue(integerLiteral: Int64(Bounds.elements))))
    return JSONValue(.object(members))
  }
}
