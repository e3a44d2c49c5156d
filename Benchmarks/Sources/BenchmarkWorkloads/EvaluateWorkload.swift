import ClientCore
import LCFeatureControl

/// The client's benchmark: a manager whose cache is filled, asked for one flag again and again.
public struct EvaluateWorkload: Sendable {
  private let manager: FeatureControlManager
  private let context = FeatureControlContext(
    subjectType: .customer, subjectId: "customer-1", platform: "ios", appVersion: "1.0.0")
  private static let key = "fc.checkout_v2"

  /// Creates a manager on the live clock whose service answers at once, in process, and fills its cache.
  public init() async {
    manager = FeatureControlManager(
      configuration: FeatureControlConfiguration(
        baseURL: "https://api.example.com", environment: "production",
        auth: FeatureControlHeaderAuth(headers: [:]),
        cacheTTL: .seconds(86_400)),
      environment: .live(transport: InstantTransport(), storageName: "Benchmarks"))
    _ = await manager.evaluate(keys: [Self.key], context: context)
  }

  /// Evaluates one flag so many times; every call is a fresh hit.
  ///
  /// - Parameter count: How often.
  /// - Returns: How many of the calls were answered fresh: all of them, or the benchmark measures something else.
  public func run(_ count: Int) async -> Int {
    var fresh = 0
    for _ in 0..<count {
      let snapshot = await manager.evaluate(keys: [Self.key], context: context)
      if snapshot.origin(of: Self.key) == .fresh { fresh += 1 }
    }
    return fresh
  }

  /// Answers every request at once with one flag.
  private struct InstantTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let body =
        #"{"flags":{"fc.checkout_v2":{"enabled":true,"variant":"b","payload":null,"reason":"rule"}}}"#
      return TransportResponse(status: 200, body: Array(body.utf8))
    }
  }
}
