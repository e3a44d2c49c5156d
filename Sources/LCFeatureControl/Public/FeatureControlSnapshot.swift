/// The flags that one `evaluate` call was answered with.
public struct FeatureControlSnapshot: Hashable, Sendable {
  /// Where the value of a key came from.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// From the cache, younger than the TTL, without a request.
    case fresh
    /// From the answer of a request that this call made or joined.
    case flight
    /// From the cache, because nothing newer could be had.
    case stale
    /// From the defaults given to the manager.
    case `default`
  }

  /// The flags by key.
  ///
  /// A key that neither the service, the cache nor the defaults know is absent.
  public let flags: [String: FeatureControlFlag]
  private let origins: [String: Origin]

  /// A snapshot without flags.
  public static let empty = FeatureControlSnapshot(flags: [:], origins: [:])

  init(flags: [String: FeatureControlFlag], origins: [String: Origin]) {
    self.flags = flags
    self.origins = origins
  }

  /// Tells where the value of a key came from.
  ///
  /// - Complexity: O(1) on average.
  /// - Parameter key: The key of a flag.
  /// - Returns: The origin; nil exactly if `flags` has no such key.
  public func origin(of key: String) -> Origin? { origins[key] }
}
