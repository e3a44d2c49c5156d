import Events
import ScenarioFormat

/// The app instances of a run, the service they talk to, and how readers and timeline reach them: one kind for each
/// client.
///
/// A run is generic over it, so that the code of a reader is specialised and a waiting reader's frame stays small.
protocol World: AnyObject, Sendable {
  /// A reader of this client.
  associatedtype Participant: ScenarioReader

  /// Whether an entry of the timeline that takes time holds up the next one.
  static var runsTimelineConcurrently: Bool { get }

  /// Creates the world of a scenario; nothing is opened yet.
  init(_ basis: Basis)

  /// What the run stands on.
  var basis: Basis { get }
  /// The app instances that are open, in the order of their numbers.
  var openInstances: [OpenInstance] { get }
  /// Whether the clients were closed for good.
  var isClosed: Bool { get }

  /// Opens the app instances of the scenario.
  func open() async
  /// Returns what makes the readers of a group, by their number in the group.
  func readers(of group: ReaderGroup, number: Int, first: Int) -> @Sendable (Int) -> Participant
  /// Does what the timeline says.
  func perform(_ entry: TimelineEntry) async
  /// Asks every app instance, after the faults are over, until it is well or given up.
  func recover() async
  /// Ends the time that metrics are about: what follows is the run's doing and not the readers'.
  func endMeasuring()
  /// Closes every client, whatever it has under way.
  func closeClients() async
  /// Lets go of the app instances without closing them.
  func letGo()
}

/// One simulated reader.
protocol ScenarioReader: Sendable {
  /// Notes that the next iteration was to begin at a time, as an open model has planned it.
  mutating func intendsToBegin(at time: Int64)
  /// Goes through the steps once.
  mutating func iterate() async
}

/// An app instance as the run itself sees it.
struct OpenInstance: Sendable {
  let id: InstanceID
  let probe: InstanceProbe
  /// Tells what the client says of what it was given, after it was closed.
  let tellAccount: @Sendable () -> Void
}

extension World {
  static var runsTimelineConcurrently: Bool { false }

  var scenario: Scenario { basis.scenario }
  var stage: any Stage { basis.stage }
  var witness: any Witness { basis.witness }
  var ledger: Ledger { basis.ledger }
  var sampler: LatencySampler { basis.sampler }
  var faults: FaultBook { basis.faults }
  var times: TimesOfDay { basis.times }
  var requestTimeout: Int64 { basis.requestTimeout }

  /// Closes every client and lets go of the app instances.
  ///
  /// - Returns: What was opened, for its counts.
  func close() async -> [OpenInstance] {
    let closed = openInstances
    await closeClients()
    letGo()
    return closed
  }
}
