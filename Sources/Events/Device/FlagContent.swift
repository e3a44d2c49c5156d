/// Which rule of the resolution gave a value (BEHAVIOUR §3).
public enum ValueSource: UInt8, Sendable, Equatable {
  /// The user's own value.
  case user
  /// The variant of an experiment.
  case experiment
  /// A condition that matched.
  case condition
  /// The flag's default.
  case `default`
}

/// What kind of JSON a value is: it decides which typed reads return it.
public enum ValueType: UInt8, Sendable, Equatable {
  /// `true` or `false`.
  case bool
  /// A text.
  case string
  /// A number without a fraction that an `Int` holds.
  case integer
  /// Any other number.
  case fraction
  /// An object, an array or null.
  case composite
}

/// One flag's value, reduced to what can be compared.
public struct FlagValue: Sendable, Equatable {
  /// The number of the flag's key.
  public let flag: Int32
  /// A digest of the value as canonical JSON.
  public let digest: UInt64
  /// The kind of JSON that the value is.
  public let type: ValueType
  /// Which rule gave the value.
  public let source: ValueSource
  /// The number of the (experiment, variant) that gave the value; nil where none did.
  public let assignment: Int32?

  /// Creates a value.
  public init(flag: Int32, digest: UInt64, type: ValueType, source: ValueSource, assignment: Int32? = nil) {
    self.flag = flag
    self.digest = digest
    self.type = type
    self.source = source
    self.assignment = assignment
  }
}

/// A digest of a set of values: equal sets have equal digests, in whatever order they come.
public struct ContentDigest: Hashable, Sendable {
  /// The sum of the values' digests.
  public private(set) var rawValue: UInt64 = 0
  /// How many values there are.
  public private(set) var count: Int32 = 0

  /// The content without any value.
  public static let empty = ContentDigest()

  /// Creates the digest of no values.
  public init() {}

  /// Creates the digest of some values.
  ///
  /// - Complexity: O(n) in their number.
  /// - Parameter values: The values, each flag at most once.
  public init(_ values: some Sequence<FlagValue>) {
    for value in values { insert(flag: value.flag, digest: value.digest) }
  }

  /// Adds the value of one more flag.
  ///
  /// What gave the value is left out: a client's `all` does not tell it.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - flag: The number of the flag's key.
  ///   - digest: A digest of the value.
  public mutating func insert(flag: Int32, digest: UInt64) {
    rawValue &+= Self.part(flag, digest)
    count += 1
  }

  /// Takes the value of a flag out, which must have been added.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - flag: The number of the flag's key.
  ///   - digest: A digest of the value.
  public mutating func remove(flag: Int32, digest: UInt64) {
    rawValue &-= Self.part(flag, digest)
    count -= 1
  }

  private static func part(_ flag: Int32, _ digest: UInt64) -> UInt64 {
    var part = Digest()
    part.mix(UInt64(bitPattern: Int64(flag)))
    part.mix(digest)
    return part.rawValue
  }
}
