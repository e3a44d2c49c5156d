/// What gave a flag its value for this reader: the steps of the project's resolution (seed).
///
/// It feels like an enum and is open like a string, because a project may come to resolve flags in further ways.
public struct FlagSource: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name as the project sends it.
  public let name: String

  /// Creates a source of any name.
  ///
  /// - Parameter name: The name as the project sends it.
  public init(_ name: String) { self.name = name }

  /// Creates a source of any name.
  ///
  /// - Parameter value: The name as the project sends it.
  public init(stringLiteral value: String) { name = value }

  /// The signed-in user has a value of their own.
  public static let user = FlagSource("user")
  /// The reader is one of the people of an experiment that runs on the flag.
  public static let experiment = FlagSource("experiment")
  /// A condition of the flag matched.
  public static let condition = FlagSource("condition")
  /// Nothing else did: the flag's default.
  public static let `default` = FlagSource("default")

  /// The name as the project sends it.
  public var description: String { name }
}
