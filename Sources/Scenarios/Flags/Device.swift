import ClientCore
import Events
import Palbase
import PalbaseAnalytics
import PalbaseFlags
import ScenarioFormat
import Synchronization

/// One device of the fleet: its disk, who is signed in on it, and the process of the app that runs.
final class Device: Sendable {
  private struct State {
    var process: AppProcess?
    var processes = 0
    /// Who is signed in; nil for nobody.
    var user: Int?
    /// Who signs in next.
    var nextUser: Int
    var generation = 0
    var appVersion: String
    var hasConsent: Bool
    /// The newest version that the device was seen to hold, for the metric of propagation.
    var reached: Int64 = 0
    var launched: Int64 = 0
    var hasValues = false
    var aheadUntil = Int64.min
    var isLookPending = false
    var tally = AnalyticsTally(recorded: 0, sent: 0, dropped: 0, pending: 0)
  }

  let id: InstanceID
  let storage: DeviceStorage
  let probe = InstanceProbe()
  let stubborn = StubbornConnections()
  private unowned let world: FlagsWorld
  private let state: Mutex<State>

  init(_ id: InstanceID, in world: FlagsWorld) {
    self.id = id
    self.world = world
    storage = DeviceStorage(id)
    let spec = world.scenario.client
    let user = Int(id.rawValue) % world.userCount
    state = Mutex(
      State(
        user: spec.flags?.startsSignedIn == true ? user : nil, nextUser: user, appVersion: spec.appVersion,
        hasConsent: spec.flags?.consents ?? false))
  }

  /// The process that runs; nil between a kill and a launch, and after the end.
  var process: AppProcess? { state.withLock { $0.process } }

  /// Whether the person allows analytics and personalization.
  var hasConsent: Bool { state.withLock { $0.hasConsent } }

  /// The version of the app.
  var appVersion: String { state.withLock { $0.appVersion } }

  /// Whose values the device shows.
  var subject: Subject { state.withLock { $0.user.map { .user(Int32($0)) } ?? .install(id) } }

  /// What faults look at where no request is concerned.
  var faultSubject: FaultSubject { FaultSubject(endpoint: .realtime, group: ReaderScope.group, instance: id) }

  // MARK: Life

  /// Launches the app and waits until its client has read the record on the device.
  func launch() async {
    let (number, user, version) = state.withLock { state in
      state.processes += 1
      state.launched = world.stage.now
      state.hasValues = false
      let user = state.user.map { user in
        let name = UserName(user)
        return PalbaseUser(id: name.id, token: name.token(generation: state.generation))
      }
      return (state.processes, user, state.appVersion)
    }
    let process = AppProcess(on: self, number: number, signedInAs: user, appVersion: version, in: world)
    state.withLock { $0.process = process }
    world.witness.note(.device(.launched(id, subject, context: world.contextNumber(appVersion: version))))
    world.tellConsent(of: self)
    if hasConsent {
      world.witness.note(.device(.consentChanged(id, isGiven: true)))
      process.useAnalytics()
    }
    await process.start()
    look()
  }

  /// Kills the app, does to its record what the scenario says, and launches it again.
  func relaunch(_ spec: RelaunchSpec) async {
    let old = state.withLock { state in
      defer { state.process = nil }
      if let version = spec.version { state.appVersion = version }
      return state.process
    }
    if let old {
      old.kill()
      stubborn.breakAll()
      world.witness.note(.device(.killed(id)))
    }
    storage.prepare(spec.record)
    world.ledger.relaunch(at: world.stage.now)
    await launch()
  }

  /// Closes the client of the process that runs.
  func close() async {
    let process = state.withLock { state in
      defer { state.process = nil }
      return state.process
    }
    guard let process else { return }
    await process.close()
    // An operation of the disk that has begun is not cut short; what waits for it ends with it.
    let rest = storage.busyUntil
    if rest > world.stage.now { try? await world.stage.sleep(until: rest) }
    let counts = process.client.analytics.counts
    state.withLock { $0.tally = AnalyticsTally(counts) }
    world.witness.instanceClosed(id)
  }

  /// Breaks what heeds no cancellation, when the device is gone.
  func letGo() { stubborn.close() }

  /// What the last client says of its analytics events.
  var tally: AnalyticsTally {
    process.map { AnalyticsTally($0.client.analytics.counts) } ?? state.withLock { $0.tally }
  }

  // MARK: Who is signed in

  /// Signs the device's user in, or once more if it is signed in.
  func signIn() { change { $0.user = $0.nextUser } }

  /// Signs out.
  func signOut() {
    if state.withLock({ $0.user }) != nil { change { $0.user = nil } }
  }

  /// Signs the next user in, in place of whoever is signed in.
  func switchUser() {
    let count = max(2, world.userCount)
    change { state in
      state.nextUser = (state.nextUser + 1) % count
      state.user = state.nextUser
    }
  }

  /// Signs out and in again, as the same user.
  func sameUserAgain() {
    signOut()
    signIn()
  }

  private func change(_ body: (inout State) -> Void) {
    let (user, process) = state.withLock { state in
      body(&state)
      state.generation += 1
      let user = state.user.map { user in
        let name = UserName(user)
        return PalbaseUser(id: name.id, token: name.token(generation: state.generation))
      }
      return (user, state.process)
    }
    world.ledger.readerChange(at: world.stage.now)
    guard let process else { return }
    world.witness.note(.device(.readerChanging(id, to: subject)))
    if let user { process.client.signIn(user) } else { process.client.signOut() }
    world.witness.note(.device(.readerChanged(id)))
    world.tellConsent(of: self)
    look()
  }

  /// Allows analytics and personalization, or no longer.
  func consent(_ isGiven: Bool) {
    state.withLock { $0.hasConsent = isGiven }
    guard let process else { return }
    process.client.setConsent(isGiven ? .all : .none)
    world.witness.note(.device(.consentChanged(id, isGiven: isGiven)))
    if isGiven { process.useAnalytics() }
    world.tellConsent(of: self)
  }

  /// Brings the app to the screen, or away from it.
  func move(toForeground: Bool) {
    guard let process else { return }
    world.witness.note(.device(.moved(id, isForeground: toForeground)))
    process.lifecycle.send(toForeground ? .foreground : .background)
  }

  // MARK: What the run sees

  /// Notes that an answer to a sync request has reached the client, which is then looked at.
  func delivered(_ request: RequestID, _ status: Int) { look() }

  /// Looks at what the client holds as soon as nothing else can run at this instant.
  private func look() {
    let isFirst = state.withLock { state in
      defer { state.isLookPending = true }
      return !state.isLookPending
    }
    guard isFirst else { return }
    _ = world.stage.spawn { [self, world] in
      await world.stage.settle([])
      state.withLock { $0.isLookPending = false }
      tellHeld()
    }
  }

  /// Tells the judges what the client holds now.
  func tellHeld() {
    guard let process, process.gate.isAlive else { return }
    let flags = process.client.flags
    let content = FlagContent.of(flags.all, world.vocabulary)
    world.witness.note(.device(.held(id, HeldFlags(version: flags.status.version, content: content))))
  }

  /// Notes, for metrics, that the client has applied a version.
  func applied(_ version: Int64) {
    let (reached, launched, isFirst) = state.withLock { state in
      defer {
        state.reached = max(state.reached, version)
        state.hasValues = true
      }
      return (state.reached, state.launched, !state.hasValues)
    }
    let now = world.stage.now
    if isFirst { world.ledger.firstValue(after: now - launched, at: now) }
    guard reached > 0 else { return }
    for published in world.publications(after: reached, upTo: version) {
      world.ledger.propagation(now - max(published, launched), at: now)
    }
  }

  /// Whether the device was told of a version whose data its replica does not have yet.
  func isAheadOfData(at now: Int64) -> Bool { state.withLock { now < $0.aheadUntil } }

  /// Lets a notice come before the data, where a fault says so.
  func mayBeAheadOfData(in world: FlagsWorld) {
    let lead = world.faults.noticeLead(faultSubject, world.basis)
    if lead > 0 { state.withLock { $0.aheadUntil = max($0.aheadUntil, world.stage.now + lead) } }
  }
}

extension AnalyticsTally {
  init(_ counts: AnalyticsCounts) {
    self.init(
      recorded: counts.recorded, sent: counts.sent, dropped: counts.dropped, pending: counts.pending)
  }
}

/// What a client gives as `all`, reduced to what can be compared.
enum FlagContent {
  static func of(_ values: [String: ClientValue], _ vocabulary: Vocabulary) -> ContentDigest {
    var content = ContentDigest()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      content.insert(flag: vocabulary.flag(key), digest: ValueDigest.of(value))
    }
    return content
  }
}
