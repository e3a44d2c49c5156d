import ClientCore
import LCFeatureControl
import Synchronization
import Testing

/// After `close()`, and after the manager was let go of, nothing of it is left (BEHAVIOUR rule 1.9).
@Suite(.timeLimit(.minutes(1)))
struct CloseTests {
  private func isClosed(_ error: FeatureControlError?) -> Bool {
    error == .transport(message: "the client is closed")
  }

  // MARK: In virtual time

  // Unleash PR#58, PostHog PR#629, amplitude PR#60, open-feature/swift-sdk PR#35: a path that never called back.
  @Test func `closing answers every waiter and cancels every request`() {
    play { stage in
      try await stage.fill("held")
      try await stage.pass(.seconds(45))
      let safe = [stage.evaluate("a"), stage.evaluate("b"), stage.evaluate("a")]
      let throwing = stage.evaluateOrThrow("a")
      #expect(await stage.pending().count == 2)
      stage.manager?.close()
      await stage.idle()
      #expect(safe[0]["a"] == .stale("held"))
      #expect(safe.allSatisfy { $0.isAnswered })
      #expect(isClosed(throwing.error))
      #expect(stage.transport.pending.isEmpty && stage.transport.cancelled.count == 2)
    }
  }

  @Test func `closing ends fenced flights too`() {
    play { stage in
      let before = stage.evaluateOrThrow()
      await stage.idle()
      await stage.manager?.invalidateCache()
      let after = stage.evaluateOrThrow()
      await stage.idle()
      stage.manager?.close()
      await stage.idle()
      #expect(isClosed(before.error) && isClosed(after.error))
      #expect(stage.transport.pending.isEmpty)
    }
  }

  @Test func `a closed client answers from what is held and makes no request`() {
    play { stage in
      try await stage.fill("held")
      stage.manager?.close()
      stage.manager?.close()
      #expect(await stage.served() == .fresh("held"))
      try await stage.pass(.seconds(45))
      #expect(await stage.served() == .stale("held"))
      let throwing = stage.evaluateOrThrow()
      await stage.idle()
      #expect(isClosed(throwing.error))
      await stage.manager?.invalidateCache()
      #expect(await stage.served() == .default)
    }
  }

  // optimizely/swift-sdk PR#446 and PR#649: what a leak's mend freed under a running request.
  @Test func `a call keeps its manager until it is answered, and then nothing does`() {
    play { stage in
      let call = stage.evaluate()
      await stage.idle()
      weak let manager = stage.manager
      stage.letGo()
      await stage.idle()
      #expect(manager != nil && !call.isAnswered)
      try await stage.answer(.flags(["a": "1"]))
      #expect(call["a"] == .flight("1"))
      #expect(manager == nil)
    }
  }

  @Test func `letting go of a manager ends what its callers gave up on`() {
    play(Setup(transport: { StubbornTransport(base: $0, simulator: $1) })) { stage in
      let call = stage.evaluate()
      await stage.idle()
      call.cancel()
      weak let manager = stage.manager
      stage.letGo()
      await stage.idle()
      #expect(call["a"] == .default)
      #expect(manager == nil, "a request that goes on does not keep the manager")
      try await stage.answer(.flags(["a": "late"]))
    }
  }

  @Test func `closing at any moment leaves nothing`() {
    let tokens = TokenDesk()
    for moment in [0, 1, 500, 999, 1_000, 1_001, 3_000] as [Int64] {
      play(Setup(auth: FeatureControlBearerAuth(tokens.token)), seeds: 0..<10) { stage in
        tokens.open(on: stage.simulator, delays: .milliseconds(1))
        let calls = (0..<3).map { _ in stage.evaluate() }
        stage.simulator.spawn {
          try? await stage.simulator.clock.sleep(for: .microseconds(moment))
          stage.manager?.close()
        }
        try await stage.pass(.milliseconds(3))
        #expect(calls.allSatisfy { $0["a"] == .default })
        #expect(stage.transport.pending.isEmpty)
      }
    }
  }

  // MARK: On the pool

  /// A manager on doubles that run on the pool, with counted tasks.
  private struct Bench {
    let transport = ControllableTransport()
    let clock = ControllableClock()
    let spawner = ControllableSpawner()
    let signals = Handover<ClientSignal>()

    /// Waits for the end of every task of the client, or of the test's time.
    func drain() async {
      while spawner.liveCount > 0, !Task.isCancelled { await Task.yield() }
      #expect(spawner.liveCount == 0, "tasks are left")
    }

    func manager() -> FeatureControlManager {
      var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
      environment.clock = clock.clock
      environment.transport = transport
      environment.spawner = spawner
      environment.observe = { [signals] in signals.put($0) }
      return FeatureControlManager(
        configuration: FeatureControlConfiguration(
          baseURL: "https://api.example.com", environment: "production",
          auth: FeatureControlHeaderAuth(headers: [:])),
        defaults: ["a": .variant("default")], environment: environment)
    }
  }

  @Test func `every task a client started has ended after close`() async throws {
    let bench = Bench()
    let manager = bench.manager()
    async let first = manager.evaluate(keys: ["a"], context: .anna)
    async let second = manager.evaluate(keys: ["b"], context: .anna)
    _ = try await bench.transport.nextRequest()
    _ = try await bench.transport.nextRequest()
    #expect(bench.spawner.startedCount == 4, "a request and a deadline for each flight")
    manager.close()
    #expect(await first.flags["a"] == .variant("default"))
    #expect(await second.flags.isEmpty)
    await bench.drain()
    #expect(bench.clock.deadlines.isEmpty)
    #expect(bench.transport.pending.isEmpty)
  }

  @Test func `a landed flight leaves no task, timer or request`() async throws {
    let bench = Bench()
    let manager = bench.manager()
    async let snapshot = manager.evaluate(keys: ["a"], context: .anna)
    let request = try await bench.transport.nextRequest()
    bench.transport.respond(
      to: request, with: TransportResponse(status: 200, body: Array(String.flags(["a": "1"]).utf8)))
    #expect(await snapshot.flags["a"]?.variant == "1")
    await bench.drain()
    #expect(bench.clock.deadlines.isEmpty)
    manager.close()
  }

  @Test func `letting go of the last reference ends the requests nobody waits for`() async throws {
    let bench = Bench()
    do {
      let manager = bench.manager()
      let call = Task { await manager.evaluate(keys: ["a"], context: .anna) }
      _ = try await bench.transport.nextRequest()
      call.cancel()
      #expect(await call.value.origin(of: "a") == .default)
    }
    await bench.drain()
    #expect(bench.clock.deadlines.isEmpty)
    #expect(bench.transport.pending.isEmpty)
  }

  // growthbook/growthbook-swift#139, #141, #144, Unleash#49 and #78: crashes when reads and refreshes ran together.
  @Test func `calls, cancellations, invalidations and answers from many threads each end once`() async throws
  {
    let bench = Bench()
    let manager = bench.manager()
    let service = Task {
      while let request = try? await bench.transport.nextRequest() {
        let body = Array(String.flags(["a": "\(request.id)"]).utf8)
        bench.transport.respond(to: request, with: TransportResponse(status: 200, body: body))
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask {
          let context = FeatureControlContext.anna.with { $0.storeId = "\(number % 3)" }
          let call = Task { try await manager.evaluateOrThrow(keys: ["a"], context: context) }
          if number.isMultiple(of: 5) { call.cancel() }
          if number.isMultiple(of: 7) { await manager.invalidateCache() }
          if number.isMultiple(of: 11) { bench.clock.advance(by: .seconds(1)) }
          switch await call.result {
          case .success(let snapshot): #expect(snapshot.flags["a"]?.variant.flatMap { Int($0) } != nil)
          case .failure(let error):
            // A clock that others move may well pass a deadline.
            #expect(
              error is CancellationError ? number.isMultiple(of: 5) : error is FeatureControlError, "\(error)"
            )
          }
        }
      }
    }
    manager.close()
    await bench.drain()
    service.cancel()
    await service.value
    #expect(bench.transport.pending.isEmpty && bench.clock.deadlines.isEmpty)
  }
}
