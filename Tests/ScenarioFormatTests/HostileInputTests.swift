import ScenarioFormat
import Testing

/// Whatever the bytes are, the answer is a scenario or at least one problem, never both and never a trap.
@Suite struct HostileInputTests {
  /// SplitMix64: the same mutants in every run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private func expectAnAnswer(_ bytes: [UInt8], _ overrides: [Override] = []) {
    let loaded = ScenarioFile.load(bytes, file: "f", overrides: overrides)
    if (loaded.scenario == nil) == loaded.problems.isEmpty {
      Issue.record("\(loaded.problems.count) problems for \(String(decoding: bytes, as: UTF8.self))")
    }
    for problem in loaded.problems where problem.message.isEmpty { Issue.record("an empty message") }
  }

  @Test(arguments: RichSample.allCases)
  func `every truncation is answered with one problem`(sample: RichSample) {
    let bytes = Array(sample.text.utf8)
    for length in 0..<bytes.count {
      let loaded = ScenarioFile.load(Array(bytes[..<length]), file: "f")
      #expect(loaded.scenario == nil)
      #expect(loaded.problems.count == 1)
    }
  }

  @Test(arguments: RichSample.allCases)
  func `every deletion of one byte is answered`(sample: RichSample) {
    let bytes = Array(sample.text.utf8)
    for index in bytes.indices { expectAnAnswer(Array(bytes[..<index] + bytes[(index + 1)...])) }
  }

  @Test(arguments: RichSample.allCases, 0..<8)
  func `random edits are answered`(sample: RichSample, seed: Int) {
    var generator = Generator(state: UInt64(seed))
    let original = Array(sample.text.utf8)
    let alphabet = Array("{}[]\",:\\-0159.eEtfn \n\u{7f}é".utf8) + [0x00, 0xFF, 0xC3, 0xED, 0xF4]
    for _ in 0..<125 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = alphabet.randomElement(using: &generator) ?? 0
        case 1: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: index)
        case 2: bytes.removeSubrange(index..<min(index + 7, bytes.count))
        default:
          let from = Int.random(in: bytes.indices, using: &generator)
          bytes.insert(contentsOf: bytes[from..<min(from + 20, bytes.count)], at: index)
        }
      }
      expectAnAnswer(bytes)
    }
  }

  /// Values that are of the wrong kind, or out of range, wherever they stand.
  private static let junk = [
    "null", "true", "0", "-1", "1.5", "1e400", "-1e-400", "99999999999999999999999", "\"\"", "\"x\"",
    "\"1s\"",
    "\"-1s\"", "\"3650d\"", "[]", "[null]", "[[]]", "{}", "{\"x\":1}", "{\"boundary\":true}", "\"evaluate\"",
    "\"per-reader\"", "{\"step\":\"sleep\"}", "{\"min\":\"1s\",\"max\":\"0s\"}",
    "\"garbled\"", "{\"seconds\":\"-1s\"}", "{\"from\":9,\"to\":-1}", "{\"slow\":{}}", "{\"bearer\":null}",
    "1e-99999999999999999999", "-9223372036854775808", "1e-9223372036854775808",
    "{\"name\":\"x\",\"lag\":1e3}",
  ]

  @Test(arguments: junk)
  func `every value replaced by another is answered`(junk: String) {
    for text in RichSample.allCases.map(\.text) {
      for path in Paths.all(of: text) {
        expectAnAnswer(Array(text.utf8), [.set("\(path)=\(junk)"), .readers("100")])
      }
    }
  }
}
