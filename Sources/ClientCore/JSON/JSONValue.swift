/// A JSON value, as flags carry it.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// An object; where a name occurred more than once the last one counts.
  case object([String: JSONValue])

  /// The member of an object; nil for a missing name and for any other value.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The truth value; nil for anything else.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number; nil for anything else.
  public var numberValue: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The text; nil for anything else.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }

  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates an object; of two members of one name the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
