import ClientCore
import URLSessionTransport

extension ClientEnvironment {
  /// The environment that a `PalbaseClient` uses unless it is given another: the system's clocks, the cooperative pool, a
  /// URLSession of its own, and sockets where the platform has them.
  public static var live: ClientEnvironment {
    #if canImport(Darwin)
      .live(transport: URLSessionTransport(), realtime: URLSessionRealtime(), storageName: "Palbase")
    #else
      .live(transport: URLSessionTransport(), storageName: "Palbase")
    #endif
  }
}
