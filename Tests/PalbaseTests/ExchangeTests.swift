import ClientCore
import Palbase
import Simulation
import Stagecraft
import Testing

/// How a request ends (BEHAVIOUR rules 1.2, 1.7 and 1.9).
@Suite struct ExchangeTests {
  /// A transport that does not heed its cancellation.
  private struct StubbornTransport: Transport {
    let base: ControllableTransport
    let simulator: Simulator

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      try await withCheckedThrowingContinuation { continuation in
        // A task of its own does not hear of the cancellation of the one that waits.
        simulator.spawn {
          let result: Result<TransportResponse, any Error>
          do { result = .success(try await base.send(request)) } catch { result = .failure(error) }
          continuation.resume(with: result)
        }
      }
    }
  }

  @Test func `a request ends at its deadline and is cancelled`() {
    play(Setup(user: .anna, requestTimeout: .seconds(3))) { stage in
      let call = try stage.send()
      try await stage.pass(.milliseconds(2999))
      #expect(!call.isAnswered)
      try await stage.pass(.milliseconds(1))
      #expect(call.error == .transport(message: "no answer within 3.0 seconds"))
      #expect(stage.transport.cancelled.count == 1)
    }
  }

  @Test func `the loading of the install counts`() {
    play(Setup(requestTimeout: .seconds(3))) { stage in
      stage.storage.setIntercept { operation in
        if case .read = operation { try? await stage.simulator.clock.sleep(for: .seconds(2)) }
      }
      let call = try stage.send()
      try await stage.pass(.milliseconds(2500))
      #expect(stage.transport.pending.count == 1)
      try await stage.pass(.milliseconds(500))
      #expect(call.error != nil, "three seconds after the call, not after the sending")
    }
  }

  @Test func `what waits for the disk beyond the deadline is not sent`() {
    play(Setup(requestTimeout: .seconds(3))) { stage in
      stage.storage.setIntercept { _ in try? await stage.simulator.clock.sleep(for: .seconds(4)) }
      let call = try stage.send()
      try await stage.pass(.seconds(3))
      #expect(call.error != nil)
      try await stage.pass(.seconds(10))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `a transport that does not heed its cancellation holds nobody up`() {
    play(
      Setup(
        user: .anna, requestTimeout: .seconds(3),
        transport: { StubbornTransport(base: $0, simulator: $1) })
    ) { stage in
      let late = try stage.send()
      let cancelled = try stage.send()
      try await stage.pass(.seconds(1))
      cancelled.cancel()
      await stage.idle()
      #expect(cancelled.error == .transport(message: "the call was cancelled"))
      try await stage.pass(.seconds(2))
      #expect(late.error == .transport(message: "no answer within 3.0 seconds"))
      try await stage.answer()
      try await stage.answer()
      #expect(late.status == nil, "the late answer reaches nobody")
    }
  }

  @Test func `a call that is cancelled before it begins sends nothing`() {
    play(Setup(user: .anna)) { stage in
      let core = try stage.core
      let call = Call()
      call.start(on: stage.simulator) {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await core.send(PalbaseRequest(.get, "/flags/delta"), as: core.identity) { nil }.get()
      }
      await stage.idle()
      #expect(call.isAnswered)
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `a call that is cancelled before its request goes sends nothing, whatever the transport heeds`()
  {
    // In the order of events: the call begins, it is cancelled, its request is about to go.
    play(Setup(user: .anna, transport: { StubbornTransport(base: $0, simulator: $1) }), seeds: 0..<1) {
      stage in
      let call = try stage.send { () -> PalbaseError? in
        Issue.record("nobody waits, so nobody asks")
        return nil
      }
      stage.simulator.spawn { call.cancel() }
      await stage.idle()
      #expect(call.isAnswered)
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `what may not go is not sent and says why`() {
    play(Setup(user: .anna)) { stage in
      let call = try stage.send { .rateLimited(code: "later") }
      await stage.idle()
      #expect(call.error == .rateLimited(code: "later"))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `a request is asked once whether it may go, in the step that sends it`() {
    let journal = Journal()
    play(Setup(user: .anna), seeds: 0..<1) { stage in
      try stage.send {
        journal.add("admitted with \(stage.transport.sentCount) sent")
        return nil
      }
      try await stage.answer()
      #expect(journal.all == ["admitted with 0 sent"])
    }
  }

  @Test func `a failure of the transport says so`() {
    play(Setup(user: .anna)) { stage in
      let call = try stage.send()
      stage.transport.fail(try #require(await stage.pending().first))
      await stage.idle()
      #expect(
        call.error
          == .transport(message: "no answer: connectionFailed: the test failed this request"))
    }
  }

  @Test func `closing ends every request`() {
    play(Setup(user: .anna)) { stage in
      let calls = [try stage.send(), try stage.send()]
      await stage.idle()
      await stage.client?.close()
      await stage.idle()
      #expect(calls.allSatisfy { $0.error == .closed })
      let later = try stage.send()
      await stage.idle()
      #expect(later.error == .closed)
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test(arguments: [
    (401, #"{"error":"expired"}"#, PalbaseError.unauthorized(code: "expired")),
    (403, #"{"code":"banned","error":true}"#, .forbidden(code: "banned")),
    (429, "", .rateLimited(code: "http_429")),
    (410, #"{"error":"gone","reason":"context_changed"}"#, .server(code: "gone", status: 410)),
    (500, "<html>", .server(code: "http_500", status: 500)),
    (503, #"{"code":"","error":"busy"}"#, .server(code: "busy", status: 503)),
    (413, #"["x"]"#, .server(code: "http_413", status: 413)),
  ])
  func `an answer means an error`(status: Int, body: String, error: PalbaseError) {
    #expect(PalbaseError(TransportResponse(status: status, body: Array(body.utf8))) == error)
  }
}
