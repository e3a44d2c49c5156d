import ClientCore
import Events
import LCFeatureControl
import ScenarioFormat
import SimulatedService
import Synchronization

/// Everything that one run of a scenario consists of, on whichever stage.
final class World: Sendable {
  let scenario: Scenario
  let stage: any Stage
  let witness: any Witness
  let ledger: Ledger
  let sampler: LatencySampler
  let directory = RequestDirectory()
  let service: Mutex<FeatureControlService>
  let askings: AskingBook
  let requestTimeout: Int64
  private let opened = Mutex<[AppInstance]>([])
  private let isClosed = Atomic<Bool>(false)

  init(_ scenario: Scenario, stage: any Stage, witness: any Witness, ledger: Ledger) {
    self.scenario = scenario
    self.stage = stage
    self.witness = witness
    self.ledger = ledger
    requestTimeout = scenario.client.requestTimeout.nanoseconds
    sampler = LatencySampler(ttl: scenario.client.cacheTTL.nanoseconds, timeout: requestTimeout)
    service = Mutex(
      FeatureControlService(flags: scenario.service.flags, keys: scenario.client.keys, seed: scenario.seed))
    askings = AskingBook(scenario.client)
  }

  /// The app instances, in the order of their numbers.
  var instances: [AppInstance] { opened.withLock { $0 } }

  /// Opens the app instances of the scenario.
  func open() {
    let made = (0..<scenario.client.instances).map { AppInstance(InstanceID(Int32($0)), in: self) }
    opened.withLock { $0 = made }
  }

  /// Lets go of the app instances without closing them.
  func letGo() { opened.withLock { $0 = [] } }

  /// Closes every client, whatever it has under way.
  func closeClients() {
    // Told once, and first: on the wall clock a call that the close releases must not seem to end before it.
    let isFirst = !isClosed.exchange(true, ordering: .relaxed)
    for instance in instances {
      if isFirst { witness.instanceClosed(instance.id) }
      instance.manager.close()
    }
  }

  /// Closes every client and lets go of the app instances.
  ///
  /// - Returns: What was opened, for its counts.
  func close() -> [AppInstance] {
    let closed = instances
    closeClients()
    letGo()
    for instance in closed {
      ledger.requestsPerClient(instance.probe.totalRequests.load(ordering: .relaxed), at: stage.now)
    }
    return closed
  }
}

/// One process of the app: a client of its own and the counts of what it has running.
struct AppInstance: Sendable {
  let id: InstanceID
  let manager: FeatureControlManager
  let probe: InstanceProbe

  init(_ id: InstanceID, in world: World) {
    self.id = id
    let probe = InstanceProbe()
    self.probe = probe
    // What this client must not touch is left unimplemented: using it would end the run.
    var environment = ClientEnvironment.unimplemented()
    environment.clock = MonotonicClock(world.stage, counting: probe)
    environment.wallClock = StageWallClock(stage: world.stage)
    environment.spawner = CountingSpawner(stage: world.stage, probe: probe)
    environment.transport = SimulatedTransport(world: world, instance: id, probe: probe)
    let ledger = world.ledger
    let stage = world.stage
    environment.observe = { signal in
      if signal == .joinedFlight { ledger.coalesced(ReaderScope.group, at: stage.now) }
    }
    let client = world.scenario.client
    let standIn = FeatureControlFlag(enabled: false, variant: nil, payload: nil, reason: "default")
    manager = FeatureControlManager(
      configuration: FeatureControlConfiguration(
        baseURL: "https://service.invalid", environment: client.environment,
        auth: FeatureControlHeaderAuth(headers: ["X-BFF-Session": "simulated"]), cacheTTL: client.cacheTTL,
        requestTimeout: client.requestTimeout),
      defaults: Dictionary(client.keys.map { ($0, standIn) }, uniquingKeysWith: { first, _ in first }),
      environment: environment)
  }
}
