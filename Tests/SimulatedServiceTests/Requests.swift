import Foundation
import SimulatedService
import Testing

/// Requests as a client sends them, with what most tests don't care about filled in.
enum Requests {
  /// A request that evaluates flags for the subject `s1` in the environment `production`.
  static func evaluate(_ keys: [String], subject: String = "s1", headers: [ServiceField] = [])
    -> ServiceRequest
  {
    let names = keys.map { "\"\($0)\"" }.joined(separator: ",")
    let body =
      "{\"environment\":\"production\",\"keys\":[\(names)],"
      + "\"context\":{\"subjectType\":\"customer\",\"subjectId\":\"\(subject)\"}}"
    return ServiceRequest(
      method: "POST", path: "/api/feature-control/evaluate", headers: [json] + headers, body: Array(body.utf8)
    )
  }

  /// A request for a page of the inbox, with the items of its query as they are.
  static func page(_ query: [(String, String)] = [], headers: [ServiceField] = []) -> ServiceRequest {
    ServiceRequest(
      method: "GET", path: "/api/feature-control/notifications",
      query: query.map { ServiceField($0.0, $0.1) }, headers: headers)
  }

  /// A request that marks one notification as read.
  static func markRead(_ id: String, headers: [ServiceField] = []) -> ServiceRequest {
    ServiceRequest(method: "POST", path: "/api/feature-control/notifications/\(id)/read", headers: headers)
  }

  /// A request that marks all notifications as read.
  static func markAllRead(headers: [ServiceField] = []) -> ServiceRequest {
    ServiceRequest(method: "POST", path: "/api/feature-control/notifications/read-all", headers: headers)
  }

  /// A batch of exposures, each event a text of JSON.
  static func exposures(_ events: [String], headers: [ServiceField] = []) -> ServiceRequest {
    telemetry("{\"events\":[\(events.joined(separator: ","))]}", headers: headers)
  }

  /// A request to the telemetry sink with a body of any kind.
  static func telemetry(_ body: String, headers: [ServiceField] = []) -> ServiceRequest {
    ServiceRequest(
      method: "POST", path: "/api/feature-control/telemetry/exposures", headers: [json] + headers,
      body: Array(body.utf8))
  }

  /// An exposure with every field, or with one of them replaced by another text of JSON, or left out.
  static func exposure(_ number: Int, changing name: String? = nil, to value: String? = nil) -> String {
    var fields = [
      ("attributes", "{\"number\":\(number)}"), ("featureKey", "\"fc.a\""),
      ("occurredAt", "\"2026-01-01T12:00:00.000Z\""), ("storeId", "\"st\""), ("subjectType", "\"customer\""),
      ("variant", "\"on\""),
    ]
    if let name {
      fields.removeAll { $0.0 == name }
      if let value { fields.append((name, value)) }
    }
    return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private static let json = ServiceField("Content-Type", "application/json")
}

extension ServiceResponse {
  /// The body as Foundation reads it, by which a service is not its own witness.
  func object(_ location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any], sourceLocation: location)
  }

  /// The code of a refusal.
  var code: String? {
    let parsed = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    guard parsed?["error"] as? Bool == true else { return nil }
    return parsed?["code"] as? String
  }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
}
