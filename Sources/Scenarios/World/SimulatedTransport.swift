import ClientCore
import Events
import ScenarioFormat
import SimulatedService

/// The network between one app instance and the service: it delays, tells the witness what crosses it, and asks the
/// service at the moment in which the answer is produced.
///
/// A request takes one network latency to the service, the service's own latency there, and another network latency
/// back. Not modelled: bandwidth, connection set-up, a service that slows down under load.
struct SimulatedTransport: Transport {
  let world: World
  let instance: InstanceID
  let probe: InstanceProbe

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let witness = world.witness
    let group = ReaderScope.group
    let key = world.directory.key(ofBody: request.body ?? [])
    let started = world.stage.now
    let id = witness.requestStarted(instance, .evaluate, key)
    world.ledger.requestStarted(group, at: started)
    probe.requests.add(1, ordering: .relaxed)
    probe.totalRequests.add(1, ordering: .relaxed)
    defer { probe.requests.subtract(1, ordering: .relaxed) }
    do {
      let response = try await withTaskCancellationHandler {
        try await roundTrip(request, id, group)
      } onCancel: {
        witness.requestCancelled(id)
      }
      // The answer and the cancellation can fall into one step; then the answer did not reach the client.
      try Task.checkCancellation()
      witness.requestCompleted(id, .answered(status: response.status, serial: Serial(response.serial)))
      world.ledger.request(group, status: String(response.status), from: started, to: world.stage.now)
      return TransportResponse(
        status: response.status, headers: response.headers.map { HeaderField($0.name, $0.value) },
        body: response.body)
    } catch {
      witness.requestCompleted(id, .cancelled)
      let elapsed = world.stage.now - started
      world.ledger.request(
        group, status: elapsed >= world.requestTimeout ? "timeout" : "cancelled", from: started,
        to: world.stage.now)
      throw CancellationError()
    }
  }

  private func roundTrip(
    _ request: TransportRequest, _ id: RequestID, _ group: Int
  ) async throws -> ServiceResponse {
    try await wait(world.scenario.network.latency)
    world.witness.requestArrived(id)
    world.ledger.arrival(group, at: world.stage.now)
    try await wait(world.scenario.service.latency)
    let answer = world.service.withLock { service in
      service.respond(
        to: ServiceRequest(
          method: request.method.name, url: request.url,
          headers: request.headers.map { ServiceField($0.name, $0.value) }, body: request.body ?? [])
          ?? ServiceRequest(method: request.method.name, path: "", query: [], headers: [], body: []))
    }
    world.witness.answerProduced(id, Serial(answer.serial), status: answer.status)
    try await wait(world.scenario.network.latency)
    return answer
  }

  private func wait(_ latency: Latency) async throws {
    if latency.isZero { return }
    try await world.stage.sleep(world.sampler.sample(latency, on: world.stage))
  }
}
