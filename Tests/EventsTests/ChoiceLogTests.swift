import Events
import Testing

@Suite struct ChoiceLogTests {
  /// Numbers on both sides of each change of length.
  private static let numbers: [UInt64] =
    (1..<10).flatMap { septets -> [UInt64] in
      let edge = UInt64(1) << UInt64(7 * septets)
      return [edge - 1, edge, edge + 1]
    } + [0, 1, UInt64(1) << 63, .max - 1, .max]

  private var sample: ChoiceLog {
    var log = ChoiceLog()
    for (index, number) in Self.numbers.enumerated() {
      log.append(number, label: ChoiceLabel.allCases[index % ChoiceLabel.allCases.count])
    }
    return log
  }

  @Test func `a log comes back from its bytes`() throws {
    #expect(ChoiceLog(bytes: sample.bytes) == sample)
    #expect(ChoiceLog(bytes: ChoiceLog().bytes) == ChoiceLog())
  }

  @Test func `every number comes back from a log, in its own stream and order`() {
    var log = ChoiceLog()
    for label in ChoiceLabel.allCases {
      for number in Self.numbers where number != .max { log.append(number, label: label) }
    }
    var source = ChoiceSource(replaying: log)
    for number in Self.numbers where number != .max {
      for label in ChoiceLabel.allCases {
        #expect(source.choose(upTo: .max, label: label) == number, "\(label)")
      }
    }
  }

  @Test func `a choice among fewer than 128 costs one byte, the largest ten`() {
    for (number, bytes) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (UInt64.max, 10)] {
      var log = ChoiceLog()
      log.append(number, label: .schedule)
      #expect(log.byteCount == bytes, "\(number)")
    }
  }

  @Test func `logs differ when one choice, its label or its place does`() {
    func log(_ choices: (UInt64, ChoiceLabel)...) -> ChoiceLog {
      var log = ChoiceLog()
      for (value, label) in choices { log.append(value, label: label) }
      return log
    }
    let logs = [
      log(), log((0, .schedule)), log((1, .schedule)), log((0, .latency)),
      log((0, .schedule), (1, .schedule)),
      log((1, .schedule), (0, .schedule)), log((0, .schedule), (1, .latency)),
    ]
    for (index, left) in logs.enumerated() {
      for (other, right) in logs.enumerated() where index != other { #expect(left != right) }
    }
  }

  @Test func `the order across labels is no part of a log`() {
    var left = ChoiceLog()
    left.append(1, label: .schedule)
    left.append(2, label: .latency)
    var right = ChoiceLog()
    right.append(2, label: .latency)
    right.append(1, label: .schedule)
    #expect(left == right)
  }

  @Test func `no proper beginning of a log is a log`() {
    let bytes = sample.bytes
    for length in 0..<bytes.count {
      #expect(ChoiceLog(bytes: Array(bytes[..<length])) == nil, "the first \(length) of \(bytes.count) bytes")
    }
  }

  @Test func `bytes after a log are refused`() { #expect(ChoiceLog(bytes: sample.bytes + [0]) == nil) }

  @Test func `a stream that ends inside a number is refused`() {
    // One byte for the first label, which says that another one follows.
    #expect(ChoiceLog(bytes: [1, 0x80, 0, 0, 0, 0]) == nil)
    #expect(ChoiceLog(bytes: [1, 0x7F, 0, 0, 0, 0]) != nil)
  }

  @Test func `a number of more than 64 bits is refused`() {
    let endless = [UInt8](repeating: 0xFF, count: 11)
    #expect(ChoiceLog(bytes: [12] + endless + [1, 0, 0, 0, 0]) == nil)
  }

  @Test func `hostile lengths are refused`() {
    let huge = [UInt8](repeating: 0xFF, count: 9) + [1]
    for bytes in [huge, [5], [200, 1], [], huge + [0, 0, 0, 0]] as [[UInt8]] {
      #expect(ChoiceLog(bytes: bytes) == nil)
    }
  }
}
