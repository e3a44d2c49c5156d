import Foundation

extension ClientEnvironment {
  /// Creates the environment of an app: the system's clocks and randomness, the cooperative pool, files.
  ///
  /// - Parameters:
  ///   - transport: Carries requests.
  ///   - realtime: Opens sockets; unless given, as on a platform that has none.
  ///   - storageName: The folder for records, below the user's folder for application data; made when first needed.
  /// - Returns: The environment.
  public static func live(
    transport: any Transport, realtime: any Realtime = UnavailableRealtime(), storageName: String
  ) -> ClientEnvironment {
    let base =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
    return ClientEnvironment(
      clock: .live, wallClock: LiveWallClock(), random: LiveRandomSource(), spawner: LiveSpawner(),
      mainActorHop: LiveMainActorHop(), transport: transport,
      storage: LiveStorage(directory: base.appendingPathComponent(storageName).path),
      lifecycle: LiveLifecycle(), realtime: realtime)
  }
}
