// Enough of Swift's lexical structure to tell code from what only looks like it.
//
// Comments (nested ones too) and the text of strings (escaped, multi-line and raw) yield no tokens; the code inside an
// interpolation does. Not modelled: regular expression literals, which a slash would have to be told from a division
// for; their text is read as code, which can only make a rule stricter.

/// One word or sign of Swift code and the line it stands on.
struct SwiftToken: Equatable {
  let text: String
  let line: Int
}

/// Splits Swift source into tokens: identifiers and numbers whole, every other sign by itself.
struct SwiftTokens {
  /// The tokens of a source text in order.
  static func of(_ source: String) -> [SwiftToken] {
    var lexer = SwiftTokens(Array(source.unicodeScalars))
    lexer.readCode(untilParenthesis: false)
    return lexer.tokens
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var tokens: [SwiftToken] = []

  private init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private func looksAt(_ text: String) -> Bool {
    text.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < scalars.count {
      if scalars[position] == "\n" { line += 1 }
      position += 1
    }
  }

  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while let next = peek() {
      if looksAt("//") {
        while let scalar = peek(), scalar != "\n" { advance() }
      } else if looksAt("/*") {
        skipBlockComment()
      } else if next == "\"" || (next == "#" && startsRawString()) {
        skipString()
      } else if SwiftTokens.isWord(next) {
        readWord()
      } else {
        if next == "(" { depth += 1 }
        if next == ")" {
          if untilParenthesis, depth == 0 { return }
          depth -= 1
        }
        if !next.properties.isWhitespace { tokens.append(SwiftToken(text: String(next), line: line)) }
        advance()
      }
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
  }

  private mutating func readWord() {
    var word = String.UnicodeScalarView()
    let start = line
    while let scalar = peek(), SwiftTokens.isWord(scalar) {
      word.append(scalar)
      advance()
    }
    tokens.append(SwiftToken(text: String(word), line: start))
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if looksAt("/*") {
        depth += 1
        advance(2)
      } else if looksAt("*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && peek() != nil
  }

  private func startsRawString() -> Bool {
    var offset = 0
    while peek(offset) == "#" { offset += 1 }
    return peek(offset) == "\""
  }

  private mutating func skipString() {
    var hashes = ""
    while peek() == "#" {
      hashes += "#"
      advance()
    }
    let quote = looksAt("\"\"\"") ? "\"\"\"" : "\""
    advance(quote.count)
    while peek() != nil {
      if looksAt("\\" + hashes + "(") {
        advance(2 + hashes.count)
        readCode(untilParenthesis: true)
        advance()
      } else if looksAt("\\" + hashes) {
        advance(2 + hashes.count)
      } else if looksAt(quote + hashes) {
        advance(quote.count + hashes.count)
        return
      } else if quote.count == 1, peek() == "\n" {
        // Unterminated: the compiler will say so.
        return
      } else {
        advance()
      }
    }
  }
}

extension [SwiftToken] {
  /// The lines on which a row of tokens begins.
  ///
  /// - Parameter sought: The row as it is written, such as `Task.sleep`; white space does not matter.
  /// - Returns: The lines, in order.
  func lines(of sought: String) -> [Int] {
    let words = SwiftTokens.of(sought).map(\.text)
    guard !words.isEmpty, count >= words.count else { return [] }
    return (0...(count - words.count)).compactMap { start in
      zip(self[start...], words).allSatisfy { $0.text == $1 } ? self[start].line : nil
    }
  }
}
