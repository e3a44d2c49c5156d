import ClientCore
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A scripted HTTP/1.1 server on 127.0.0.1, just large enough to show what a transport does on the wire.
///
/// One thread accepts, one thread serves each connection, and all of them wait in `poll` on their socket and
/// on one pipe: closing the pipe's other end stops everything, so `stop()` returns with no thread, socket or
/// waiting call left. It understands keep-alive and bodies with Content-Length; it times nothing and never
/// sleeps. Not modelled: chunked requests (refused with 411), pipelining, TLS, HTTP/2.
package final class ScriptedServer: Sendable {
  /// A request as it arrived.
  package struct Request: Sendable {
    /// The number of the connection it came on, from 1.
    package let connection: Int
    package let method: String
    package let target: String
    package let headers: [HeaderField]
    package let body: [UInt8]

    package func header(_ name: String) -> String? { headers.first { $0.matches(name) }?.value }
  }

  /// What the script makes of a request.
  package indirect enum Reply: Sendable {
    /// A whole answer with Content-Length (unless 1xx, 204 or 304); the connection is kept.
    case answer(status: Int, headers: [HeaderField] = [], body: [UInt8] = [])
    /// These bytes, whatever they are, and then the end of the connection.
    case bytes(String)
    /// Nothing until the gate opens, then the reply; ends early, and is told in `hangUps`, if the client
    /// leaves.
    case held(Gate, then: Reply)

    package static let ok = Reply.answer(status: 200)
  }

  /// Opens once and for all.
  package final class Gate: Sendable {
    fileprivate let pipe = Pipe()

    /// Creates a closed gate.
    package init() {}

    /// Lets everything pass that waits or comes later.
    package func open() { pipe.closeWriteEnd() }
  }

  private let port: UInt16
  /// The requests in the order in which they were complete.
  package let requests = Handover<Request>()
  /// The numbers of the connections whose client left while its reply was held.
  package let hangUps = Handover<Int>()

  private let listener: Int32
  private let wake = Pipe()
  private let threads = DispatchGroup()
  private let accepted = Mutex(0)
  private let script: @Sendable (Request) -> Reply
  private static let connectionLimit = 512
  private static let requestLimit = 32 << 20

  /// Starts a server on a free port.
  private init(script: @escaping @Sendable (Request) -> Reply) throws {
    self.script = script
    (listener, port) = try Socket.listen()
  }

  /// Runs a test against a server and stops it afterwards, whatever happens.
  package static func run<Value>(
    _ script: @escaping @Sendable (Request) -> Reply,
    _ body: (ScriptedServer) async throws -> Value
  ) async throws -> Value {
    let server = try ScriptedServer(script: script)
    server.spawn { server.acceptConnections() }
    defer { server.stop() }
    return try await body(server)
  }

  /// How many connections were accepted so far.
  package var connectionCount: Int { accepted.withLock { $0 } }

  /// The absolute URL of a target on this server.
  package func url(_ target: String) -> String { "http://127.0.0.1:\(port)\(target)" }

  private func stop() {
    wake.closeWriteEnd()
    threads.wait()
    close(listener)
  }

  private func spawn(_ work: @escaping @Sendable () -> Void) {
    threads.enter()
    let threads = threads
    Thread.detachNewThread {
      work()
      threads.leave()
    }
  }

  private func acceptConnections() {
    while Socket.wait(for: listener, orFor: [wake.readEnd]) == 0 {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      let number = accepted.withLock { accepted in
        accepted += 1
        return accepted
      }
      guard number <= Self.connectionLimit else {
        close(connection)
        return
      }
      spawn { [self] in
        serve(connection, number)
        close(connection)
      }
    }
  }

  private func serve(_ connection: Int32, _ number: Int) {
    var buffer: [UInt8] = []
    while let request = readRequest(connection, number, &buffer) {
      requests.put(request)
      guard write(script(request), to: request, connection) else { return }
    }
  }

  private func readRequest(_ connection: Int32, _ number: Int, _ buffer: inout [UInt8]) -> Request? {
    var headEnd = buffer.firstRange(of: Array("\r\n\r\n".utf8))
    while headEnd == nil {
      guard receive(connection, &buffer) else { return nil }
      headEnd = buffer.firstRange(of: Array("\r\n\r\n".utf8))
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: buffer[..<headEnd.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let start = lines[0].split(separator: " ").map(String.init)
    guard start.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> HeaderField? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      return HeaderField(String(line[..<colon]), value)
    }
    buffer.removeSubrange(..<headEnd.upperBound)
    let field = { (name: String) in headers.first { $0.matches(name) }?.value }
    guard field("Transfer-Encoding") == nil else {
      _ = send(connection, Array("HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\n\r\n".utf8))
      return nil
    }
    if field("Expect")?.lowercased() == "100-continue" {
      guard send(connection, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
    }
    let length = field("Content-Length").flatMap { Int($0) } ?? 0
    while buffer.count < length {
      guard receive(connection, &buffer) else { return nil }
    }
    let body = Array(buffer[..<length])
    buffer.removeSubrange(..<length)
    return Request(connection: number, method: start[0], target: start[1], headers: headers, body: body)
  }

  /// Reads what is there; false when the client or the server is done.
  private func receive(_ connection: Int32, _ buffer: inout [UInt8]) -> Bool {
    guard buffer.count <= Self.requestLimit, Socket.wait(for: connection, orFor: [wake.readEnd]) == 0 else {
      return false
    }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    buffer.append(contentsOf: chunk[..<count])
    return true
  }

  /// Writes a reply; false when the connection ends with it.
  private func write(_ reply: Reply, to request: Request, _ connection: Int32) -> Bool {
    switch reply {
    case .bytes(let text):
      _ = send(connection, Array(text.utf8))
      return false
    case .answer(let status, let headers, let body):
      var head = "HTTP/1.1 \(status) Scripted\r\n"
      for field in headers { head += "\(field.name): \(field.value)\r\n" }
      if status >= 200, status != 204, status != 304 { head += "Content-Length: \(body.count)\r\n" }
      return send(connection, Array((head + "\r\n").utf8) + (request.method == "HEAD" ? [] : body))
    case .held(let gate, let then):
      // Everything sent was read, so a readable socket means that the client has left.
      switch Socket.wait(for: connection, orFor: [gate.pipe.readEnd, wake.readEnd]) {
      case 1: return write(then, to: request, connection)
      case 0:
        hangUps.put(request.connection)
        return false
      default: return false
      }
    }
  }

  private func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard Socket.wait(for: connection, orFor: [wake.readEnd], Int16(POLLOUT)) == 0 else { return false }
      let count = rest.withUnsafeBytes { Socket.send(connection, $0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
