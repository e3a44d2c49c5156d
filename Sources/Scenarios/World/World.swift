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
  let faults: FaultBook
  let times: TimesOfDay
  let requestTimeout: Int64
  /// Whether calls must carry who makes them: authorization and the inbox are told apart by that.
  let followsCalls: Bool
  /// Gives every exposure of the run a number of its own, from 1.
  let exposures = Atomic<UInt64>(0)
  private let longestWait = Atomic<Int64>(0)
  private let opened = Mutex<[AppInstance]>([])
  private let closed = Atomic<Bool>(false)
  private let healed = Atomic<Bool>(false)

  init(_ scenario: Scenario, stage: any Stage, witness: any Witness, ledger: Ledger) {
    self.scenario = scenario
    self.stage = stage
    self.witness = witness
    self.ledger = ledger
    requestTimeout = scenario.client.requestTimeout.nanoseconds
    followsCalls = scenario.client.auth != .header
    sampler = LatencySampler(
      ttl: scenario.client.cacheTTL.nanoseconds, timeout: requestTimeout,
      retryDelays: scenario.strikingFaults.compactMap(\.retryDelay))
    service = Mutex(FeatureControlService(scenario))
    askings = AskingBook(scenario.client)
    faults = FaultBook(scenario)
    times = TimesOfDay(stage)
  }

  /// Remembers how long something took on the network or at the service, in nanoseconds.
  func note(latency: Int64) {
    if latency > longestWait.load(ordering: .relaxed) { longestWait.store(latency, ordering: .relaxed) }
  }

  /// The longest of these so far.
  var largestLatency: Int64 { longestWait.load(ordering: .relaxed) }

  /// Whether the clients were closed.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Ends all faults for good and tells it, once.
  func heal() {
    if healed.exchange(true, ordering: .relaxed) { return }
    faults.heal()
    if !scenario.strikingFaults.isEmpty { witness.note(.healed(largestLatency: largestLatency)) }
  }

  /// Whether the service accepts the credential of a request that arrives now.
  func accepts(_ request: ServiceRequest, at now: Int64) -> Bool {
    guard case .bearer(_, let lifetime) = scenario.client.auth, lifetime != nil,
      let header = request.header("Authorization"), header.hasPrefix("Bearer "),
      let token = SessionToken(text: header.dropFirst("Bearer ".count))
    else { return true }
    return token.isAccepted(at: now, lifetime: lifetime)
  }

  /// The app instances, in the order of their numbers.
  var instances: [AppInstance] { opened.withLock { $0 } }

  /// Opens the app instances of the scenario.
  func open() {
    let made = (0..<scenario.client.instances).map { AppInstance(InstanceID(Int32($0)), in: self) }
    opened.withLock { $0 = made }
  }

  /// Ends the time that metrics are about: what follows is the run's doing and not the readers'.
  func endMeasuring() {
    var requests = 0
    for instance in instances {
      let own = instance.probe.totalRequests.load(ordering: .relaxed)
      ledger.requestsPerClient(own, at: stage.now)
      requests += own
    }
    ledger.end(at: stage.now, requests: requests, instances: instances.count)
  }

  /// Lets go of the app instances without closing them.
  func letGo() { opened.withLock { $0 = [] } }

  /// Closes every client, whatever it has under way.
  func closeClients() {
    // Told once, and first: on the wall clock a call that the close releases must not seem to end before it.
    let isFirst = !closed.exchange(true, ordering: .relaxed)
    for instance in instances {
      if isFirst { witness.instanceClosed(instance.id) }
      instance.close()
    }
  }

  /// Closes every client and lets go of the app instances.
  ///
  /// - Returns: What was opened, for its counts.
  func close() -> [AppInstance] {
    let closed = instances
    closeClients()
    letGo()
    return closed
  }
}
