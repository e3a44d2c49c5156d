import ClientCore
import LCFeatureControl
import Testing

/// What a client promises, in the simulation and on the wire alike.
@Suite(.timeLimit(.minutes(1)))
struct ContractTests {
  private static let good = String.flags(["a": "1"])

  private static func manager(
    in world: any ContractWorld, observe: (@Sendable (ClientSignal) -> Void)? = nil
  ) -> FeatureControlManager {
    var environment = world.environment
    environment.observe = observe
    return FeatureControlManager(
      configuration: FeatureControlConfiguration(
        baseURL: world.baseURL, environment: "production", auth: FeatureControlBearerAuth { "jwt" }),
      defaults: ["a": .variant("default")], environment: environment)
  }

  /// A call in a task of its own.
  private struct Started {
    let task: SpawnedTask
    let answer: Handover<FeatureControlSnapshot>
  }

  private static func call(_ manager: FeatureControlManager, in world: any ContractWorld) -> Started {
    let answer = Handover<FeatureControlSnapshot>()
    let task = world.environment.spawner.spawn {
      answer.put(await manager.evaluate(keys: ["a"], context: .anna))
    }
    return Started(task: task, answer: answer)
  }

  @Test(arguments: World.allCases)
  func `a request reaches the service as the contract says and its answer the caller`(world: World)
    async throws
  {
    try await world.keep([.answer(status: 200, body: Self.good)]) { world in
      let manager = Self.manager(in: world)
      let snapshot = try await manager.evaluateOrThrow(keys: ["b", "a"], context: .anna)
      #expect(snapshot.flags == ["a": .variant("1")])
      #expect(
        try await world.arrival()
          == Arrival(
            method: "POST", path: "/api/feature-control/evaluate", authorization: "Bearer jwt",
            contentType: "application/json",
            body: #"{"context":{"appVersion":"1.0","platform":"ios","storeId":"s1","subjectId":"anna","#
              + #""subjectType":"customer"},"environment":"production","keys":["a","b"]}"#))
      let hit = await manager.evaluate(keys: ["a", "b"], context: .anna)
      #expect(hit.origin(of: "a") == .fresh)
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `callers that ask at once make one request`(world: World) async throws {
    try await world.keep([.held(body: Self.good), .answer(status: 500, body: "")]) { world in
      let signals = Handover<ClientSignal>()
      let manager = Self.manager(in: world, observe: { signals.put($0) })
      let calls = (0..<5).map { _ in Self.call(manager, in: world) }
      for _ in calls { _ = try await signals.next() }
      _ = try await world.arrival()
      world.release()
      for call in calls { #expect(try await call.answer.next().flags == ["a": .variant("1")]) }
      manager.close()
    }
  }

  @Test(
    arguments: World.allCases,
    [
      (400, FeatureControlError.invalidContext(code: "c")), (401, .unauthorized(code: "c")),
      (403, .forbidden(code: "c")), (404, .server(code: "c", status: 404)), (429, .rateLimited(code: "c")),
      (500, .server(code: "c", status: 500)), (503, .server(code: "c", status: 503)),
      (200, .server(code: "c", status: 200)),
    ])
  func `each refusal reaches the caller as its case`(
    world: World, refusal: (status: Int, error: FeatureControlError)
  ) async throws {
    // With the challenge that a 401 carries, which a URL loading system may try to take up.
    let headers = [HeaderField("WWW-Authenticate", "Bearer")]
    try await world.keep([.answer(status: refusal.status, headers: headers, body: .error("c"))]) { world in
      let manager = Self.manager(in: world)
      await #expect(throws: refusal.error) { try await manager.evaluateOrThrow(keys: ["a"], context: .anna) }
      let safe = await manager.evaluate(keys: ["a"], context: .anna)
      #expect(safe.origin(of: "a") == .default)
      manager.close()
    }
  }

  @Test(
    arguments: World.allCases,
    [
      Reply.broken, .answer(status: 200, body: ""), .answer(status: 200, body: "<html>"),
      .answer(status: 200, body: #"{"flags":{"a":{"enabled":true}"#),
    ])
  func `a broken connection and a garbled body are transport errors`(world: World, reply: Reply) async throws
  {
    try await world.keep([reply]) { world in
      let manager = Self.manager(in: world)
      let error = await #expect(throws: FeatureControlError.self) {
        try await manager.evaluateOrThrow(keys: ["a"], context: .anna)
      }
      if case .transport? = error {
      } else {
        Issue.record("expected .transport, got \(String(describing: error))")
      }
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `the first caller's cancellation leaves the others their answer`(world: World) async throws {
    try await world.keep([.held(body: Self.good)]) { world in
      let signals = Handover<ClientSignal>()
      let manager = Self.manager(in: world, observe: { signals.put($0) })
      let first = Self.call(manager, in: world)
      #expect(try await signals.next() == .startedFlight)
      let second = Self.call(manager, in: world)
      #expect(try await signals.next() == .joinedFlight)
      _ = try await world.arrival()
      first.task.cancel()
      #expect(try await first.answer.next().origin(of: "a") == .default)
      world.release()
      #expect(try await second.answer.next().origin(of: "a") == .flight)
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `the last caller's cancellation is seen by the service and the next call asks anew`(world: World)
    async throws
  {
    try await world.keep([.held(body: Self.good), .answer(status: 200, body: Self.good)]) { world in
      let manager = Self.manager(in: world)
      let call = Self.call(manager, in: world)
      _ = try await world.arrival()
      call.task.cancel()
      #expect(try await call.answer.next().origin(of: "a") == .default)
      try await world.hangUp()
      let next = await manager.evaluate(keys: ["a"], context: .anna)
      #expect(next.origin(of: "a") == .flight)
      _ = try await world.arrival()
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `a service that does not answer in time is given up`(world: World) async throws {
    try await world.keep([.held(body: Self.good)]) { world in
      let manager = Self.manager(in: world)
      let call = Self.call(manager, in: world)
      _ = try await world.arrival()
      try await world.passDeadline()
      #expect(try await call.answer.next().origin(of: "a") == .default)
      try await world.hangUp()
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `Retry-After keeps the second request back`(world: World) async throws {
    let replies: [Reply] = [
      .answer(status: 429, headers: [HeaderField("Retry-After", "120")], body: .error("slow_down")),
      .answer(status: 200, body: Self.good),
    ]
    try await world.keep(replies) { world in
      let manager = Self.manager(in: world)
      for _ in 0..<3 {
        await #expect(throws: FeatureControlError.rateLimited(code: "slow_down")) {
          try await manager.evaluateOrThrow(keys: ["a"], context: .anna)
        }
      }
      #expect(await manager.evaluate(keys: ["a"], context: .anna).origin(of: "a") == .default)
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `closing ends the wait and the request`(world: World) async throws {
    try await world.keep([.held(body: Self.good)]) { world in
      let manager = Self.manager(in: world)
      let call = Self.call(manager, in: world)
      _ = try await world.arrival()
      manager.close()
      #expect(try await call.answer.next().origin(of: "a") == .default)
      try await world.hangUp()
    }
  }
}
