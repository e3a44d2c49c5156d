import Palbase

extension PalbaseClient {
  /// The project's feature flags and remote configuration, as this app's reader sees them.
  ///
  /// - Complexity: O(1); makes nothing. The module starts on first use.
  public var flags: FlagsClient { FlagsClient(number: number) }
}
