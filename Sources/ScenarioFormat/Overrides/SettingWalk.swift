import Metrics

// `--set` walks down the JSON tree and the tables of fields together: the tree says what is there, the tables
// what could be. Only a field that a table knows may be added; anything else that is not there is a mistyped
// path.

/// One assignment on its way down.
struct SettingWalk {
  /// Why an assignment matches nothing.
  struct Miss: Error {
    var message: String
    var suggestion: String
  }

  let components: [SettingPath.Component]
  let newValue: JSONValue
  /// The kind of client, whose keys are those that are meant; nil if it is not known.
  let kind: ClientSpec.Kind?

  /// Assigns the new value in the tree of a whole scenario.
  ///
  /// - Parameter root: The tree; unchanged when the walk throws.
  /// - Throws: Why the path leads nowhere, with the nearest one that leads on.
  func apply(to root: inout JSONValue) throws(Miss) {
    try assign(from: 0, in: &root, shape: .object(.scenario))
  }

  private func assign(from depth: Int, in value: inout JSONValue, shape: Shape?) throws(Miss) {
    guard depth < components.count else {
      value = newValue
      return
    }
    switch components[depth] {
    case .key(let key): try assign(key: key, depth: depth, in: &value, shape: shape)
    case .index(let index): try assign(index: index, depth: depth, in: &value, shape: shape)
    }
  }

  private func assign(key: String, depth: Int, in value: inout JSONValue, shape: Shape?) throws(Miss) {
    guard case .object(var members) = value.content else {
      throw noSuchPlace(at: depth, "is \(value.kindName), not an object")
    }
    let table = shape?.table(for: value)
    if let index = members.firstIndex(where: { $0.key == key }) {
      try assign(from: depth + 1, in: &members[index].value, shape: shape?.child(key, of: table))
    } else if shape?.mayAdd(key, to: table) == true {
      var added = table?.field(key)?.defaultValue ?? JSONValue(.object([]))
      added.origin = newValue.origin
      try assign(from: depth + 1, in: &added, shape: shape?.child(key, of: table))
      members.append(JSONMember(key, added, keyOrigin: newValue.origin))
    } else {
      let possible = (table?.fields ?? []).filter { $0.isFor(kind) }
      let known =
        members.map(\.key)
        + possible.map(\.key).filter { key in
          !members.contains { $0.key == key }
        }
      throw noSuchKey(key, at: depth, known: known)
    }
    value.content = .object(members)
  }

  private func assign(index: Int, depth: Int, in value: inout JSONValue, shape: Shape?) throws(Miss) {
    guard case .array(var elements) = value.content else {
      throw noSuchPlace(at: depth, "is \(value.kindName), not an array")
    }
    guard index < elements.count else {
      let count =
        elements.isEmpty ? "no elements" : elements.count == 1 ? "one element" : "\(elements.count) elements"
      throw noSuchPlace(at: depth, "has \(count), counted from [0]")
    }
    try assign(from: depth + 1, in: &elements[index], shape: shape?.element)
    value.content = .array(elements)
  }

  private func noSuchPlace(at depth: Int, _ why: String) -> Miss {
    let place = SettingPath.text(of: components[..<depth])
    return Miss(
      message: "there is no \(Shown.line(SettingPath.text(of: components)))",
      suggestion: place.isEmpty ? "the scenario \(why)" : "\(Shown.line(place)) \(why)"
    )
  }

  private func noSuchKey(_ key: String, at depth: Int, known: [String]) -> Miss {
    let message = "there is no \(Shown.line(SettingPath.text(of: components)))"
    guard let nearest = Spelling.nearest(to: key, among: known) else {
      let place = SettingPath.text(of: components[..<depth])
      return Miss(
        message: message,
        suggestion:
          "\(place.isEmpty ? "the scenario" : Shown.line(place)) has \(Suggestion.list(known))"
      )
    }
    var corrected = components
    corrected[depth] = .key(nearest)
    return Miss(message: message, suggestion: "did you mean \(Shown.line(SettingPath.text(of: corrected)))?")
  }
}

extension Shape {
  /// Returns the table of an object of this shape.
  ///
  /// - Parameter value: The object, whose words tell which of several tables is its own.
  /// - Returns: The table; nil if there is none or no telling which.
  fileprivate func table(for value: JSONValue) -> FieldTable? {
    switch self {
    case .object(let table): return table
    case .fault: return FieldTable.fault(for: value)
    case .step: return Shape.anyOf(FieldTable.stepTables.map { .object($0.table) }).table(for: value)
    case .anyOf(let shapes):
      for case .object(let table) in shapes {
        for field in table.fields {
          if case .word(let words) = field.shape, words.count == 1, value.says(words[0], under: field.key) {
            return table
          }
        }
      }
      // A list's element that is an object of the only kind there is.
      let tables = shapes.compactMap { shape in if case .object(let table) = shape { table } else { nil } }
      return tables.count == 1 ? tables[0] : nil
    default: return nil
    }
  }

  /// Returns the shape below a key.
  fileprivate func child(_ key: String, of table: FieldTable?) -> Shape? {
    if case .map(_, let shape, _, _) = self { return shape }
    return table?.field(key)?.shape
  }

  /// Returns whether a key that is not there may be added.
  fileprivate func mayAdd(_ key: String, to table: FieldTable?) -> Bool {
    if case .map(_, _, _, let isOpen) = self { return isOpen }
    return table?.field(key) != nil
  }

  /// The shape of a list's elements.
  fileprivate var element: Shape? {
    if case .list(let shape, _, _) = self { shape } else { nil }
  }
}
