import ClientCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The requests of one session that have not ended, and the session's delegate.
///
/// Each exchange ends exactly once: whoever takes it out of the table (its completion, the cancellation of
/// its caller, a body that is too large) resumes its continuation, and whoever comes later finds nothing.
///
/// Beginning is one step under the lock: is the table open, is the caller's task not cancelled, then make the
/// data task and enlist it. A task is marked cancelled before its cancellation handler runs, so either this
/// step sees the mark or the handler, which waits for the lock, finds the exchange: a cancellation before the
/// request exists is never lost (apple/swift-openapi-urlsession PR#44, #45). `close` cannot fall between the
/// look and the making either; a session makes no tasks once it is invalidated, it traps.
///
/// The session holds its delegate strongly until it is invalidated, so the table knows no session.
final class ExchangeTable: NSObject, URLSessionDataDelegate, Sendable {
  typealias Continuation = CheckedContinuation<TransportResponse, any Error>

  private struct Exchange {
    let task: URLSessionDataTask
    let continuation: Continuation
    var answer: TransportResponse?
  }

  private struct State {
    var isOpen = true
    var exchanges: [Int: Exchange] = [:]
  }

  private let maximumBodySize: Int
  private let state = Mutex(State())

  init(maximumBodySize: Int) { self.maximumBodySize = maximumBodySize }

  /// Makes a data task and enlists it, or resumes the continuation if that must not be.
  func begin(_ continuation: Continuation, makeTask: () -> URLSessionDataTask) -> URLSessionDataTask? {
    let begun: Result<URLSessionDataTask, any Error> = state.withLock { state in
      if Task.isCancelled { return .failure(CancellationError()) }
      guard state.isOpen else {
        return .failure(TransportError(.closed, "the transport was closed; make a new one"))
      }
      let task = makeTask()
      state.exchanges[task.taskIdentifier] = Exchange(task: task, continuation: continuation)
      return .success(task)
    }
    switch begun {
    case .success(let task): return task
    case .failure(let error):
      continuation.resume(throwing: error)
      return nil
    }
  }

  /// Ends the exchange that the closure names, read under the lock, because its caller was cancelled.
  func cancel(_ identifier: () -> Int?) {
    let exchange = state.withLock { state in identifier().flatMap { state.exchanges.removeValue(forKey: $0) }
    }
    guard let exchange else { return }
    exchange.continuation.resume(throwing: CancellationError())
    exchange.task.cancel()
  }

  /// Refuses exchanges from now on; returns false if it did already.
  func refuseNew() -> Bool {
    state.withLock { state in
      defer { state.isOpen = false }
      return state.isOpen
    }
  }

  private func end(_ identifier: Int, _ outcome: (Exchange) -> Result<TransportResponse, any Error>) {
    guard let exchange = state.withLock({ $0.exchanges.removeValue(forKey: identifier) }) else { return }
    exchange.continuation.resume(with: outcome(exchange))
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse else {
      end(dataTask.taskIdentifier) { _ in
        .failure(TransportError(.invalidResponse, "the answer is not one of HTTP; check the base URL"))
      }
      completionHandler(.cancel)
      return
    }
    state.withLock { $0.exchanges[dataTask.taskIdentifier]?.answer = TransportResponse(head: response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      guard let held = state.exchanges[dataTask.taskIdentifier]?.answer?.body.count else { return false }
      guard held + data.count <= maximumBodySize else { return true }
      state.exchanges[dataTask.taskIdentifier]?.answer?.body.append(contentsOf: data)
      return false
    }
    guard isTooLarge else { return }
    end(dataTask.taskIdentifier) { _ in
      .failure(TransportError(.invalidResponse, "the body is larger than \(maximumBodySize) bytes"))
    }
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task.taskIdentifier) { exchange in
      if let error { return .failure(TransportError(foundation: error)) }
      if let answer = exchange.answer { return .success(answer) }
      // On Linux a redirect without a Location is told here for the first time, and its body never.
      guard let response = exchange.task.response as? HTTPURLResponse else {
        return .failure(TransportError(.invalidResponse, "the request ended without an answer"))
      }
      return .success(TransportResponse(head: response))
    }
  }

  #if canImport(FoundationNetworking)
    /// Hands back a 401 that names a scheme as the answer it is, which Apple's default handling does by
    /// itself.
    ///
    /// Foundation on Linux asks for a credential once the answer is whole. Its default handling then neither
    /// goes on nor ends, and each other way loses the answer or sends the request again.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      urlSession(session, task: task, didCompleteWithError: nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  #endif
}

extension TransportResponse {
  /// Status and header fields of Foundation's answer, the fields sorted by name: Foundation's order is none.
  init(head response: HTTPURLResponse) {
    let fields = response.allHeaderFields.map { HeaderField("\($0.key)", "\($0.value)") }
    self.init(
      status: response.statusCode,
      headers: fields.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    )
  }
}

extension TransportError {
  /// Says what an error of Foundation says, without its user info, which holds the whole URL.
  init(foundation error: any Error) {
    let error = error as NSError
    guard error.domain == NSURLErrorDomain else {
      self.init(.other, "URLSession failed with \(error.domain) \(error.code)")
      return
    }
    let (code, cause): (Code, String) =
      switch URLError.Code(rawValue: error.code) {
      case .timedOut: (.timedOut, "the service was silent for too long")
      case .cancelled: (.cancelled, "the session cancelled the request")
      case .badURL, .unsupportedURL: (.invalidURL, "URLSession cannot ask this URL; check the base URL")
      case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
        (.invalidResponse, "the answer is not one of HTTP or is damaged")
      case .cannotFindHost, .dnsLookupFailed:
        (.connectionFailed, "the host's name is not known; check the base URL")
      case .cannotConnectToHost: (.connectionFailed, "the host takes no connection")
      case .notConnectedToInternet: (.connectionFailed, "the device is offline")
      case .networkConnectionLost: (.connectionFailed, "the connection broke before the answer was complete")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
        (.connectionFailed, "no secure connection; check the host's certificate")
      default: (.other, "the request failed")
      }
    self.init(code, "\(cause) (\(error.domain) \(error.code))")
  }
}
