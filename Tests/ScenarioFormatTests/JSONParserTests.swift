import ScenarioFormat
import Testing

/// The parser by itself: what RFC 8259 allows, and the one message for what it does not.
@Suite struct JSONParserTests {
  private func parse(_ bytes: [UInt8]) -> Result<JSONValue, JSONSyntaxError> {
    JSONParser.parse(bytes).result
  }
  private func parse(_ text: String) -> Result<JSONValue, JSONSyntaxError> { parse(Array(text.utf8)) }

  @Test(arguments: [
    ("null", JSONValue.Content.null), (" true\n", .bool(true)), ("false", .bool(false)),
    ("0", .number("0")), ("-0", .number("-0")), ("-12.50e+07", .number("-12.50e+07")),
    ("1E9", .number("1E9")),
    ("\"\"", .string("")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{c}\n\r\t")),
    (#""\u0041\u00e9\ud83d\uDE00""#, .string("Aé😀")), (#""\u0000""#, .string("\0")),
    ("\"é😀\u{2028}\u{7f}\"", .string("é😀\u{2028}\u{7f}")), ("[]", .array([])), ("{ }", .object([])),
  ])
  func `a valid text gives its value`(text: String, content: JSONValue.Content) throws {
    #expect(try parse(text).get().content == content)
  }

  @Test func `members keep their order and values their place`() throws {
    let value = try parse("{ \"b\": [1, 2],\n\"a\": {} }").get()
    guard case .object(let members) = value.content else {
      Issue.record("not an object")
      return
    }
    #expect(members.map(\.key) == ["b", "a"])
    #expect(members.map(\.keyOrigin) == [.file(offset: 2), .file(offset: 15)])
    #expect(members.map(\.value.origin) == [.file(offset: 7), .file(offset: 20)])
  }

  @Test(arguments: [
    ("", 0, "the file is empty"),
    (" \n\t", 0, "the file is empty"),
    ("\u{FEFF}{}", 0, "the file begins with a byte order mark"),
    ("{} x", 3, "unexpected \"x\" after the end of the JSON value"),
    ("[][]", 2, "unexpected \"[\" after the end of the JSON value"),
    ("{", 0, "the text ends inside the object that begins here"),
    ("{\"a\"", 0, "the text ends inside the object that begins here"),
    ("{\"a\":", 5, "the text ends where a value should be"),
    ("{\"a\":1", 0, "the text ends inside the object that begins here"),
    ("{\"a\":1,", 0, "the text ends inside the object that begins here"),
    ("[1", 0, "the text ends inside the array that begins here"),
    ("{\"a\":1,}", 7, "a comma before \"}\""),
    ("[1,]", 3, "a comma before \"]\""),
    ("[,1]", 1, "expected a value, found \",\""),
    ("[1 2]", 3, "expected \",\" or \"]\", found \"2\""),
    ("{\"a\" 1}", 5, "expected \":\" after the key, found \"1\""),
    ("{a: 1}", 1, "the key a is not in quotes"),
    ("{'a': 1}", 1, "a key in single quotes"),
    ("['a']", 1, "a string in single quotes"),
    ("// hi\n{}", 0, "JSON has no comments"),
    ("[1, /* two */ 2]", 4, "JSON has no comments"),
    ("[True]", 1, "expected a value, found \"True\""),
    ("[NaN]", 1, "expected a value, found \"NaN\""),
    ("[nul]", 1, "expected a value, found \"nul\""),
    ("[é]", 1, "expected a value, found \"é\""),
    ("[\u{1b}]", 1, "expected a value, found \"\\u001B\""),
    ("\"abc", 0, "this string is not closed"),
    ("[\"abc\n\"]", 1, "this string is not closed on its line"),
    ("\"a\u{1}\"", 2, "the control character \"\\u0001\" in a string"),
    (#""a\x""#, 2, "the escape \\ before \"x\" is not one of JSON's"),
    (#""\u12g4""#, 1, "the escape \\u needs four hexadecimal digits"),
    (#""\u12"#, 1, "the escape \\u needs four hexadecimal digits"),
    (#""a\ud800""#, 2, "the escape \\uD800 is half of a surrogate pair, not a character"),
    (#""\udc00""#, 1, "the escape \\uDC00 is half of a surrogate pair, not a character"),
    (#""\ud800\u0041""#, 1, "the escape \\uD800 is half of a surrogate pair, not a character"),
    ("01", 0, "a number must not begin with 0"),
    ("-", 0, "\"-\" without a digit after it"),
    ("+1", 0, "a number with \"+\""),
    (".5", 0, "a number without a digit before \".\""),
    ("[1.]", 1, "a number without a digit after \".\""),
    ("1e", 0, "a number without a digit in its exponent"),
    ("[250ms]", 1, "a number followed by \"m\""),
  ])
  func `an invalid text gives one message at its place`(text: String, offset: Int, message: String) {
    guard case .failure(let error) = parse(text) else {
      Issue.record("accepted")
      return
    }
    #expect(error.offset == offset)
    #expect(error.message == message)
  }

  @Test(arguments: [
    ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC3, 0xA9, 0xC3, 0x22], 3), ([0x22, 0xC0, 0x80, 0x22], 1),
    ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xE2, 0x82], 1),
  ])
  func `a byte that is not UTF-8 gives one message at its place`(bytes: [UInt8], offset: Int) {
    guard case .failure(let error) = parse(bytes) else {
      Issue.record("accepted")
      return
    }
    #expect(error.offset == offset)
    #expect(error.message == "a byte that is not UTF-8")
  }

  @Test(arguments: [[0xFF, 0xFE, 0x7B, 0x00], [0xFE, 0xFF, 0x00, 0x7B]])
  func `UTF-16 is named as such`(bytes: [UInt8]) {
    #expect(throws: JSONSyntaxError.self) { try parse(bytes).get() }
    guard case .failure(let error) = parse(bytes) else { return }
    #expect(error.message == "the file is UTF-16 text")
  }

  @Test func `64 levels are read and 65 are not`() {
    let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(throws: Never.self) { try parse(deepest).get() }
    guard case .failure(let error) = parse("[" + deepest + "]") else {
      Issue.record("accepted")
      return
    }
    #expect(error.message == "nested deeper than 64 levels")
    #expect(error.offset == 64)
  }

  @Test(arguments: ["[", "{\"a\":", "[]", "[[],"])
  func `ten megabytes of brackets give one message`(pattern: String) {
    let count = (10 << 20) / pattern.utf8.count
    let loaded = ScenarioFile.load(String(repeating: pattern, count: count), file: "f")
    #expect(loaded.problems.count == 1)
    #expect(loaded.scenario == nil)
  }

  @Test func `a file larger than 16 MB is not looked at`() {
    let loaded = ScenarioFile.load([UInt8](repeating: 0x5B, count: (16 << 20) + 1), file: "f")
    #expect(loaded.lines == ["1:1: error: the file is larger than 16 MB"])
  }

  @Test func `duplicate keys are found at every level and the rest is still read`() {
    let outcome = JSONParser.parse(Array(#"{"a":{"x":1,"x":2},"b":[],"a":3,"\u0061":4}"#.utf8))
    #expect(outcome.duplicates.map(\.key) == ["x", "a", "a"])
    #expect(outcome.duplicates.map(\.firstOffset) == [6, 1, 1])
    #expect(throws: Never.self) { try outcome.result.get() }
  }

  @Test func `duplicates among many keys are found as well`() {
    let members = (0..<100).map { "\"k\($0)\":0" } + ["\"k3\":1", "\"k99\":1"]
    let outcome = JSONParser.parse(Array("{\(members.joined(separator: ","))}".utf8))
    #expect(outcome.duplicates.map(\.key) == ["k3", "k99"])
  }

  @Test func `what is written is read back equal`() throws {
    let text = #"{"a":[1,-2.5e3,"x\"\\\n\u0001é😀",true,null,{},[]],"b":{"c":""}}"#
    let value = try parse(text).get()
    #expect(JSONWriter.compact(value) == text)
    let pretty = JSONWriter.pretty(value)
    #expect(JSONWriter.compact(try parse(pretty).get()) == text)
    #expect(pretty.hasPrefix("{\n  \"a\": [\n    1,\n    -2.5e3,"))
  }
}
