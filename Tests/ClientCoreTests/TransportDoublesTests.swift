import ClientCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TransportDoublesTests {
  private let transport = ControllableTransport()

  private func request(_ path: String) -> TransportRequest {
    TransportRequest(method: .get, url: "https://api.example.com\(path)")
  }

  // MARK: ControllableTransport

  @Test func `requests are answered by hand in any order`() async throws {
    async let first = transport.send(request("/1"))
    let firstPending = try await transport.nextRequest()
    async let second = transport.send(request("/2"))
    let secondPending = try await transport.nextRequest()
    #expect(transport.pending == [firstPending, secondPending])
    #expect(transport.respond(to: secondPending, with: TransportResponse(status: 202)))
    #expect(try await second.status == 202)
    #expect(transport.pending == [firstPending])
    #expect(transport.respond(to: firstPending, with: TransportResponse(status: 201)))
    #expect(try await first.status == 201)
    #expect(transport.sentCount == 2)
  }

  @Test func `only the first end of a request counts`() async throws {
    let call = Task { try await transport.send(request("/")) }
    let pending = try await transport.nextRequest()
    #expect(transport.fail(pending, with: TransportError(.timedOut, "late")))
    #expect(!transport.fail(pending))
    #expect(!transport.respond(to: pending, with: TransportResponse(status: 200)))
    let error = await #expect(throws: TransportError.self) { try await call.value }
    #expect(error?.code == .timedOut)
  }

  @Test func `a cancelled sender is answered at once and its request is told`() async throws {
    let call = Task { try await transport.send(request("/")) }
    let pending = try await transport.nextRequest()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(try await transport.nextCancellation() == pending)
    #expect(transport.cancelled == [pending])
    #expect(transport.pending.isEmpty)
    #expect(!transport.respond(to: pending, with: TransportResponse(status: 200)))
  }

  @Test func `a sender that is cancelled already sends nothing`() async throws {
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(request("/"))
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(transport.sentCount == 0)
    #expect(transport.cancelled.isEmpty)
  }

  @Test func `many senders cancelled at any moment each end exactly once`() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while let pending = try? await transport.nextRequest() {
          transport.respond(to: pending, with: TransportResponse(status: 200))
        }
      }
      await withTaskGroup(of: Void.self) { senders in
        for number in 0..<500 {
          senders.addTask {
            let call = Task { try await transport.send(request("/\(number)")) }
            for _ in 0..<(number % 7) { await Task.yield() }
            call.cancel()
            _ = await call.result
          }
        }
      }
      group.cancelAll()
    }
    #expect(transport.pending.isEmpty)
  }

  @Test func `waiting for a request can be cancelled and loses none`() async throws {
    let waiting = Task { try await transport.nextRequest() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    async let answer = transport.send(request("/kept"))
    let pending = try await transport.nextRequest()
    #expect(pending.request.path == "/kept")
    transport.respond(to: pending, with: TransportResponse(status: 200))
    _ = try await answer
  }

  // MARK: UnimplementedTransport

  @Test func `an unimplemented transport reports method and path and nothing else`() async {
    let recording = RecordedUses()
    let transport = UnimplementedTransport(onUse: recording.add)
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(
        TransportRequest(
          method: .post,
          url: "https://host/flags?subject=secret",
          headers: [HeaderField("A", "secret")],
          body: Array("secret".utf8)
        )
      )
    }
    #expect(error?.code == .unimplemented)
    #expect(recording.all.map(\.operation) == ["POST /flags"])
  }

  @Test func `an unimplemented transport ends the process unless told otherwise`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await UnimplementedTransport().send(TransportRequest(method: .get, url: "https://host/flags"))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("unimplemented Transport: GET /flags"))
  }

  // MARK: Values

  @Test(arguments: [
    ("https://host/a/b?x=1#f", "/a/b"), ("https://host", "/"), ("https://host?x=/y", "/"), ("/a?b", "/a"),
    ("", "/"),
  ])
  func `the path of a request is what stands between authority and query`(url: String, path: String) {
    #expect(TransportRequest(method: .get, url: url).path == path)
  }

  @Test func `header fields are found in any case and the first counts`() {
    let headers = [HeaderField("ETag", "1"), HeaderField("etag", "2"), HeaderField("X-É", "3")]
    let response = TransportResponse(status: 200, headers: headers)
    #expect(response.header("eTAG") == "1")
    #expect(response.header("x-É") == "3")
    #expect(response.header("x-é") == nil)
    #expect(response.header("eta") == nil)
    #expect(TransportRequest(method: .get, url: "", headers: headers).header("ETAG") == "1")
    #expect(!HeaderField("[", "").matches("{"))
  }

  @Test func `descriptions hold neither query nor values nor bodies`() {
    let secret = "secret"
    let headers = [HeaderField("Authorization", secret)]
    let request = TransportRequest(
      method: .post,
      url: "https://host/path?\(secret)#\(secret)",
      headers: headers,
      body: Array(secret.utf8)
    )
    let response = TransportResponse(status: 200, headers: headers, body: Array(secret.utf8))
    for text in [
      "\(request)", "\(response)", "\(headers)", String(reflecting: request), String(reflecting: response),
    ] {
      #expect(!text.contains(secret))
    }
  }

  @Test(arguments: ["", "GET IT", "GET\r\n", "GÉT"])
  func `a method that is no token is none`(name: String) {
    #expect(TransportRequest.Method(name) == nil)
  }
}

/// Keeps the uses that an unimplemented double reports.
final class RecordedUses: Sendable {
  private let uses = Mutex<[UnimplementedUse]>([])

  var all: [UnimplementedUse] { uses.withLock { $0 } }

  @Sendable func add(_ use: UnimplementedUse) { uses.withLock { $0.append(use) } }
}
