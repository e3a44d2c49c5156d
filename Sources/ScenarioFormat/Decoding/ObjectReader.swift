import Metrics

/// An object of the file next to the table of its keys.
struct ObjectReader {
  let object: LocatedValue
  let members: [JSONMember]
  let table: FieldTable

  /// Returns whether the file itself has the key.
  func has(_ key: String) -> Bool { members.contains { $0.key == key } }

  /// Returns the value of a key, else its default; nil if there is neither.
  ///
  /// - Complexity: O(n) in the numbers of members and of fields.
  func value(_ key: String) -> LocatedValue? {
    let path = ValuePath.appending(key: key, to: object.path)
    if let member = members.first(where: { $0.key == key }) {
      return LocatedValue(json: member.value, path: path)
    }
    return field(key).defaultValue.map { LocatedValue(json: $0, path: path) }
  }

  /// Returns the field of a key; asking for one that the table lacks is a bug of the decoder.
  func field(_ key: String) -> Field {
    guard let field = table.field(key) else { fatalError("\(table.name) has no field \"\(key)\"") }
    return field
  }
}

extension ScenarioDecoder {
  /// Opens an object: whatever key is unknown or missing is reported here, once, whoever reads it.
  ///
  /// - Parameters:
  ///   - value: What should be an object.
  ///   - table: The keys it may have.
  ///   - foreign: Keys of its siblings, each with whom it belongs to.
  /// - Returns: The object without the keys of the other kind of client, or nil if it is none.
  mutating func open(
    _ value: LocatedValue,
    as table: FieldTable,
    foreign: [KeyOwner] = []
  ) -> ObjectReader? {
    guard case .object(let members) = value.json.content else {
      log.report("\(table.name) is an object, not \(value.json.kindName)", at: value)
      return nil
    }
    var meant: Set<String> = []
    for member in members where table.field(member.key) == nil {
      if let field = reportUnknown(member, in: value, table: table, foreign: foreign) { meant.insert(field) }
    }
    // A required key that is misspelt is one mistake, not two.
    let there = meant.union(members.map(\.key))
    for field in table.fields where field.isRequired && !there.contains(field.key) {
      log.report(
        "required, but missing",
        at: value.json.origin,
        path: ValuePath.appending(key: field.key, to: value.path),
        suggestion: field.remedy
      )
    }
    let own = members.filter { !reportOther($0, in: value, table: table) }
    return ObjectReader(object: value, members: own, table: table)
  }

  /// Reports a key that only the other kind of client has.
  ///
  /// - Returns: Whether it is one.
  private mutating func reportOther(
    _ member: JSONMember, in value: LocatedValue, table: FieldTable
  ) -> Bool {
    guard let kind, let field = table.field(member.key), !field.isFor(kind), let owner = field.client else {
      return false
    }
    log.report(
      "unknown key for \(kind.words)",
      at: member.keyOrigin,
      path: ValuePath.appending(key: member.key, to: value.path),
      suggestion: "it belongs to \(owner.words)"
    )
    return true
  }

  /// Reports a key that the table lacks.
  ///
  /// - Returns: The key that was probably meant; nil if there is no telling, or too much to tell.
  private mutating func reportUnknown(
    _ member: JSONMember,
    in value: LocatedValue,
    table: FieldTable,
    foreign: [KeyOwner]
  ) -> String? {
    let path = ValuePath.appending(key: member.key, to: value.path)
    if let owner = foreign.first(where: { $0.key == member.key })?.owner {
      log.report(
        "unknown key for \(table.name)",
        at: member.keyOrigin,
        path: path,
        suggestion: "it belongs to \(owner)"
      )
      return nil
    }
    // Looking for the nearest key takes its time, and nobody reads it for what is only counted.
    let keys = table.fields.map(\.key)
    let nearest = log.isFull ? nil : Spelling.nearest(to: member.key, among: keys)
    log.report(
      "unknown key",
      at: member.keyOrigin,
      path: path,
      suggestion: nearest.map { "did you mean \"\($0)\"?" } ?? "keys: \(Suggestion.list(keys))"
    )
    return nearest
  }
}

extension Field {
  /// What to write where the field is missing.
  fileprivate var remedy: String {
    switch shape {
    case .word(let words): "write \(words.map { "\"\(key)\": \"\($0)\"" }.joined(separator: " or "))"
    case .text: "write \"\(key)\": \"…\""
    case .boolean, .onlyTrue: "write \"\(key)\": true"
    case .count: "write \"\(key)\": 10"
    case .duration, .latency: "write \"\(key)\": \"10s\""
    case .ratio: "write \"\(key)\": 0.5"
    case .list: "write \"\(key)\": […]"
    case .object, .map: "write \"\(key)\": {…}"
    case .population, .scalar, .step, .fault, .anyOf: "write \"\(key)\": …"
    }
  }
}
