import ClientCore
import LCFeatureControl
import Synchronization
import Testing

// Everything that the clients call may call them back: a token closure that asks for a flag, an observer that flushes, a
// clock that counts. With a lock held that would be a deadlock, or a trap of the lock (BEHAVIOUR rule 1.9).
//
// statsig-kit#32 and #39, RevenueCat/purchases-ios PR#2375: a notice posted under a lock led back to the lock;
// launchdarkly/ios-client-sdk#273: a read waited for a queue that waited for the reader.

/// Clients that call back into themselves from everything they are given.
@Suite(.timeLimit(.minutes(1)))
struct ReentryTests {
  /// What calls back, once the clients are made.
  private final class Callback: Sendable {
    private struct State {
      var body: (@Sendable () async -> Void)?
      var quick: (@Sendable () -> Void)?
      var runs = 0
      var isRunning = false
    }

    private let state = Mutex(State())

    var runs: Int { state.withLock { $0.runs } }

    func set(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.body = body } }
    func setQuick(_ quick: @escaping @Sendable () -> Void) { state.withLock { $0.quick = quick } }

    /// Calls back, but not from within itself.
    func run() async {
      guard let (body, _) = begin() else { return }
      await body?()
      state.withLock { $0.isRunning = false }
    }

    /// Calls back without suspending.
    func runQuickly() {
      guard let (_, quick) = begin() else { return }
      quick?()
      state.withLock { $0.isRunning = false }
    }

    private func begin() -> ((@Sendable () async -> Void)?, (@Sendable () -> Void)?)? {
      state.withLock { state in
        if state.isRunning || (state.body == nil && state.quick == nil) { return nil }
        state.isRunning = true
        state.runs += 1
        return (state.body, state.quick)
      }
    }
  }

  private struct CallingWallClock: WallClock {
    let base: ControllableWallClock
    let callback: Callback

    var now: WallTime {
      callback.runQuickly()
      return base.now
    }
  }

  private struct CallingTransport: Transport {
    let base: ControllableTransport
    let callback: Callback

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      await callback.run()
      let response = try await base.send(request)
      await callback.run()
      return response
    }
  }

  @Test func `a token closure may record, read counts and invalidate`() {
    let callback = Callback()
    let auth = FeatureControlBearerAuth {
      await callback.run()
      return "jwt"
    }
    play(Setup(auth: auth)) { stage in
      let manager = try #require(stage.manager)
      let inbox = try #require(stage.inbox)
      let before = callback.runs
      callback.set { [weak manager, weak inbox] in
        await manager?.recordExposure(.numbered(9))
        await manager?.invalidateCache()
        _ = manager?.exposureCounts
        _ = inbox?.skippedItemCount
      }
      for route in Route.allCases {
        let call = route.ask(stage)
        try await stage.answer(route.goodBody)
        #expect(call.value != nil)
      }
      stage.flush()
      #expect(await stage.pendingExposures() == [[9, 9, 9, 9]])
      #expect(stage.counts == .account(pending: 1, underWay: 4), "the fifth came with the batch's own token")
      try await stage.answer(.accepted, status: 202)
      #expect(callback.runs == before + 5)
    }
  }

  @Test func `a token closure may close the client that asks`() {
    let callback = Callback()
    let auth = FeatureControlBearerAuth {
      await callback.run()
      return "jwt"
    }
    for route in Route.allCases {
      play(Setup(auth: auth)) { stage in
        let manager = try #require(stage.manager)
        let inbox = try #require(stage.inbox)
        callback.set { [weak manager, weak inbox] in
          manager?.close()
          inbox?.close()
        }
        let call = route.ask(stage)
        await stage.idle()
        #expect(isTransport(call.error, "closed"))
        #expect(stage.transport.sentCount == 0)
      }
    }
  }

  @Test func `a transport may ask for flags and flush`() {
    let callback = Callback()
    play(Setup(transport: { base, _ in CallingTransport(base: base, callback: callback) })) { stage in
      let manager = try #require(stage.manager)
      callback.set { [weak manager] in
        await manager?.recordExposure(.numbered(1))
        await manager?.invalidateCache()
        _ = manager?.skippedFlagCount
        manager?.close()
      }
      let call = Route.list.ask(stage)
      try await stage.answer(.page(["a"]))
      #expect(call.value != nil)
      #expect(stage.counts?.recorded == 2)
    }
  }

  @Test func `a wall clock may read the counts of the client that asks it for the time`() {
    let callback = Callback()
    play { stage in
      var environment = stage.environment
      environment.wallClock = CallingWallClock(base: stage.wallClock, callback: callback)
      let manager = FeatureControlManager(configuration: stage.configuration, environment: environment)
      let runs = callback.runs
      callback.setQuick { [weak manager] in
        _ = manager?.exposureCounts
        _ = manager?.skippedFlagCount
      }
      await manager.recordExposure(.numbered(1))
      // A date without the answer's own `Date` asks the wall clock too.
      let flush = stage.ask { await manager.flushExposures() }
      try await stage.answer("", status: 429, headers: retryAfter("Sun, 06 Nov 1994 08:50:07 GMT"))
      #expect(flush.isAnswered && callback.runs == runs + 2)
      manager.close()
    }
  }

  @Test func `an observer may call what tells it`() {
    let callback = Callback()
    play { stage in
      var environment = stage.environment
      environment.observe = { _ in callback.runQuickly() }
      let manager = FeatureControlManager(
        configuration: stage.configuration, defaults: ["a": .variant("default")], environment: environment)
      let runs = callback.runs
      callback.setQuick { [weak manager] in
        _ = manager?.exposureCounts
        _ = manager?.skippedFlagCount
      }
      let calls = (0..<2).map { _ in
        stage.ask { await manager.evaluate(keys: ["a"], context: .anna) }
      }
      try await stage.answer(.flags(["a": "1"]))
      #expect(calls.allSatisfy { $0["a"] == .flight("1") })
      #expect(callback.runs == runs + 2)
      manager.close()
    }
  }

  // What resumes a caller holds nothing either: the caller's next call is made from the very step that answers it.
  @Test func `a caller may call again from the step that answers it`() {
    play { stage in
      let inbox = try #require(stage.inbox)
      let manager = try #require(stage.manager)
      let chain = stage.ask { () -> Int in
        for round in 0..<3 {
          _ = try await inbox.list(cursor: "\(round)")
          await manager.recordExposure(.numbered(round))
          await manager.flushExposures()
        }
        return manager.exposureCounts.sent
      }
      for _ in 0..<3 {
        try await stage.answer(.page([]))
        try await stage.answer(.accepted, status: 202)
      }
      #expect(chain.value == 3)
    }
  }
}
