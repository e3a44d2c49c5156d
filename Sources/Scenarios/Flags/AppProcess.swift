import ClientCore
import Events
import Observation
import Palbase
import PalbaseAnalytics
import PalbaseFlags
import Synchronization

/// One launch of the app on a device: a client, and what the app itself does with it.
///
/// The app listens to `changes` for as long as it lives, and in scenarios that read on `state` it observes one flag and
/// `all` there, as two views would.
final class AppProcess: Sendable {
  let client: PalbaseClient
  let gate = ProcessGate()
  let lifecycle = ControllableLifecycle()
  let mainActor: MainActorStandIn
  private let device: Device
  private let world: FlagsWorld
  private let tasks = Mutex<[SpawnedTask]>([])
  private let isClosing = Atomic(false)

  /// Creates the process; nothing is used yet.
  ///
  /// - Parameters:
  ///   - device: Where it runs.
  ///   - number: Which process of the device it is, from 1.
  ///   - user: Who is signed in; nil for nobody.
  ///   - appVersion: The version of the app.
  ///   - world: The world of the run.
  init(
    on device: Device, number: Int, signedInAs user: PalbaseUser?, appVersion: String, in world: FlagsWorld
  ) {
    self.device = device
    self.world = world
    mainActor = MainActorStandIn(world.stage, device.probe)
    let spec = world.scenario.client
    let allowed: PalbaseConsent = device.hasConsent ? .all : .none
    client = PalbaseClient(
      PalbaseConfiguration(
        baseURL: "https://project.invalid", apiKey: FlagsWorld.apiKey, platform: spec.platform,
        appVersion: appVersion, language: spec.flags?.language ?? "en",
        requestTimeout: spec.requestTimeout, consent: allowed),
      signedInAs: user,
      environment: Self.environment(device, number, gate, lifecycle, mainActor, world))
  }

  private static func environment(
    _ device: Device, _ number: Int, _ gate: ProcessGate, _ lifecycle: ControllableLifecycle,
    _ mainActor: MainActorStandIn, _ world: FlagsWorld
  ) -> ClientEnvironment {
    var environment = ClientEnvironment.unimplemented()
    environment.clock = MonotonicClock(world.stage, counting: device.probe)
    environment.wallClock = world.times
    environment.random = DeviceRandom(
      seed: world.scenario.seed, instance: device.id.rawValue, process: number)
    environment.spawner = CountingSpawner(stage: world.stage, probe: device.probe, witness: nil)
    environment.mainActorHop = mainActor
    let passage = Passage(
      basis: world.basis, backend: FlagsBackend(world: world, device: device), instance: device.id,
      probe: device.probe, stubborn: device.stubborn)
    let transport = DeviceTransport(world: world, passage: passage, gate: gate)
    environment.transport = transport
    environment.storage = ProcessStorage(
      world: world, instance: device.id, disk: device.storage, gate: gate)
    environment.lifecycle = lifecycle
    environment.realtime =
      world.usesRealtime
      ? DeviceRealtime(world: world, device: device, transport: transport, gate: gate)
      : UnavailableRealtime()
    environment.observe = { [weak device] signal in
      if case .appliedVersion(let version) = signal, gate.isAlive { device?.applied(version) }
    }
    return environment
  }

  /// Starts the app: its listeners first, then the client, as far as the record on the device.
  func start() async {
    keep(world.stage.spawn { [self] in await listen() })
    await client.flags.start()
    guard gate.isAlive else { return }
    world.witness.note(.device(.started(device.id)))
    if world.observesState {
      mainActor.run { [self] in
        track(world.scenario.client.keys.first)
        track(nil)
      }
    }
  }

  /// Uses analytics for the first time.
  func useAnalytics() {
    _ = client.analytics.counts
    _ = client.analytics.isRecording
    world.witness.note(.device(.analyticsUsed(device.id)))
  }

  /// Ends the process without notice: from now on nothing of it has an effect.
  func kill() {
    gate.kill()
    stopListening()
    // What the client has running ends because nobody is there to run it.
    _ = world.stage.spawn { [client] in await client.close() }
  }

  /// Closes the client, and then ends the app's own tasks.
  ///
  /// A client that is closed gives defaults: that a view is drawn with one from now on is no reading of the device.
  func close() async {
    isClosing.store(true, ordering: .relaxed)
    await client.close()
    stopListening()
  }

  /// Ends the app's own tasks.
  private func stopListening() {
    let own = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in own { task.cancel() }
  }

  private func keep(_ task: SpawnedTask) { tasks.withLock { $0.append(task) } }

  private func listen() async {
    for await keys in client.flags.changes {
      guard gate.isAlive else { return }
      let flags = keys.map(world.vocabulary.flag).sorted()
      world.witness.note(.device(.told(device.id, subscriber: 0, flags: flags)))
    }
  }

  /// Observes a flag, or all, until it changes, and then again; part of a piece on the main actor's stand-in.
  ///
  /// It is not isolated itself: what `withObservationTracking` calls would insist on the real main actor.
  private func track(_ key: String?) {
    withObservationTracking {
      MainActorStandIn.within { [self] in
        let state = client.flags.state
        if let key { tellRead(of: key, state.value(key)) } else { _ = state.all }
      }
    } onChange: { [weak self] in
      guard let self, gate.isAlive else { return }
      let flag = key.map(world.vocabulary.flag)
      world.witness.note(.device(.observed(device.id, flag: flag)))
      // A change is told before it is made; the view is drawn again afterwards.
      mainActor.hop { [weak self] in
        guard let self, gate.isAlive else { return }
        track(key)
      }
    }
  }

  /// Tells the judges what the app's own view was given: it has seen it, as a reader has.
  private func tellRead(of key: String, _ value: ClientValue?) {
    guard value != nil || !isClosing.load(ordering: .relaxed) else { return }
    world.witness.note(
      .device(
        .read(
          FlagRead(
            instance: device.id, reader: ReaderID(Int32(world.scenario.readerCount)), method: .value,
            isOnState: true, flag: world.vocabulary.flag(key),
            result: value.map { .value(ValueDigest.of($0)) } ?? .absent))))
  }
}
