// What the parser says when the text is not JSON: the mistakes people really make are named, with the remedy.

extension JSONParser {
  func failure(_ message: String, suggestion: String? = nil) -> JSONSyntaxError {
    JSONSyntaxError(message, at: position, suggestion: suggestion)
  }

  /// The character at the position, ready to stand in a message.
  var shownCharacter: String {
    guard position < bytes.count else { return "end of text" }
    // The longest character of one scalar has four bytes; more than a scalar is not worth showing.
    let text = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return "end of text" }
    return Shown.text(String(scalar))
  }

  func noValueHere() -> JSONSyntaxError {
    switch current {
    case UInt8(ascii: "/"): return failure("JSON has no comments", suggestion: "use \"description\"")
    case UInt8(ascii: "'"): return failure("a string in single quotes", suggestion: "use double quotes")
    case UInt8(ascii: "+"): return failure("a number with \"+\"", suggestion: "leave the sign out")
    case UInt8(ascii: "."): return failure("a number without a digit before \".\"", suggestion: "write 0.…")
    default: break
    }
    let word = bareWord
    if word.isEmpty { return failure("expected a value, found \(shownCharacter)") }
    let meant = ["true", "false", "null"].first { $0 == word.lowercased() }
    return failure(
      "expected a value, found \(Shown.text(word))",
      suggestion: meant.map { "write \($0)" } ?? "put strings in double quotes"
    )
  }

  func noKeyHere(in opening: Int) -> JSONSyntaxError {
    switch current {
    case nil: return JSONSyntaxError("the text ends inside the object that begins here", at: opening)
    case UInt8(ascii: "/"): return failure("JSON has no comments", suggestion: "use \"description\"")
    case UInt8(ascii: "'"): return failure("a key in single quotes", suggestion: "use double quotes")
    default: break
    }
    let word = bareWord
    if word.isEmpty { return failure("expected a key, found \(shownCharacter)") }
    return failure("the key \(word) is not in quotes", suggestion: "write \"\(word)\"")
  }

  func expected(_ what: String, in container: String, from opening: Int) -> JSONSyntaxError {
    switch current {
    case nil: JSONSyntaxError("the text ends inside the \(container) that begins here", at: opening)
    case UInt8(ascii: "/"): failure("JSON has no comments", suggestion: "use \"description\"")
    default: failure("expected \(what), found \(shownCharacter)")
    }
  }

  /// The letters, digits, `_` and `-` from the position on, at most forty of them.
  private var bareWord: String {
    let letters = bytes[position...].prefix(40).prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
      default: false
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }
}
