import ClientCore
import Palbase
import Simulation
import Stagecraft
import Synchronization
import Testing

// The stage of the stories in this folder: one client in virtual time, whose requests and sockets the story answers by hand
// and whose device and app it holds.
//
// Each story is played several times: once with the jobs run in the order in which they became ready, then shuffled by a
// few seeds. At the end of each play the client is closed and must have left nothing behind, whatever the story was
// about (BEHAVIOUR rule 1.9).

/// What differs from story to story.
struct Setup: Sendable {
  var user: PalbaseUser?
  var baseURL = "https://shop.example"
  var requestTimeout = Duration.seconds(10)
  var storage: ControllableStorage.Intercept?
  /// Stands between the client and the stage's own transport.
  var transport: (@Sendable (ControllableTransport, Simulator) -> any Transport)?
  /// Stands in the place of the stage's own realtime.
  var realtime: (any Realtime)?
}

/// The client and what it reaches, in one play of a story.
final class Stage: VirtualStage {
  let simulator: Simulator
  let transport = ControllableTransport()
  let realtime = ControllableRealtime()
  let storage: ControllableStorage
  let lifecycle = ControllableLifecycle()
  let random: ControllableRandomSource
  let environment: ClientEnvironment
  private let lines = Journal()
  private let held: Mutex<PalbaseClient?>

  fileprivate init(_ simulator: Simulator, _ setup: Setup, seed: UInt64) {
    self.simulator = simulator
    storage = ControllableStorage(intercept: setup.storage)
    random = ControllableRandomSource(seed: seed)
    // What is not replaced must not be touched.
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = MonotonicClock(simulator.clock)
    environment.wallClock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777))
    environment.spawner = SimulatedSpawner(simulator: simulator)
    environment.random = random
    environment.storage = storage
    environment.lifecycle = lifecycle
    environment.transport = setup.transport?(transport, simulator) ?? transport
    environment.realtime = setup.realtime ?? realtime
    self.environment = environment
    let configuration = PalbaseConfiguration(
      baseURL: setup.baseURL, apiKey: "key", platform: "ios", appVersion: "2.4 beta", language: "de",
      requestTimeout: setup.requestTimeout, logger: { [lines] in lines.add($0) })
    held = Mutex(PalbaseClient(configuration, signedInAs: setup.user, environment: environment))
  }

  var client: PalbaseClient? { held.withLock { $0 } }

  /// What the client's modules work with.
  var core: PalbaseCore {
    get throws { try #require(client?.core) }
  }

  /// What the logger was given.
  var logged: [String] { lines.all }

  /// Lets go of the client, which then lives as long as a call on it.
  func letGo() { held.withLock { $0 = nil } }

  // MARK: Requests

  /// Starts a request in a task of its own, as whoever is the reader now.
  @discardableResult
  func send(
    _ request: PalbaseRequest = PalbaseRequest(.get, "/flags/snapshot"), as identity: PalbaseIdentity? = nil,
    admit: @escaping @Sendable () -> PalbaseError? = { nil }
  ) throws -> Call {
    let core = try core
    let identity = identity ?? core.identity
    return ask { try await core.send(request, as: identity, admit: admit).get() }
  }

  /// The requests that wait for an answer, after everything has come to rest.
  func pending() async -> [ControllableTransport.PendingRequest] {
    await idle()
    return transport.pending
  }

  /// Answers the request that has waited longest.
  func answer(status: Int = 200, _ body: String = "") async throws {
    let request = try #require(await pending().first, "no request waits for an answer")
    transport.respond(to: request, with: TransportResponse(status: status, body: Array(body.utf8)))
    await idle()
  }

  // MARK: The socket

  /// Accepts the attempt to connect that waits.
  @discardableResult
  func accept() async throws -> ControllableRealtimeConnection {
    await idle()
    let attempt = try #require(realtime.pending.first, "nobody tries to connect")
    let connection = try #require(realtime.accept(attempt))
    await idle()
    return connection
  }

  // MARK: Time

  /// Lets everything happen that can happen at this instant.
  func idle() async { await simulator.idle() }

  /// Lets time pass, and everything happen that happens until then.
  func pass(_ duration: Duration) async throws {
    await idle()
    try await simulator.clock.sleep(for: duration)
    await idle()
  }

  /// The time since the beginning of the play.
  var now: Duration { .nanoseconds(simulator.clock.now.nanoseconds) }

  // MARK: The end

  var leftovers: [String] {
    [
      ("requests", !transport.pending.isEmpty), ("attempts to connect", !realtime.pending.isEmpty),
      ("sockets", !realtime.open.isEmpty), ("observers", lifecycle.subscriberCount > 0),
    ].filter(\.1).map(\.0)
  }

  func close() async {
    await client?.close()
  }
}

/// Plays a story in virtual time, in the order of events and in a few shuffled ones.
func play(
  _ setup: Setup = Setup(), seeds: Range<UInt64> = 0..<5, sourceLocation: SourceLocation = #_sourceLocation,
  _ story: @escaping @Sendable (Stage) async throws -> Void
) {
  let complaints = plays(seeds, on: { Stage($0, setup, seed: $1) }, story)
  // A requirement of the story that was not met has said so itself.
  for complaint in complaints where !(complaint.thrown is ExpectationFailedError) {
    Issue.record("\(complaint)", sourceLocation: sourceLocation)
  }
}

/// A request of the client under way, and how it ended.
typealias Call = Asked<TransportResponse>

extension Asked<TransportResponse> {
  /// The status of the answer; nil without one.
  var status: Int? { value?.status }

  /// Why there is no answer; nil while it is under way and if there is one.
  var error: PalbaseError? { thrown as? PalbaseError }
}

extension PalbaseUser {
  static let anna = PalbaseUser(id: "anna", token: "token-a")
  static let ben = PalbaseUser(id: "ben", token: "token-b")
}
