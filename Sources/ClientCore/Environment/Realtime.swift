/// One open socket of a `Realtime`.
///
/// Text frames in both directions, each delivered whole and in order. Safe from any thread.
public protocol RealtimeConnection: AnyObject, Sendable {
  /// Sends one text frame.
  ///
  /// - Parameter text: The frame.
  /// - Throws: `TransportError` when the connection is over; `CancellationError` when the calling task is cancelled.
  func send(_ text: String) async throws

  /// Waits for the next text frame; may be called by one task at a time.
  ///
  /// - Returns: The frame.
  /// - Throws: `TransportError` when the connection is over; `CancellationError` when the calling task is cancelled.
  func receive() async throws -> String

  /// Ends the connection at once: whoever waits on it throws.
  ///
  /// A second call does nothing.
  func close()
}

/// The upgrade to a socket was answered with something else, such as a refusal that asks for patience.
public struct RealtimeRefusal: Error, Sendable {
  /// The answer.
  public var response: TransportResponse

  /// Creates a refusal.
  ///
  /// - Parameter response: The answer to the upgrade.
  public init(_ response: TransportResponse) { self.response = response }
}

/// Opens sockets to the service: the only way by which a client hears of something that it has not asked for.
///
/// One call, one connection: nothing is retried or redirected, and there is no deadline that could come before the
/// client's own.
public protocol Realtime: Sendable {
  /// Opens a socket.
  ///
  /// Cancelling the calling task ends the attempt.
  /// - Parameter request: The GET of the upgrade, its URL with the scheme `https` or `http`.
  /// - Returns: The open connection.
  /// - Throws: `CancellationError` if the calling task was cancelled; `RealtimeRefusal` if the service answered the
  ///   upgrade with a status of another kind; else a `TransportError`, whose code is `unavailable` if this platform has no sockets at all, and then there is no use in trying again.
  func connect(_ request: TransportRequest) async throws -> any RealtimeConnection
}

/// The realtime of a platform that has none: no socket ever opens, and who asks is told so at once.
public struct UnavailableRealtime: Realtime {
  /// Creates the realtime.
  public init() {}

  /// Fails at once.
  ///
  /// - Parameter request: The upgrade that cannot be made.
  /// - Returns: Never.
  /// - Throws: A `TransportError` with the code `unavailable`.
  public func connect(_ request: TransportRequest) async throws -> any RealtimeConnection {
    throw TransportError(
      .unavailable,
      "\(request): no sockets on this platform; pass a ClientEnvironment with a Realtime of your own")
  }
}

/// A realtime that must not be asked.
public struct UnimplementedRealtime: Realtime {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a realtime that reports each attempt to connect.
  ///
  /// - Parameter onUse: Called once for each attempt, before it fails; by default the process ends with a message.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the attempt and fails it.
  ///
  /// - Parameter request: The upgrade that must not have been made.
  /// - Returns: Never.
  /// - Throws: A `TransportError` with the code `unimplemented`.
  public func connect(_ request: TransportRequest) async throws -> any RealtimeConnection {
    let use = UnimplementedUse(effect: "Realtime", operation: "\(request)")
    onUse(use)
    throw TransportError(.unimplemented, use.description)
  }
}
