// A strict parser for RFC 8259, written because Foundation's gives no positions and takes duplicate keys
// silently.
//
// It goes over the bytes once, by recursive descent. The recursion is bounded by `maximumDepth`, checked
// before each step down, so ten megabytes of brackets are refused at the 65th. The text is checked to be
// UTF-8 before it is parsed, so that below only ASCII has to be looked at: every byte of a multi-byte
// character is ≥ 0x80 and can stand in a string only.
//
// The first error ends the parse, because whatever follows it would be guesswork. Duplicate keys are not
// errors of the grammar: they are collected, the first value stays, and the rest of the file is still looked
// at.

/// A parser over the bytes of one text.
package struct JSONParser {
  /// The largest text that is looked at, in bytes.
  package static let maximumBytes = 16 << 20
  /// How deep arrays and objects may be nested.
  package static let maximumDepth = 64

  var bytes: [UInt8]
  var position = 0
  private let option: Int?
  private var depth = 0
  private var duplicates: [JSONDuplicateKey] = []

  private init(_ bytes: [UInt8], option: Int?) {
    self.bytes = bytes
    self.option = option
  }

  /// What a parse found: the value unless there was an error, and duplicate keys in either case.
  package struct Outcome: Sendable {
    /// The value, or why there is none.
    package let result: Result<JSONValue, JSONSyntaxError>
    /// The keys that stand in their object twice, in the order of the text.
    package let duplicates: [JSONDuplicateKey]
  }

  /// Parses a text that holds exactly one value.
  ///
  /// - Complexity: O(n) in the number of bytes.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - option: The number of the override that the text comes from; nil for a file.
  /// - Returns: The value or the first error, and all duplicate keys up to it.
  package static func parse(_ bytes: [UInt8], option: Int? = nil) -> Outcome {
    if let error = TextCheck.firstError(in: bytes) { return Outcome(result: .failure(error), duplicates: []) }
    var parser = JSONParser(bytes, option: option)
    let result: Result<JSONValue, JSONSyntaxError>
    do throws(JSONSyntaxError) {
      result = .success(try parser.parseText())
    } catch {
      result = .failure(error)
    }
    return Outcome(result: result, duplicates: parser.duplicates)
  }

  private mutating func parseText() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    let value = try parseValue()
    skipSpace()
    guard position == bytes.count else {
      throw failure("unexpected \(shownCharacter) after the end of the JSON value")
    }
    return value
  }

  // MARK: Values

  private mutating func parseValue() throws(JSONSyntaxError) -> JSONValue {
    guard let byte = current else {
      throw JSONSyntaxError("the text ends where a value should be", at: position)
    }
    let origin = origin(of: position)
    switch byte {
    case UInt8(ascii: "{"): return JSONValue(.object(try parseObject()), origin: origin)
    case UInt8(ascii: "["): return JSONValue(.array(try parseArray()), origin: origin)
    case UInt8(ascii: "\""): return JSONValue(.string(try parseString()), origin: origin)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONValue(.number(try parseNumber()), origin: origin)
    case UInt8(ascii: "t"): return JSONValue(try parseWord("true", as: .bool(true)), origin: origin)
    case UInt8(ascii: "f"): return JSONValue(try parseWord("false", as: .bool(false)), origin: origin)
    case UInt8(ascii: "n"): return JSONValue(try parseWord("null", as: .null), origin: origin)
    default: throw noValueHere()
    }
  }

  private mutating func parseObject() throws(JSONSyntaxError) -> [JSONMember] {
    let opening = position
    try descend()
    var members: [JSONMember] = []
    var keys = KeyRegister()
    skipSpace()
    if take("}") { return ascending(with: members) }
    while true {
      let keyPosition = position
      guard current == UInt8(ascii: "\"") else { throw noKeyHere(in: opening) }
      let key = try parseString()
      skipSpace()
      guard take(":") else { throw expected("\":\" after the key", in: "object", from: opening) }
      skipSpace()
      let value = try parseValue()
      if let first = keys.firstPosition(of: key, now: keyPosition) {
        duplicates.append(JSONDuplicateKey(key: key, offset: keyPosition, firstOffset: first))
      } else {
        members.append(JSONMember(key, value, keyOrigin: origin(of: keyPosition)))
      }
      skipSpace()
      if take("}") { return ascending(with: members) }
      guard take(",") else { throw expected("\",\" or \"}\"", in: "object", from: opening) }
      skipSpace()
      if current == UInt8(ascii: "}") {
        throw failure("a comma before \"}\"", suggestion: "remove the comma")
      }
    }
  }

  private mutating func parseArray() throws(JSONSyntaxError) -> [JSONValue] {
    let opening = position
    try descend()
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return ascending(with: elements) }
    while true {
      elements.append(try parseValue())
      skipSpace()
      if take("]") { return ascending(with: elements) }
      guard take(",") else { throw expected("\",\" or \"]\"", in: "array", from: opening) }
      skipSpace()
      if current == UInt8(ascii: "]") {
        throw failure("a comma before \"]\"", suggestion: "remove the comma")
      }
    }
  }

  private mutating func parseWord(
    _ word: StaticString,
    as content: JSONValue.Content
  ) throws(JSONSyntaxError) -> JSONValue.Content {
    let text = String(describing: word)
    guard position + text.utf8.count <= bytes.count, bytes[position...].starts(with: text.utf8) else {
      throw noValueHere()
    }
    position += text.utf8.count
    return content
  }

  private mutating func descend() throws(JSONSyntaxError) {
    guard depth < Self.maximumDepth else {
      throw failure("nested deeper than \(Self.maximumDepth) levels")
    }
    depth += 1
    position += 1
  }

  private mutating func ascending<Value>(with value: Value) -> Value {
    depth -= 1
    return value
  }

  // MARK: Bytes

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private func origin(of offset: Int) -> JSONOrigin {
    if let option { .option(index: option) } else { .file(offset: offset) }
  }
}

/// The keys of one object: a short list while it is short, since most objects have a few keys only.
private struct KeyRegister {
  private var few: [(key: String, position: Int)] = []
  private var many: [String: Int] = [:]

  mutating func firstPosition(of key: String, now position: Int) -> Int? {
    if many.isEmpty {
      if let known = few.first(where: { $0.key == key }) { return known.position }
      few.append((key, position))
      if few.count > 16 { for entry in few { many[entry.key] = entry.position } }
      return nil
    }
    if let known = many[key] { return known }
    many[key] = position
    return nil
  }
}
