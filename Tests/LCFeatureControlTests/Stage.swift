import ClientCore
import LCFeatureControl
import Simulation
import Stagecraft
import Synchronization
import Testing

// The stage of the stories in this folder: one manager and one client of the inbox in virtual time, whose requests the
// story answers by hand.
//
// A story is a closure that asks, answers, cancels and lets time pass. `idle()` brings everything to rest without
// moving time, so that a story says "these callers ask at once" or "the answer arrives and then", and never waits for
// a while. Each story is played several times: once with the jobs run in the order in which they became ready, then
// shuffled by a few seeds. At the end of each play both are closed and must have left nothing behind, whatever
// the story was about (BEHAVIOUR rule 1.9).

/// What differs from story to story.
struct Setup: Sendable {
  var cacheTTL = Duration.seconds(45)
  var requestTimeout = Duration.seconds(3)
  var auth: any FeatureControlAuthorizing = FeatureControlHeaderAuth(headers: ["X-BFF-Session": "s"])
  var defaults: [String: FeatureControlFlag] = ["a": .variant("default")]
  var baseURL = "https://api.example.com"
  /// Stands between the manager and the stage's own transport.
  var transport: (@Sendable (ControllableTransport, Simulator) -> any Transport)?
}

/// The clients and what they reach, in one play of a story.
final class Stage: VirtualStage {
  let simulator: Simulator
  /// Its requests wait until the story answers them.
  let transport = ControllableTransport()
  let wallClock = ControllableWallClock(now: WallTime(secondsSinceEpoch: 784_111_777))
  /// What the clients of this stage are made with, for a story that makes more of them.
  let configuration: FeatureControlConfiguration
  let environment: ClientEnvironment
  private let signalLog = SignalLog()
  private let held: Mutex<FeatureControlManager?>
  private let heldInbox: Mutex<FeatureControlNotificationsClient?>

  private final class SignalLog: Sendable {
    let signals = Mutex<[ClientSignal]>([])
  }

  fileprivate init(_ simulator: Simulator, _ setup: Setup) {
    self.simulator = simulator
    // What is not replaced must not be touched.
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = MonotonicClock(simulator.clock)
    environment.wallClock = wallClock
    environment.spawner = SimulatedSpawner(simulator: simulator)
    environment.transport = setup.transport?(transport, simulator) ?? transport
    environment.observe = { [signalLog] signal in signalLog.signals.withLock { $0.append(signal) } }
    self.environment = environment
    configuration = FeatureControlConfiguration(
      baseURL: setup.baseURL, environment: "production", auth: setup.auth, cacheTTL: setup.cacheTTL,
      requestTimeout: setup.requestTimeout)
    held = Mutex(
      FeatureControlManager(
        configuration: configuration, defaults: setup.defaults, environment: environment))
    heldInbox = Mutex(
      FeatureControlNotificationsClient(configuration: configuration, environment: environment))
  }

  var manager: FeatureControlManager? { held.withLock { $0 } }
  /// The client of the inbox, of the same deployment.
  var inbox: FeatureControlNotificationsClient? { heldInbox.withLock { $0 } }
  var signals: [ClientSignal] { signalLog.signals.withLock { $0 } }

  /// Lets go of the clients, which then live as long as a call on them.
  func letGo() {
    held.withLock { $0 = nil }
    heldInbox.withLock { $0 = nil }
  }

  // MARK: Asking

  /// Starts a call of `evaluate` in a task of its own.
  @discardableResult
  func evaluate(_ keys: String..., as context: FeatureControlContext = .anna) -> Call {
    call { await $0.evaluate(keys: keys.isEmpty ? ["a"] : keys, context: context) }
  }

  /// Starts a call of `evaluateOrThrow` in a task of its own.
  @discardableResult
  func evaluateOrThrow(_ keys: String..., as context: FeatureControlContext = .anna) -> Call {
    call { try await $0.evaluateOrThrow(keys: keys.isEmpty ? ["a"] : keys, context: context) }
  }

  /// Starts a call whose task is cancelled before it begins.
  func cancelledBefore(
    _ body: @escaping @Sendable (FeatureControlManager) async throws -> FeatureControlSnapshot
  ) -> Call {
    call {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await body($0)
    }
  }

  private func call(
    _ body: @escaping @Sendable (FeatureControlManager) async throws -> FeatureControlSnapshot
  ) -> Call {
    guard let manager else { return Call() }
    return ask { try await body(manager) }
  }

  // MARK: Answering

  /// The requests that wait for an answer, after everything has come to rest.
  func pending() async -> [ControllableTransport.PendingRequest] {
    await idle()
    return transport.pending
  }

  /// Answers the request that has waited longest, or the named one, and lets everything happen that follows.
  func answer(
    _ body: String, status: Int = 200, headers: [HeaderField] = [],
    to request: ControllableTransport.PendingRequest? = nil
  ) async throws {
    await idle()
    let pending = try #require(request ?? transport.pending.first, "no request waits for an answer")
    transport.respond(
      to: pending, with: TransportResponse(status: status, headers: headers, body: Array(body.utf8)))
    await idle()
  }

  /// Fails the request that has waited longest, as a transport without a connection does.
  func failRequest() async throws {
    await idle()
    transport.fail(try #require(transport.pending.first))
    await idle()
  }

  /// Fills the cache with one flag `a` of the given variant.
  func fill(_ variant: String, as context: FeatureControlContext = .anna) async throws {
    let call = evaluate("a", as: context)
    try await answer(.flags(["a": variant]))
    #expect(call["a"] == .flight(variant))
  }

  // MARK: The end

  var leftovers: [String] {
    transport.pending.isEmpty ? [] : ["requests"]
  }

  func close() async {
    manager?.close()
    inbox?.close()
  }
}

/// Plays a story in virtual time, in the order of events and in a few shuffled ones.
func play(
  _ setup: Setup = Setup(), seeds: Range<UInt64> = 0..<5, sourceLocation: SourceLocation = #_sourceLocation,
  _ story: @escaping @Sendable (Stage) async throws -> Void
) {
  let complaints = plays(seeds, on: { simulator, _ in Stage(simulator, setup) }, story)
  // A requirement of the story that was not met has said so itself.
  for complaint in complaints where !(complaint.thrown is ExpectationFailedError) {
    Issue.record("\(complaint)", sourceLocation: sourceLocation)
  }
}
