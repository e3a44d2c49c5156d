import ClientCore
import URLSessionTransport

extension ClientEnvironment {
  /// The environment that a `FeatureControlManager` uses unless it is given another: the system's clocks, the
  /// cooperative pool, and a URLSession of its own.
  public static var live: ClientEnvironment {
    .live(transport: URLSessionTransport(), storageName: "LCFeatureControl")
  }
}
