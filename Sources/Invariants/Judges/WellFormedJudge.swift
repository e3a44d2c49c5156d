import Events

/// Judges `well-formed` (BEHAVIOUR §2, the tables' rows "auth" and the contracts of the endpoints).
///
/// **Statement.** Every request that the service receives is valid: path, method, media type, body and query,
/// limits, authorization. A bearer token is asked for once for each request, and the request carries the one
/// that was given.
///
/// **Unit of a check.** A request that arrived at the service.
///
/// **Red.**
/// 1. The service, asked by the very code that reads requests, finds fault with it.
/// 2. A request carries another token than the app gave for it, which is what a client that keeps tokens
///    shows after a change of user, or one without having asked at all.
/// 3. The app is asked a second time for one request, or a token that it gave is not used in the same
///    instant, although nothing keeps the request back: that is how asking twice looks when each asking has a
///    number of its own.
///
/// **Why a correct client is never red.** The service's reading is the contract; what only the service can
/// know, such as a token that has expired on its way, is no flaw. A token may go unused where a Retry-After
/// may run, where the deadline has passed, and in an instant in which a caller was cancelled or the client
/// closed.
///
/// **Not seen.** Requests that are lost before they arrive.
struct WellFormedJudge: Judge {
  static let invariant = Invariant.wellFormed
  static let interests: Moments = [.requests, .others, .time]

  /// The tokens that were given in this instant for requests which have not been sent.
  private var given: [RequestID: UInt64] = [:]
  /// The requests that were given a token in this instant, in that order.
  private var authorized: [RequestID] = []

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .requestArrived:
      docket.check()
    case .requestFlawed(let request, let flaw):
      convict(
        request, at: stamp, shadow, &docket, "is not as documented: the service finds fault with its \(flaw)")
    case .authorized(let request, let token?):
      if given.updateValue(token, forKey: request) != nil {
        convict(request, at: stamp, shadow, &docket, "was authorized twice")
      }
      authorized.append(request)
    case .tokenSent(let request, let token):
      let expected = given.removeValue(forKey: request)
      if expected == nil {
        convict(request, at: stamp, shadow, &docket, "was sent without asking the app for a token")
      } else if expected != token {
        convict(request, at: stamp, shadow, &docket, "carries another token than the app gave for it")
      }
    default:
      break
    }
  }

  mutating func timeAdvances(
    from stamp: Stamp, _ sleepers: [Sleeper], _ shadow: inout Shadow, _ docket: inout Docket
  ) {
    guard !authorized.isEmpty else { return }
    for request in authorized where given.removeValue(forKey: request) != nil {
      guard let line = shadow.lines[request.rawValue], !line.isCancelled, line.deadline > stamp.nanoseconds
      else {
        continue
      }
      let instance = shadow.instance(line.instance)
      let mayRest =
        instance.isClosed || instance.lastCancellation == stamp.nanoseconds
        || instance.gates[line.family].mayHoldBack(at: stamp.nanoseconds)
      if !mayRest { convict(request, at: stamp, shadow, &docket, "was given a token and is not sent") }
    }
    authorized.removeAll(keepingCapacity: true)
  }

  private func convict(
    _ request: RequestID, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket, _ fault: String
  ) {
    let instance = shadow.lines[request.rawValue]?.instance
    docket.convict(
      at: stamp, instance: instance, request: request,
      (instance.map { "instance \($0.rawValue): " } ?? "") + "request \(request.rawValue) \(fault)")
  }
}
