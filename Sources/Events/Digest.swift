/// A running 64-bit hash of a sequence of numbers: equal sequences have equal digests in every process.
///
/// Not cryptographic. Each number is mixed by a multiply and a xor-shift, so that order matters and a changed bit
/// spreads over the whole word.
public struct Digest: Hashable, Sendable {
  @usableFromInline
  var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The state after everything that was mixed in.
  public var rawValue: UInt64 { state }

  /// Creates the digest of the empty sequence.
  public init() {}

  /// Mixes in one number.
  ///
  /// - Complexity: O(1), two multiplications.
  /// - Parameter value: The next number of the sequence.
  @inlinable
  public mutating func mix(_ value: UInt64) {
    var mixed = (state ^ value) &* 0xD6E8_FEB8_6659_FD93
    mixed ^= mixed >> 32
    mixed = mixed &* 0xD6E8_FEB8_6659_FD93
    state = mixed ^ (mixed >> 29)
  }

  /// Mixes in the bytes of a text, and its length.
  ///
  /// - Complexity: O(n) in the number of UTF-8 bytes.
  /// - Parameter text: The next text of the sequence.
  public mutating func mix(_ text: String) {
    mix(UInt64(text.utf8.count))
    for byte in text.utf8 { mix(UInt64(byte)) }
  }

  /// The 16 lower-case hexadecimal digits that reports print.
  public var hexadecimal: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
