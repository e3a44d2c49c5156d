/// Everything a client reaches outside itself: time, chance, tasks, network, sockets, storage and the app's life.
///
/// The same client runs on the live environment in an app, on controllable doubles in a unit test and on a simulator's
/// effects in a simulation; it cannot tell which. Each effect has a live, a controllable and an unimplemented version.
public struct ClientEnvironment: Sendable {
  /// Measures freshness, deadlines and backoff (BEHAVIOUR rule 1.1).
  public var clock: MonotonicClock
  /// Tells the time of day, for time stamps that leave the process and dates that come in.
  public var wallClock: any WallClock
  /// Gives the random numbers of jitter and identifiers.
  public var random: any RandomSource
  /// Starts the tasks that belong to the client.
  public var spawner: any Spawner
  /// Brings work to the main actor.
  public var mainActorHop: any MainActorHop
  /// Carries requests to the service.
  public var transport: any Transport
  /// Keeps records on the device.
  public var storage: any Storage
  /// Tells when the app goes to the background and comes back.
  public var lifecycle: any Lifecycle
  /// Opens sockets to the service, for what it tells unasked.
  public var realtime: any Realtime
  /// Is told what the client does, for metrics only; nil costs nothing.
  public var observe: (@Sendable (ClientSignal) -> Void)?

  /// Creates an environment of the given effects.
  ///
  /// - Parameters:
  ///   - clock: Measures freshness, deadlines and backoff.
  ///   - wallClock: Tells the time of day.
  ///   - random: Gives random numbers.
  ///   - spawner: Starts the client's tasks.
  ///   - mainActorHop: Brings work to the main actor.
  ///   - transport: Carries requests.
  ///   - storage: Keeps records.
  ///   - lifecycle: Tells of background and foreground.
  ///   - realtime: Opens sockets; unless given, as on a platform that has none.
  ///   - observe: Is told what the client does; called without any lock held, on the thread that did it.
  public init(
    clock: MonotonicClock, wallClock: any WallClock, random: any RandomSource, spawner: any Spawner,
    mainActorHop: any MainActorHop, transport: any Transport, storage: any Storage, lifecycle: any Lifecycle,
    realtime: any Realtime = UnavailableRealtime(), observe: (@Sendable (ClientSignal) -> Void)? = nil
  ) {
    self.clock = clock
    self.wallClock = wallClock
    self.random = random
    self.spawner = spawner
    self.mainActorHop = mainActorHop
    self.transport = transport
    self.storage = storage
    self.lifecycle = lifecycle
    self.realtime = realtime
    self.observe = observe
  }

  /// Creates an environment in which every effect reports its use.
  ///
  /// Replace the effects that a test means to be touched; what is left proves that nothing else was.
  /// - Parameter onUse: Told of each use; traps unless replaced.
  /// - Returns: The environment.
  public static func unimplemented(
    onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap
  ) -> ClientEnvironment {
    ClientEnvironment(
      clock: .unimplemented(onUse: onUse), wallClock: UnimplementedWallClock(onUse: onUse),
      random: UnimplementedRandomSource(onUse: onUse), spawner: UnimplementedSpawner(onUse: onUse),
      mainActorHop: UnimplementedMainActorHop(onUse: onUse), transport: UnimplementedTransport(onUse: onUse),
      storage: UnimplementedStorage(onUse: onUse), lifecycle: UnimplementedLifecycle(onUse: onUse),
      realtime: UnimplementedRealtime(onUse: onUse))
  }
}
