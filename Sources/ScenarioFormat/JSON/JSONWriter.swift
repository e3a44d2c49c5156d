/// Writes JSON so that equal values give equal bytes: members in their order, numbers in their own text.
package enum JSONWriter {
  /// Returns the value on one line, without spaces.
  ///
  /// - Complexity: O(n) in the size of the value.
  package static func compact(_ value: JSONValue) -> String {
    var text = ""
    write(value, to: &text, indent: nil)
    return text
  }

  /// Returns the value on as many lines as it has parts, indented by two spaces.
  ///
  /// - Complexity: O(n) in the size of the value.
  package static func pretty(_ value: JSONValue) -> String {
    var text = ""
    write(value, to: &text, indent: 0)
    return text + "\n"
  }

  private static func write(_ value: JSONValue, to text: inout String, indent: Int?) {
    switch value.content {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): writeString(string, to: &text)
    case .array(let elements):
      writeList(elements, in: ("[", "]"), to: &text, indent: indent) { element, text, indent in
        write(element, to: &text, indent: indent)
      }
    case .object(let members):
      writeList(members, in: ("{", "}"), to: &text, indent: indent) { member, text, indent in
        writeString(member.key, to: &text)
        text += indent == nil ? ":" : ": "
        write(member.value, to: &text, indent: indent)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element],
    in brackets: (opening: String, closing: String),
    to text: inout String,
    indent: Int?,
    writeElement: (Element, inout String, Int?) -> Void
  ) {
    text += brackets.opening
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: " ", count: indent + 2) }
      writeElement(element, &text, indent.map { $0 + 2 })
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
    text += brackets.closing
  }

  private static func writeString(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
