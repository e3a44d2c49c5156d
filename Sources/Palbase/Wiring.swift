import ClientCore

/// What the app has wired a client with: fixed from its configuration on, and shared by all of the client's parts.
///
/// Apart, and not a copy in each part, because the two are half a kilobyte together and a fleet has thousands of clients.
@usableFromInline
package final class Wiring: Sendable {
  /// What the app has chosen.
  @usableFromInline package let configuration: PalbaseConfiguration
  /// The effects of this client.
  @usableFromInline package let environment: ClientEnvironment

  init(_ configuration: PalbaseConfiguration, _ environment: ClientEnvironment) {
    self.configuration = configuration
    self.environment = environment
  }
}
