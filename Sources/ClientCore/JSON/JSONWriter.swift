/// Writes JSON texts: without spaces, the members of an object in the order of their names.
///
/// Requests are written by it and not by `JSONSerialization`, because that one takes a number of allocations which
/// depends on the process's hash seed (some 60 for a request of one key, measured), and allocation counts are gated on.
/// Answers are read by `JSONSerialization`.
public struct JSONWriter: Sendable {
  /// The text so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty text.
  public init() {}

  /// Adds a value.
  ///
  /// - Complexity: O(n log n) in the size of the value.
  /// - Parameter value: The value; its numbers must be finite, see `JSONValue.isWritable`.
  public mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let truth): bytes += (truth ? "true" : "false").utf8
    case .number(let number):
      // A whole number is written as one: services that read integers refuse 1.0.
      if let whole = Int64(exactly: number) { bytes += String(whole).utf8 } else { bytes += "\(number)".utf8 }
    case .string(let text): write(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, name) in members.keys.sorted().enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(name)
        bytes.append(UInt8(ascii: ":"))
        write(members[name] ?? .null)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes += "\\u00".utf8
        bytes.append(Self.digits[Int(byte >> 4)])
        bytes.append(Self.digits[Int(byte & 0xF)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
