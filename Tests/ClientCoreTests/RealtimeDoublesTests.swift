import ClientCore
import Testing

/// Sockets that a test holds by hand, and those that must not or cannot be had.
@Suite(.timeLimit(.minutes(1)))
struct RealtimeDoublesTests {
  private static let upgrade = TransportRequest(method: .get, url: "https://host/realtime?subject=anna")

  @Test func `an attempt that is accepted gives a connection, and frames go both ways in order`() async throws
  {
    let realtime = ControllableRealtime()
    async let opened = realtime.connect(Self.upgrade)
    let attempt = try await realtime.nextAttempt()
    #expect(attempt.request == Self.upgrade)
    #expect("\(attempt)" == "attempt 1, GET /realtime")
    let far = try #require(realtime.accept(attempt))
    let near = try await opened
    #expect(realtime.open.count == 1 && realtime.pending.isEmpty)
    far.deliver("1")
    far.deliver("2")
    #expect(try await near.receive() == "1")
    #expect(try await near.receive() == "2")
    async let third = near.receive()
    far.deliver("3")
    #expect(try await third == "3")
    try await near.send("a")
    try await near.send("b")
    #expect(try await far.nextSent() == "a")
    #expect(far.sent == ["a", "b"])
    near.close()
    near.close()
    #expect(!far.isOpen && realtime.open.isEmpty)
    await #expect(throws: TransportError.self) { try await near.receive() }
    await #expect(throws: TransportError.self) { try await near.send("c") }
    #expect(far.sent == ["a", "b"])
  }

  @Test func `an attempt that is refused throws, and ends once`() async throws {
    let realtime = ControllableRealtime()
    let opened = Task { try await realtime.connect(Self.upgrade) }
    let attempt = try await realtime.nextAttempt()
    #expect(realtime.refuse(attempt, with: TransportError(.timedOut, "late")))
    #expect(!realtime.refuse(attempt))
    #expect(realtime.accept(attempt) == nil)
    let error = await #expect(throws: TransportError.self) { _ = try await opened.value }
    #expect(error?.code == .timedOut)
  }

  @Test func `a cancelled attempt is over, before it begins as well as later`() async throws {
    let realtime = ControllableRealtime()
    let task = Task { try await realtime.connect(Self.upgrade) }
    let attempt = try await realtime.nextAttempt()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(realtime.accept(attempt) == nil)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await realtime.connect(Self.upgrade)
    }
    await #expect(throws: CancellationError.self) { _ = try await early.value }
    #expect(realtime.attemptCount == 1)
  }

  @Test func `what was delivered before a break is still received`() async throws {
    let connection = ControllableRealtimeConnection()
    connection.deliver("1")
    connection.fail(with: TransportError(.connectionFailed, "broken"))
    connection.deliver("2")
    #expect(try await connection.receive() == "1")
    let error = await #expect(throws: TransportError.self) { try await connection.receive() }
    #expect(error?.message == "broken")
  }

  @Test func `a receiver that is cancelled leaves the connection open`() async throws {
    let connection = ControllableRealtimeConnection()
    let task = Task { try await connection.receive() }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    connection.deliver("1")
    #expect(try await connection.receive() == "1")
  }

  @Test func `a platform without sockets says so at once`() async {
    let error = await #expect(throws: TransportError.self) {
      _ = try await UnavailableRealtime().connect(Self.upgrade)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("anna") == false)
  }
}
