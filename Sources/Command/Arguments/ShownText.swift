/// Foreign words on a terminal: arguments and paths may hold what a terminal takes for a command.
enum ShownText {
  /// The most characters of a foreign word that a message shows.
  private static let longest = 120

  /// Returns the text on one line, with control characters escaped, shortened if it is very long.
  static func line(_ text: String) -> String {
    let shown = whole(text)
    return shown.count > longest ? shown.prefix(longest) + "…" : shown
  }

  /// Returns the text on one line, with control characters escaped, however long it is.
  static func whole(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Returns the text as ``line(_:)`` does, in double quotes.
  static func quoted(_ text: String) -> String { "\"\(line(text))\"" }
}
