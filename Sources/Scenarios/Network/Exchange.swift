import ClientCore
import Events
import ScenarioFormat
import SimulatedService

/// One request on its way to the service and back, with everything that faults do to it.
///
/// A request takes one network latency to the service, the service's own latency there, and another network latency
/// back. Not modelled: bandwidth, connection set-up, a service that slows down under load.
struct Exchange: Sendable {
  let basis: Basis
  let backend: any Backend
  let request: TransportRequest
  let endpoint: Endpoint
  let id: RequestID
  let call: ReaderScope.Call?
  let injection: Injection

  /// Goes there and back.
  ///
  /// - Returns: What reaches the client.
  /// - Throws: `TransportError` where the client is told that there will be no answer, `CancellationError` if its task is
  ///   cancelled meanwhile.
  func run() async throws -> Delivery {
    if case .offline? = injection.decision { throw TransportError(.connectionFailed, "there is no network") }
    try await wait(basis.scenario.network.latency, plus: injection.addedLatency)
    switch injection.decision {
    case .hang?:
      // Half-open connections end at last, when the operating system probes them.
      try await basis.stage.sleep(Self.keepAlive)
      throw TransportError(.connectionFailed, "the connection was half open for two hours")
    case .lose(.request)?: throw TransportError(.connectionFailed, "the connection broke on the way there")
    default: break
    }
    let service = arrive()
    try await wait(basis.scenario.service.latency)
    var delivery = answer(service)
    if injection.isDuplicated { delivery = repeated(delivery) }
    if injection.heldBack > 0 { try await basis.stage.sleep(injection.heldBack) }
    try await wait(basis.scenario.network.latency)
    if case .lose(.answer)? = injection.decision {
      throw TransportError(.connectionFailed, "the connection broke on the way back")
    }
    return delivery
  }

  /// After how long a half-open connection is found out, in nanoseconds.
  private static let keepAlive: Int64 = 7_200_000_000_000

  private func wait(_ latency: Latency, plus added: Int64 = 0) async throws {
    if latency.isZero, added == 0 { return }
    let delay = (latency.isZero ? 0 : basis.sampler.sample(latency, on: basis.stage)) + added
    basis.note(latency: delay)
    try await basis.stage.sleep(delay)
  }

  // MARK: At the service

  /// The request reaches the service, which looks at it.
  private func arrive() -> ServiceRequest {
    let request =
      ServiceRequest(
        method: request.method.name, url: request.url,
        headers: request.headers.map { ServiceField($0.name, $0.value) }, body: request.body ?? [])
      ?? ServiceRequest(method: request.method.name, path: "", query: [], headers: [], body: [])
    tellArrival(of: request)
    return request
  }

  private func tellArrival(of request: ServiceRequest) {
    basis.witness.requestArrived(id)
    basis.ledger.arrival(endpoint, ReaderScope.group, at: basis.stage.now)
    if let flaw = backend.flaw(of: request) { basis.witness.note(.requestFlawed(id, Flaw(flaw))) }
  }

  /// The service answers, or the fault does in its stead.
  private func answer(_ request: ServiceRequest) -> Delivery {
    let patience = injection.patience(sentAt: basis.times.service)
    let stand = injection.decision.flatMap {
      backend.stand(in: $0, for: request, id, headers: patience?.headers ?? [])
    }
    var delivery: Delivery
    if let stand {
      delivery = Delivery(response: stand)
      delivery.isUsable = false
      delivery.patience = patience
    } else {
      delivery = Delivery(response: backend.answer(request, id, lag: injection.lag))
      if case .body(let fault)? = injection.decision { spoil(&delivery, fault) }
    }
    let response = delivery.response
    basis.witness.answerProduced(id, Serial(response.serial), status: response.status)
    return delivery
  }

  private func spoil(_ delivery: inout Delivery, _ fault: BodyFault) {
    guard (200..<300).contains(delivery.response.status) else { return }
    let spoiled = backend.spoil(delivery.response, AnswerFault(fault)) { bound in
      basis.stage.draw(upTo: bound, .fault)
    }
    delivery.response = spoiled.response
    delivery.isUsable = spoiled.isUsable
    delivery.omitted = spoiled.omitted.map(Int32.init)
    delivery.undecodable = spoiled.undecodable.map(Int32.init)
  }

  /// The request arrives a second time; its second answer is lost.
  private func repeated(_ first: Delivery) -> Delivery {
    let second = arrive()
    let answer = backend.answer(second, id, lag: injection.lag)
    basis.witness.answerProduced(id, Serial(answer.serial), status: answer.status)
    return first
  }

  // MARK: At the client

  /// Tells the judges what has reached the client, in the step in which it does.
  func tell(_ delivery: Delivery) {
    backend.tell(delivery, id, call)
    if let delay = delivery.patience?.meaning(onDeviceAt: basis.times.device) {
      basis.witness.note(.patienceAsked(id, nanoseconds: delay))
      basis.ledger.retryDelay(delay, ReaderScope.group, at: basis.stage.now)
    }
    basis.witness.requestCompleted(
      id,
      .answered(
        status: delivery.response.status,
        serial: delivery.isUsable ? Serial(delivery.response.serial) : nil))
  }
}

extension Injection {
  /// The wish to be left alone that a refusal is to carry.
  fileprivate func patience(sentAt now: Int64) -> Patience? {
    guard case .status(_, let form?, _)? = decision else { return nil }
    return Patience(form: form, sentAt: now)
  }
}

extension Flaw {
  fileprivate init(_ flaw: RequestFlaw) {
    switch flaw.kind {
    case .path: self = .path
    case .method: self = .method
    case .contentType: self = .contentType
    case .content: self = .content
    case .limits: self = .limits
    case .authorization: self = .authorization
    }
  }
}

extension AnswerFault {
  fileprivate init(_ fault: BodyFault) {
    switch fault {
    case .garbled: self = .garbled
    case .truncated: self = .truncated
    case .errorEnvelope: self = .errorEnvelope
    case .html: self = .html
    case .undecodableFlag: self = .undecodableFlag
    case .missingFlag: self = .missingFlag
    case .duplicateNames: self = .duplicateNames
    case .unknownFields: self = .unknownFields
    }
  }
}
