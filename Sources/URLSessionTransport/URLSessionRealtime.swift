#if canImport(Darwin)
  import ClientCore
  import Foundation
  import Synchronization

  /// Opens sockets by URLSession, one session for each, on Apple's platforms.
  ///
  /// URLSession on Linux has no sockets that could be relied on, so there is no such type there.
  ///
  /// What it decides:
  /// - `https` becomes `wss` and `http` becomes `ws`; a redirect is not followed, no cookie or credential is offered.
  /// - A connection is given out when the upgrade is done, not when it is asked for.
  /// - A binary frame is read as text in UTF-8.
  /// - To cancel a task that sends or receives ends the connection, since URLSession can give up neither alone.
  public struct URLSessionRealtime: Realtime {
    /// Creates the realtime.
    public init() {}

    /// Opens a socket.
    ///
    /// - Parameter request: The GET of the upgrade, its URL with the scheme `https` or `http`.
    /// - Returns: The open connection.
    /// - Throws: `CancellationError` if the calling task was cancelled; `RealtimeRefusal` for an answer that opens no
    ///   socket; else a `TransportError`.
    public func connect(_ request: TransportRequest) async throws -> any RealtimeConnection {
      var upgrade = try URLRequest(request)
      guard var parts = upgrade.url.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: true) }) else {
        throw TransportError(.invalidURL, "\(request): the URL must be absolute; check the base URL")
      }
      parts.scheme = parts.scheme?.lowercased() == "http" ? "ws" : "wss"
      upgrade.url = parts.url
      let connection = URLSessionRealtimeConnection()
      try await connection.open(upgrade)
      return connection
    }
  }

  /// One socket and the session it lives in, which ends with it.
  private final class URLSessionRealtimeConnection: NSObject, RealtimeConnection, URLSessionWebSocketDelegate
  {
    private typealias Opener = CheckedContinuation<Void, any Error>

    private struct State {
      var session: URLSession?
      var socket: URLSessionWebSocketTask?
      var opener: Opener?
      var isOver = false
    }

    private let state = Mutex(State())

    func open(_ upgrade: URLRequest) async throws {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      // Whole seconds; clients race deadlines of their own, and a silent connection is found out by heartbeats.
      configuration.timeoutIntervalForRequest = 3600
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCredentialStorage = nil
      // The session keeps its delegate until it is invalidated, which every end of the connection does.
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      let socket = session.webSocketTask(with: upgrade)
      try await orClose {
        try await withCheckedThrowingContinuation { (opener: Opener) in
          let isCancelled = state.withLock { state in
            state.session = session
            state.socket = socket
            // Marked before the handler of the cancellation runs: either this sees the mark or `close` finds the opener.
            if Task.isCancelled || state.isOver { return true }
            state.opener = opener
            return false
          }
          if isCancelled { opener.resume(throwing: CancellationError()) } else { socket.resume() }
        }
      }
    }

    func send(_ text: String) async throws {
      let socket = try openSocket()
      try await orClose { try await socket.send(.string(text)) }
    }

    func receive() async throws -> String {
      let socket = try openSocket()
      return try await orClose {
        while true {
          switch try await socket.receive() {
          case .string(let text): return text
          case .data(let data): return String(decoding: data, as: UTF8.self)
          @unknown default: continue
          }
        }
      }
    }

    func close() { end(with: CancellationError()) }

    private func openSocket() throws -> URLSessionWebSocketTask {
      let socket = state.withLock { $0.isOver ? nil : $0.socket }
      guard let socket else { throw TransportError(.closed, "the connection was closed") }
      return socket
    }

    /// Ends the connection when the body throws or the calling task is cancelled.
    private func orClose<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
      try await withTaskCancellationHandler {
        do {
          return try await body()
        } catch {
          close()
          if Task.isCancelled || error is CancellationError { throw CancellationError() }
          if error is TransportError || error is RealtimeRefusal { throw error }
          throw Self.failure(error)
        }
      } onCancel: {
        close()
      }
    }

    private func end(with error: any Error) {
      let (session, opener) = state.withLock { state in
        defer {
          state.isOver = true
          state.session = nil
          state.socket = nil
          state.opener = nil
        }
        return (state.session, state.opener)
      }
      session?.invalidateAndCancel()
      opener?.resume(throwing: error)
    }

    /// The kind and number of an error without its user info, which holds the URL.
    private static func failure(_ error: any Error) -> TransportError {
      let error = error as NSError
      return TransportError(.connectionFailed, "the connection is over: \(error.domain) \(error.code)")
    }

    private static func response(_ answer: HTTPURLResponse) -> TransportResponse {
      let fields = answer.allHeaderFields.compactMap { name, value -> HeaderField? in
        guard let name = name as? String, let value = value as? String else { return nil }
        return HeaderField(name, value)
      }
      return TransportResponse(
        status: answer.statusCode, headers: fields.sorted { $0.name < $1.name }, body: [])
    }

    // MARK: The delegate

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
      let opener = state.withLock { state in
        defer { state.opener = nil }
        return state.opener
      }
      opener?.resume()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let answer = task.response as? HTTPURLResponse, answer.statusCode != 101 {
        return end(with: RealtimeRefusal(Self.response(answer)))
      }
      end(with: error.map(Self.failure) ?? TransportError(.closed, "the service closed the connection"))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }
#endif
