/// Why a request got no answer.
///
/// A transport or a realtime throws it, or `CancellationError` if the task that waited was cancelled, and nothing else.
/// Clients treat every code alike, as a failed request; the code is for logs and metrics, the message for
/// people.
public struct TransportError: Error, Hashable, Sendable {
  /// The kind of a failure, fit for a metric label; open, because transports may meet others.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, in lower camel case.
    public let name: String

    /// Creates a kind of failure of your own.
    ///
    /// - Parameter name: Its name, in lower camel case.
    public init(_ name: String) { self.name = name }

    /// No connection, or it broke before the answer was complete.
    public static let connectionFailed = Code("connectionFailed")
    /// The transport gave up by itself; the deadline of a client is not this one.
    public static let timedOut = Code("timedOut")
    /// The URL is not one that the transport can ask.
    public static let invalidURL = Code("invalidURL")
    /// The request cannot be sent as it is, such as a header value with a line break.
    public static let invalidRequest = Code("invalidRequest")
    /// What came back is not an answer of HTTP, or more than the transport accepts.
    public static let invalidResponse = Code("invalidResponse")
    /// The request was cancelled by someone other than the waiting task.
    public static let cancelled = Code("cancelled")
    /// The transport was closed before the request.
    public static let closed = Code("closed")
    /// This platform has no such transport; to try again is of no use.
    public static let unavailable = Code("unavailable")
    /// A double that must not be asked was asked.
    public static let unimplemented = Code("unimplemented")
    /// None of the others.
    public static let other = Code("other")

    /// The name of the kind.
    public var description: String { name }
  }

  /// The kind of the failure.
  public var code: Code
  /// What happened and what to do about it; holds no query, header value or body.
  public var message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of the failure.
  ///   - message: What happened and what to do about it, without query, header values or body.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension TransportError: CustomStringConvertible {
  /// Code and message.
  public var description: String { "\(code): \(message)" }
}
