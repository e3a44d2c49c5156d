import ClientCore
import Palbase
import PalbaseAnalytics
import Simulation
import Stagecraft
import Synchronization
import Testing

// The stage of the stories in this folder: one client of Palbase in virtual time, whose requests the story answers by
// hand.
//
// A story captures, answers and lets time pass. Each story is played several times: once with the jobs run in the order in
// which they became ready, then shuffled by a few seeds. At the end of each play the client is closed and must have left
// nothing behind, whatever the story was about (BEHAVIOUR rule 1.9).

/// What differs from story to story.
struct Setup: Sendable {
  var consent = PalbaseConsent.all
  var user: PalbaseUser?
  var isConfigured = true
}

/// The client and what it reaches, in one play of a story.
final class Stage: VirtualStage {
  let simulator: Simulator
  /// Its requests wait until the story answers them.
  let transport = ControllableTransport()
  let wallClock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777))
  let lifecycle = ControllableLifecycle()
  let storage = ControllableStorage()
  let configuration: PalbaseConfiguration
  let environment: ClientEnvironment
  private let log = Journal()
  private let held: Mutex<PalbaseClient?>
  private let isClosing = Mutex(false)

  private final class Timers: Sendable {
    let count = Mutex(0)
  }

  private let timers = Timers()

  fileprivate init(_ simulator: Simulator, _ setup: Setup, seed: UInt64) {
    self.simulator = simulator
    // What is not replaced must not be touched.
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    let (clock, timers) = (MonotonicClock(simulator.clock), timers)
    environment.clock = MonotonicClock(
      now: { clock.now.nanoseconds },
      sleepUntil: { deadline in
        timers.count.withLock { $0 += 1 }
        defer { timers.count.withLock { $0 -= 1 } }
        try await clock.sleep(until: MonotonicInstant(nanoseconds: deadline))
      })
    environment.wallClock = wallClock
    environment.random = ControllableRandomSource(seed: seed)
    environment.spawner = SimulatedSpawner(simulator: simulator)
    environment.transport = transport
    environment.storage = storage
    environment.lifecycle = lifecycle
    configuration = PalbaseConfiguration(
      baseURL: "https://shop.palbase.example", apiKey: "key", platform: "ios", appVersion: "1.0",
      language: "de", consent: setup.consent, logger: { [log] in log.add($0) })
    self.environment = environment
    let client = PalbaseClient()
    if setup.isConfigured {
      client.configure(configuration, signedInAs: setup.user, environment: environment)
    }
    held = Mutex(client)
  }

  /// The client, which a story uses as an app uses `pb`.
  var pb: PalbaseClient { held.withLock { $0 } ?? PalbaseClient() }
  var counts: AnalyticsCounts { pb.analytics.counts }
  /// The lines the client has given to the app's logger.
  var lines: [String] { log.all }

  /// How many sleeps of the client are under way.
  var armedTimers: Int { timers.count.withLock { $0 } }

  /// Lets go of the client.
  func letGo() { held.withLock { $0 = nil } }

  /// Captures the events of the given numbers, named `e<number>`.
  func capture(_ numbers: some Sequence<Int>) {
    for number in numbers { pb.analytics.capture("e\(number)") }
  }

  /// Starts a flush in a task of its own.
  @discardableResult
  func flush() -> Asked<Void> {
    let pb = pb
    return ask { await pb.analytics.flush() }
  }

  // MARK: Answering

  /// The batches that wait for an answer, after everything has come to rest.
  func sent() async -> [SentBatch] {
    await idle()
    return transport.pending.map(SentBatch.init)
  }

  /// The only batch that waits for an answer.
  func batch(sourceLocation: SourceLocation = #_sourceLocation) async throws -> SentBatch {
    let sent = await sent()
    #expect(sent.count == 1, "one batch is out at a time", sourceLocation: sourceLocation)
    return try #require(sent.first, "no batch is out", sourceLocation: sourceLocation)
  }

  /// Answers the batch that is out and lets everything happen that follows.
  ///
  /// - Returns: The batch.
  @discardableResult
  func answer(
    _ status: Int, headers: [HeaderField] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> SentBatch {
    let batch = try await batch(sourceLocation: sourceLocation)
    transport.respond(to: batch.pending, with: TransportResponse(status: status, headers: headers))
    await idle()
    return batch
  }

  /// Fails the batch that is out, as a transport without a connection does.
  @discardableResult
  func fail(sourceLocation: SourceLocation = #_sourceLocation) async throws -> SentBatch {
    let batch = try await batch(sourceLocation: sourceLocation)
    transport.fail(batch.pending)
    await idle()
    return batch
  }

  // MARK: The end

  var leftovers: [String] {
    [
      ("requests", !transport.pending.isEmpty), ("observers", lifecycle.subscriberCount > 0),
      ("a close that does not end", isClosing.withLock { $0 }),
    ].filter(\.1).map(\.0)
  }

  func close() async {
    isClosing.withLock { $0 = true }
    let closing = ask { [pb] in await pb.close() }
    await idle()
    // The last flush waits for an answer that no story means to give any more.
    for request in transport.pending { transport.fail(request) }
    await idle()
    isClosing.withLock { $0 = !closing.isAnswered }
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
