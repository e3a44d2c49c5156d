import Foundation
import SimulatedService
import Testing

/// A reader's app as it asks a flags project, with what most tests do not care about filled in.
struct FlagsApp {
  /// Who asks: the header fields that prove it.
  var credential: [ServiceField]
  /// What the app says about itself.
  var context = ReaderContext(platform: "ios", appVersion: "3.0", language: "en", country: "DE")
  /// What every request carries besides.
  var headers = [ServiceField("apikey", "key"), ServiceField("X-Simulated-Country", "DE")]

  /// The app of a signed-in user.
  static func user(_ id: String, generation: Int = 0) -> FlagsApp {
    FlagsApp(credential: [ServiceField("Authorization", "Bearer \(id).\(generation)")])
  }

  /// The app of an install without a user.
  static func install(_ id: String, secret: String = "s") -> FlagsApp {
    FlagsApp(credential: [
      ServiceField("X-Palbase-Install", id), ServiceField("X-Palbase-Install-Secret", secret),
    ])
  }

  func snapshot(ifNoneMatch etag: String? = nil) -> ServiceRequest {
    let condition = etag.map { [ServiceField("If-None-Match", $0)] } ?? []
    return ServiceRequest(
      method: "GET", path: "/flags/snapshot", query: query, headers: headers + credential + condition)
  }

  func delta(since: Int64) -> ServiceRequest {
    ServiceRequest(
      method: "GET", path: "/flags/delta", query: query + [ServiceField("since", "\(since)")],
      headers: headers + credential)
  }

  func events(_ ids: [String], batch: String = "b1") -> ServiceRequest {
    events(body: Self.batch(ids.map { Self.event($0) }, id: batch))
  }

  func events(body: String) -> ServiceRequest {
    ServiceRequest(
      method: "POST", path: "/analytics/events",
      headers: headers + credential + [ServiceField("Content-Type", "application/json")],
      body: Array(body.utf8))
  }

  static func batch(_ events: [String], id: String = "b1") -> String {
    "{\"batch_id\":\"\(id)\",\"events\":[\(events.joined(separator: ","))]}"
  }

  /// An event with every member, or with one of them replaced by another text of JSON, or left out.
  static func event(_ id: String, changing name: String? = nil, to value: String? = nil) -> String {
    var members = [
      ("at", "\"2026-01-01T12:00:00.000Z\""), ("id", "\"\(id)\""), ("name", "\"$flag_exposure\""),
      ("properties", "{\"flag\":\"f\"}"), ("session", "\"s1\""),
    ]
    if let name {
      members.removeAll { $0.0 == name }
      if let value { members.append((name, value)) }
    }
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private var query: [ServiceField] {
    [
      ServiceField("platform", context.platform), ServiceField("app_version", context.appVersion),
      ServiceField("language", context.language),
    ]
  }
}

extension FlagsAnswer {
  /// The ETag of the answer.
  var etag: String? { response.header("ETag") }

  /// The reason of a 410, as the body says it.
  var reason: String? {
    guard response.status == 410, let object = try? response.object(), object["error"] as? String == "gone"
    else { return nil }
    return object["reason"] as? String
  }

  /// The code of a refusal, as the body says it.
  var code: String? { (try? response.object())?["error"] as? String }

  /// The texts of the flags in one member of the body, each with its source, sorted by key.
  func flags(_ member: String, _ location: SourceLocation = #_sourceLocation) throws -> [String] {
    let object = try response.object(location)
    let flags = try #require(object[member] as? [String: [String: Any]], sourceLocation: location)
    return try flags.sorted { $0.key < $1.key }.map { key, flag in
      let value = try #require(flag["value"], sourceLocation: location)
      return "\(key)=\(value) \(flag["source"] ?? "?")"
    }
  }

  /// The version in the body.
  var bodyVersion: Int64? { ((try? response.object())?["version"] as? NSNumber)?.int64Value }
}
