import ScenarioFormat

/// The paths of all values of a JSON text, as `--set` takes them.
enum Paths {
  static func all(of text: String) -> [String] {
    guard case .success(let root) = JSONParser.parse(Array(text.utf8)).result else { return [] }
    var paths: [String] = []
    collect(root, at: "", into: &paths)
    return paths.filter { !$0.isEmpty }
  }

  /// The paths of the values that are no objects and no arrays.
  static func leaves(of text: String) -> [String] {
    let paths = all(of: text)
    return paths.filter { path in !paths.contains { $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[") } }
  }

  private static func collect(_ value: JSONValue, at path: String, into paths: inout [String]) {
    paths.append(path)
    switch value.content {
    case .object(let members):
      for member in members {
        collect(member.value, at: path.isEmpty ? member.key : "\(path).\(member.key)", into: &paths)
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        collect(element, at: "\(path)[\(index)]", into: &paths)
      }
    case .null, .bool, .number, .string: break
    }
  }
}

extension Paths {
  /// Returns the text with the value at a path replaced.
  static func replacing(_ path: String, by json: String, in text: String) throws -> String {
    let new = try JSONParser.parse(Array(json.utf8)).result.get()
    return try changing(path, in: text) { _ in new }
  }

  /// Returns the text with a key that does not exist in the object at a path; nil if there is no object with
  /// known keys.
  static func addingUnknownKey(at path: String, in text: String) throws -> String? {
    // Groups and thresholds have free names.
    guard path != "readers", path != "thresholds" else { return nil }
    var isObject = false
    let changed = try changing(path, in: text) { value in
      guard case .object(let members) = value.content else { return value }
      isObject = true
      return JSONValue(.object(members + [JSONMember("zzz", 1)]))
    }
    return isObject ? changed : nil
  }

  private static func changing(
    _ path: String,
    in text: String,
    by change: (JSONValue) -> JSONValue
  ) throws -> String {
    let root = try JSONParser.parse(Array(text.utf8)).result.get()
    return JSONWriter.compact(changing(path, in: root, at: "", by: change))
  }

  private static func changing(
    _ path: String,
    in value: JSONValue,
    at place: String,
    by change: (JSONValue) -> JSONValue
  ) -> JSONValue {
    if place == path { return change(value) }
    switch value.content {
    case .object(let members):
      return JSONValue(
        .object(
          members.map { member in
            let inner = place.isEmpty ? member.key : "\(place).\(member.key)"
            return JSONMember(member.key, changing(path, in: member.value, at: inner, by: change))
          }
        )
      )
    case .array(let elements):
      return JSONValue(
        .array(
          elements.enumerated().map {
            changing(path, in: $0.element, at: "\(place)[\($0.offset)]", by: change)
          }
        )
      )
    case .null, .bool, .number, .string: return value
    }
  }
}
