import ClientCore
import Palbase
import PalbaseAnalytics
import Simulation
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
final class Stage: Sendable {
  let simulator: Simulator
  /// Its requests wait until the story answers them.
  let transport = ControllableTransport()
  let wallClock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777))
  let lifecycle = ControllableLifecycle()
  let storage = ControllableStorage()
  let configuration: PalbaseConfiguration
  let environment: ClientEnvironment
  private let log: Log
  private let held: Mutex<PalbaseClient?>

  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

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
    let log = Log()
    configuration = PalbaseConfiguration(
      baseURL: "https://shop.palbase.example", apiKey: "key", platform: "ios", appVersion: "1.0",
      language: "de", consent: setup.consent, logger: { line in log.lines.withLock { $0.append(line) } })
    self.log = log
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
  var lines: [String] { log.lines.withLock { $0 } }

  /// How many sleeps of the client are under way.
  var armedTimers: Int { timers.count.withLock { $0 } }

  /// Lets go of the client.
  func letGo() { held.withLock { $0 = nil } }

  /// Captures the events of the given numbers, named `e<number>`.
  func capture(_ numbers: some Sequence<Int>) {
    for number in numbers { pb.analytics.capture("e\(number)") }
  }

  /// Starts a call in a task of its own.
  @discardableResult
  func ask(_ body: @escaping @Sendable () async -> Void) -> Asked {
    let call = Asked()
    call.start(on: simulator, body)
    return call
  }

  /// Starts a flush in a task of its own.
  @discardableResult
  func flush() -> Asked {
    let pb = pb
    return ask { await pb.analytics.flush() }
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
}

/// Plays a story in virtual time, in the order of events and in a few shuffled ones.
func play(
  _ setup: Setup = Setup(), seeds: Range<UInt64> = 0..<5, sourceLocation: SourceLocation = #_sourceLocation,
  _ story: @escaping @Sendable (Stage) async throws -> Void
) {
  for seed in seeds {
    let simulator = Simulator(seed: seed, strategy: seed == 0 ? .fifo : .random)
    let stage = Stage(simulator, setup, seed: seed)
    let outcome = simulator.run(stepLimit: 1_000_000) {
      do {
        try await story(stage)
      } catch is ExpectationFailedError {
        // A requirement of the story that was not met has said so itself.
      } catch {
        Issue.record(error, "seed \(seed)", sourceLocation: sourceLocation)
      }
      let closing = stage.ask { [pb = stage.pb] in await pb.close() }
      await stage.idle()
      // The last flush waits for an answer that no story means to give any more.
      for request in stage.transport.pending { stage.transport.fail(request) }
      await stage.idle()
      #expect(closing.isAnswered, "seed \(seed): closing ends", sourceLocation: sourceLocation)
    }
    #expect(outcome.end == .finished, "seed \(seed): the story did not end", sourceLocation: sourceLocation)
    #expect(outcome.unfinishedTasks == 0, "seed \(seed): tasks are left", sourceLocation: sourceLocation)
    #expect(outcome.armedTimers == 0, "seed \(seed): timers are left", sourceLocation: sourceLocation)
    #expect(outcome.escapes == 0, "seed \(seed): work left the simulation", sourceLocation: sourceLocation)
    #expect(
      stage.transport.pending.isEmpty, "seed \(seed): requests are left", sourceLocation: sourceLocation)
    #expect(
      stage.lifecycle.subscriberCount == 0, "seed \(seed): observers are left", sourceLocation: sourceLocation
    )
  }
}

/// Starts the client's tasks inside a simulation.
struct SimulatedSpawner: Spawner {
  let simulator: Simulator

  func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedTask {
    let task = simulator.spawn(operation)
    return SpawnedTask { task.cancel() }
  }
}
