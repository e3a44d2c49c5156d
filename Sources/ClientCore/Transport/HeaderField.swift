/// One header field of a request or an answer.
///
/// Its description shows the name only: values carry tokens and subject ids, which are never logged
/// (BEHAVIOUR rule 1.10).
public struct HeaderField: Hashable, Sendable {
  /// The name as it was spelled; names are compared without regard to case by `matches(_:)`.
  public var name: String
  /// The value as it crosses the wire.
  public var value: String

  /// Creates a header field.
  ///
  /// - Parameters:
  ///   - name: The name of the field, in any case.
  ///   - value: The value of the field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Returns whether the field has the given name, without regard to the case of ASCII letters.
  ///
  /// - Complexity: O(*n*) in the length of the name; allocates nothing.
  /// - Parameter name: The name to compare with.
  /// - Returns: Whether the names are one.
  public func matches(_ name: String) -> Bool {
    let left = self.name.utf8
    let right = name.utf8
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { $0 == $1 || Self.lowercased($0) == Self.lowercased($1) }
  }

  /// Whether name and value may be sent as they are: the name is a token of RFC 9110 and the value holds no
  /// line break and no NUL, with which a value could smuggle in a field of its own.
  ///
  /// - Complexity: O(*n*) in the length of name and value.
  public var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
      && !value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0x00 }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }
}

extension HeaderField: CustomStringConvertible, CustomDebugStringConvertible {
  /// The name of the field, without its value.
  public var description: String { "\(name): …" }
  /// The name of the field, without its value.
  public var debugDescription: String { description }
}
