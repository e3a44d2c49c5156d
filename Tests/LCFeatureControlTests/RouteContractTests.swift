import ClientCore
import Foundation
import LCFeatureControl
import Testing

/// What the inbox and telemetry promise, in the simulation and on the wire alike.
@Suite(.timeLimit(.minutes(1)))
struct RouteContractTests {
  private static let inboxPath = "/api/feature-control/notifications"

  private static func configuration(in world: any ContractWorld) -> FeatureControlConfiguration {
    FeatureControlConfiguration(
      baseURL: world.baseURL, environment: "production", auth: FeatureControlBearerAuth { "jwt" })
  }

  private static func inbox(in world: any ContractWorld) -> FeatureControlNotificationsClient {
    FeatureControlNotificationsClient(configuration: configuration(in: world), environment: world.environment)
  }

  private static func manager(in world: any ContractWorld) -> FeatureControlManager {
    FeatureControlManager(configuration: configuration(in: world), environment: world.environment)
  }

  @Test(arguments: World.allCases)
  func `a page is asked for without a body and its cursor crosses as it is`(world: World) async throws {
    let cursor = "a b+c&d=e#f%g/é\u{1F600}?"
    try await world.keep([.answer(status: 200, body: .page(["n1"], next: "\"\(cursor)\""))]) { world in
      let inbox = Self.inbox(in: world)
      let first = try await inbox.list(status: .unread, limit: 20)
      #expect(first.items.map(\.id) == ["n1"] && first.nextCursor == cursor)
      _ = try await inbox.list(status: .unread, limit: 20, cursor: first.nextCursor)
      for query in ["", "&cursor=a%20b%2Bc%26d%3De%23f%25g%2F%C3%A9%F0%9F%98%80%3F"] {
        #expect(
          try await world.arrival()
            == Arrival(
              method: "GET", path: Self.inboxPath + "?status=unread&limit=20" + query,
              authorization: "Bearer jwt", contentType: nil, body: ""))
      }
      inbox.close()
    }
  }

  @Test(arguments: World.allCases, [200, 202, 204])
  func `marks are POSTs without a body, and an identifier is one segment of the path`(
    world: World, status: Int
  ) async throws {
    try await world.keep([.answer(status: status, body: "")]) { world in
      let inbox = Self.inbox(in: world)
      try await inbox.markRead(id: "a/../b c")
      try await inbox.markAllRead()
      for path in ["/a%2F..%2Fb%20c/read", "/read-all"] {
        let arrival = try await world.arrival()
        #expect(arrival.method == "POST" && arrival.path == Self.inboxPath + path)
        #expect(arrival.authorization == "Bearer jwt" && arrival.body.isEmpty)
      }
      inbox.close()
    }
  }

  @Test(arguments: World.allCases)
  func `a walk follows the cursors to the end`(world: World) async throws {
    let replies: [Reply] = [
      .answer(status: 200, body: .page(["a", "b"], next: "\"\"")),
      .answer(status: 200, body: .page(["b", "c"])),
    ]
    try await world.keep(replies) { world in
      let inbox = Self.inbox(in: world)
      var given: [String] = []
      for try await notification in inbox.notifications() { given.append(notification.id) }
      #expect(given == ["a", "b", "c"])
      #expect(try await world.arrival().path == Self.inboxPath)
      #expect(try await world.arrival().path == Self.inboxPath + "?cursor=")
      inbox.close()
    }
  }

  @Test(
    arguments: World.allCases,
    [
      (400, FeatureControlError.invalidContext(code: "c")), (401, .unauthorized(code: "c")),
      (403, .forbidden(code: "c")), (404, .server(code: "c", status: 404)), (429, .rateLimited(code: "c")),
      (503, .server(code: "c", status: 503)), (200, .server(code: "c", status: 200)),
    ])
  func `each refusal reaches the caller as its case`(
    world: World, refusal: (status: Int, error: FeatureControlError)
  ) async throws {
    try await world.keep([.answer(status: refusal.status, body: .error("c"))]) { world in
      let inbox = Self.inbox(in: world)
      await #expect(throws: refusal.error) { try await inbox.list() }
      await #expect(throws: refusal.error) { try await inbox.markRead(id: "a") }
      await #expect(throws: refusal.error) { try await inbox.markAllRead() }
      inbox.close()
    }
  }

  // adobe/aepsdk-core-ios PR#105, launchdarkly/ios-client-sdk changelog 5.4.3: a 304, which has no body, was decoded as
  // nothing or never completed.
  @Test(arguments: World.allCases)
  func `a 304 that nobody asked for is an error`(world: World) async throws {
    try await world.keep([.answer(status: 304, body: "")]) { world in
      let inbox = Self.inbox(in: world)
      await #expect(throws: FeatureControlError.server(code: "http_304", status: 304)) {
        try await inbox.list()
      }
      inbox.close()
    }
  }

  @Test(arguments: World.allCases)
  func `a broken connection is a transport error and fails a batch`(world: World) async throws {
    try await world.keep([.broken]) { world in
      let (inbox, manager) = (Self.inbox(in: world), Self.manager(in: world))
      let error = await #expect(throws: FeatureControlError.self) { try await inbox.list() }
      #expect(isTransport(error))
      await manager.recordExposure(.numbered(1))
      await manager.flushExposures()
      #expect(manager.exposureCounts == .account(failed: 1))
      inbox.close()
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `a cancelled call is over at once and the service sees it`(world: World) async throws {
    try await world.keep([.held(body: .page([]))]) { world in
      let inbox = Self.inbox(in: world)
      let outcome = Handover<Bool>()
      let call = world.environment.spawner.spawn {
        do {
          _ = try await inbox.list()
          outcome.put(false)
        } catch { outcome.put(error is CancellationError) }
      }
      _ = try await world.arrival()
      call.cancel()
      #expect(try await outcome.next())
      try await world.hangUp()
      inbox.close()
    }
  }

  @Test(arguments: World.allCases)
  func `batches arrive as JSON of at most 100 events, in order`(world: World) async throws {
    let replies: [Reply] = [
      .answer(status: 202, body: .accepted), .answer(status: 500, body: .error("boom")),
      .answer(status: 204, body: ""),
    ]
    try await world.keep(replies) { world in
      let manager = Self.manager(in: world)
      for number in 0..<250 { await manager.recordExposure(.numbered(number)) }
      await manager.flushExposures()
      for range in [0..<100, 100..<200, 200..<250] {
        let arrival = try await world.arrival()
        #expect(arrival.method == "POST" && arrival.path == "/api/feature-control/telemetry/exposures")
        #expect(arrival.contentType == "application/json" && arrival.authorization == "Bearer jwt")
        #expect(arrival.body.components(separatedBy: "\"featureKey\"").count == range.count + 1)
        let numbers = range.map { "\"number\":\($0)}" }
        #expect(numbers.allSatisfy(arrival.body.contains))
      }
      #expect(manager.exposureCounts == .account(sent: 150, failed: 100))
      manager.close()
    }
  }

  @Test(arguments: World.allCases)
  func `Retry-After keeps the next batch and the inbox's next call back`(world: World) async throws {
    let refusal = Reply.answer(status: 429, headers: retryAfter("120"), body: .error("slow_down"))
    try await world.keep([refusal, refusal, .answer(status: 200, body: "{}")]) { world in
      let (inbox, manager) = (Self.inbox(in: world), Self.manager(in: world))
      for number in 0..<101 { await manager.recordExposure(.numbered(number)) }
      await manager.flushExposures()
      await manager.flushExposures()
      #expect(manager.exposureCounts == .account(failed: 100, pending: 1))
      for _ in 0..<2 {
        await #expect(throws: FeatureControlError.rateLimited(code: "slow_down")) { try await inbox.list() }
        await #expect(throws: FeatureControlError.rateLimited(code: "slow_down")) {
          try await inbox.markAllRead()
        }
      }
      inbox.close()
      manager.close()
    }
  }
}
