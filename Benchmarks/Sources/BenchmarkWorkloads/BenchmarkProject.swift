import ClientCore
import Palbase

/// What the flags benchmarks say to their clients.
public enum BenchmarkProject {
  /// The wiring; no such host exists.
  public static let configuration = PalbaseConfiguration(
    baseURL: "https://project.invalid", apiKey: "key", platform: "ios", appVersion: "2.4.0", language: "de")

  /// Who is signed in.
  public static let user = PalbaseUser(id: "customer-1", token: "token-1")

  /// Returns the live environment with a project in process and a disk in memory, or one given.
  ///
  /// - Parameters:
  ///   - transport: The project.
  ///   - storage: Where records are kept.
  /// - Returns: The environment; it has no sockets.
  public static func environment(
    _ transport: any Transport, storage: any Storage = ControllableStorage()
  ) -> ClientEnvironment {
    var environment = ClientEnvironment.live(transport: transport, storageName: "Benchmarks")
    environment.storage = storage
    return environment
  }
}
