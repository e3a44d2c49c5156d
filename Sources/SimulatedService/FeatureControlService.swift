/// The feature-control service as a value: a request goes in, an answer comes out, and nothing else happens.
///
/// It knows no clock, no network and no client. A virtual run owns one; a wall-clock run keeps one behind a
/// lock and a real server puts sockets in front of it. Equal requests in equal order give equal bytes in
/// every process.
///
/// Every answer has a serial, and every flag's payload carries it with the version and a check of the flag's content, so
/// that a value can be traced to the answer that brought it and known to be unaltered (BEHAVIOUR §4, "How judges
/// work"). The endpoints are those of BEHAVIOUR §2.
public struct FeatureControlService: Sendable {
  /// Where the endpoints are.
  public struct Paths: Hashable, Sendable {
    /// The path that evaluates flags.
    public var evaluate: String
    /// The path of the inbox.
    public var notifications: String
    /// The path of the telemetry sink.
    public var telemetry: String

    /// Creates the paths; the defaults are those of the seed.
    ///
    /// - Parameters:
    ///   - evaluate: The path that evaluates flags.
    ///   - notifications: The path of the inbox.
    ///   - telemetry: The path of the telemetry sink.
    public init(
      evaluate: String = "/api/feature-control/evaluate",
      notifications: String = "/api/feature-control/notifications",
      telemetry: String = "/api/feature-control/telemetry/exposures"
    ) {
      self.evaluate = evaluate
      self.notifications = notifications
      self.telemetry = telemetry
    }
  }

  /// What every inbox holds at first.
  public struct InboxPlan: Hashable, Sendable {
    /// How many items.
    public var items: Int
    /// What a cursor names.
    public var cursors: InboxCursors
    /// Whether the cursor of the second page is the empty text.
    public var emptyCursor: Bool

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - items: How many items an inbox holds at first.
    ///   - cursors: What a cursor names.
    ///   - emptyCursor: Whether the cursor of the second page is the empty text.
    public init(items: Int = 0, cursors: InboxCursors = .position, emptyCursor: Bool = false) {
      self.items = items
      self.cursors = cursors
      self.emptyCursor = emptyCursor
    }
  }

  /// Where the endpoints are.
  public let paths: Paths
  /// How requests must be authorized.
  public let authorization: AuthorizationRule
  private var definitions: FlagDefinitions
  private var inboxes: Inboxes
  private var sink = TelemetrySink()
  private var answered: UInt64 = 0

  /// Creates a service whose definitions have version 1.
  ///
  /// - Complexity: O(`flags`).
  /// - Parameters:
  ///   - flags: How many flags are defined, at least as many as there are keys.
  ///   - keys: The keys of the first flags; the others are generated: `fc.generated_0001` and so on.
  ///   - seed: Decides what the flags resolve to and which of them a publish changes.
  ///   - inbox: What every inbox holds at first.
  ///   - authorization: How requests must be authorized.
  ///   - paths: Where the endpoints are.
  public init(
    flags: Int, keys: [String], seed: UInt64, inbox: InboxPlan = InboxPlan(),
    authorization: AuthorizationRule = .open, paths: Paths = Paths()
  ) {
    self.paths = paths
    self.authorization = authorization
    definitions = FlagDefinitions(count: flags, keys: keys, seed: seed)
    inboxes = Inboxes(items: inbox.items, cursors: inbox.cursors, emptyCursor: inbox.emptyCursor)
  }

  /// The version of the definitions; it never falls.
  public var version: Int64 { definitions.version }

  /// The keys of all flags, the given ones first.
  ///
  /// - Complexity: O(*n*) in their number.
  public var keys: [String] { definitions.keys }

  /// How many answers were given so far, which is the serial of the last one.
  public var answerCount: UInt64 { answered }

  /// How many exposures were taken so far, those taken twice counted twice.
  public var acceptedEvents: Int { sink.acceptedEvents }

  /// How many of these had been taken before.
  public var duplicateEvents: Int { sink.duplicateEvents }

  // MARK: What the operators do

  /// Publishes new definitions: the version moves by one, and about a third of the flags resolve to something
  /// else for every reader.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Returns: The new version.
  @discardableResult
  public mutating func publish() -> Int64 { definitions.publish() }

  /// Goes back to the content before the last publish, under a new version.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Returns: The new version.
  @discardableResult
  public mutating func rollBack() -> Int64 { definitions.rollBack() }

  /// Puts new items in front of every inbox.
  ///
  /// - Complexity: O(1).
  /// - Parameter count: How many.
  public mutating func notify(count: Int) { inboxes.notify(count) }

  // MARK: The truth

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

  /// Returns the inbox of a user, newest first.
  ///
  /// - Complexity: O(*n*) in the number of items.
  /// - Parameter user: The user, as a credential names them.
  /// - Returns: The number of each item, unique in the run, and whether it was read.
  public mutating func inbox(of user: String) -> [(number: UInt64, isRead: Bool)] {
    inboxes.truth(of: user).map { (number: $0.number, isRead: $0.isRead) }
  }

  /// Returns the check that a flag's payload carries of what the service said.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - enabled: Whether it is on.
  ///   - variant: Its variant.
  ///   - reason: Why.
  ///   - serial: The serial of the answer.
  ///   - version: The version of the definitions.
  /// - Returns: A number that is another one, as good as certainly, if anything of it is.
  public static func check(
    key: String, enabled: Bool, variant: String?, reason: String, serial: UInt64, version: Int64
  ) -> UInt32 {
    var hash = StableHash(seed: serial)
    hash.mix(key)
    hash.mix(enabled ? 1 : 0)
    hash.mix(variant == nil ? 0 : 1)
    hash.mix(variant ?? "")
    hash.mix(reason)
    hash.mix(UInt64(bitPattern: version))
    return UInt32(truncatingIfNeeded: hash.value)
  }

  // MARK: Requests

  /// Looks at a request without answering it: the very reading that `respond` does.
  ///
  /// - Complexity: O(*n*) in the size of the request.
  /// - Parameter request: The request.
  /// - Returns: What is wrong with it; nil for nothing.
  public func inspect(_ request: ServiceRequest) -> RequestFlaw? {
    do throws(RequestFlaw) {
      _ = try ServedRequest(request, paths, authorization)
      return nil
    } catch {
      return error
    }
  }

  /// Answers a request.
  ///
  /// 200 or 202 with what was asked for; 400 for a request that is not exactly as documented, 401 for its
  /// credential, 404 `not_found` for a path that is not served or a notification that does not exist, 405
  /// `method_not_allowed` with `Allow`; the body of a refusal says which, by a code. Keys that are not defined are left
  /// out.
  ///
  /// - Complexity: O(*n*) in the size of the request.
  /// - Parameters:
  ///   - request: The request.
  ///   - lag: How many versions the replica that evaluates lags behind.
  /// - Returns: The answer, with the next serial.
  public mutating func respond(to request: ServiceRequest, lagging lag: Int = 0) -> ServiceResponse {
    do throws(RequestFlaw) {
      let served = try ServedRequest(request, paths, authorization)
      answered += 1
      return try answer(served, lag)
    } catch {
      let allow = request.path == paths.notifications ? "GET" : "POST"
      return refuse(
        status: error.status, code: error.code,
        headers: error.kind == .method ? [ServiceField("Allow", allow)] : [])
    }
  }

  /// Refuses a request, whatever it was, as a fault wants it.
  ///
  /// - Parameters:
  ///   - status: The status code of HTTP.
  ///   - code: The code in the body; nil for a body without one.
  ///   - headers: Further header fields.
  /// - Returns: The answer, with the next serial.
  public mutating func refuse(status: Int, code: String?, headers: [ServiceField]) -> ServiceResponse {
    answered += 1
    var writer = JSONWriter(capacity: 64)
    writer.beginObject()
    if let code {
      writer.name("code")
      writer.string(code)
    }
    writer.name("error")
    writer.bool(true)
    writer.endObject()
    return response(status, writer.bytes, headers)
  }

  private mutating func answer(_ request: ServedRequest, _ lag: Int) throws(RequestFlaw) -> ServiceResponse {
    switch request {
    case .evaluate(let evaluation): return evaluate(evaluation, lag)
    case .page(let user, let status, let limit, let cursor):
      do throws(RequestFlaw) {
        let page = try inboxes.page(of: user, status: status, limit: limit, cursor: cursor)
        var answer = response(200, AnswerBodies.page(page.items, next: page.next, serial: answered))
        answer.page = ServedPage(asked: cursor, items: page.items.map(\.number), next: page.next)
        return answer
      } catch {
        answered -= 1
        throw error
      }
    case .markRead(let user, let id):
      let isKnown = inboxes.markRead(id, of: user)
      guard isKnown else {
        answered -= 1
        return refuse(status: 404, code: "not_found", headers: [])
      }
      return response(200, AnswerBodies.marked)
    case .markAllRead(let user):
      inboxes.markAllRead(of: user)
      return response(200, AnswerBodies.marked)
    case .exposures(let batch):
      sink.accept(batch)
      return response(202, AnswerBodies.accepted(batch.numbers.count))
    }
  }

  private func evaluate(_ request: EvaluationRequest, _ lag: Int) -> ServiceResponse {
    let definitions = lag > 0 ? definitions.lagging(lag) : definitions
    let reader = ReaderHash(environment: request.environment, context: request.context)
    let flags = request.keys.compactMap { key in definitions.resolve(key, reader).map { (key: key, flag: $0) }
    }
    return response(200, AnswerBodies.flags(flags, serial: answered, version: definitions.version))
  }

  private func response(_ status: Int, _ body: [UInt8], _ headers: [ServiceField] = []) -> ServiceResponse {
    ServiceResponse(
      status: status, headers: [ServiceField("Content-Type", "application/json")] + headers, body: body,
      serial: answered)
  }
}
