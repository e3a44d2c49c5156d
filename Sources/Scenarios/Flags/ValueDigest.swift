import ClientCore
import Events
import SimulatedService

/// A value as a client gives it.
typealias ClientValue = JSONValue

/// Digests of flags' values: equal JSON has equal digests, whichever module's type holds it.
///
/// Numbers are doubles, as JSON has them: 3 and 3.0 are one value.
enum ValueDigest {
  static func of(_ value: Bool) -> UInt64 { mixed(1) { $0.mix(UInt64(value ? 1 : 0)) } }

  static func of(_ value: Double) -> UInt64 {
    // Both zeros are one number.
    mixed(2) { $0.mix(value == 0 ? 0 : value.bitPattern) }
  }

  static func of(_ value: String) -> UInt64 { mixed(3) { $0.mix(value) } }

  /// The digest of a value as the service has it.
  static func of(_ value: AttributeValue) -> UInt64 {
    switch value {
    case .null: mixed(4) { _ in }
    case .bool(let flag): of(flag)
    case .number(let number): of(number)
    case .string(let text): of(text)
    case .array(let elements): array(elements.map { of($0) })
    case .object(let members): object(members.mapValues { of($0) })
    }
  }

  /// The digest of a value as a client gives it.
  static func of(_ value: ClientValue) -> UInt64 {
    switch value {
    case .null: mixed(4) { _ in }
    case .bool(let flag): of(flag)
    case .number(let number): of(number)
    case .string(let text): of(text)
    case .array(let elements): array(elements.map { of($0) })
    case .object(let members): object(members.mapValues { of($0) })
    }
  }

  private static func array(_ digests: [UInt64]) -> UInt64 {
    mixed(5) { digest in
      digest.mix(UInt64(digests.count))
      for element in digests { digest.mix(element) }
    }
  }

  private static func object(_ digests: [String: UInt64]) -> UInt64 {
    mixed(6) { digest in
      digest.mix(UInt64(digests.count))
      for (name, member) in digests.sorted(by: { $0.key < $1.key }) {
        digest.mix(name)
        digest.mix(member)
      }
    }
  }

  private static func mixed(_ kind: UInt64, _ body: (inout Digest) -> Void) -> UInt64 {
    var digest = Digest()
    digest.mix(kind)
    body(&digest)
    return digest.rawValue
  }
}

extension ValueType {
  /// The kind of a value as the service has it.
  init(_ value: AttributeValue) {
    switch value {
    case .bool: self = .bool
    case .string: self = .string
    case .number(let number): self = Int(exactly: number) == nil ? .fraction : .integer
    case .null, .array, .object: self = .composite
    }
  }
}
