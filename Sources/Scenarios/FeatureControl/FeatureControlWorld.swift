import ClientCore
import Events
import LCFeatureControl
import ScenarioFormat
import SimulatedService
import Synchronization

/// The world of the feature-control client.
final class FeatureControlWorld: World {
  let basis: Basis
  let directory = RequestDirectory()
  let service: Mutex<FeatureControlService>
  let askings: AskingBook
  /// Whether calls must carry who makes them: authorization and the inbox are told apart by that.
  let followsCalls: Bool
  private let opened = Mutex<[AppInstance]>([])
  private let closed = Atomic<Bool>(false)

  init(_ basis: Basis) {
    self.basis = basis
    followsCalls = basis.scenario.client.auth != .header
    service = Mutex(FeatureControlService(basis.scenario))
    askings = AskingBook(basis.scenario.client)
  }

  /// Whether the clients were closed.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

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

  var openInstances: [OpenInstance] {
    instances.map { instance in
      OpenInstance(id: instance.id, probe: instance.probe) { [self] in tellAccount(of: instance) }
    }
  }

  func open() {
    let made = (0..<scenario.client.instances).map { AppInstance(InstanceID(Int32($0)), in: self) }
    opened.withLock { $0 = made }
  }

  func readers(of group: ReaderGroup, number: Int, first: Int) -> @Sendable (Int) -> Reader {
    let plan = GroupPlan(group, number: number, in: self)
    return { [self] index in Reader(Caller(first + index, of: plan, in: self)) }
  }

  func perform(_ entry: TimelineEntry) async { await perform(entry.action) }

  func recover() async { await Recovery.run(self) }

  func endMeasuring() {
    var requests = 0
    for instance in instances {
      let own = instance.probe.totalRequests.load(ordering: .relaxed)
      ledger.requestsPerClient(own, at: stage.now)
      requests += own
    }
    ledger.end(at: stage.now, requests: requests, instances: instances.count)
  }

  func letGo() { opened.withLock { $0 = [] } }

  func closeClients() {
    // Told once, and first: on the wall clock a call that the close releases must not seem to end before it.
    let isFirst = !closed.exchange(true, ordering: .relaxed)
    for instance in instances {
      if isFirst { witness.instanceClosed(instance.id) }
      instance.close()
    }
  }

  private func tellAccount(of instance: AppInstance) {
    guard scenario.recordsExposures else { return }
    let tally = instance.exposureTally
    witness.note(.exposuresCounted(instance.id, tally))
    ledger.exposuresDropped(tally.dropped, at: stage.now)
  }
}
