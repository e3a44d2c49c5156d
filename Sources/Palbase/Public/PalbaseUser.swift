/// A signed-in user, with the token that proves it.
///
/// Its description shows neither (BEHAVIOUR rule 1.10).
public struct PalbaseUser: Sendable, Hashable {
  /// Who the user is, as the project knows them.
  public var id: String
  /// What proves it, sent as a bearer token.
  public var token: String

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - id: Who the user is, as the project knows them.
  ///   - token: What proves it.
  public init(id: String, token: String) {
    self.id = id
    self.token = token
  }
}

extension PalbaseUser: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// That it is a user, and no more.
  public var description: String { "a signed-in user" }
  /// That it is a user, and no more.
  public var debugDescription: String { description }
  /// A mirror without children, so that a dump shows neither of the two.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
