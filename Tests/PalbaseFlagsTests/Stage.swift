import ClientCore
import Palbase
import PalbaseFlags
import Simulation
import Stagecraft
import Synchronization
import Testing

// The stage of the stories in this folder: one device in virtual time, whose requests, sockets and disk the story holds.
//
// A story asks, answers, signs in and out, lets time pass and launches the app again. Each story is played several times:
// once with the jobs run in the order in which they became ready, then shuffled by a few seeds. At the end of each play
// the client is closed and must have left nothing behind, whatever the story was about (BEHAVIOUR rule 1.9).

/// What differs from story to story.
struct Setup: Sendable {
  var user: PalbaseUser?
  var appVersion = "2.4.0"
  var baseURL = "https://shop.example"
  var requestTimeout = Duration.seconds(10)
  /// Whether there are sockets; without them the client says so once and goes on.
  var hasSockets = false
  var storage: ControllableStorage.Intercept?
  /// What is on the device before the first launch.
  var disk: [UInt8]?
}

/// A device and the app on it, in one play of a story.
final class Stage: VirtualStage {
  static let recordName: RecordName = "palbase.flags"

  let simulator: Simulator
  let transport = ControllableTransport()
  let realtime = ControllableRealtime()
  let storage: ControllableStorage
  let lifecycle = ControllableLifecycle()
  let hop = ControllableMainActorHop()
  let environment: ClientEnvironment
  private let setup: Setup
  private let log = Journal()
  private let held: Mutex<PalbaseClient?>

  fileprivate init(_ simulator: Simulator, _ setup: Setup, seed: UInt64) {
    self.simulator = simulator
    self.setup = setup
    storage = ControllableStorage(intercept: setup.storage)
    storage.put(setup.disk, for: Self.recordName)
    // What is not replaced must not be touched.
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = MonotonicClock(simulator.clock)
    environment.wallClock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777))
    environment.spawner = SimulatedSpawner(simulator: simulator)
    environment.random = ControllableRandomSource(seed: seed)
    environment.storage = storage
    environment.lifecycle = lifecycle
    environment.transport = transport
    environment.realtime = setup.hasSockets ? realtime : UnavailableRealtime()
    environment.observe = { [log] in log.add("\($0)") }
    self.environment = environment
    held = Mutex(nil)
    launch(as: setup.user)
  }

  /// Starts the app, again after an end of the earlier process, on the same device.
  func launch(as user: PalbaseUser? = nil, _ change: (inout Setup) -> Void = { _ in }) {
    var setup = setup
    change(&setup)
    let configuration = PalbaseConfiguration(
      baseURL: setup.baseURL, apiKey: "key", platform: "ios", appVersion: setup.appVersion,
      language: "de", requestTimeout: setup.requestTimeout)
    let client = PalbaseClient(configuration, signedInAs: user, environment: environment)
    held.withLock { $0 = client }
  }

  /// Ends the process without a farewell: nothing is flushed, and what was held is gone.
  func kill() async {
    held.withLock { $0 = nil }
    await idle()
  }

  /// Whether the client is there.
  var hasClient: Bool { held.withLock { $0 != nil } }

  var client: PalbaseClient {
    get throws { try #require(held.withLock { $0 }, "the app was killed") }
  }

  var flags: FlagsClient {
    get throws { try client.flags }
  }

  /// What the client has told its hook for metrics.
  var signals: [String] { log.all }

  // MARK: Asking

  /// Starts a call of `refresh()` in a task of its own.
  @discardableResult
  func refresh() throws -> Asked<Void> {
    let flags = try flags
    return ask { try await flags.refresh() }
  }

  /// Listens for changed keys in a task of its own, from now on.
  func listen() throws -> Listening {
    let changes = try flags.changes
    let listening = Listening()
    listening.start(on: simulator, changes)
    return listening
  }

  // MARK: Answering

  /// The requests that wait for an answer, after everything has come to rest.
  func pending() async -> [TransportRequest] {
    await idle()
    return transport.pending.map(\.request)
  }

  /// The one request that waits for an answer.
  func request() async throws -> TransportRequest {
    let pending = await pending()
    #expect(pending.count == 1)
    return try #require(pending.first, "no request waits for an answer")
  }

  /// Waits until there is a request, at most for a time.
  func nextRequest(within limit: Duration = .seconds(3)) async throws -> TransportRequest {
    let end = now + limit
    while await pending().isEmpty, now < end { try await pass(min(.milliseconds(10), end - now)) }
    return try await request()
  }

  /// Answers the request that has waited longest.
  func answer(_ body: String, status: Int = 200, headers: [HeaderField] = []) async throws {
    await idle()
    let pending = try #require(transport.pending.first, "no request waits for an answer")
    transport.respond(
      to: pending, with: TransportResponse(status: status, headers: headers, body: Array(body.utf8)))
    await idle()
  }

  /// Answers that nothing has changed.
  func answerUnchanged(version: Int? = nil) async throws {
    let headers = version.map { [HeaderField("X-Flags-Version", "\($0)")] } ?? []
    try await answer("", status: 304, headers: headers)
  }

  /// Answers that the version named is no base.
  func answerGone() async throws {
    try await answer(#"{"error":"gone","reason":"context_changed"}"#, status: 410)
  }

  /// Fails the request that has waited longest, as a transport without a connection does.
  func failRequest() async throws {
    await idle()
    transport.fail(try #require(transport.pending.first, "no request waits for an answer"))
    await idle()
  }

  /// Starts the module and answers its first fetch with a snapshot.
  func fill(_ version: Int, _ values: KeyValuePairs<String, String>, etag: String? = nil) async throws {
    let call = try refresh()
    let headers = etag.map { [HeaderField("ETag", $0)] } ?? []
    try await answer(.snapshot(version, values), headers: headers)
    #expect(call.isDone)
  }

  // MARK: The socket

  /// Accepts the attempt to connect and lets the client onto its channels.
  @discardableResult
  func connect(refusing refused: [String] = []) async throws -> Channel {
    await idle()
    let attempt = try #require(realtime.pending.first, "nobody tries to connect")
    let channel = Channel(try #require(realtime.accept(attempt)))
    await idle()
    channel.answerJoins(refusing: refused)
    await idle()
    return channel
  }

  // MARK: The end

  var leftovers: [String] {
    [
      ("requests", !transport.pending.isEmpty), ("attempts to connect", !realtime.pending.isEmpty),
      ("sockets", !realtime.open.isEmpty), ("observers", lifecycle.subscriberCount > 0),
    ].filter(\.1).map(\.0)
  }

  func close() async {
    if hasClient { try? await client.close() }
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

extension PalbaseUser {
  static let anna = PalbaseUser(id: "anna", token: "token-anna")
  static let ben = PalbaseUser(id: "ben", token: "token-ben")
}
