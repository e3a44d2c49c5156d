import ClientCore
import Events
import ScenarioFormat

/// The network between one app instance and the service, as the client's transport.
///
/// It tells the witness and the ledger what crosses it, and leaves the way there and back to `Exchange`. It heeds
/// cancellation, unless a fault says that this connection does not.
struct SimulatedTransport: Transport {
  let world: World
  let instance: InstanceID
  let probe: InstanceProbe
  let stubborn: StubbornConnections

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let reading = RequestReading(request, world.directory)
    let flight = FlightSlot.current?.take()
    let id = world.witness.requestStarted(flight?.id, instance, reading.endpoint, reading.key)
    let subject = FaultSubject(endpoint: reading.endpoint, group: ReaderScope.group, instance: instance)
    tellContent(of: request, reading, id)
    let injection = world.faults.strike(subject, world)
    let line = RequestLine(
      group: ReaderScope.group, endpoint: reading.endpoint, isInjected: injection.hasStruck,
      started: world.stage.now, flightBegan: flight?.began ?? world.stage.now)
    world.ledger.requestStarted(line)
    probe.requests.add(1, ordering: .relaxed)
    probe.totalRequests.add(1, ordering: .relaxed)
    defer { probe.requests.subtract(1, ordering: .relaxed) }
    let exchange = Exchange(
      world: world, request: request, reading: reading, id: id, call: ReaderScope.call, injection: injection)
    do {
      let delivery = try await withTaskCancellationHandler {
        try await deliver(exchange, injection, flightBegan: line.flightBegan)
      } onCancel: {
        world.witness.requestCancelled(id)
      }
      // The answer and the cancellation can fall into one step; then the answer did not reach the client.
      if injection.late == nil { try Task.checkCancellation() }
      exchange.tell(delivery)
      world.ledger.request(line, status: String(delivery.response.status), to: world.stage.now)
      world.ledger.outcome(
        of: reading.exposures, isAcknowledged: delivery.isAcknowledged && !Task.isCancelled, line)
      return TransportResponse(
        status: delivery.response.status,
        headers: delivery.response.headers.map { HeaderField($0.name, $0.value) },
        body: delivery.response.body)
    } catch {
      world.ledger.outcome(of: reading.exposures, isAcknowledged: false, line)
      throw fail(id, line, error)
    }
  }

  /// Tells the judges what a request carries.
  private func tellContent(of request: TransportRequest, _ reading: RequestReading, _ id: RequestID) {
    if case .bearer = world.scenario.client.auth {
      let token = request.headers.first { $0.name.lowercased() == "authorization" }.flatMap { field in
        field.value.hasPrefix("Bearer ")
          ? SessionToken(text: field.value.dropFirst("Bearer ".count))?.number ?? .max : .max
      }
      world.witness.note(.tokenSent(id, token: token))
    }
    if reading.endpoint == .telemetry {
      world.witness.note(.batchSent(id, reading.exposures))
      world.ledger.batch(of: reading.exposures.count, ReaderScope.group, at: world.stage.now)
    }
  }

  /// Waits for the answer, on the client's task or on one that its cancellation does not reach.
  private func deliver(
    _ exchange: Exchange, _ injection: Injection, flightBegan: Int64
  ) async throws -> Exchange.Delivery {
    guard let late = injection.late else { return try await exchange.run() }
    let due = flightBegan + world.requestTimeout + late
    return try await stubborn.wait(on: world.stage) {
      let delivery = try await exchange.run()
      if world.stage.now < due { try await world.stage.sleep(until: due) }
      return delivery
    }
  }

  /// Tells how a request without an answer ended.
  private func fail(_ id: RequestID, _ line: RequestLine, _ error: any Error) -> any Error {
    let now = world.stage.now
    if let error = error as? TransportError, !Task.isCancelled {
      world.witness.requestCompleted(id, .lost)
      world.ledger.request(line, status: "lost", to: now)
      return error
    }
    world.witness.requestCompleted(id, .cancelled)
    let isTimeout = now - line.flightBegan >= world.requestTimeout
    world.ledger.request(line, status: isTimeout ? "timeout" : "cancelled", to: now)
    return CancellationError()
  }
}
