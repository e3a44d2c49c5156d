import ClientCore
import Events
import LCFeatureControl
import ScenarioFormat

/// One process of the app: its clients, who is signed in, and the counts of what it has running.
struct AppInstance: Sendable {
  let id: InstanceID
  let manager: FeatureControlManager
  /// The client of the inbox; nil where no reader looks into it.
  let inbox: FeatureControlNotificationsClient?
  let session: UserSession
  let probe: InstanceProbe
  private let stubborn: StubbornConnections

  init(_ id: InstanceID, in world: FeatureControlWorld) {
    self.id = id
    let probe = InstanceProbe()
    let stubborn = StubbornConnections()
    self.probe = probe
    self.stubborn = stubborn
    let session = UserSession(id, of: world.scenario.client.instances)
    self.session = session
    let environment = Self.environment(id, probe, stubborn, world)
    let client = world.scenario.client
    let configuration = FeatureControlConfiguration(
      baseURL: "https://service.invalid", environment: client.environment,
      auth: Self.authorization(of: id, session, in: world), cacheTTL: client.cacheTTL,
      requestTimeout: client.requestTimeout)
    let standIn = FeatureControlFlag(enabled: false, variant: nil, payload: nil, reason: "default")
    manager = FeatureControlManager(
      configuration: configuration,
      defaults: Dictionary(client.keys.map { ($0, standIn) }, uniquingKeysWith: { first, _ in first }),
      environment: environment)
    inbox =
      world.scenario.readsInbox
      ? FeatureControlNotificationsClient(configuration: configuration, environment: environment) : nil
  }

  /// What the client says of its exposures.
  var exposureTally: ExposureTally {
    let counts = manager.exposureCounts
    return ExposureTally(
      dropped: counts.dropped, failed: counts.failed, pending: counts.pending + counts.underWay)
  }

  /// Makes a call that is told to the witness as a reader's, in a scope that says which call it is.
  ///
  /// - Returns: How it ended.
  @discardableResult
  func call(
    _ operation: Operation, _ key: RequestKey? = nil, by reader: ReaderID, in world: FeatureControlWorld,
    _ body: (OpenCall) async -> CallOutcome
  ) async -> CallOutcome {
    probe.calls.add(1, ordering: .relaxed)
    let call = world.witness.callBegan(reader, id, operation, key)
    let outcome = await ReaderScope.$call.withValue(ReaderScope.Call(call)) { await body(call) }
    probe.calls.subtract(1, ordering: .relaxed)
    world.witness.callReturned(call, outcome)
    return outcome
  }

  /// Closes the clients, whatever they have under way; connections that heed no cancellation break with the process.
  func close() {
    manager.close()
    inbox?.close()
    stubborn.close()
  }

  private static func environment(
    _ id: InstanceID, _ probe: InstanceProbe, _ stubborn: StubbornConnections, _ world: FeatureControlWorld
  ) -> ClientEnvironment {
    // What these clients must not touch is left unimplemented: using it would end the run.
    var environment = ClientEnvironment.unimplemented()
    environment.clock = MonotonicClock(world.stage, counting: probe)
    environment.wallClock = world.times
    environment.spawner = CountingSpawner(
      stage: world.stage, probe: probe, witness: world.followsCalls ? world.witness : nil)
    environment.transport = SimulatedTransport(world, id, probe, stubborn)
    let ledger = world.ledger
    let stage = world.stage
    environment.observe = { signal in
      if signal == .joinedFlight { ledger.coalesced(ReaderScope.group, at: stage.now) }
    }
    return environment
  }

  private static func authorization(
    of id: InstanceID, _ session: UserSession, in world: FeatureControlWorld
  ) -> any FeatureControlAuthorizing {
    switch world.scenario.client.auth {
    case .header: return FeatureControlHeaderAuth(headers: ["X-BFF-Session": "user-\(id.rawValue).0"])
    case .bearer(let latency, let lifetime):
      return FeatureControlBearerAuth {
        try await session.authorize(in: world, latency: latency, lifetime: lifetime)
      }
    }
  }
}

extension Scenario {
  /// Whether any reader records exposures.
  var recordsExposures: Bool {
    groups.contains { group in
      group.steps.contains { if case .recordExposure = $0.action { true } else { false } }
    }
  }

  /// Whether any reader looks into the inbox.
  var readsInbox: Bool {
    groups.contains { group in
      group.steps.contains { step in
        switch step.action {
        case .listNotifications, .markRead, .markAllRead: true
        case .evaluate, .evaluateOrThrow, .invalidate, .cancel, .sleep, .recordExposure, .flush, .switchUser,
          .read, .refresh, .cancelRefresh, .signIn, .signOut, .background, .foreground, .relaunch, .consent,
          .capture:
          false
        }
      }
    }
  }
}
