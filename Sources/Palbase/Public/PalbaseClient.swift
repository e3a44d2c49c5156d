import ClientCore
import Synchronization

/// The client that an app uses; configure it when the app starts.
///
/// Until then, flags read as their defaults, and what needs the project fails with `PalbaseError.notConfigured`.
public let pb = PalbaseClient()

/// The connection of an app to its project: who the reader is, what they allow, and the modules that work with it.
///
/// Every method may be called from any thread at any time; none of them suspends but `close()`, and nothing runs on the
/// main actor. A module starts when it is first used.
public final class PalbaseClient: Sendable {
  private enum Life { case open, closing, closed }

  private struct State {
    var core: PalbaseCore?
    /// What was said last; nil until something was.
    var consent: PalbaseConsent?
    var modules: [ModuleSlot: any PalbaseModule] = [:]
    var lifecycle: SpawnedTask?
    var life = Life.open
    var closers: [CheckedContinuation<Void, Never>] = []

    /// The modules in the order in which they hear of a change; none after the end.
    var ordered: [any PalbaseModule] {
      life == .closed ? [] : ModuleSlot.allCases.compactMap { modules[$0] }
    }
  }

  /// The number of this client, which no other one of the process has.
  package let number = ClientRegistry.makeNumber()
  /// Where exposures of experiments go.
  package let exposures = ExposureSlot()
  private let keeper = IdentityKeeper()
  private let state = Mutex(State())

  /// Creates a client without a configuration.
  public init() { ClientRegistry.enter(self) }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - configuration: The project to talk to.
  ///   - user: Who is signed in; nil means this install.
  ///   - environment: The effects the client uses; the live ones unless replaced.
  public convenience init(
    _ configuration: PalbaseConfiguration, signedInAs user: PalbaseUser? = nil,
    environment: ClientEnvironment = .live
  ) {
    self.init()
    configure(configuration, signedInAs: user, environment: environment)
  }

  deinit {
    ClientRegistry.leave(number)
    end()
  }

  /// Gives the client its project, once.
  ///
  /// A second call is a mistake of the app: it changes nothing, and the logger is told.
  /// - Parameters:
  ///   - configuration: The project to talk to.
  ///   - user: Who is signed in; nil leaves it at whom `signIn` has named before, else means this install.
  ///   - environment: The effects the client uses; the live ones unless replaced.
  public func configure(
    _ configuration: PalbaseConfiguration, signedInAs user: PalbaseUser? = nil,
    environment: ClientEnvironment = .live
  ) {
    let core = PalbaseCore(configuration, environment, keeper: keeper, exposures: exposures)
    let (earlier, isClosed) = state.withLock { state in
      let found = (state.core, state.life != .open)
      if state.core == nil, state.life == .open {
        state.core = core
        state.consent = state.consent ?? configuration.consent
      }
      return found
    }
    if let earlier {
      earlier.log("configure was called twice; the first configuration stands")
    } else if isClosed {
      core.log("configure was called after close; nothing is configured")
    } else if let user {
      signIn(user)
    }
  }

  /// Whether the client has its project.
  public var isConfigured: Bool { core != nil }

  // MARK: The reader

  /// Who is signed in, with the newest token; nil means this install.
  public var user: PalbaseUser? { identity.user }

  /// Signs a user in, also in place of another one.
  ///
  /// In one step nothing of the reader before is read out any more; the values of the new one are then fetched. To sign
  /// in the same user again is a new beginning too; for a newer token alone there is `updateToken`.
  /// - Parameter user: Who signs in.
  public func signIn(_ user: PalbaseUser) { change { $0.signIn(user) } }

  /// Signs the user out: from now on the reader is this install.
  ///
  /// Nothing happens if no one is signed in.
  public func signOut() { change { $0.signOut() } }

  /// Gives the signed-in user a newer token, which later requests carry; the reader stays.
  ///
  /// Nothing happens if no one is signed in.
  /// - Parameter token: The token.
  public func updateToken(_ token: String) {
    if !keeper.renew(token) { core?.log("updateToken was called with no one signed in") }
  }

  private func change(_ step: (IdentityKeeper) -> PalbaseIdentity?) {
    // Whatever is held for an earlier epoch is shut off by this step; the rest follows.
    guard let identity = step(keeper) else { return }
    let (core, modules) = state.withLock { ($0.core, $0.ordered) }
    core?.socket.hold()
    for module in modules { module.readerChanged(to: identity) }
    core?.socket.release()
  }

  // MARK: Consent

  /// What the person allows; what the configuration says until it is set.
  public var consent: PalbaseConsent { state.withLock { $0.consent ?? .none } }

  /// Says what the person allows from now on.
  ///
  /// If analytics are not allowed any more, the events that wait are dropped, and none is recorded.
  /// - Parameter consent: What is allowed.
  public func setConsent(_ consent: PalbaseConsent) {
    let modules = state.withLock { state -> [any PalbaseModule] in
      guard state.consent != consent else { return [] }
      state.consent = consent
      return state.ordered
    }
    for module in modules { module.consentChanged(to: consent) }
  }

  // MARK: The end

  /// Sends the events that wait, then ends every request, wait, connection and task.
  ///
  /// Later reads give what a client without values gives. A second call waits for the first. Letting go of the client does
  /// the same, without sending anything.
  public func close() async {
    let modules = state.withLock { state -> [any PalbaseModule]? in
      guard state.life == .open else { return nil }
      state.life = .closing
      return state.ordered
    }
    guard let modules else { return await waitForClose() }
    await exposures.settle()
    for module in modules { await module.flushBeforeClose() }
    end()
  }

  private func waitForClose() async {
    await withCheckedContinuation { (closer: CheckedContinuation<Void, Never>) in
      let isOver = state.withLock { state in
        if state.life == .closing { state.closers.append(closer) }
        return state.life == .closed
      }
      if isOver { closer.resume() }
    }
  }

  private func end() {
    let ended = state.withLock { state in
      defer {
        state.life = .closed
        state.lifecycle = nil
        state.closers = []
      }
      return (
        core: state.core, modules: state.ordered, lifecycle: state.lifecycle, closers: state.closers
      )
    }
    ended.lifecycle?.cancel()
    exposures.close()
    for module in ended.modules { module.close() }
    exposures.setSink(nil)
    ended.core?.close()
    for closer in ended.closers { closer.resume() }
  }
}

// MARK: For the modules

extension PalbaseClient {
  /// What the modules work with; nil while there is no configuration.
  package var core: PalbaseCore? { state.withLock { $0.core } }

  /// The present reader.
  package var identity: PalbaseIdentity { keeper.identity }

  /// The number of the present epoch.
  ///
  /// - Complexity: O(1), one atomic load.
  package var epoch: UInt64 { keeper.epoch }

  /// The channels of the project; nil while there is no configuration.
  package var socket: RealtimeSocket? { core?.socket }

  /// Returns the client of a number; nil if it is gone.
  ///
  /// - Parameter number: The number.
  /// - Returns: The client.
  package static func client(number: UInt64) -> PalbaseClient? { ClientRegistry.client(number) }

  /// Returns the module of a slot, making and starting it if it is not there.
  ///
  /// - Parameters:
  ///   - slot: The place of the module.
  ///   - make: Makes it, without starting anything; called with no lock held. Of two threads that make one at once, one
  ///     gets the place and both get its module.
  /// - Returns: The module; nil while there is no configuration, when it is too late to make one, and after the end.
  package func module<Module: PalbaseModule>(
    _ slot: ModuleSlot, make: (PalbaseClient, PalbaseCore) -> Module
  ) -> Module? {
    let (core, consent, found) = state.withLock { state in
      (
        state.life == .open ? state.core : nil, state.consent,
        state.life == .closed ? nil : state.modules[slot]
      )
    }
    if let found { return found as? Module }
    guard let core else { return nil }
    let known = keeper.epoch
    let made = make(self, core)
    let (winner, isObserved) = state.withLock { state -> ((any PalbaseModule)?, Bool) in
      guard state.life == .open else { return (nil, true) }
      if let other = state.modules[slot] { return (other, true) }
      let isObserved = !state.modules.isEmpty
      state.modules[slot] = made
      return (made, isObserved)
    }
    guard winner === made else {
      made.close()
      return winner as? Module
    }
    made.start()
    // What has changed between the making and the place was told to those only who had one.
    let identity = keeper.identity
    if identity.epoch != known { made.readerChanged(to: identity) }
    let allowed = self.consent
    if allowed != consent ?? .none { made.consentChanged(to: allowed) }
    if !isObserved { observeLifecycle(core) }
    return made
  }

  /// Returns the module of a slot if it was made, also after the end, when its account is still of interest.
  ///
  /// - Parameter slot: The place of the module.
  /// - Returns: The module; nil if it was never made.
  package func module(in slot: ModuleSlot) -> (any PalbaseModule)? { state.withLock { $0.modules[slot] } }

  /// Follows the app's life for as long as the client lives.
  private func observeLifecycle(_ core: PalbaseCore) {
    // Subscribed before the task runs, so that nothing is missed.
    let events = core.environment.lifecycle.events()
    let task = core.environment.spawner.spawn { [weak self] in
      for await event in events { self?.lifecycleChanged(event) }
    }
    let isOver = state.withLock { state in
      if state.life != .closed { state.lifecycle = task }
      return state.life == .closed
    }
    if isOver { task.cancel() }
  }

  private func lifecycleChanged(_ event: LifecycleEvent) {
    let (core, modules) = state.withLock { ($0.core, $0.ordered) }
    core?.socket.lifecycleChanged(event)
    for module in modules { module.lifecycleChanged(event) }
  }
}
