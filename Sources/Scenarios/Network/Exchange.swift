import ClientCore
import Events
import ScenarioFormat
import SimulatedService

/// One request on its way to the service and back, with everything that faults do to it.
///
/// A request takes one network latency to the service, the service's own latency there, and another network latency
/// back. Not modelled: bandwidth, connection set-up, a service that slows down under load.
struct Exchange: Sendable {
  /// What reaches the client.
  struct Delivery: Sendable {
    var response: ServiceResponse
    /// Whether the body is what its status promises.
    var isUsable = true
    /// Keys that the answer leaves out or garbles, by their place among the sorted keys.
    var omitted: [Int32] = []
    var undecodable: [Int32] = []
    /// The wish of a refusal to be left alone.
    var patience: Patience?

    /// Whether the service took what was sent, as far as the client can tell.
    var isAcknowledged: Bool { (200..<300).contains(response.status) && isUsable }
  }

  let world: World
  let request: TransportRequest
  let reading: RequestReading
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
    try await wait(world.scenario.network.latency, plus: injection.addedLatency)
    switch injection.decision {
    case .hang?:
      // Half-open connections end at last, when the operating system probes them.
      try await world.stage.sleep(Self.keepAlive)
      throw TransportError(.connectionFailed, "the connection was half open for two hours")
    case .lose(.request)?: throw TransportError(.connectionFailed, "the connection broke on the way there")
    default: break
    }
    let service = arrive()
    try await wait(world.scenario.service.latency)
    var delivery = answer(service)
    if injection.isDuplicated { delivery = repeated(delivery) }
    if injection.heldBack > 0 { try await world.stage.sleep(injection.heldBack) }
    try await wait(world.scenario.network.latency)
    if case .lose(.answer)? = injection.decision {
      throw TransportError(.connectionFailed, "the connection broke on the way back")
    }
    return delivery
  }

  /// After how long a half-open connection is found out, in nanoseconds.
  private static let keepAlive: Int64 = 7_200_000_000_000

  private func wait(_ latency: Latency, plus added: Int64 = 0) async throws {
    if latency.isZero, added == 0 { return }
    let delay = (latency.isZero ? 0 : world.sampler.sample(latency, on: world.stage)) + added
    world.note(latency: delay)
    try await world.stage.sleep(delay)
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
    world.witness.requestArrived(id)
    world.ledger.arrival(reading.endpoint, ReaderScope.group, at: world.stage.now)
    if let flaw = world.service.withLock({ $0.inspect(request) }) {
      world.witness.note(.requestFlawed(id, Flaw(flaw)))
    }
  }

  /// The service answers, or the fault does in its stead.
  private func answer(_ request: ServiceRequest) -> Delivery {
    var delivery: Delivery
    switch injection.decision {
    case .status(let status, let retryAfter, let code)?:
      let patience = retryAfter.map { Patience(form: $0, sentAt: world.times.service) }
      delivery = Delivery(
        response: world.service.withLock {
          $0.refuse(status: status, code: code, headers: patience?.headers ?? [])
        })
      delivery.isUsable = false
      delivery.patience = patience
    default:
      delivery = Delivery(response: served(request))
      if case .body(let fault)? = injection.decision { spoil(&delivery, fault) }
    }
    let response = delivery.response
    world.witness.answerProduced(id, Serial(response.serial), status: response.status)
    return delivery
  }

  /// What the service itself answers.
  private func served(_ request: ServiceRequest) -> ServiceResponse {
    let isAccepted = world.accepts(request, at: world.stage.now)
    return world.service.withLock { service in
      isAccepted
        ? service.respond(to: request, lagging: injection.lag)
        : service.refuse(status: 401, code: "token_expired", headers: [])
    }
  }

  private func spoil(_ delivery: inout Delivery, _ fault: BodyFault) {
    guard (200..<300).contains(delivery.response.status) else { return }
    let spoiled = delivery.response.spoiled(by: AnswerFault(fault)) { bound in
      world.stage.draw(upTo: bound, .fault)
    }
    delivery.response = spoiled.response
    delivery.isUsable = spoiled.isUsable
    delivery.omitted = spoiled.omitted.map(Int32.init)
    delivery.undecodable = spoiled.undecodable.map(Int32.init)
  }

  /// The request arrives a second time; its second answer is lost.
  private func repeated(_ first: Delivery) -> Delivery {
    let second = arrive()
    let answer = served(second)
    world.witness.answerProduced(id, Serial(answer.serial), status: answer.status)
    return first
  }

  // MARK: At the client

  /// Tells the judges what has reached the client, in the step in which it does.
  func tell(_ delivery: Delivery) {
    let response = delivery.response
    let serial = Serial(response.serial)
    if !delivery.omitted.isEmpty || !delivery.undecodable.isEmpty {
      world.witness.note(
        .answerShaped(serial, omitted: delivery.omitted, undecodable: delivery.undecodable))
    }
    if let delay = delivery.patience?.meaning(onDeviceAt: world.times.device) {
      world.witness.note(.patienceAsked(id, nanoseconds: delay))
      world.ledger.retryDelay(delay, ReaderScope.group, at: world.stage.now)
    }
    if let page = response.page, let call, delivery.isUsable {
      world.witness.note(
        .pageDelivered(
          id, call.id,
          InboxPage(
            asked: page.asked.map(RequestReading.number(ofCursor:)), items: page.items,
            next: page.next.map(RequestReading.number(ofCursor:)))))
    }
    world.witness.requestCompleted(
      id, .answered(status: response.status, serial: delivery.isUsable ? serial : nil))
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
