/// A request to a flags project that was read and found well formed.
///
/// Reading has no effect, so that a request can be looked at apart from being answered (`inspect`), by the
/// same code. It is stricter than real services are: a client that leans on leniency has a bug (invariant
/// `well-formed`).
struct FlagsRequest {
  /// What is asked for.
  enum Content {
    case snapshot(ReaderContext, ifNoneMatch: String?)
    case delta(ReaderContext, since: Int64)
    case events(EventBatch)
  }

  let credential: FlagsCredential
  let content: Content

  /// Reads a request; the way to the socket is read by `checkUpgrade`.
  ///
  /// - Throws: `RequestFlaw` for the first thing that is wrong: path, method, key, credential, media type,
  ///   content.
  init(_ request: ServiceRequest, apiKey: String) throws(RequestFlaw) {
    guard let method = Self.method(of: request.path) else { throw RequestFlaw(.path, "not_found") }
    guard request.method == method else { throw RequestFlaw(.method, "method_not_allowed") }
    try Self.checkKey(request, apiKey)
    credential = try FlagsCredential(request)
    if method == "POST" {
      try Self.checkMediaType(request)
      guard request.query.isEmpty else { throw RequestFlaw(.content, "invalid_query") }
      content = .events(try EventBatch(body: request.body))
      return
    }
    guard request.body.isEmpty else { throw RequestFlaw(.content, "unexpected_body") }
    let isDelta = request.path == Self.deltaPath
    let query = try Self.query(request, isDelta ? Self.contextNames + ["since"] : Self.contextNames)
    let context = ReaderContext(
      platform: query[0], appVersion: query[1], language: query[2],
      country: request.header("X-Simulated-Country"))
    if isDelta {
      content = .delta(context, since: try Self.version(query[3]))
    } else {
      content = .snapshot(context, ifNoneMatch: try Self.etag(request))
    }
  }

  /// Reads the request that opens the socket: `GET /realtime` with the key; credentials come with the joins.
  static func checkUpgrade(_ request: ServiceRequest, apiKey: String) throws(RequestFlaw) {
    guard request.method == "GET" else { throw RequestFlaw(.method, "method_not_allowed") }
    try checkKey(request, apiKey)
    guard request.body.isEmpty else { throw RequestFlaw(.content, "unexpected_body") }
  }

  static let realtimePath = "/realtime"
  private static let snapshotPath = "/flags/snapshot"
  private static let deltaPath = "/flags/delta"
  private static let eventsPath = "/analytics/events"
  private static let contextNames = ["platform", "app_version", "language"]

  /// The method that a path takes; nil for a path that is not served.
  static func method(of path: String) -> String? {
    switch path {
    case snapshotPath, deltaPath, realtimePath: "GET"
    case eventsPath: "POST"
    default: nil
    }
  }

  private static func checkKey(_ request: ServiceRequest, _ apiKey: String) throws(RequestFlaw) {
    let keys = request.values(of: "apikey")
    guard let key = keys.first else { throw RequestFlaw(.authorization, "missing_apikey") }
    guard keys.count == 1, key == apiKey else { throw RequestFlaw(.authorization, "invalid_apikey") }
  }

  private static func checkMediaType(_ request: ServiceRequest) throws(RequestFlaw) {
    let mediaType = (request.header("Content-Type") ?? "").prefix { $0 != ";" && $0 != " " }
    guard mediaType.lowercased() == "application/json" else {
      throw RequestFlaw(.contentType, "invalid_content_type")
    }
  }

  /// The values of exactly these items, each once and not empty, in the order of the names.
  private static func query(_ request: ServiceRequest, _ names: [String]) throws(RequestFlaw) -> [String] {
    guard request.query.count <= names.count else { throw RequestFlaw(.content, "invalid_query") }
    var values: [String] = []
    for name in names {
      let items = request.query.filter { $0.name == name }
      guard items.count == 1, let value = items.first?.value, !value.isEmpty else {
        throw RequestFlaw(.content, name == "since" ? "invalid_since" : "invalid_context")
      }
      values.append(value)
    }
    return values
  }

  /// A whole number from 0, in digits only.
  private static func version(_ text: String) throws(RequestFlaw) -> Int64 {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let version = Int64(text) else {
      throw RequestFlaw(.content, "invalid_since")
    }
    return version
  }

  /// The one strong ETag of `If-None-Match`, with its quotes; nil without that field.
  private static func etag(_ request: ServiceRequest) throws(RequestFlaw) -> String? {
    let values = request.values(of: "If-None-Match")
    guard let value = values.first else { return nil }
    let inner = value.utf8.dropFirst().dropLast()
    guard values.count == 1, value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\""),
      !inner.contains(UInt8(ascii: "\""))
    else { throw RequestFlaw(.content, "invalid_if_none_match") }
    return value
  }
}

/// Who a request, or the joining of a channel, says it comes from, and what it proves that with.
enum FlagsCredential: Hashable, Sendable {
  /// A signed-in user, by a token of one generation.
  case user(String, generation: Int)
  /// An install, by its secret.
  case install(String, secret: String)

  var reader: FlagsReader {
    switch self {
    case .user(let id, _): .user(id)
    case .install(let id, _): .install(id)
    }
  }

  /// Reads the credential of a request: a bearer token, or an install's id and secret, never both.
  init(_ request: ServiceRequest) throws(RequestFlaw) {
    let tokens = request.values(of: "Authorization")
    let ids = request.values(of: "X-Palbase-Install")
    let secrets = request.values(of: "X-Palbase-Install-Secret")
    guard tokens.isEmpty || ids.isEmpty && secrets.isEmpty else {
      throw RequestFlaw(.authorization, "two_credentials")
    }
    guard tokens.count <= 1, ids.count <= 1, secrets.count <= 1 else {
      throw RequestFlaw(.authorization, "repeated_credential")
    }
    if let token = tokens.first {
      guard token.hasPrefix("Bearer ") else { throw RequestFlaw(.authorization, "malformed_authorization") }
      try self.init(token: String(token.dropFirst("Bearer ".count)))
    } else {
      guard let id = ids.first, let secret = secrets.first, !id.isEmpty, !secret.isEmpty else {
        throw RequestFlaw(.authorization, "missing_credential")
      }
      self = .install(id, secret: secret)
    }
  }

  /// Reads the payload of a join: `{"token"}`, or `{"install","secret"}`, never both.
  init(joining payload: AttributeValue) throws(RequestFlaw) {
    guard case .object(let members) = payload else { throw RequestFlaw(.content, "invalid_payload") }
    if members.count == 1, case .string(let token)? = members["token"] {
      try self.init(token: token)
    } else if members.count == 2, case .string(let id)? = members["install"], !id.isEmpty,
      case .string(let secret)? = members["secret"], !secret.isEmpty
    {
      self = .install(id, secret: secret)
    } else {
      throw RequestFlaw(.authorization, "missing_credential")
    }
  }

  /// Reads a token `<user id>.<generation>`; one without a generation is of generation 0.
  private init(token: String) throws(RequestFlaw) {
    guard !token.isEmpty else { throw RequestFlaw(.authorization, "missing_credential") }
    if let dot = token.lastIndex(of: "."), dot > token.startIndex,
      let generation = Int(token[token.index(after: dot)...]), generation >= 0
    {
      self = .user(String(token[..<dot]), generation: generation)
    } else {
      self = .user(token, generation: 0)
    }
  }
}
