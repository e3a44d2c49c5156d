import ClientCore
import Observation
import Palbase
import PalbaseFlags
import Synchronization
import Testing

/// `pb.flags.state` as a view sees it: reads are tracked, and a change of what was read wakes the view, once.
@Suite struct StateTests {
  /// A view: it reads, and counts how often it is to be drawn again.
  @MainActor
  private final class View {
    private(set) var woken = 0
    private let read: @MainActor () -> Void

    init(_ read: @escaping @MainActor () -> Void) {
      self.read = read
      draw()
    }

    private func draw() {
      withObservationTracking(read) { [weak self] in
        MainActor.assumeIsolated { self?.woken += 1 }
      }
    }
  }

  private static func client() -> (
    PalbaseClient, ControllableTransport, ControllableMainActorHop, ControllableSpawner
  ) {
    let (transport, hop, spawner) = (
      ControllableTransport(), ControllableMainActorHop(), ControllableSpawner()
    )
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = ControllableClock().clock
    environment.wallClock = ControllableWallClock()
    environment.random = ControllableRandomSource(seed: 1)
    environment.transport = transport
    environment.spawner = spawner
    environment.storage = ControllableStorage()
    environment.lifecycle = ControllableLifecycle()
    environment.realtime = UnavailableRealtime()
    environment.mainActorHop = hop
    let client = PalbaseClient(
      PalbaseConfiguration(
        baseURL: "https://shop.example", apiKey: "key", platform: "ios", appVersion: "1.0", language: "de"),
      signedInAs: .anna, environment: environment)
    return (client, transport, hop, spawner)
  }

  private static func answer(_ body: String, _ transport: ControllableTransport) async throws {
    let request = try await transport.nextRequest()
    transport.respond(to: request, with: TransportResponse(status: 200, body: Array(body.utf8)))
  }

  @Test @MainActor func `a view is woken by the flag that it read and by no other`() async throws {
    let (client, transport, hop, spawner) = Self.client()
    let flags = client.flags
    let state = flags.state
    async let first: Void = flags.refresh()
    try await Self.answer(.snapshot(1, ["a": "1", "b": "1"]), transport)
    try await first
    hop.runAll()
    let ofA = View { _ = state.int("a", default: 0) }
    let ofB = View { _ = state.int("b", default: 0) }
    let ofNone = View { _ = state.int("c", default: 0) }
    let ofAll = View { _ = state.all }
    async let second: Void = flags.refresh()
    try await Self.answer(.delta(since: 1, 2, ["a": "2"]), transport)
    try await second
    // What a view reads is there before it is told.
    #expect(state.int("a", default: 0) == 2)
    #expect([ofA.woken, ofB.woken, ofNone.woken, ofAll.woken] == [0, 0, 0, 0])
    hop.runAll()
    #expect([ofA.woken, ofB.woken, ofNone.woken, ofAll.woken] == [1, 0, 0, 1])
    await client.close()
    try await spawner.allEnded()
  }

  @Test @MainActor func `equal content wakes nobody`() async throws {
    let (client, transport, hop, spawner) = Self.client()
    let flags = client.flags
    let state = flags.state
    async let first: Void = flags.refresh()
    try await Self.answer(.snapshot(1, ["a": "1"]), transport)
    try await first
    hop.runAll()
    let ofA = View { _ = state.int("a", default: 0) }
    let ofAll = View { _ = state.all }
    async let second: Void = flags.refresh()
    try await Self.answer(.delta(since: 1, 2, ["a": "1"]), transport)
    try await second
    hop.runAll()
    #expect([ofA.woken, ofAll.woken] == [0, 0])
    #expect(flags.status.version == 2)
    await client.close()
    try await spawner.allEnded()
  }

  @Test @MainActor func `a change of reader closes the gate at once and wakes who has read`() async throws {
    let (client, transport, hop, spawner) = Self.client()
    let flags = client.flags
    let state = flags.state
    async let first: Void = flags.refresh()
    try await Self.answer(.snapshot(1, ["a": "true"]), transport)
    try await first
    hop.runAll()
    let view = View { _ = state.bool("a", default: false) }
    #expect(state.bool("a", default: false))
    client.signIn(.ben)
    #expect(!state.bool("a", default: false))
    #expect(state.all == [:])
    #expect(state.source("a") == nil)
    hop.runAll()
    #expect(view.woken == 1)
    await client.close()
    try await spawner.allEnded()
  }

  @Test @MainActor func `the state is one object, and gives what the flags give`() async throws {
    let (client, transport, _, spawner) = Self.client()
    let flags = client.flags
    #expect(flags.state === flags.state)
    async let first: Void = flags.refresh()
    try await Self.answer(
      .snapshot(1, ["on": "true", "text": "\"hi\"", "half": "0.5", "whole": "3"]), transport)
    try await first
    let state = flags.state
    #expect(state.bool("on", default: false))
    #expect(state.string("text", default: "") == "hi")
    #expect(state.number("half", default: 0) == 0.5)
    #expect(state.int("whole", default: 0) == 3)
    #expect(state.decode("whole", as: Int.self) == 3)
    #expect(state.value("text") == "hi")
    #expect(state.source("on") == .default)
    #expect(state.all == flags.all)
    await client.close()
    try await spawner.allEnded()
  }
}
