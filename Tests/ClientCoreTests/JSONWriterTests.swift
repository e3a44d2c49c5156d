import ClientCore
import Foundation
import Testing

@Suite struct JSONWriterTests {
  private func written(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      (nil, "null"), (true, "true"), (false, "false"), (1, "1"), (-0.5, "-0.5"), (.number(-0.0), "0"),
      (1e15, "1000000000000000"), ("", "\"\""), ("a/b", "\"a/b\""), ("\"\\", #""\"\\""#),
      ("\n\t\u{0}\u{1F}", #""\u000a\u0009\u0000\u001f""#), ("é😀", "\"é😀\""), ([], "[]"), ([:], "{}"),
      ([1, [nil, "a"], [:]], #"[1,[null,"a"],{}]"#),
      (["b": 1, "a": ["d": nil, "c": true], "": 0], #"{"":0,"a":{"c":true,"d":null},"b":1}"#),
    ] as [(JSONValue, String)])
  func `a value is written without spaces and with sorted members`(value: JSONValue, text: String) {
    #expect(written(value) == text)
  }

  @Test func `a text has one spelling, however its object was made`() {
    let names = (0..<100).map { "name \($0 * 37 % 100)" }
    let forwards = Dictionary(uniqueKeysWithValues: names.map { ($0, JSONValue.string($0)) })
    var backwards: [String: JSONValue] = [:]
    for name in names.reversed() { backwards[name] = .string(name) }
    #expect(written(.object(forwards)) == written(.object(backwards)))
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `what is written is read as it was`(seed: UInt64) throws {
    let random = ControllableRandomSource(seed: seed)
    let value = JSONValue.array((0..<40).map { _ in Self.value(random, depth: 4) })
    let read = try JSONSerialization.jsonObject(with: Data(written(value).utf8))
    #expect(JSONValue(foundation: read) == value)
  }

  @Test(arguments: [
    Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 1e21, -1e-7, 9.007199254740993e15, 9.3e18,
    -9.3e18,
  ])
  func `a number of any size keeps its value`(number: Double) throws {
    let text = written(.number(number))
    #expect(Double(text) == number)
    let read = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8))
    #expect(JSONValue(foundation: read) == .array([.number(number)]))
  }

  @Test func `several values follow each other`() {
    var writer = JSONWriter()
    writer.write(1)
    writer.write([true])
    #expect(writer.bytes == Array("1[true]".utf8))
  }

  private static func value(_ random: ControllableRandomSource, depth: Int) -> JSONValue {
    switch random.next() % (depth > 0 ? 7 : 5) {
    case 0: nil
    case 1: .bool(random.next().isMultiple(of: 2))
    case 2: .number(Double(Int32(truncatingIfNeeded: random.next())))
    case 3: .number(Double(random.next() % 1_000_000) / 1_024)
    case 4: .string(text(random))
    case 5: .array((0..<(random.next() % 4)).map { _ in value(random, depth: depth - 1) })
    default:
      .object(
        Dictionary(
          (0..<(random.next() % 4)).map { _ in (text(random), value(random, depth: depth - 1)) },
          uniquingKeysWith: { $1 }))
    }
  }

  private static func text(_ random: ControllableRandomSource) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "\u{1F600}", "\u{2028}",
    ]
    var view = String.UnicodeScalarView()
    for _ in 0..<(random.next() % 6) { view.append(scalars[Int(random.next() % UInt64(scalars.count))]) }
    return String(view)
  }
}
