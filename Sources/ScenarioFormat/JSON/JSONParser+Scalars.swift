// Strings and numbers.

extension JSONParser {
  // MARK: Strings

  /// Parses the string that begins at the position.
  mutating func parseString() throws(JSONSyntaxError) -> String {
    let opening = position
    position += 1
    var text = ""
    var runStart = position
    while true {
      guard let byte = current else { throw JSONSyntaxError("this string is not closed", at: opening) }
      switch byte {
      case UInt8(ascii: "\""):
        text += String(decoding: bytes[runStart..<position], as: UTF8.self)
        position += 1
        return text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[runStart..<position], as: UTF8.self)
        text.unicodeScalars.append(try parseEscape(in: opening))
        runStart = position
      case 0x0A, 0x0D:
        throw JSONSyntaxError(
          "this string is not closed on its line",
          at: opening,
          suggestion: "close it, or write \\n for a line break inside it"
        )
      case 0..<0x20:
        throw failure("the control character \(shownCharacter) in a string", suggestion: "write \\u00XX")
      default:
        position += 1
      }
    }
  }

  private mutating func parseEscape(in opening: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let byte = current else { throw JSONSyntaxError("this string is not closed", at: opening) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape(from: start)
    default:
      position = start + 1
      let character = shownCharacter
      position = start
      throw failure(
        "the escape \\ before \(character) is not one of JSON's",
        suggestion: "write \\\\ for a backslash"
      )
    }
  }

  private mutating func parseUnicodeEscape(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let unit = try parseHexadecimal(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A surrogate: only a high one followed by a low one makes a character.
    guard unit < 0xDC00, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw loneSurrogate(unit, at: start) }
    position += 2
    let low = try parseHexadecimal(from: position - 2)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00))
    else { throw loneSurrogate(unit, at: start) }
    return scalar
  }

  private mutating func parseHexadecimal(from start: Int) throws(JSONSyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw JSONSyntaxError("the escape \\u needs four hexadecimal digits", at: start)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  private func loneSurrogate(_ unit: UInt16, at start: Int) -> JSONSyntaxError {
    JSONSyntaxError(
      "the escape \\u\(String(unit, radix: 16, uppercase: true)) is half of a surrogate pair, not a character",
      at: start
    )
  }

  // MARK: Numbers

  /// Parses the number that begins at the position and returns its text.
  mutating func parseNumber() throws(JSONSyntaxError) -> String {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let leadingZero = current == UInt8(ascii: "0")
    let whole = skipDigits()
    guard whole > 0 else { throw JSONSyntaxError("\"-\" without a digit after it", at: start) }
    guard !leadingZero || whole == 1 else {
      throw JSONSyntaxError("a number must not begin with 0", at: start, suggestion: "leave the zeros out")
    }
    if current == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() > 0 else { throw JSONSyntaxError("a number without a digit after \".\"", at: start) }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else {
        throw JSONSyntaxError("a number without a digit in its exponent", at: start)
      }
    }
    if let byte = current, isWordByte(byte) {
      throw JSONSyntaxError(
        "a number followed by \(shownCharacter)",
        at: start,
        suggestion: "put text such as \"250ms\" in double quotes"
      )
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position - start
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
