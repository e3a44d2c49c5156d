/// The choices of one run, a byte stream for each label.
///
/// Each choice is kept as a variable-length number (seven bits a byte, lowest first), so that a scheduling decision
/// among fewer than 128 jobs costs one byte.
public struct ChoiceLog: Sendable, Equatable {
  private var streams: [[UInt8]]

  /// Creates an empty log.
  public init() { streams = ChoiceLabel.allCases.map { _ in [] } }

  /// The size of the log in bytes.
  public var byteCount: Int { streams.reduce(0) { $0 + $1.count } }

  /// Adds a choice at the end of its label's stream.
  ///
  /// - Complexity: O(1) amortised.
  /// - Parameters:
  ///   - value: The choice.
  ///   - label: The stream it belongs to.
  public mutating func append(_ value: UInt64, label: ChoiceLabel) {
    Self.encode(value, into: &streams[Int(label.rawValue)])
  }

  /// The whole log as bytes: for each label in order its length and its stream.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    for stream in streams {
      Self.encode(UInt64(stream.count), into: &result)
      result += stream
    }
    return result
  }

  /// Creates a log from the bytes that `bytes` gave.
  ///
  /// The result is nil if the bytes are not a whole log.
  /// - Parameter bytes: The encoded log.
  public init?(bytes: [UInt8]) {
    var position = 0
    var streams: [[UInt8]] = []
    for _ in ChoiceLabel.allCases {
      guard let length = Self.decode(bytes, &position), length <= UInt64(bytes.count - position) else {
        return nil
      }
      streams.append(Array(bytes[position..<position + Int(length)]))
      position += Int(length)
    }
    guard position == bytes.count, streams.allSatisfy(Self.isWhole) else { return nil }
    self.streams = streams
  }

  func makeCursor() -> Cursor { Cursor(streams: streams, positions: streams.map { _ in 0 }) }

  struct Cursor: Sendable {
    let streams: [[UInt8]]
    var positions: [Int]

    mutating func next(_ label: ChoiceLabel) -> UInt64? {
      ChoiceLog.decode(streams[Int(label.rawValue)], &positions[Int(label.rawValue)])
    }
  }

  private static func encode(_ value: UInt64, into bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Whether a stream consists of whole numbers.
  private static func isWhole(_ stream: [UInt8]) -> Bool {
    var position = 0
    while position < stream.count {
      if decode(stream, &position) == nil { return false }
    }
    return true
  }

  private static func decode(_ bytes: [UInt8], _ position: inout Int) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      // The tenth byte holds the last bit of 64; more would be cut off silently.
      if shift == 63, byte > 1 { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
