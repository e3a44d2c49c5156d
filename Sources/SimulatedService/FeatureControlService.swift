/// The feature-control service as a value: a request goes in, an answer comes out, and nothing else happens.
///
/// It knows no clock, no network and no client. A virtual run owns one; a wall-clock run keeps one behind a
/// lock and a real server puts sockets in front of it. Equal requests in equal order give equal bytes in
/// every process.
///
/// Every answer has a serial, and every flag's payload carries it with the version, so that a value can be
/// traced to the answer that brought it (BEHAVIOUR §4, "How judges work"). The endpoints are those of
/// BEHAVIOUR §2.
public struct FeatureControlService: Sendable {
  /// Where the endpoints are.
  public struct Paths: Hashable, Sendable {
    /// The path that evaluates flags.
    public var evaluate: String

    /// Creates the paths; the defaults are those of the seed.
    ///
    /// - Parameter evaluate: The path that evaluates flags.
    public init(evaluate: String = "/api/feature-control/evaluate") {
      self.evaluate = evaluate
    }
  }

  /// Where the endpoints are.
  public let paths: Paths
  private var definitions: FlagDefinitions
  private var answered: UInt64 = 0

  /// Creates a service whose definitions have version 1.
  ///
  /// - Complexity: O(`flags`).
  /// - Parameters:
  ///   - flags: How many flags are defined, at least as many as there are keys.
  ///   - keys: The keys of the first flags; the others are generated: `fc.generated_0001` and so on.
  ///   - seed: Decides what the flags resolve to and which of them a publish changes.
  ///   - paths: Where the endpoints are.
  public init(flags: Int, keys: [String], seed: UInt64, paths: Paths = Paths()) {
    self.paths = paths
    definitions = FlagDefinitions(count: flags, keys: keys, seed: seed)
  }

  /// The version of the definitions; it never falls.
  public var version: Int64 { definitions.version }

  /// The keys of all flags, the given ones first.
  ///
  /// - Complexity: O(*n*) in their number.
  public var keys: [String] { definitions.keys }

  /// How many answers were given so far, which is the serial of the last one.
  public var answerCount: UInt64 { answered }

  /// Publishes new definitions: the version moves by one, and about a third of the flags resolve to something
  /// else for every reader.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Returns: The new version.
  @discardableResult
  public mutating func publish() -> Int64 { definitions.publish() }

  /// Returns what the service resolves a flag to now, by the very code that answers requests.
  ///
  /// - Complexity: O(*n*) in the length of the texts.
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - environment: The environment.
  ///   - context: For whom.
  /// - Returns: What the reader gets, nil for a key that is not defined.
  public func truth(key: String, environment: String, context: EvaluationContext) -> ResolvedFlag? {
    definitions.resolve(key, ReaderHash(environment: environment, context: context))
  }

  /// Answers a request.
  ///
  /// 200 with the flags; 400 for a request that is not exactly as documented, with the code
  /// `invalid_content_type`, `invalid_json`, `invalid_body`, `invalid_environment`, `invalid_keys` or
  /// `invalid_context`; 404 `not_found` for a path that is not served; 405 `method_not_allowed` with `Allow`.
  /// Keys that are not defined are left out.
  ///
  /// - Complexity: O(*n*) in the size of the request.
  /// - Parameter request: The request.
  /// - Returns: The answer, with the next serial.
  public mutating func respond(to request: ServiceRequest) -> ServiceResponse {
    answered += 1
    guard request.path == paths.evaluate else { return refusal(404, "not_found") }
    guard request.method == "POST" else {
      return refusal(405, "method_not_allowed", [ServiceField("Allow", "POST")])
    }
    guard Self.isJSON(request.header("Content-Type")) else { return refusal(400, "invalid_content_type") }
    do {
      return evaluation(of: try EvaluationRequest(body: request.body))
    } catch {
      return refusal(400, error.rawValue)
    }
  }

  private func evaluation(of request: EvaluationRequest) -> ServiceResponse {
    let reader = ReaderHash(environment: request.environment, context: request.context)
    var writer = JSONWriter(capacity: 16 + request.keys.count * 160)
    writer.beginObject()
    writer.name("flags")
    writer.beginObject()
    for key in request.keys {
      guard let flag = definitions.resolve(key, reader) else { continue }
      writer.name(key)
      write(flag, to: &writer)
    }
    writer.endObject()
    writer.endObject()
    return response(200, writer.bytes)
  }

  private func write(_ flag: ResolvedFlag, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("enabled")
    writer.bool(flag.isEnabled)
    writer.name("payload")
    writer.beginObject()
    writer.name("serial")
    writer.number(answered)
    writer.name("version")
    writer.number(definitions.version)
    writer.endObject()
    writer.name("reason")
    writer.string(flag.reason)
    writer.name("variant")
    if let variant = flag.variant { writer.string(variant) } else { writer.null() }
    writer.endObject()
  }

  private func refusal(_ status: Int, _ code: String, _ headers: [ServiceField] = []) -> ServiceResponse {
    var writer = JSONWriter(capacity: 64)
    writer.beginObject()
    writer.name("code")
    writer.string(code)
    writer.name("error")
    writer.bool(true)
    writer.endObject()
    return response(status, writer.bytes, headers)
  }

  private func response(_ status: Int, _ body: [UInt8], _ headers: [ServiceField] = []) -> ServiceResponse {
    ServiceResponse(
      status: status,
      headers: [ServiceField("Content-Type", "application/json")] + headers,
      body: body,
      serial: answered
    )
  }

  /// Whether the media type is JSON, whatever its parameters.
  private static func isJSON(_ contentType: String?) -> Bool {
    guard let contentType else { return false }
    if contentType == "application/json" { return true }
    let mediaType = contentType.prefix { $0 != ";" && $0 != " " }
    return mediaType.lowercased() == "application/json"
  }
}
