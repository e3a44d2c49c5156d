// The tables of this folder are the format: the decoder knows the keys, defaults and bounds that stand here,
// the JSON Schema is printed from them, and `--set` walks along them. What is not in a table does not exist.

/// One key of an object of a scenario file.
struct Field: Sendable {
  /// The key.
  let key: String
  /// What it says, one or two sentences for the JSON Schema.
  let summary: String
  /// What values it takes.
  let shape: Shape
  /// The value that stands for an absent one; nil if there is none.
  let defaultValue: JSONValue?
  /// Whether it must be there.
  let isRequired: Bool
  /// The kind of client whose scenarios may have it; nil for every kind.
  var client: ClientSpec.Kind?

  /// Creates a field that must be there.
  static func required(_ key: String, _ shape: Shape, _ summary: String) -> Field {
    Field(key: key, summary: summary, shape: shape, defaultValue: nil, isRequired: true)
  }

  /// Creates a field that may be left out.
  static func optional(_ key: String, _ shape: Shape, default value: JSONValue?, _ summary: String) -> Field {
    Field(key: key, summary: summary, shape: shape, defaultValue: value, isRequired: false)
  }

  /// Returns the same field for scenarios of one kind of client only.
  func only(_ client: ClientSpec.Kind) -> Field {
    var field = self
    field.client = client
    return field
  }

  /// Returns whether scenarios of a kind of client, or of one that is not known if nil, may have the key.
  func isFor(_ kind: ClientSpec.Kind?) -> Bool { kind == nil || client == nil || client == kind }

  /// Returns the same field, but one that may be left out and that every kind of client may have: one of a table for
  /// objects of which is not known what they are.
  var anywhere: Field { .optional(key, shape, default: defaultValue, summary) }
}

/// The keys of one kind of object.
struct FieldTable: Sendable {
  /// What the object is, in words for messages, with its article.
  let name: String
  /// The keys, in the order in which they are documented and written.
  let fields: [Field]
  /// The kind of client whose scenarios may have the object; nil for every kind.
  var client: ClientSpec.Kind?

  /// Returns whether scenarios of a kind of client, or of one that is not known if nil, may have the object.
  func isFor(_ kind: ClientSpec.Kind?) -> Bool { kind == nil || client == nil || client == kind }

  /// Returns the field of a key.
  ///
  /// - Complexity: O(n) in the number of fields.
  func field(_ key: String) -> Field? { fields.first { $0.key == key } }
}

/// What values a field takes.
indirect enum Shape: Sendable {
  /// A string that is not empty and, if there is one, matches the pattern.
  case text(pattern: String?)
  /// One of these strings.
  case word([String])
  /// `true` or `false`.
  case boolean
  /// `true`; what is not meant is left out.
  case onlyTrue
  /// A whole number within the bounds.
  case count(ClosedRange<Int64>)
  /// A number from 0, or from above 0, to the bound, with at most so many decimals.
  case ratio(decimals: Int, upTo: Int64, isPositive: Bool)
  /// A duration such as `"250ms"`.
  case duration
  /// One of the four forms of a latency.
  case latency
  /// `"shared"`, `"per-reader"` or a number.
  case population
  /// `true`, `false`, a number or a string, which may be empty.
  case scalar
  /// A step of a reader's iteration: a bare word or an object.
  case step
  /// A fault, whose effect tells which keys it has.
  case fault
  /// A list with at least so many elements.
  case list(of: Shape, atLeast: Int, isUnique: Bool)
  /// An object with known keys.
  case object(FieldTable)
  /// An object with free keys that match the pattern; `--set` may add keys to an open one.
  case map(keyPattern: String, of: Shape, atLeast: Int, isOpen: Bool)
  /// Any of these.
  case anyOf([Shape])

  /// A value, or a list of several different ones.
  static func oneOrMany(_ shape: Shape) -> Shape {
    .anyOf([shape, .list(of: shape, atLeast: 1, isUnique: true)])
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  /// Creates a string.
  package init(stringLiteral value: String) { self.init(.string(value)) }
  /// Creates a whole number.
  package init(integerLiteral value: Int64) { self.init(.number(String(value))) }
  /// Creates a boolean.
  package init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates an array.
  package init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
  /// Creates an object with its members in the order of the literal.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(.object(elements.map { JSONMember($0.0, $0.1) }))
  }
}
