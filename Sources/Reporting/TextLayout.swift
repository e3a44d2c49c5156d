// Laying out text for a terminal: how wide it is, where it may be broken, what must not reach the screen.

/// Text for a terminal of a given width.
enum TextLayout {
  /// Returns how many columns a text takes.
  ///
  /// Wide are the scripts and pictures that terminals give two columns; marks that combine with the letter before
  /// them take none. The finer points of Unicode's annex 11 are not modelled.
  static func width(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Returns a text on one line, with what could steer a terminal replaced: a scenario's words are not trusted.
  static func safe(_ text: String) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: safe += scalar == "\n" || scalar == "\t" ? " " : "\u{FFFD}"
      case .lineSeparator, .paragraphSeparator: safe += " "
      // Marks that reverse the direction of the text around them.
      case .format where scalar != "\u{200D}": safe += "\u{FFFD}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// Returns a text whose spaces are no places to break it; ``SummaryPage`` prints them as plain ones.
  static func unbreakable(_ text: String) -> String {
    String(text.map { $0 == " " ? noBreakSpace : $0 })
  }

  /// Returns a text with plain spaces only.
  static func plain(_ text: String) -> String {
    String(text.map { $0 == noBreakSpace ? " " : $0 })
  }

  private static let noBreakSpace: Character = "\u{A0}"

  /// Returns a text broken into lines at its spaces; a word that is wider than a whole line is cut.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    let columns = max(columns, 1)
    var lines: [String] = []
    var line = ""
    func room() -> Int { columns - width(of: line) - (line.isEmpty ? 0 : 1) }
    for word in text.split(separator: " ") {
      var rest = word
      let isWide = width(of: word) > columns
      if room() < (isWide ? 2 : width(of: word)), !line.isEmpty {
        lines.append(line)
        line = ""
      }
      while width(of: rest) > room() {
        let head = prefix(of: rest, columns: room())
        lines.append(line.isEmpty ? String(head) : "\(line) \(head)")
        line = ""
        rest = rest.dropFirst(head.count)
      }
      if !rest.isEmpty { line += line.isEmpty ? rest : " " + rest }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// Returns as much of a text as fits, but at least one character.
  private static func prefix(of text: Substring, columns: Int) -> Substring {
    var used = 0
    let fitting = text.prefix {
      used += width(of: $0)
      return used <= columns
    }
    return fitting.isEmpty ? text.prefix(1) : fitting
  }

  /// Returns a shell command broken between its words, so that the lines can be pasted back as they are.
  ///
  /// A word, quoted parts included, is never cut, however narrow the terminal is.
  static func wrappedCommand(_ command: String, columns: Int) -> [String] {
    guard width(of: command) > columns else { return [command] }
    var lines: [String] = []
    var line = ""
    for word in shellWords(of: command) {
      // Two columns are kept for the backslash that tells the shell that the command goes on.
      if !line.isEmpty, width(of: line) + 1 + width(of: word) > columns - 2 {
        lines.append(line + " \\")
        line = "  " + word
      } else {
        line += line.isEmpty ? word : " " + word
      }
    }
    return lines + [line]
  }

  private static func shellWords(of command: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isEscaped = false
    for character in command {
      if character == " ", quote == nil, !isEscaped {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      word.append(character)
      if isEscaped {
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if quote == character {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// Returns a text filled up with spaces on the right.
  static func leading(_ text: String, columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(of: text)))
  }

  /// Returns a text filled up with spaces on the left.
  static func trailing(_ text: String, columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - width(of: text))) + text
  }
}
