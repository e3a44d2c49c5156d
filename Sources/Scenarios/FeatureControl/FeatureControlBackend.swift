import Events
import SimulatedService

/// The feature-control service behind the network.
struct FeatureControlBackend: Backend {
  let world: FeatureControlWorld

  func flaw(of request: ServiceRequest) -> RequestFlaw? { world.service.withLock { $0.inspect(request) } }

  func answer(_ request: ServiceRequest, _ id: RequestID, lag: Int) -> ServiceResponse {
    let isAccepted = world.accepts(request, at: world.stage.now)
    return world.service.withLock { service in
      isAccepted
        ? service.respond(to: request, lagging: lag)
        : service.refuse(status: 401, code: "token_expired", headers: [])
    }
  }

  func stand(
    in decision: Injection.Decision, for request: ServiceRequest, _ id: RequestID, headers: [ServiceField]
  ) -> ServiceResponse? {
    guard case .status(let status, _, let code) = decision else { return nil }
    return world.service.withLock { $0.refuse(status: status, code: code, headers: headers) }
  }

  func spoil(_ response: ServiceResponse, _ fault: AnswerFault, draw: (UInt64) -> UInt64) -> SpoiledResponse {
    response.spoiled(by: fault, draw: draw)
  }

  func tell(_ delivery: Delivery, _ id: RequestID, _ call: ReaderScope.Call?) {
    let response = delivery.response
    if !delivery.omitted.isEmpty || !delivery.undecodable.isEmpty {
      world.witness.note(
        .answerShaped(
          Serial(response.serial), omitted: delivery.omitted, undecodable: delivery.undecodable))
    }
    guard let page = response.page, let call, delivery.isUsable else { return }
    world.witness.note(
      .pageDelivered(
        id, call.id,
        InboxPage(
          asked: page.asked.map(RequestReading.number(ofCursor:)), items: page.items,
          next: page.next.map(RequestReading.number(ofCursor:)))))
  }
}
