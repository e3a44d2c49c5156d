/// Text put together in paragraphs and lists of definitions, broken to a width.
struct TextPage {
  private let columns: Int
  private var lines: [String] = []

  /// Creates an empty page; below 24 columns is taken as 24.
  init(columns: Int) { self.columns = max(columns, 24) }

  /// The lines, each ending in a line break.
  var text: String { lines.map { $0 + "\n" }.joined() }

  mutating func blank() { lines.append("") }

  mutating func heading(_ title: String) {
    blank()
    lines.append(title)
  }

  mutating func paragraph(_ text: String, indent: Int = 0) {
    let margin = String(repeating: " ", count: indent)
    for line in Self.wrapped(text, columns: columns - indent) { lines.append(margin + line) }
  }

  /// Adds terms with what they mean beside them; where a term leaves no room, the meaning follows below it.
  mutating func definitions(_ entries: [(term: String, meaning: String)]) {
    let widest = entries.map(\.term.count).max() ?? 0
    let column = min(widest + 4, max(columns / 3, 12))
    for entry in entries {
      let meaning = Self.wrapped(entry.meaning, columns: columns - column)
      let margin = String(repeating: " ", count: column)
      let term = "  " + entry.term
      let fits = term.count + 2 <= column
      if fits, let first = meaning.first {
        lines.append(term + String(repeating: " ", count: column - term.count) + first)
      } else {
        lines.append(term)
      }
      lines += meaning.dropFirst(fits ? 1 : 0).map { margin + $0 }
    }
  }

  /// Returns a text broken into lines at its spaces; a word that is wider than a line stays whole.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= columns {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
