import Events

/// Judges `well-formed` of the flags client (BEHAVIOUR §3, the table of contracts).
///
/// **Statement.** Every request that the service receives is valid: path, method, headers, query and body, limits, and
/// exactly one form of credential. So is every join on the socket: a topic of the service's, under a credential.
///
/// **Unit of a check.** A request that arrived at the service.
///
/// **Red.**
/// 1. The service, asked by the very code that reads requests, finds fault with it.
/// 2. A topic that no service knows is joined, or one without a credential that can be read.
///
/// **Why a correct client is never red.** The service's reading is the contract; what only the service can know, such as a
/// token that has expired on its way, is no flaw, and a refused join none either.
///
/// **Not seen.** Requests that are lost before they arrive. Whose credential it is: `gate-closed`.
struct FlagsWellFormedJudge: FlagsJudge {
  static let invariant = Invariant.wellFormed
  static let interests: Moments = [.requests, .others]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .requestArrived:
      docket.check()
    case .requestFlawed(let request, let flaw):
      let instance = shadow.requests[request]?.instance
      docket.convict(
        at: stamp, instance: instance, request: request,
        (instance.map { "instance \($0.rawValue): " } ?? "")
          + "request \(request.rawValue) is not as documented: the service finds fault with its \(flaw)")
    case .device(.joinAsked(let instance, let topic, let credential, _))
    where topic == .unknown || credential == nil:
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) joins \(topic) "
          + (credential == nil ? "without a credential" : "under the credential of \(credential!)"))
    default:
      break
    }
  }
}
