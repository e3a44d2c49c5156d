import ClientCore
import Events
import ScenarioFormat

/// The network between one app instance and the service, as the client's transport.
struct SimulatedTransport: Transport {
  let world: FeatureControlWorld
  let passage: Passage

  init(
    _ world: FeatureControlWorld, _ instance: InstanceID, _ probe: InstanceProbe,
    _ stubborn: StubbornConnections
  ) {
    self.world = world
    passage = Passage(
      basis: world.basis, backend: FeatureControlBackend(world: world), instance: instance, probe: probe,
      stubborn: stubborn)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let reading = RequestReading(request, world.directory)
    let flight = FlightSlot.current?.take()
    let id = world.witness.requestStarted(flight?.id, passage.instance, reading.endpoint, reading.key)
    tellContent(of: request, reading, id)
    return try await passage.carry(request, id, to: reading.endpoint, flightBegan: flight?.began) {
      world.ledger.outcome(of: reading.exposures, isAcknowledged: $0, $1)
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
}
