import ClientCore
import Events
import Foundation

/// What the run must know of a request besides its bytes.
struct RequestReading {
  let endpoint: Endpoint
  /// What is asked for, of an evaluation that can be read.
  let key: RequestKey?
  /// The numbers of the exposures that a batch carries.
  let exposures: [UInt64]
  /// The cursor that a page is asked by, as a number that equal texts share.
  let cursor: UInt64?

  /// Reads a request as the service would.
  ///
  /// - Complexity: O(n) in the size of the request.
  init(_ request: TransportRequest, _ directory: RequestDirectory) {
    endpoint = Self.endpoint(of: request)
    key = endpoint == .evaluate ? directory.key(ofBody: request.body ?? []) : nil
    exposures = endpoint == .telemetry ? Self.exposures(in: request.body ?? []) : []
    cursor = endpoint == .notifications ? Self.cursor(in: request.url) : nil
  }

  /// A cursor as a number that equal texts share.
  static func number(ofCursor text: String) -> UInt64 {
    var digest = Digest()
    digest.mix(text)
    return digest.rawValue
  }

  private static func endpoint(of request: TransportRequest) -> Endpoint {
    let path = request.url.prefix { $0 != "?" }
    if path.hasSuffix("/telemetry/exposures") { return .telemetry }
    if path.hasSuffix("/notifications") { return .notifications }
    if path.hasSuffix("/read-all") { return .readAll }
    if path.hasSuffix("/read") { return .read }
    return .evaluate
  }

  private static func exposures(in body: [UInt8]) -> [UInt64] {
    guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
      let events = object["events"] as? [[String: Any]]
    else { return [] }
    return events.map { event in
      let number = (event["attributes"] as? [String: Any])?["number"] as? NSNumber
      return number?.uint64Value ?? 0
    }
  }

  private static func cursor(in url: String) -> UInt64? {
    guard let question = url.firstIndex(of: "?") else { return nil }
    for item in url[url.index(after: question)...].split(separator: "&") where item.hasPrefix("cursor=") {
      let text = String(item.dropFirst("cursor=".count))
      return number(ofCursor: text.removingPercentEncoding ?? text)
    }
    return nil
  }
}
