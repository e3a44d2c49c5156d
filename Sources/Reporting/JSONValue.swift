// Writing JSON, the same bytes for the same value in every process.
//
// Members keep the order in which they were given. Whole numbers have no fraction, others are the shortest text that
// reads back as the same number, and what is no number is null. A row of a table is a line of the file, so that a
// difference between two files shows the row.

/// A JSON value that is going to be written.
enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])
  /// JSON text that somebody else wrote.
  case verbatim(String)

  struct Member: Sendable {
    let name: String
    let value: JSONValue

    init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  static func integer(_ value: Int64?) -> JSONValue { value.map { JSONValue.integer($0) } ?? .null }
  static func number(_ value: Double?) -> JSONValue { value.map { JSONValue.number($0) } ?? .null }
  static func string(_ value: String?) -> JSONValue { value.map { JSONValue.string($0) } ?? .null }
  static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }

  /// The longest text of an array or object that stands on one line: for members of the file itself what can be read
  /// at a glance, for what lies deeper a row of metrics with room for long tags.
  private static func lineLimit(atDepth depth: Int) -> Int { depth == 0 ? 0 : depth == 1 ? 110 : 480 }

  /// The value as a file: indented by two spaces and with a line break at its end.
  func fileText() -> String {
    var text = ""
    write(into: &text, depth: 0)
    text += "\n"
    return text
  }

  private func write(into text: inout String, depth: Int) {
    let line = compactText()
    guard isContainer, !isNumbersOnly, line.utf8.count > JSONValue.lineLimit(atDepth: depth) else {
      text += line
      return
    }
    let indent = String(repeating: "  ", count: depth + 1)
    switch self {
    case .array(let values):
      text += "["
      for (position, value) in values.enumerated() {
        text += position == 0 ? "\n\(indent)" : ",\n\(indent)"
        value.write(into: &text, depth: depth + 1)
      }
      text += "\n\(indent.dropLast(2))]"
    case .object(let members):
      text += "{"
      for (position, member) in members.enumerated() {
        text += position == 0 ? "\n\(indent)" : ",\n\(indent)"
        text += JSONValue.quoted(member.name) + ": "
        member.value.write(into: &text, depth: depth + 1)
      }
      text += "\n\(indent.dropLast(2))}"
    case .null, .bool, .integer, .number, .string, .verbatim:
      text += line
    }
  }

  /// Whether the value is an array or object with something in it.
  private var isContainer: Bool {
    switch self {
    case .array(let values): !values.isEmpty
    case .object(let members): !members.isEmpty
    case .null, .bool, .integer, .number, .string, .verbatim: false
    }
  }

  /// Whether the value is a list of numbers, which stays on one line however long it is.
  private var isNumbersOnly: Bool {
    guard case .array(let values) = self else { return false }
    return values.allSatisfy {
      switch $0 {
      case .integer, .number, .null: true
      case .bool, .string, .array, .object, .verbatim: false
      }
    }
  }

  /// The value on one line.
  func compactText() -> String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): JSONValue.text(of: value)
    case .string(let value): JSONValue.quoted(value)
    case .array(let values): "[" + values.map { $0.compactText() }.joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { JSONValue.quoted($0.name) + ": " + $0.value.compactText() }.joined(separator: ", ")
        + "}"
    case .verbatim(let text): text
    }
  }

  /// Returns the shortest text that reads back as the same number; `null` for what is no number.
  static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    // Beyond 2⁵³ a whole number's digits would claim a precision that it has not.
    if number == number.rounded(), number.magnitude <= 9_007_199_254_740_992 { return String(Int64(number)) }
    return number.description
  }

  /// Returns a text in quotes, with everything escaped that JSON, a terminal or a script element would take amiss.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
