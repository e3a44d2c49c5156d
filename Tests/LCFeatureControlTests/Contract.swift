import ClientCore
import LCFeatureControl
import LoopbackServer
import Simulation
import Stagecraft
import Synchronization
import Testing
import URLSessionTransport

// One set of promises, two worlds that must keep them: the simulation that every other test here trusts, and a real
// URLSession against a server on this machine. A promise that only the simulation keeps would make it a liar.

/// A service that follows a script, and what stands between it and a client.
protocol ContractWorld: Sendable {
  /// The environment of a client in this world.
  var environment: ClientEnvironment { get }
  /// Where the service is.
  var baseURL: String { get }
  /// Waits for the next request at the service.
  func arrival() async throws -> Arrival
  /// Lets the service give the answers it holds back.
  func release()
  /// Waits until a client has given up a request whose answer is held back.
  func hangUp() async throws
  /// Lets the deadline of the one flight under way pass.
  func passDeadline() async throws
}

/// A request at the service.
struct Arrival: Equatable {
  let method: String
  /// With its query.
  let path: String
  let authorization: String?
  let contentType: String?
  let body: String
}

/// What the service does with a request.
enum Reply: Sendable {
  case answer(status: Int, headers: [HeaderField] = [], body: String)
  /// The answer, as soon as it is released.
  case held(body: String)
  /// The connection ends in the middle of the answer's body.
  case broken
}

/// The worlds.
enum World: CaseIterable, CustomTestStringConvertible {
  case simulation, loopback

  var testDescription: String { self == .simulation ? "simulation" : "URLSession and a server" }

  /// Runs a promise against a service that answers its n-th request with the n-th reply, and later ones with the last.
  func keep(_ replies: [Reply], _ promise: @escaping @Sendable (any ContractWorld) async throws -> Void)
    async throws
  {
    switch self {
    case .simulation: try SimulatedWorld.keep(replies, promise)
    case .loopback: try await LoopbackWorld.keep(replies, promise)
    }
  }
}

// MARK: The simulation

private struct SimulatedWorld: ContractWorld {
  let environment: ClientEnvironment
  let baseURL = "https://api.example.com"
  let simulator: Simulator
  let transport: ControllableTransport
  let arrivals = Handover<Arrival>()
  let held = Handover<ControllableTransport.PendingRequest>()
  let isReleased = Handover<Void>()

  static func keep(
    _ replies: [Reply], _ promise: @escaping @Sendable (any ContractWorld) async throws -> Void
  ) throws {
    for seed in 0..<4 as Range<UInt64> {
      let simulator = Simulator(seed: seed, strategy: seed == 0 ? .fifo : .random)
      let world = SimulatedWorld(simulator)
      let outcome = simulator.run { () -> Result<Void, any Error> in
        let service = simulator.spawn { await world.serve(replies) }
        let result: Result<Void, any Error>
        do { result = .success(try await promise(world)) } catch { result = .failure(error) }
        service.cancel()
        return result
      }
      #expect(outcome.end == .finished, "seed \(seed)")
      #expect(outcome.unfinishedTasks == 0 && outcome.armedTimers == 0, "seed \(seed): something is left")
      try outcome.value?.get()
    }
  }

  private init(_ simulator: Simulator) {
    self.simulator = simulator
    transport = ControllableTransport()
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = MonotonicClock(simulator.clock)
    environment.wallClock = ControllableWallClock()
    environment.spawner = SimulatedSpawner(simulator: simulator)
    environment.transport = transport
    self.environment = environment
  }

  private func serve(_ replies: [Reply]) async {
    while let pending = try? await transport.nextRequest() {
      let request = pending.request
      arrivals.put(
        Arrival(
          method: request.method.name, path: String(request.url.dropFirst(baseURL.utf8.count)),
          authorization: request.header("Authorization"),
          contentType: request.header("Content-Type"),
          body: String(decoding: request.body ?? [], as: UTF8.self)))
      switch replies[min(Int(pending.id), replies.count) - 1] {
      case .answer(let status, let headers, let body):
        transport.respond(
          to: pending, with: TransportResponse(status: status, headers: headers, body: Array(body.utf8)))
      case .held(let body):
        simulator.spawn {
          guard (try? await isReleased.next()) != nil else { return }
          transport.respond(to: pending, with: TransportResponse(status: 200, body: Array(body.utf8)))
        }
      case .broken: transport.fail(pending)
      }
    }
  }

  func arrival() async throws -> Arrival { try await arrivals.next() }
  func release() { isReleased.put(()) }
  func hangUp() async throws {
    _ = try await transport.nextCancellation()
    release()
  }
  func passDeadline() async throws { try await simulator.clock.sleep(for: .seconds(3)) }
}

// MARK: The real stack

/// Numbers requests from 1, from any thread.
private final class RequestCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

private struct LoopbackWorld: ContractWorld {
  let environment: ClientEnvironment
  let baseURL: String
  let server: ScriptedServer
  let clock = ControllableClock()
  let gate: ScriptedServer.Gate

  static func keep(
    _ replies: [Reply], _ promise: @escaping @Sendable (any ContractWorld) async throws -> Void
  ) async throws {
    let gate = ScriptedServer.Gate()
    let count = RequestCount()
    try await ScriptedServer.run { _ in
      switch replies[min(count.next(), replies.count) - 1] {
      case .answer(let status, let headers, let body):
        .answer(status: status, headers: headers, body: Array(body.utf8))
      case .held(let body): .held(gate, then: .answer(status: 200, body: Array(body.utf8)))
      case .broken: .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
      }
    } _: { server in
      let world = LoopbackWorld(server, gate)
      try await promise(world)
    }
  }

  private init(_ server: ScriptedServer, _ gate: ScriptedServer.Gate) {
    self.server = server
    self.gate = gate
    baseURL = server.url("")
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = clock.clock
    environment.wallClock = LiveWallClock()
    environment.spawner = LiveSpawner()
    environment.transport = URLSessionTransport()
    self.environment = environment
  }

  func arrival() async throws -> Arrival {
    let request = try await server.requests.next()
    return Arrival(
      method: request.method, path: request.target, authorization: request.header("Authorization"),
      contentType: request.header("Content-Type"), body: String(decoding: request.body, as: UTF8.self))
  }

  func release() { gate.open() }
  func hangUp() async throws { _ = try await server.hangUps.next() }
  func passDeadline() async throws {
    _ = try await clock.nextSleeper()
    clock.advance(by: .seconds(3))
  }
}
