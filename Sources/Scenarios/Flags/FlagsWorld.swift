import ClientCore
import Events
import ScenarioFormat
import SimulatedService
import Synchronization

/// The world of the flags client: a project, and a fleet of devices.
final class FlagsWorld: World {
  /// The key of the app.
  static let apiKey = "app-key"

  static let runsTimelineConcurrently = true

  let basis: Basis
  let project: Mutex<FlagsProject>
  let vocabulary = Vocabulary()
  let sockets = SocketHub()
  /// How many users there are.
  let userCount: Int
  let usesRealtime: Bool
  /// Whether the app observes `state`.
  let observesState: Bool
  private let fleet = Mutex<[Device]>([])
  private let published = Mutex<[(version: Int64, time: Int64)]>([])
  private let closed = Atomic<Bool>(false)
  private let clockwork = Mutex<SpawnedTask?>(nil)

  init(_ basis: Basis) {
    self.basis = basis
    let scenario = basis.scenario
    userCount = scenario.client.subjects.count(forReaders: scenario.client.instances)
    usesRealtime = scenario.client.flags?.usesRealtime ?? true
    observesState = scenario.readsState
    project = Mutex(FlagsProject(FlagsPlan(scenario, startsAt: basis.times.serviceNanoseconds)))
    // The service's keys first, so that their numbers do not depend on who is met first.
    for key in project.withLock({ $0.keys }) { _ = vocabulary.flag(key) }
  }

  /// Whether the clients were closed.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// The devices, in the order of their numbers.
  var devices: [Device] { fleet.withLock { $0 } }

  var openInstances: [OpenInstance] {
    devices.map { device in
      OpenInstance(id: device.id, probe: device.probe) { [self] in
        let tally = device.tally
        witness.note(.device(.tallied(device.id, tally)))
        ledger.eventsDropped(tally.dropped, at: stage.now)
      }
    }
  }

  /// The number of the context that an app of a version is in.
  func contextNumber(appVersion: String) -> Int32 {
    let client = scenario.client
    return vocabulary.context(
      platform: client.platform, appVersion: appVersion, language: client.flags?.language ?? "en")
  }

  func open() async {
    let made = (0..<scenario.client.instances).map { Device(InstanceID(Int32($0)), in: self) }
    fleet.withLock { $0 = made }
    startClockwork()
    witness.note(.marked(.launched))
    let spread = scenario.client.flags?.launchWithin.nanoseconds ?? 0
    await ReaderTree.run(0..<made.count) { [self] index in
      guard await sleep(within: spread) else { return }
      await made[index].launch()
    }
  }

  /// Sleeps a random part of a time in nanoseconds.
  ///
  /// - Returns: Whether it slept to the end; false if the run was ended before.
  func sleep(within spread: Int64) async -> Bool {
    if spread <= 0 { return true }
    return (try? await stage.sleep(Int64(stage.draw(upTo: UInt64(spread), .workload)))) != nil
  }

  func readers(of group: ReaderGroup, number: Int, first: Int) -> @Sendable (Int) -> DeviceReader {
    let plan = DeviceGroupPlan(group, number: number, in: self)
    return { [self] index in DeviceReader(FlagsCaller(first + index, of: plan, in: self)) }
  }

  func recover() async { await FleetRecovery.run(self) }

  func endMeasuring() {
    let devices = devices
    var requests = 0
    for device in devices {
      let own = device.probe.totalRequests.load(ordering: .relaxed)
      ledger.requestsPerClient(own, at: stage.now)
      requests += own
    }
    ledger.end(at: stage.now, requests: requests, instances: devices.count)
  }

  func closeClients() async {
    closed.store(true, ordering: .relaxed)
    stopClockwork()
    let devices = devices
    await ReaderTree.run(0..<devices.count) { await devices[$0].close() }
  }

  func letGo() {
    stopClockwork()
    for device in devices { device.letGo() }
    fleet.withLock { $0 = [] }
  }

  // MARK: The project

  /// Changes the project and tells everybody who has joined.
  func change(_ body: (inout FlagsProject) -> [FlagsNotice]) {
    let (notices, version) = project.withLock { project in
      let notices = body(&project)
      return (notices, project.version)
    }
    announce(notices, version)
  }

  /// When the versions after one and up to another were published, in nanoseconds of the run.
  func publications(after old: Int64, upTo new: Int64) -> [Int64] {
    published.withLock { published in
      published.filter { old < $0.version && $0.version <= new }.map(\.time)
    }
  }

  private func announce(_ notices: [FlagsNotice], _ version: Int64) {
    guard !notices.isEmpty else { return }
    published.withLock { $0.append((version, stage.now)) }
    witness.published(version)
    witness.note(.marked(.published))
    for socket in sockets.all {
      for notice in notices { socket.announce(notice) }
    }
  }

  /// Tells the project what the person on a device allows.
  func tellConsent(of device: Device) {
    guard let reader = reader(device.subject) else { return }
    let isGiven = device.hasConsent
    change { $0.setConsent(of: reader, personalization: isGiven, isAnnounced: true) }
  }

  /// The service's name for a subject; nil for an install that has shown itself to nobody yet.
  func reader(_ subject: Subject) -> SimulatedService.FlagsReader? {
    if !subject.isInstall { return .user(UserName(Int(subject.rawValue)).id) }
    return vocabulary.installID(of: subject).map { .install($0) }
  }

  /// Passes the boundaries of conditions on the clock when they come.
  private func startClockwork() {
    let task = stage.spawn { [self] in
      while !Task.isCancelled {
        let now = times.serviceNanoseconds
        guard let next = project.withLock({ $0.nextBoundary(after: now) }),
          (try? await stage.sleep(until: stage.now + (next - now))) != nil
        else { return }
        change { $0.advance(to: next) }
      }
    }
    clockwork.withLock { $0 = task }
  }

  private func stopClockwork() {
    let task = clockwork.withLock { clockwork in
      defer { clockwork = nil }
      return clockwork
    }
    task?.cancel()
  }
}

extension FlagsPlan {
  /// The project of a scenario.
  init(_ scenario: Scenario, startsAt: Int64) {
    let project = scenario.service.project ?? ProjectSpec()
    self.init(
      seed: scenario.seed, flags: scenario.service.flags, keys: scenario.client.keys,
      experiments: project.experiments, hasConditions: project.conditions,
      audiences: project.audiences ? ["early", "loyal"] : [],
      allowsPersonalization: scenario.client.flags?.consents ?? false, windows: [], startsAt: startsAt,
      deletionsKept: project.deletionLog, apiKey: FlagsWorld.apiKey)
  }
}

extension Scenario {
  /// Whether any reader reads on `state`.
  fileprivate var readsState: Bool {
    groups.contains { group in
      group.steps.contains { step in
        if case .read(let read) = step.action { read.how == .state } else { false }
      }
    }
  }
}
