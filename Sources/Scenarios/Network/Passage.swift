import ClientCore
import Events
import ScenarioFormat

/// The way of one app instance's requests over the network.
///
/// It tells the witness and the ledger how each request fares, and leaves the way there and back to `Exchange`. It heeds
/// cancellation, unless a fault says that this connection does not.
struct Passage: Sendable {
  let basis: Basis
  let backend: any Backend
  let instance: InstanceID
  let probe: InstanceProbe
  let stubborn: StubbornConnections

  /// Carries a request that has been told to the witness to the service, and its answer back.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - id: Its number.
  ///   - endpoint: What it addresses.
  ///   - flightBegan: When its flight began, in nanoseconds of the run.
  ///   - outcome: Told whether the service took what was sent, as far as the client can tell, and of which request.
  /// - Returns: The answer.
  /// - Throws: `TransportError` or `CancellationError`.
  func carry(
    _ request: TransportRequest, _ id: RequestID, to endpoint: Endpoint, flightBegan: Int64?,
    outcome: (Bool, RequestLine) -> Void
  ) async throws -> TransportResponse {
    let subject = FaultSubject(endpoint: endpoint, group: ReaderScope.group, instance: instance)
    let injection = basis.faults.strike(subject, basis)
    let line = RequestLine(
      group: ReaderScope.group, endpoint: endpoint, isInjected: injection.hasStruck,
      started: basis.stage.now, flightBegan: flightBegan ?? basis.stage.now)
    basis.ledger.requestStarted(line)
    probe.requests.add(1, ordering: .relaxed)
    probe.totalRequests.add(1, ordering: .relaxed)
    defer { probe.requests.subtract(1, ordering: .relaxed) }
    let exchange = Exchange(
      basis: basis, backend: backend, request: request, endpoint: endpoint, id: id, call: ReaderScope.call,
      injection: injection)
    do {
      let delivery = try await withTaskCancellationHandler {
        try await deliver(exchange, injection, flightBegan: line.flightBegan)
      } onCancel: {
        basis.witness.requestCancelled(id)
      }
      // The answer and the cancellation can fall into one step; then the answer did not reach the client.
      if injection.late == nil { try Task.checkCancellation() }
      exchange.tell(delivery)
      basis.ledger.request(line, status: String(delivery.response.status), to: basis.stage.now)
      outcome(delivery.isAcknowledged && !Task.isCancelled, line)
      return TransportResponse(
        status: delivery.response.status,
        headers: delivery.response.headers.map { HeaderField($0.name, $0.value) },
        body: delivery.response.body)
    } catch {
      outcome(false, line)
      throw fail(id, line, error)
    }
  }

  /// Waits for the answer, on the client's task or on one that its cancellation does not reach.
  private func deliver(
    _ exchange: Exchange, _ injection: Injection, flightBegan: Int64
  ) async throws -> Delivery {
    guard let late = injection.late else { return try await exchange.run() }
    let due = flightBegan + basis.requestTimeout + late
    return try await stubborn.wait(on: basis.stage) {
      let delivery = try await exchange.run()
      if basis.stage.now < due { try await basis.stage.sleep(until: due) }
      return delivery
    }
  }

  /// Tells how a request without an answer ended.
  private func fail(_ id: RequestID, _ line: RequestLine, _ error: any Error) -> any Error {
    let now = basis.stage.now
    if let error = error as? TransportError, !Task.isCancelled {
      basis.witness.requestCompleted(id, .lost)
      basis.ledger.request(line, status: "lost", to: now)
      return error
    }
    basis.witness.requestCompleted(id, .cancelled)
    let isTimeout = now - line.flightBegan >= basis.requestTimeout
    basis.ledger.request(line, status: isTimeout ? "timeout" : "cancelled", to: now)
    return CancellationError()
  }
}
