import ClientCore
import Synchronization

/// A flags project in process that answers at once, and whose values follow from its version alone.
public final class FlagsFeed: Transport {
  /// The flags of a version: the keys in order, the values as JSON text.
  public typealias Contents = @Sendable (_ version: Int64) -> [(key: String, value: String)]

  private let version: Atomic<Int64>
  private let contents: Contents

  /// Creates a project.
  ///
  /// - Parameters:
  ///   - version: The version it begins with.
  ///   - contents: Its flags; called for every answer, from any thread.
  public init(version: Int64 = 1, contents: @escaping Contents) {
    self.version = Atomic(version)
    self.contents = contents
  }

  /// Makes the next version the present one.
  public func publish() { version.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Answers a snapshot or a delta, which names every flag as changed.
  ///
  /// - Complexity: O(n) in the size of all values.
  /// - Parameter request: What is asked.
  /// - Returns: The answer; 404 for what is no read of flags.
  /// - Throws: Nothing.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let version = version.load(ordering: .acquiring)
    let flags = contents(version).map { #""\#($0.key)":{"value":\#($0.value),"source":"default"}"# }
    let values = "{" + flags.joined(separator: ",") + "}"
    switch request.path {
    case "/flags/snapshot":
      return TransportResponse(status: 200, body: Array(#"{"version":\#(version),"values":\#(values)}"#.utf8))
    case "/flags/delta":
      let since = request.url.firstRange(of: "since=").map { request.url[$0.upperBound...] }
      let digits = since?.prefix { $0.isNumber } ?? "0"
      let body = #"{"since":\#(digits),"version":\#(version),"changed":\#(values),"deleted":[]}"#
      return TransportResponse(status: 200, body: Array(body.utf8))
    default:
      return TransportResponse(status: 404)
    }
  }
}
