/// Foreign text in messages: quoted, with everything escaped that a terminal could take for a command, and
/// short.
enum Shown {
  /// The most characters of a foreign text that a message shows.
  static let longest = 60

  /// Returns the text in double quotes, shortened, on one line.
  static func text(_ text: String) -> String {
    var result = "\""
    for character in text.prefix(longest) {
      // One character may be any number of scalars long: a letter under a thousand accents.
      for scalar in character.unicodeScalars.prefix(8) { result += escaped(scalar) }
    }
    if text.dropFirst(longest).first != nil { result += "…" }
    return result + "\""
  }

  /// Returns the text with everything escaped that a terminal could take for a command, and shortened if
  /// asked.
  static func line(_ text: String, atMost limit: Int = .max) -> String {
    let shown = text.prefix(limit).unicodeScalars.reduce(into: "") { line, scalar in
      line += scalar == "\"" || scalar == "\\" ? String(scalar) : escaped(scalar)
    }
    return text.dropFirst(limit).isEmpty ? shown : shown + "…"
  }

  /// Returns the text as it is if it is short and harmless, else shown as `text(_:)` does.
  static func bare(_ text: String) -> String {
    let shown = self.text(text)
    return shown.dropFirst().dropLast() == text ? text : shown
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      switch scalar.properties.generalCategory {
      // Format characters include those that turn the direction of writing round.
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default:
        return String(scalar)
      }
    }
  }
}
