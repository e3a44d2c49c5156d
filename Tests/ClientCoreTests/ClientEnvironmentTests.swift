import ClientCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClientEnvironmentTests {
  // MARK: Unimplemented

  @Test func `every effect of an unimplemented environment reports its use`() async {
    let uses = RecordedUses()
    let environment = ClientEnvironment.unimplemented(onUse: uses.add)
    #expect(uses.all.isEmpty, "making it uses nothing")
    #expect(environment.observe == nil)
    _ = environment.clock.now
    await #expect(throws: CancellationError.self) {
      try await environment.clock.sleep(until: MonotonicInstant(nanoseconds: 1))
    }
    _ = environment.wallClock.now
    _ = environment.random.next()
    environment.spawner.spawn { Issue.record("an unimplemented spawner starts nothing") }.cancel()
    environment.mainActorHop.hop { Issue.record("an unimplemented hop runs nothing") }
    await #expect(throws: TransportError.self) {
      try await environment.transport.send(TransportRequest(method: .get, url: "https://host/flags"))
    }
    _ = await #expect(throws: StorageError.self) { try await environment.storage.read("a") }
    for await _ in environment.lifecycle.events() {}
    _ = await #expect(throws: TransportError.self) {
      try await environment.realtime.connect(TransportRequest(method: .get, url: "https://host/realtime"))
    }
    #expect(
      uses.all.map { "\($0.effect).\($0.operation)" } == [
        "MonotonicClock.now", "MonotonicClock.sleep(until:)", "WallClock.now", "RandomSource.next()",
        "Spawner.spawn(_:)", "MainActorHop.hop(_:)", "Transport.GET /flags", "Storage.read(a)",
        "Lifecycle.events()", "Realtime.GET /realtime",
      ])
  }

  @Test func `a report names the remedy`() {
    #expect(
      UnimplementedUse(effect: "Spawner", operation: "spawn(_:)").description
        == "unimplemented Spawner: spawn(_:) (pass a live or controllable Spawner if this use is meant)")
  }

  @Test func `a replaced effect is used and the rest still reports`() {
    let uses = RecordedUses()
    var environment = ClientEnvironment.unimplemented(onUse: uses.add)
    environment.random = ControllableRandomSource([7])
    #expect(environment.random.next() == 7)
    #expect(uses.all.isEmpty)
    _ = environment.wallClock.now
    #expect(uses.all.map(\.effect) == ["WallClock"])
  }

  @Test func `an unimplemented clock ends the process unless told otherwise`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ClientEnvironment.unimplemented().clock.now
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("unimplemented MonotonicClock: now"))
  }

  // MARK: Spawner

  @Test func `a controllable spawner counts its tasks and waits for the end of all`() async throws {
    let spawner = ControllableSpawner()
    try await spawner.allEnded()
    let gate = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<3 {
      _ = spawner.spawn { for await _ in gate.stream {} }
    }
    #expect(spawner.startedCount == 3)
    #expect(spawner.liveCount == 3)
    gate.continuation.finish()
    try await spawner.allEnded()
    #expect(spawner.startedCount == 3)
    #expect(spawner.liveCount == 0)
  }

  @Test func `cancelling a spawned task reaches it, once or more often`() async throws {
    let spawner = ControllableSpawner()
    let clock = ControllableClock()
    let task = spawner.spawn {
      await #expect(throws: CancellationError.self) {
        try await clock.clock.sleep(until: MonotonicInstant(nanoseconds: 1))
      }
    }
    _ = try await clock.nextSleeper()
    task.cancel()
    task.cancel()
    try await spawner.allEnded()
    #expect(clock.deadlines.isEmpty)
  }

  @Test func `everybody who waits for the end of all is woken`() async throws {
    let spawner = ControllableSpawner()
    let gate = AsyncStream.makeStream(of: Void.self)
    _ = spawner.spawn { for await _ in gate.stream {} }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { try await spawner.allEnded() } }
      gate.continuation.finish()
      try await group.waitForAll()
    }
    #expect(spawner.liveCount == 0)
  }

  @Test func `who waits for the end of all can be cancelled`() async throws {
    let spawner = ControllableSpawner()
    let gate = AsyncStream.makeStream(of: Void.self)
    _ = spawner.spawn { for await _ in gate.stream {} }
    let waiting = Task { try await spawner.allEnded() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.continuation.finish()
    try await spawner.allEnded()
  }

  @Test func `the live spawner runs what it is given and passes on a cancellation`() async throws {
    let clock = ControllableClock()
    let ended = Handover<Bool>()
    let task = LiveSpawner().spawn {
      try? await clock.clock.sleep(until: MonotonicInstant(nanoseconds: 1))
      ended.put(Task.isCancelled)
    }
    _ = try await clock.nextSleeper()
    task.cancel()
    #expect(try await ended.next())
  }
}
