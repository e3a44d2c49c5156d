import Foundation

/// Checks a JSON value against as much of JSON Schema 2020-12 as the schemas here use; a keyword that it does not
/// know is a problem too, so that nothing in a schema goes unchecked.
struct SchemaValidator {
  private let root: [String: Any]

  init(schema text: String) throws {
    root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// Returns what is wrong with a JSON text, each with its place.
  func problems(of text: String) throws -> [String] {
    problems(try JSONSerialization.jsonObject(with: Data(text.utf8)), root, "$")
  }

  private func problems(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    schema.keys.sorted().flatMap { keyword -> [String] in
      guard let rule = schema[keyword] else { return [] }
      switch keyword {
      case "$schema", "$defs", "title", "description": return []
      case "$ref":
        let name = (rule as? String)?.split(separator: "/").last.map(String.init) ?? ""
        guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
          return ["\(path): no $defs/\(name)"]
        }
        return problems(value, target, path)
      case "type":
        let types = rule as? [String] ?? [rule as? String ?? "?"]
        return types.contains { isOfType(value, $0) }
          ? [] : ["\(path): is not \(types.joined(separator: " or "))"]
      case "const": return isEqual(value, rule) ? [] : ["\(path): is not \(rule)"]
      case "enum":
        let values = rule as? [Any] ?? []
        return values.contains { isEqual(value, $0) } ? [] : ["\(path): \(value) is none of \(values)"]
      case "minimum":
        return number(value).map { $0 >= number(rule) ?? 0 } ?? true ? [] : ["\(path): too small"]
      case "maximum":
        return number(value).map { $0 <= number(rule) ?? 0 } ?? true ? [] : ["\(path): too great"]
      case "pattern":
        guard let text = value as? String else { return [] }
        guard let pattern = rule as? String, let expression = try? Regex(pattern) else {
          return ["\(path): bad rule"]
        }
        return text.firstMatch(of: expression) != nil
          ? [] : ["\(path): \"\(text)\" does not match \(pattern)"]
      case "required":
        guard let members = value as? [String: Any] else { return [] }
        return (rule as? [String] ?? []).filter { members[$0] == nil }.map { "\(path): lacks \($0)" }
      case "properties":
        guard let members = value as? [String: Any], let rules = rule as? [String: [String: Any]] else {
          return []
        }
        return members.keys.sorted().flatMap { name in
          rules[name].map { problems(members[name] as Any, $0, "\(path).\(name)") } ?? []
        }
      case "additionalProperties":
        guard let members = value as? [String: Any] else { return [] }
        let known = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
        let others = members.keys.filter { !known.contains($0) }.sorted()
        guard let rule = rule as? [String: Any] else { return others.map { "\(path): \($0) is not allowed" } }
        return others.flatMap { problems(members[$0] as Any, rule, "\(path).\($0)") }
      case "items":
        guard let elements = value as? [Any], let rule = rule as? [String: Any] else { return [] }
        return elements.enumerated().flatMap { problems($0.element, rule, "\(path)[\($0.offset)]") }
      default: return ["\(path): the validator does not know \(keyword)"]
      }
    }
  }

  private func isOfType(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "number": number(value) != nil
    case "integer": number(value).map { $0 == $0.rounded() } ?? false
    default: false
    }
  }

  private func number(_ value: Any) -> Double? { (value as? NSNumber)?.doubleValue }

  private func isEqual(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? String { return left == right as? String }
    return number(left) != nil && number(left) == number(right)
  }
}
