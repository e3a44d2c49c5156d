import ClientCore
import Palbase
import PalbaseAnalytics
import Synchronization
import Testing

// Analytics on the pool, where steps really overlap; run under the thread sanitizer these tests find races. What must hold
// in any order is asserted, never an order.

/// Many callers from many threads at once.
@Suite(.timeLimit(.minutes(1)))
struct ThreadTests {
  /// A client on doubles that run on the pool, with counted tasks, and a service that answers at once.
  private final class Bench: Sendable {
    let transport = ControllableTransport()
    let clock = ControllableClock()
    let spawner = ControllableSpawner()
    let lifecycle = ControllableLifecycle()
    let batches = Mutex<[SentBatch]>([])
    let accepted = Mutex<[String]>([])
    let pb: PalbaseClient

    init() {
      var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
      environment.clock = clock.clock
      environment.wallClock = ControllableWallClock()
      environment.random = ControllableRandomSource(seed: 7)
      environment.transport = transport
      environment.spawner = spawner
      environment.storage = ControllableStorage()
      environment.lifecycle = lifecycle
      pb = PalbaseClient(
        PalbaseConfiguration(
          baseURL: "https://shop.palbase.example", apiKey: "key", platform: "ios", appVersion: "1.0",
          language: "de", consent: .all), environment: environment)
    }

    /// Answers every request: each of the statuses in turn.
    func serve(_ statuses: [Int]) -> Task<Void, Never> {
      Task {
        while let request = try? await transport.nextRequest() {
          let batch = SentBatch(request)
          let status = statuses[Int(request.id) % statuses.count]
          batches.withLock { $0.append(batch) }
          if status == 202 { accepted.withLock { $0 += batch.ids } }
          transport.respond(to: request, with: TransportResponse(status: status))
        }
      }
    }

    /// Closes the client and waits for the end of every task; nothing may be left then.
    func drain(_ service: Task<Void, Never>) async throws {
      await pb.close()
      try await spawner.allEnded()
      service.cancel()
      await service.value
      #expect(transport.pending.isEmpty && clock.deadlines.isEmpty && lifecycle.subscriberCount == 0)
    }
  }

  @Test
  func `events from many threads among changes of reader are each counted once, under their own reader`()
    async throws
  {
    let bench = Bench()
    let service = bench.serve([202, 202, 413, 202, 500, 202])
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<20 {
        group.addTask {
          for number in 0..<40 {
            bench.pb.analytics.capture(
              "e\(caller * 40 + number)", properties: ["caller": .number(Double(caller))])
            switch number {
            case 10 where caller % 4 == 0:
              bench.pb.signIn(PalbaseUser(id: "u\(caller)", token: "u\(caller).1"))
            case 20 where caller % 5 == 0: bench.pb.signOut()
            case 30: await bench.pb.analytics.flush()
            default: break
            }
            _ = bench.pb.analytics.counts
          }
        }
      }
    }
    while bench.pb.analytics.counts.pending > 0 { await bench.pb.analytics.flush() }
    #expect(bench.pb.analytics.counts == .account(sent: 800))
    try await bench.drain(service)
    let accepted = bench.accepted.withLock { $0 }
    #expect(accepted.count == 800 && Set(accepted).count == 800)
    var readers: [String: String] = [:]
    for batch in bench.batches.withLock({ $0 }) {
      #expect((1...50).contains(batch.events.count))
      let reader = batch.authorization ?? batch.install ?? ""
      for session in batch.sessions {
        #expect(readers[session] == nil || readers[session] == reader, "a session is one reader's")
        readers[session] = reader
      }
    }
  }

  @Test func `closing and withdrawing among captures loses count of nothing`() async throws {
    for round in 0..<20 {
      let bench = Bench()
      let service = bench.serve([202])
      let analytics = bench.pb.analytics
      await withTaskGroup(of: Void.self) { group in
        for caller in 0..<8 {
          group.addTask {
            for number in 0..<50 {
              analytics.capture("e\(number)")
              if caller == round % 8, number == round * 2 {
                if round.isMultiple(of: 2) { await bench.pb.close() } else { bench.pb.setConsent(.none) }
              }
              let counts = analytics.counts
              #expect(counts.recorded == counts.sent + counts.dropped + counts.pending)
            }
            await analytics.flush()
          }
        }
      }
      try await bench.drain(service)
      let counts = analytics.counts
      #expect(counts.pending == 0)
      #expect(counts.recorded == counts.sent + counts.dropped && counts.recorded <= 400)
      if round.isMultiple(of: 2) { #expect(counts.recorded == 400) }
      #expect(counts.sent <= bench.accepted.withLock { $0.count })
    }
  }

  @Test func `threads that flip the consent agree in the end on the last word`() async throws {
    for _ in 0..<50 {
      let bench = Bench()
      let service = bench.serve([202])
      let analytics = bench.pb.analytics
      await withTaskGroup(of: Void.self) { group in
        for caller in 0..<8 {
          group.addTask {
            for _ in 0..<20 { bench.pb.setConsent(caller.isMultiple(of: 2) ? .none : .all) }
          }
        }
      }
      #expect(analytics.isRecording == bench.pb.consent.analytics)
      #expect((bench.pb.exposures.session(at: bench.clock.clock.now) > 0) == bench.pb.consent.analytics)
      try await bench.drain(service)
    }
  }

  @Test func `threads that use analytics first lose no event`() async throws {
    for _ in 0..<50 {
      let bench = Bench()
      let service = bench.serve([202])
      await withTaskGroup(of: Void.self) { group in
        for caller in 0..<8 { group.addTask { bench.pb.analytics.capture("e\(caller)") } }
      }
      #expect(bench.pb.analytics.counts == .account(pending: 8))
      #expect(bench.lifecycle.subscriberCount == 1)
      try await bench.drain(service)
      #expect(Set(bench.batches.withLock { $0 }.flatMap(\.sessions)).count == 1)
    }
  }
}
