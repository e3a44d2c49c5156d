import ScenarioFormat

/// As much of JSON Schema as the scenario schema uses; a keyword it does not know makes everything invalid.
struct SchemaValidator {
  let root: JSONValue
  private let patterns = Patterns()

  init(root: JSONValue) { self.root = root }

  /// The patterns met so far: compiling one takes far longer than matching it.
  private final class Patterns {
    var compiled: [String: Regex<AnyRegexOutput>] = [:]
  }

  func accepts(_ value: JSONValue) -> Bool { accepts(value, root) }

  private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    if schema.content == .bool(false) { return false }
    guard case .object(let keywords) = schema.content else { return true }
    return keywords.allSatisfy { satisfies(value, $0.key, $0.value, in: schema) }
  }

  private func satisfies(_ value: JSONValue, _ keyword: String, _ argument: JSONValue, in schema: JSONValue)
    -> Bool
  {
    switch (keyword, argument.content) {
    case ("$schema", _), ("title", _), ("description", _), ("default", _), ("$defs", _): true
    case ("$ref", .string(let reference)): definition(reference).map { accepts(value, $0) } ?? false
    case ("type", .string(let type)): isOf(type, value)
    case ("enum", .array(let values)): values.contains { $0.content == value.content }
    case ("anyOf", .array(let schemas)): schemas.contains { accepts(value, $0) }
    case ("pattern", .string(let pattern)): matches(value, pattern)
    case ("minimum", .number(let bound)): compare(value, bound) { $0 >= $1 }
    case ("exclusiveMinimum", .number(let bound)): compare(value, bound) { $0 > $1 }
    case ("maximum", .number(let bound)): compare(value, bound) { $0 <= $1 }
    case ("items", _): value.elements.allSatisfy { accepts($0, argument) }
    case ("minItems", .number(let bound)): value.elements.count >= Int(bound) ?? .max
    case ("maxItems", .number(let bound)): value.elements.count <= Int(bound) ?? -1
    case ("uniqueItems", _): areUnique(value.elements)
    case ("properties", _): value.members.allSatisfy { accepts($0.value, argument[$0.key] ?? [:]) }
    case ("required", .array(let keys)):
      keys.allSatisfy { key in value.members.contains { .string($0.key) == key.content } }
    case ("additionalProperties", _):
      value.members.allSatisfy { schema["properties"]?[$0.key] != nil || accepts($0.value, argument) }
    case ("propertyNames", _): value.members.allSatisfy { accepts(JSONValue(.string($0.key)), argument) }
    case ("maxProperties", .number(let bound)): value.members.count <= Int(bound) ?? -1
    case ("minProperties", .number(let bound)): value.members.count >= Int(bound) ?? .max
    default: false
    }
  }

  private func definition(_ reference: String) -> JSONValue? {
    root["$defs"]?[String(reference.dropFirst("#/$defs/".count))]
  }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value.content) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool): true
    case ("number", .number): true
    case ("integer", .number(let number)): Double(number).map { $0 == $0.rounded() } ?? false
    default: false
    }
  }

  private func matches(_ value: JSONValue, _ pattern: String) -> Bool {
    guard case .string(let text) = value.content,
      let regex = patterns.compiled[pattern] ?? (try? Regex(pattern))
    else { return false }
    patterns.compiled[pattern] = regex
    return text.firstMatch(of: regex) != nil
  }

  private func compare(_ value: JSONValue, _ bound: String, _ holds: (Double, Double) -> Bool) -> Bool {
    guard case .number(let number) = value.content, let left = Double(number), let right = Double(bound)
    else {
      return false
    }
    return holds(left, right)
  }

  private func areUnique(_ elements: [JSONValue]) -> Bool {
    elements.indices.allSatisfy { index in
      !elements[..<index].contains { $0.content == elements[index].content }
    }
  }
}

extension JSONValue {
  /// The members of an object, none of anything else.
  var members: [JSONMember] { if case .object(let members) = content { members } else { [] } }
  /// The elements of an array, none of anything else.
  var elements: [JSONValue] { if case .array(let elements) = content { elements } else { [] } }
  /// The value of a key of an object.
  subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }

  /// All values anywhere below that stand under a key.
  func everything(under key: String) -> [JSONValue] {
    members.flatMap { ($0.key == key ? [$0.value] : []) + $0.value.everything(under: key) }
      + elements.flatMap { $0.everything(under: key) }
  }
}
