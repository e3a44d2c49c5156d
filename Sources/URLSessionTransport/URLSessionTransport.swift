import ClientCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport over a URLSession of its own: the clients' default on every platform.
///
/// What it decides, on Linux and on Apple platforms alike:
/// - Nothing is kept: no cache, no cookies, no credentials.
/// - **No redirect is followed.** A 3xx comes back as the answer it is. Following one would repeat the
///   caller's headers, tokens among them, to a host the caller never named, and would turn a POST into a GET.
/// - No credential is offered: a 401 comes back as the answer it is, whatever scheme it names.
/// - Cancelling the calling task answers the call at once and cancels the request on the wire.
/// - It has no deadline but one that ends a request after an hour of silence; clients race their own.
/// - Whole bodies only, up to a limit; a body shorter than announced is an error, not an answer.
/// - Header fields of one name are sent as one, joined by commas; the order of the others is URLSession's.
///   Those of an answer come sorted by name.
///
/// Two things Foundation on Linux does that no caller can prevent: a peer that hangs up in the middle of its
/// header fields ends the process (swiftlang/swift-corelibs-foundation#5285, mended after 6.3.1), and the
/// body of a redirect without a `Location` is lost.
///
/// `close()` lets running requests end and refuses new ones; letting go of the last reference does the same.
public final class URLSessionTransport: Transport {
  /// The largest body that is accepted unless told otherwise, in bytes.
  public static let defaultMaximumBodySize = 64 << 20

  private let session: URLSession
  private let exchanges: ExchangeTable

  /// Creates a transport with a session of its own.
  ///
  /// - Parameter maximumBodySize: The largest body of an answer that is accepted, in bytes; a larger one ends
  ///   its request with `TransportError.Code.invalidResponse`.
  public init(maximumBodySize: Int = URLSessionTransport.defaultMaximumBodySize) {
    exchanges = ExchangeTable(maximumBodySize: maximumBodySize)
    session = URLSession(configuration: Self.configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { close() }

  /// Refuses requests from now on and lets go of the session once the running ones have ended.
  ///
  /// They end as if it had not been called: none is cut short. Calling it again does nothing.
  public func close() {
    if exchanges.refuseNew() { session.finishTasksAndInvalidate() }
  }

  /// Sends one request and waits for its whole answer.
  ///
  /// May be called from any isolation and by many tasks at once.
  ///
  /// - Parameter request: What to send; its URL is absolute, `http` or `https`, and percent-encoded.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `CancellationError` if the calling task was cancelled before or meanwhile, else a
  ///   `TransportError`.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let urlRequest = try URLRequest(request)
    let identifier = Mutex<Int?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = exchanges.begin(continuation) {
          let task = session.dataTask(with: urlRequest)
          identifier.withLock { $0 = task.taskIdentifier }
          return task
        }
        task?.resume()
      }
    } onCancel: {
      // Nothing to end yet means that `begin` has still to look whether the task is cancelled, and will see
      // it.
      exchanges.cancel { identifier.withLock { $0 } }
    }
  }

  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    // Whole seconds without a byte; the default of a minute would come before a patient client's own
    // deadline.
    configuration.timeoutIntervalForRequest = 3600
    return configuration
  }
}

extension URLRequest {
  /// Creates the request of Foundation that says what a transport request says.
  init(_ request: TransportRequest) throws(TransportError) {
    guard
      let url = URL(string: request.url, encodingInvalidCharacters: false),
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty
    else {
      // The URL itself is not shown: its query may hold subject ids.
      throw TransportError(
        .invalidURL,
        "\(request): the URL must be absolute, http or https, and percent-encoded; check the base URL"
      )
    }
    if let field = request.headers.first(where: { !$0.isSendable }) {
      throw TransportError(
        .invalidRequest,
        "\(request): the header field \(String(reflecting: field.name)) has a name that is no token, "
          + "or a line break in its value"
      )
    }
    self.init(url: url)
    httpMethod = request.method.name
    for field in request.headers { addValue(field.value, forHTTPHeaderField: field.name) }
    httpBody = request.body.map { Data($0) }
  }
}
