import ClientCore
import LCFeatureControl
import Synchronization
import Testing

// The inbox and telemetry on the pool, where steps really overlap; run under the thread sanitizer these tests find races.
// What must hold in any order is asserted, never an order.

/// Many callers from many threads at once.
@Suite(.timeLimit(.minutes(1)))
struct ThreadTests {
  /// Clients on doubles that run on the pool, with counted tasks.
  private struct Bench {
    let transport = ControllableTransport()
    let clock = ControllableClock()
    let spawner = ControllableSpawner()

    private var environment: ClientEnvironment {
      var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
      environment.clock = clock.clock
      environment.wallClock = ControllableWallClock()
      environment.transport = transport
      environment.spawner = spawner
      return environment
    }

    private var configuration: FeatureControlConfiguration {
      FeatureControlConfiguration(
        baseURL: "https://api.example.com", environment: "production",
        auth: FeatureControlBearerAuth { "jwt" })
    }

    func manager() -> FeatureControlManager {
      FeatureControlManager(configuration: configuration, environment: environment)
    }

    func inbox() -> FeatureControlNotificationsClient {
      FeatureControlNotificationsClient(configuration: configuration, environment: environment)
    }

    /// Answers every request, each by what is made of it.
    func serve(
      _ answer: @escaping @Sendable (ControllableTransport.PendingRequest) -> TransportResponse
    ) -> Task<Void, Never> {
      Task {
        while let request = try? await transport.nextRequest() {
          transport.respond(to: request, with: answer(request))
        }
      }
    }

    /// Waits for the end of every task of the clients; nothing may be left then.
    func drain(_ service: Task<Void, Never>) async throws {
      try await spawner.allEnded()
      service.cancel()
      await service.value
      #expect(transport.pending.isEmpty && clock.deadlines.isEmpty)
    }
  }

  private static func response(_ status: Int, _ body: String) -> TransportResponse {
    TransportResponse(status: status, body: Array(body.utf8))
  }

  // growthbook/growthbook-swift#131, firebase/firebase-ios-sdk#13773 and #3449, confidence-sdk-swift PR#167: crashes when
  // events were recorded, sent and dropped together.
  @Test func `events recorded and flushed from many threads are each in one request at most`() async throws {
    let bench = Bench()
    let manager = bench.manager()
    let taken = Mutex<[Int]>([])
    let refused = Mutex<[Int]>([])
    let service = bench.serve { request in
      let isTaken = !request.id.isMultiple(of: 3)
      if isTaken {
        taken.withLock { $0 += request.exposures }
      } else {
        refused.withLock { $0 += request.exposures }
      }
      #expect((1...100).contains(request.exposures.count))
      return isTaken ? Self.response(202, .accepted) : Self.response(503, "")
    }
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<40 {
        group.addTask {
          for number in 0..<20 { await manager.recordExposure(.numbered(caller * 20 + number)) }
          let flush = Task { await manager.flushExposures() }
          if caller.isMultiple(of: 5) { flush.cancel() }
          _ = manager.exposureCounts
          await flush.value
        }
      }
    }
    await manager.flushExposures()
    let counts = manager.exposureCounts
    manager.close()
    try await bench.drain(service)
    let (good, bad) = (taken.withLock { $0 }, refused.withLock { $0 })
    #expect(Set(good + bad).count == good.count + bad.count, "no event is in two requests")
    #expect(counts.recorded == 800 && counts.pending == 0 && counts.underWay == 0)
    #expect(counts.sent + counts.failed + counts.dropped == 800)
    // A flush that was cancelled as its answer came counts its batch as failed, though the service took it.
    #expect(counts.sent <= good.count && counts.failed >= bad.count)
    #expect(counts.dropped == 0)
  }

  @Test func `closing among recordings and flushes loses count of nothing`() async throws {
    for round in 0..<20 {
      let bench = Bench()
      let manager = bench.manager()
      let service = bench.serve { _ in Self.response(202, .accepted) }
      await withTaskGroup(of: Void.self) { group in
        for caller in 0..<10 {
          group.addTask {
            for number in 0..<30 {
              await manager.recordExposure(.numbered(number))
              if caller == round % 10, number == round { manager.close() }
            }
            await manager.flushExposures()
          }
        }
      }
      manager.close()
      try await bench.drain(service)
      let counts = manager.exposureCounts
      #expect(counts.recorded == 300 && counts.pending == 0 && counts.underWay == 0)
      #expect(counts.sent + counts.failed + counts.dropped == 300)
    }
  }

  @Test func `calls of the inbox from many threads, some of them cancelled, each end once`() async throws {
    let bench = Bench()
    let inbox = bench.inbox()
    let service = bench.serve { request in
      request.request.method == .get
        ? Self.response(200, .page(["\(request.id)"], next: "\"\(request.id)\"")) : Self.response(204, "")
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        group.addTask {
          let call = Task {
            switch number % 3 {
            case 0: _ = try await inbox.list(cursor: "\(number)")
            case 1: try await inbox.markRead(id: "\(number)")
            default: try await inbox.markAllRead()
            }
          }
          if number.isMultiple(of: 4) { call.cancel() }
          if case .failure(let error) = await call.result {
            #expect(error is CancellationError && number.isMultiple(of: 4), "\(error)")
          }
        }
      }
    }
    inbox.close()
    try await bench.drain(service)
  }

  // splitio/ios-client#214: waiting calls each held a thread of the pool, until none was left.
  @Test func `hundreds of waiting calls hold no thread`() async throws {
    let bench = Bench()
    let (manager, inbox) = (bench.manager(), bench.inbox())
    await manager.recordExposure(.numbered(1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask {
          switch number % 3 {
          case 0: _ = await manager.evaluate(keys: ["a"], context: .anna)
          case 1: _ = try await inbox.list()
          default: await manager.flushExposures()
          }
        }
      }
      // A pool without a free thread would never get here: 167 pages, one evaluation and one batch.
      var requests: [ControllableTransport.PendingRequest] = []
      for _ in 0..<169 { requests.append(try await bench.transport.nextRequest()) }
      for request in requests {
        bench.transport.respond(
          to: request,
          with: Self.response(200, #"{"flags":{},"items":[],"accepted":1}"#))
      }
      try await group.waitForAll()
    }
    #expect(manager.exposureCounts == .account(sent: 1))
    manager.close()
    inbox.close()
    try await bench.spawner.allEnded()
    #expect(bench.transport.pending.isEmpty && bench.clock.deadlines.isEmpty)
  }
}
