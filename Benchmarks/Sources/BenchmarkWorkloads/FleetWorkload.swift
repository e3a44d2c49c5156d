import ClientCore
import Palbase
import PalbaseFlags
import Simulation

/// The benchmark of memory: a fleet of devices in virtual time that hold their flags and wait for news.
///
/// A device is a client with its flags module, the flags it holds, its socket with two joined channels, its heartbeat, and
/// the environment that is its own: the record on its disk, its random source, its subscription to the app's life.
public struct FleetWorkload: Sendable {
  /// What a run gave.
  public struct Outcome: Sendable {
    /// What the probe gave before there was any device.
    public let before: Int
    /// What it gave when all devices were idle.
    public let idle: Int
    /// How many devices held all flags then.
    public let filled: Int
    /// How many channels were joined.
    public let joins: Int
    /// How many devices had their record on the disk.
    public let records: Int
  }

  private let devices: Int
  private let flags: Int

  /// Creates a workload.
  ///
  /// - Parameters:
  ///   - devices: How many devices.
  ///   - flags: How many flags each of them holds.
  public init(devices: Int, flags: Int) {
    self.devices = devices
    self.flags = flags
  }

  /// Runs the workload in a simulator of its own: every device starts, and then five minutes pass.
  ///
  /// - Parameter probe: Reads the memory of the process, in bytes.
  /// - Returns: What the run gave; nil if the devices were not all closed without a rest.
  public func run(probe: @escaping @Sendable () -> Int) -> Outcome? {
    let simulator = Simulator(seed: 1, strategy: .fifo)
    let (devices, flags) = (devices, flags)
    let outcome = simulator.run {
      let feed = FlagsFeed { _ in (0..<flags).map { Self.flag($0) } }
      let joins = AttentiveRealtime.JoinCounter()
      let before = probe()
      var fleet: [Device] = []
      fleet.reserveCapacity(devices)
      for number in 0..<devices {
        let device = Device(number, simulator, feed, AttentiveRealtime(joins: joins))
        try? await device.client.flags.refresh()
        fleet.append(device)
      }
      try? await simulator.clock.sleep(for: .seconds(300))
      await simulator.idle()
      let idle = probe()
      let filled = fleet.count { $0.client.flags.status.flagCount == flags }
      let records = fleet.count { $0.storage.bytes(of: "palbase.flags") != nil }
      for device in fleet { await device.client.close() }
      return Outcome(before: before, idle: idle, filled: filled, joins: joins.count, records: records)
    }
    return outcome.unfinishedTasks == 0 && outcome.armedTimers == 0 ? outcome.value : nil
  }

  /// Flags as projects have them: switches, limits and short texts.
  private static func flag(_ index: Int) -> (key: String, value: String) {
    switch index % 4 {
    case 0, 1: ("switch_number_\(index)", index % 3 == 0 ? "false" : "true")
    case 2: ("limit_number_\(index)", "\(index * 10)")
    default: ("text_number_\(index)", #""Welcome to offer number \#(index)""#)
    }
  }

  private struct Device {
    let client: PalbaseClient
    let storage = ControllableStorage()

    init(_ number: Int, _ simulator: Simulator, _ feed: FlagsFeed, _ realtime: AttentiveRealtime) {
      var environment = ClientEnvironment.unimplemented()
      environment.clock = MonotonicClock(simulator.clock)
      environment.wallClock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777))
      environment.random = ControllableRandomSource(seed: UInt64(number))
      environment.spawner = FleetSpawner(simulator: simulator)
      environment.mainActorHop = ControllableMainActorHop()
      environment.transport = feed
      environment.storage = storage
      environment.lifecycle = ControllableLifecycle()
      environment.realtime = realtime
      client = PalbaseClient(
        BenchmarkProject.configuration, signedInAs: PalbaseUser(id: "customer-\(number)", token: "token"),
        environment: environment)
    }
  }

  private struct FleetSpawner: Spawner {
    let simulator: Simulator

    func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
      let task = simulator.spawn(operation)
      return SpawnedTask { task.cancel() }
    }
  }
}
