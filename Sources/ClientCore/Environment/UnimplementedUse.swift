/// The use of an effect that a test said would not be touched.
public struct UnimplementedUse: Hashable, Sendable, CustomStringConvertible {
  /// The effect that was used, such as `Transport`.
  public let effect: String
  /// What was asked of it, without payloads, such as `GET /flags`.
  public let operation: String

  /// Creates the report of one use.
  ///
  /// - Parameters:
  ///   - effect: The effect that was used.
  ///   - operation: What was asked of it, without payloads.
  public init(effect: String, operation: String) {
    self.effect = effect
    self.operation = operation
  }

  /// What was used, and the remedy.
  public var description: String {
    "unimplemented \(effect): \(operation) (pass a live or controllable \(effect) if this use is meant)"
  }

  /// Ends the process with the description of the use: what an unimplemented double does unless told
  /// otherwise.
  ///
  /// - Parameter use: The use that must not have happened.
  public static func trap(_ use: UnimplementedUse) {
    fatalError(use.description)
  }
}
