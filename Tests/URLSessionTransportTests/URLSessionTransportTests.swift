import ClientCore
import LoopbackServer
import Synchronization
import Testing
import URLSessionTransport

/// What the transport does on the wire, against a scripted server on this machine.
///
/// Waiting is for events only; the time limit is what turns a hang into a failure.
@Suite(.timeLimit(.minutes(1)))
struct URLSessionTransportTests {
  private let transport = URLSessionTransport()

  private func get(_ url: String) -> TransportRequest { TransportRequest(method: .get, url: url) }

  // MARK: What is sent and what comes back

  @Test func `a request arrives as it was made and its answer comes back whole`() async throws {
    try await ScriptedServer.run { _ in
      .answer(
        status: 202,
        headers: [HeaderField("ETag", "\"v1\""), HeaderField("x-flags-version", "7")],
        body: [1, 2, 3]
      )
    } _: { server in
      let request = TransportRequest(
        method: .post,
        url: server.url("/a/b%20c?x=1&y=%C3%A4"),
        headers: [
          HeaderField("Authorization", "Bearer t"), HeaderField("X-Twice", "1"), HeaderField("X-Twice", "2"),
        ],
        body: Array("{\"a\":1}".utf8)
      )
      let response = try await transport.send(request)
      let arrived = try await server.requests.next()
      #expect(arrived.method == "POST")
      #expect(arrived.target == "/a/b%20c?x=1&y=%C3%A4")
      #expect(arrived.header("authorization") == "Bearer t")
      #expect(arrived.header("x-twice")?.filter { $0 != " " } == "1,2")
      #expect(arrived.header("content-length") == "7")
      #expect(arrived.body == Array("{\"a\":1}".utf8))
      #expect(response.status == 202)
      #expect(response.body == [1, 2, 3])
      #expect(response.header("etag") == "\"v1\"")
      #expect(response.header("X-Flags-Version") == "7")
      let names = response.headers.map { $0.name.lowercased() }
      #expect(names == names.sorted())
    }
  }

  @Test(arguments: [200, 204, 205, 300, 304, 400, 401, 403, 404, 407, 408, 410, 413, 429, 500, 503, 599])
  func `every status is an answer`(status: Int) async throws {
    let body: [UInt8] = [204, 205, 304].contains(status) ? [] : Array("{}".utf8)
    try await ScriptedServer.run { _ in
      .answer(status: status, body: body)
    } _: { server in
      let response = try await transport.send(get(server.url("/")))
      #expect(response.status == status)
      #expect(response.body == body)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect to nowhere is an answer`(status: Int) async throws {
    try await ScriptedServer.run { _ in
      .answer(status: status)
    } _: { server in
      let response = try await transport.send(get(server.url("/")))
      #expect(response.status == status)
    }
  }

  @Test(arguments: [
    "Basic realm=\"flags\"", "Basic", "Bearer", "Bearer realm=\"flags\", error=\"invalid_token\"",
    "Negotiate",
    "Digest realm=\"flags\", nonce=\"1\", qop=\"auth\"", "", "realm=",
  ])
  func `a challenge is an answer and is not taken up`(challenge: String) async throws {
    try await ScriptedServer.run { _ in
      .answer(status: 401, headers: [HeaderField("WWW-Authenticate", challenge)], body: Array("{}".utf8))
    } _: { server in
      for _ in 1...2 {
        let response = try await transport.send(get(server.url("/")))
        #expect(response.status == 401)
        #expect(response.body == Array("{}".utf8))
        let arrived = try await server.requests.next()
        #expect(arrived.header("authorization") == nil)
      }
      _ = try await transport.send(get(server.url("/after")))
      #expect(try await server.requests.next().target == "/after")
    }
  }

  @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE"])
  func `an empty body ends the exchange for every method`(method: String) async throws {
    let method = try #require(TransportRequest.Method(method))
    try await ScriptedServer.run { _ in
      .answer(status: 200, body: [])
    } _: { server in
      for body in [nil, []] as [[UInt8]?] {
        let response = try await transport.send(
          TransportRequest(method: method, url: server.url("/"), body: body)
        )
        #expect(response.status == 200)
        #expect(response.body == [])
        let arrived = try await server.requests.next()
        #expect(arrived.method == method.name)
        #expect(arrived.body == [])
      }
    }
  }

  @Test func `large bodies cross whole in both directions`() async throws {
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    try await ScriptedServer.run {
      .answer(status: 200, body: $0.body)
    } _: { server in
      let response = try await transport.send(
        TransportRequest(method: .post, url: server.url("/"), body: body)
      )
      #expect(response.body == body)
    }
  }

  @Test func `a hundred requests at once each get their own answer`() async throws {
    try await ScriptedServer.run {
      .answer(status: 200, body: Array($0.target.utf8))
    } _: { server in
      try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
        for number in 0..<100 {
          group.addTask { (number, try await transport.send(get(server.url("/\(number)"))).body) }
        }
        for try await (number, body) in group { #expect(body == Array("/\(number)".utf8)) }
      }
    }
  }

  @Test func `nothing is cached and no cookie is kept`() async throws {
    let headers = [HeaderField("Cache-Control", "max-age=3600"), HeaderField("Set-Cookie", "id=1; Path=/")]
    try await ScriptedServer.run { _ in
      .answer(status: 200, headers: headers, body: [1])
    } _: { server in
      for _ in 1...2 {
        _ = try await transport.send(get(server.url("/")))
        let arrived = try await server.requests.next()
        #expect(arrived.header("cookie") == nil)
      }
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is handed back and not followed`(status: Int) async throws {
    try await ScriptedServer.run { request in
      request.target == "/old"
        ? .answer(status: status, headers: [HeaderField("Location", "/new")], body: Array("moved".utf8)) : .ok
    } _: { server in
      let response = try await transport.send(
        TransportRequest(method: .post, url: server.url("/old"), headers: [], body: [1])
      )
      #expect(response.status == status)
      #expect(response.header("location") == "/new")
      #expect(try await server.requests.next().target == "/old")
      _ = try await transport.send(get(server.url("/after")))
      #expect(try await server.requests.next().target == "/after")
    }
  }

  // MARK: What goes wrong

  @Test func `a closed port is a failed connection`() async throws {
    let url = try await ScriptedServer.run { _ in
      .ok
    } _: { server in
      server.url("/")
    }
    let error = await #expect(throws: TransportError.self) { try await transport.send(get(url)) }
    #expect(error?.code == .connectionFailed)
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "\u{1}\u{2} garbage \r\n\r\n",
    "SSH-2.0-OpenSSH_9.6\r\n",
  ])
  func `an early end and garbage are errors and no answers`(bytes: String) async throws {
    try await ScriptedServer.run { _ in
      .bytes(bytes)
    } _: { server in
      _ = await #expect(throws: TransportError.self) { try await transport.send(get(server.url("/"))) }
    }
  }

  @Test(arguments: [
    "", "flags", "/flags", "ftp://localhost/", "file:///etc/hosts", "http://", "http:///x", "http://a b/",
  ])
  func `a URL that is not absolute and of HTTP is refused`(url: String) async throws {
    let error = await #expect(throws: TransportError.self) { try await transport.send(get(url)) }
    #expect(error?.code == .invalidURL)
  }

  @Test func `a URL that is refused does not show its query`() async throws {
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(get("ftp://host/path?subject=secret"))
    }
    #expect(error.map { "\($0)" }?.contains("secret") == false)
  }

  @Test(arguments: [("X-A", "1\r\nX-B: 2"), ("X-A", "a\nb"), ("X A", "1"), ("", "1"), ("X-A:", "1")])
  func `a header field that could smuggle in another is refused`(name: String, value: String) async throws {
    try await ScriptedServer.run { _ in
      .ok
    } _: { server in
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(
          TransportRequest(method: .get, url: server.url("/"), headers: [HeaderField(name, value)])
        )
      }
      #expect(error?.code == .invalidRequest)
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a body above the limit is refused and one at the limit is not`() async throws {
    let small = URLSessionTransport(maximumBodySize: 1000)
    try await ScriptedServer.run { request in
      .answer(status: 200, body: Array(repeating: 7, count: Int(request.target.dropFirst()) ?? 0))
    } _: { server in
      let atLimit = try await small.send(get(server.url("/1000")))
      #expect(atLimit.body.count == 1000)
      let error = await #expect(throws: TransportError.self) {
        try await small.send(get(server.url("/1001")))
      }
      #expect(error?.code == .invalidResponse)
    }
  }

  // MARK: Cancellation

  @Test func `cancelling the caller ends the call and hangs up`() async throws {
    let gate = ScriptedServer.Gate()
    try await ScriptedServer.run { _ in
      .held(gate, then: .ok)
    } _: { server in
      let call = Task { try await transport.send(get(server.url("/"))) }
      let arrived = try await server.requests.next()
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(try await server.hangUps.next() == arrived.connection)
    }
  }

  @Test func `a caller that is cancelled already sends nothing`() async throws {
    try await ScriptedServer.run { _ in
      .ok
    } _: { server in
      let call = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.send(get(server.url("/")))
      }
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `cancelling at any moment ends the call exactly once`() async throws {
    try await ScriptedServer.run { _ in
      .answer(status: 200, body: [1])
    } _: { server in
      await withTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          group.addTask {
            let call = Task { try await transport.send(get(server.url("/"))) }
            for _ in 0..<(number % 40) { await Task.yield() }
            call.cancel()
            switch await call.result {
            case .success(let response): return response.body == [1]
            case .failure(let error): return error is CancellationError
            }
          }
        }
        for await isOneOfTheTwo in group { #expect(isOneOfTheTwo) }
      }
      let afterwards = try await transport.send(get(server.url("/")))
      #expect(afterwards.status == 200)
    }
  }

  @Test func `cancelling one caller leaves the others alone`() async throws {
    let gate = ScriptedServer.Gate()
    try await ScriptedServer.run { _ in
      .held(gate, then: .ok)
    } _: { server in
      let first = Task { try await transport.send(get(server.url("/first"))) }
      let second = Task { try await transport.send(get(server.url("/second"))) }
      for _ in 1...2 { _ = try await server.requests.next() }
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      _ = try await server.hangUps.next()
      gate.open()
      #expect(try await second.value.status == 200)
    }
  }

  // MARK: Closing

  @Test func `closing lets a running request end and refuses new ones`() async throws {
    let gate = ScriptedServer.Gate()
    try await ScriptedServer.run { _ in
      .held(gate, then: .answer(status: 200, body: [9]))
    } _: { server in
      let call = Task { try await transport.send(get(server.url("/"))) }
      _ = try await server.requests.next()
      transport.close()
      transport.close()
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(get(server.url("/")))
      }
      #expect(error?.code == .closed)
      gate.open()
      #expect(try await call.value.body == [9])
    }
  }

  @Test func `letting go of the transport lets a running request end`() async throws {
    let gate = ScriptedServer.Gate()
    try await ScriptedServer.run { _ in
      .held(gate, then: .answer(status: 200, body: [9]))
    } _: { server in
      var own: URLSessionTransport? = URLSessionTransport()
      weak let witness = own
      let call = Task { [own] in try await own?.send(get(server.url("/"))) }
      own = nil
      _ = try await server.requests.next()
      gate.open()
      #expect(try await call.value?.body == [9])
      #expect(witness == nil)
    }
  }

  @Test func `closing while requests begin ends each of them exactly once`() async throws {
    try await ScriptedServer.run { _ in
      .ok
    } _: { server in
      for _ in 0..<20 {
        let own = URLSessionTransport()
        await withTaskGroup(of: Bool.self) { group in
          for number in 0..<10 {
            group.addTask {
              if number == 5 { own.close() }
              do {
                return try await own.send(get(server.url("/"))).status == 200
              } catch {
                return (error as? TransportError)?.code == .closed
              }
            }
          }
          for await isOneOfTheTwo in group { #expect(isOneOfTheTwo) }
        }
      }
    }
  }
}
