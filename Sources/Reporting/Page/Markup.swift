// HTML and SVG as text. Whatever comes from outside goes through `text` or `attribute`, so no name can become markup.

/// Pieces of HTML.
enum Markup {
  /// Returns a text as it stands between tags, with control characters shown and not obeyed.
  ///
  /// - Complexity: O(n) in its length.
  static func text(_ text: String) -> String {
    var safe = ""
    safe.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\"": safe += "&quot;"
      case "'": safe += "&#39;"
      case "\n", "\t": safe += " "
      default:
        // Controls, and marks that turn the direction of what follows.
        let isHidden =
          scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        safe += isHidden ? "\u{FFFD}" : String(scalar)
      }
    }
    return safe
  }

  /// Returns an element with its content, which is markup.
  static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String) -> String {
    "<\(name)\(list(attributes))>\(content)</\(name)>"
  }

  /// Returns an element without content.
  static func empty(_ name: String, _ attributes: [(String, String)]) -> String {
    "<\(name)\(list(attributes))/>"
  }

  private static func list(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(text($0.1))\"" }.joined()
  }

  /// Returns a coordinate with one decimal.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "0" }
    let tenths = Int64((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}
