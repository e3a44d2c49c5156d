/// What can be wrong with a text before anybody looks at its grammar: size, emptiness, encoding.
enum TextCheck {
  /// Returns the first reason not to parse the bytes; nil if they are text.
  ///
  /// - Complexity: O(n) in the number of bytes.
  static func firstError(in bytes: [UInt8]) -> JSONSyntaxError? {
    if bytes.count > JSONParser.maximumBytes {
      return JSONSyntaxError("the file is larger than \(JSONParser.maximumBytes >> 20) MB", at: 0)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return JSONSyntaxError(
        "the file begins with a byte order mark",
        at: 0,
        suggestion: "save it as UTF-8 without one"
      )
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return JSONSyntaxError("the file is UTF-16 text", at: 0, suggestion: "save it as UTF-8")
    }
    // The library's check is vectorised; ours, which knows the place, runs only when it says no.
    if String(validating: bytes, as: UTF8.self) == nil {
      return JSONSyntaxError(
        "a byte that is not UTF-8",
        at: firstInvalidByte(in: bytes),
        suggestion: "save it as UTF-8"
      )
    }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
      return JSONSyntaxError("the file is empty", at: 0, suggestion: "write one JSON object")
    }
    return nil
  }

  private static func firstInvalidByte(in bytes: [UInt8]) -> Int {
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var start = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let encoded): start += encoded.count
      case .emptyInput, .error: return start
      }
    }
  }
}
