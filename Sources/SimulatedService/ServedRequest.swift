/// A request that was read and found valid: what the service is asked to do.
///
/// Reading has no effect, so that a request can be looked at apart from being answered (`inspect`), by the same code.
enum ServedRequest {
  case evaluate(EvaluationRequest)
  case page(user: String, status: String?, limit: Int, cursor: String?)
  case markRead(user: String, id: String)
  case markAllRead(user: String)
  case exposures(ExposureBatch)

  /// Reads a request strictly.
  ///
  /// - Throws: `RequestFlaw` for the first thing that is wrong: path, method, credential, media type, content.
  init(
    _ request: ServiceRequest, _ paths: FeatureControlService.Paths, _ rule: AuthorizationRule
  ) throws(RequestFlaw) {
    switch try Route(request.path, paths) {
    case .evaluate:
      try Self.require("POST", request)
      _ = try rule.user(of: request)
      try Self.requireJSON(request)
      self = .evaluate(try EvaluationRequest(body: request.body))
    case .telemetry:
      try Self.require("POST", request)
      _ = try rule.user(of: request)
      try Self.requireJSON(request)
      self = .exposures(try ExposureBatch(body: request.body))
    case .notifications:
      try Self.require("GET", request)
      self = try Self.page(request, user: try rule.user(of: request))
    case .read(let id):
      try Self.require("POST", request)
      self = .markRead(user: try rule.user(of: request), id: id)
    case .readAll:
      try Self.require("POST", request)
      self = .markAllRead(user: try rule.user(of: request))
    }
  }

  private static func page(_ request: ServiceRequest, user: String) throws(RequestFlaw) -> ServedRequest {
    var status: String?
    var limit = 20
    var cursor: String?
    for item in request.query {
      switch item.name {
      case "status":
        guard item.value == "unread" || item.value == "read" else {
          throw RequestFlaw(.content, "invalid_status")
        }
        status = item.value
      case "limit":
        guard let value = Int(item.value), (1...100).contains(value) else {
          throw RequestFlaw(.limits, "invalid_limit")
        }
        limit = value
      case "cursor": cursor = item.value
      default: throw RequestFlaw(.content, "invalid_query")
      }
    }
    guard Set(request.query.map(\.name)).count == request.query.count else {
      throw RequestFlaw(.content, "invalid_query")
    }
    return .page(user: user, status: status, limit: limit, cursor: cursor)
  }

  private static func require(_ method: String, _ request: ServiceRequest) throws(RequestFlaw) {
    guard request.method == method else { throw RequestFlaw(.method, "method_not_allowed") }
  }

  /// Requires a JSON media type, whatever its parameters.
  private static func requireJSON(_ request: ServiceRequest) throws(RequestFlaw) {
    let contentType = request.header("Content-Type") ?? ""
    if contentType == "application/json" { return }
    let mediaType = contentType.prefix { $0 != ";" && $0 != " " }
    guard mediaType.lowercased() == "application/json" else {
      throw RequestFlaw(.contentType, "invalid_content_type")
    }
  }
}

/// Which endpoint a path names.
private enum Route {
  case evaluate
  case telemetry
  case notifications
  case read(id: String)
  case readAll

  init(_ path: String, _ paths: FeatureControlService.Paths) throws(RequestFlaw) {
    if path == paths.evaluate {
      self = .evaluate
    } else if path == paths.telemetry {
      self = .telemetry
    } else if path == paths.notifications {
      self = .notifications
    } else if path == paths.notifications + "/read-all" {
      self = .readAll
    } else if path.hasPrefix(paths.notifications + "/"), path.hasSuffix("/read"),
      path.utf8.count > paths.notifications.utf8.count + "/".utf8.count + "/read".utf8.count
    {
      let id = path.dropFirst(paths.notifications.count + 1).dropLast("/read".count)
      self = .read(id: String(id))
    } else {
      throw RequestFlaw(.path, "not_found")
    }
  }
}
