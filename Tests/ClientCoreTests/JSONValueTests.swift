import ClientCore
import Foundation
import Testing

@Suite struct JSONValueTests {
  private func read(_ text: String) throws -> JSONValue? {
    JSONValue(
      foundation: try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed]))
  }

  private func written(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: From Foundation

  @Test(
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("0", .number(0)), ("1", .number(1)),
      ("-1", .number(-1)), ("1.0", .number(1)), ("0.5", .number(0.5)), ("1e3", .number(1000)),
      ("9007199254740991", .number(9_007_199_254_740_991)), ("\"\"", .string("")),
      ("\"true\"", .string("true")),
      ("\"1\"", .string("1")), ("[]", .array([])), ("{}", .object([:])),
      ("[true,1,null,\"1\"]", .array([.bool(true), .number(1), .null, .string("1")])),
      ("{\"a\":{\"b\":[0,false]}}", .object(["a": .object(["b": .array([.number(0), .bool(false)])])])),
      ("\"\\u00e9\\n\\ud83d\\ude00\"", .string("é\n😀")),
    ] as [(String, JSONValue)])
  func `truth values and numbers are told apart and the rest is taken as it is`(
    text: String, value: JSONValue
  )
    throws
  {
    #expect(try read(text) == value)
  }

  @Test func `of two members of one name the last one counts`() throws {
    #expect(try read("{\"a\":1,\"b\":2,\"a\":3}") == ["a": 3, "b": 2])
  }

  @Test func `what is not made of the types of JSON is no value`() {
    #expect(JSONValue(foundation: Date(timeIntervalSince1970: 0)) == nil)
    #expect(JSONValue(foundation: ["a": Date(timeIntervalSince1970: 0)]) == nil)
    #expect(JSONValue(foundation: [1, Data()] as [Any]) == nil)
  }

  @Test func `Swift's own numbers and truth values are told apart too`() {
    #expect(JSONValue(foundation: true) == .bool(true))
    #expect(JSONValue(foundation: 1) == .number(1))
    #expect(JSONValue(foundation: 0.0) == .number(0))
    #expect(JSONValue(foundation: UInt8(1)) == .number(1))
  }

  // MARK: Writing

  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.number(1), "1"), (.number(-0.5), "-0.5"),
      (.number(1e15), "1000000000000000"),
      (.string("a/b\"\n"), "\"a/b\\\"\\u000a\""), (.array([.bool(false), .number(0)]), "[false,0]"),
      (.object(["b": .null, "a": .array([])]), "{\"a\":[],\"b\":null}"),
    ] as [(JSONValue, String)])
  func `a value is written as JSON, whole numbers without a fraction`(value: JSONValue, text: String) {
    #expect(written(value) == text)
  }

  @Test(
    arguments: [
      nil, true, 1, 0.25, -3, 1e300, "text", [1, true, nil, [2]],
      ["a": ["b": [nil, false]], "": "empty name"],
    ] as [JSONValue])
  func `a value survives being written and read`(value: JSONValue) throws {
    #expect(value.isWritable)
    #expect(try read(written(value)) == value)
  }

  @Test(arguments: [.number(.nan), .number(.infinity), .number(-.infinity)] as [JSONValue])
  func `a value with a number that is none cannot be written, however deep`(value: JSONValue) {
    #expect(!value.isWritable)
    #expect(!JSONValue.array([1, value]).isWritable)
    #expect(!JSONValue.object(["a": ["b": [value]]]).isWritable)
  }

  // MARK: Literals and members

  @Test func `each literal makes the value it looks like`() {
    #expect((nil as JSONValue) == .null)
    #expect((true as JSONValue) == .bool(true))
    #expect((1 as JSONValue) == .number(1))
    #expect((1.5 as JSONValue) == .number(1.5))
    #expect(("1" as JSONValue) == .string("1"))
    #expect(([1, nil] as JSONValue) == .array([.number(1), .null]))
    #expect((["a": 1, "a": 2] as JSONValue) == .object(["a": .number(2)]))
    #expect(([:] as JSONValue) == .object([:]))
  }

  @Test func `a value gives only what it is`() {
    let values: [JSONValue] = [nil, true, 1, "1", [1], ["a": 1]]
    #expect(values.map(\.boolValue) == [nil, true, nil, nil, nil, nil])
    #expect(values.map(\.numberValue) == [nil, nil, 1, nil, nil, nil])
    #expect(values.map(\.stringValue) == [nil, nil, nil, "1", nil, nil])
    #expect(values.map { $0["a"] } == [nil, nil, nil, nil, nil, 1])
    #expect(values[5]["b"] == nil)
  }
}
