import Events

/// Tells code that runs on behalf of a reader for whom and for which call it runs.
///
/// A client's tasks inherit it from the call that started them, so that a request can carry the `group` tag, and its
/// authorization the shape of what is asked, without the client knowing of either.
enum ReaderScope {
  /// A call of a reader's that is under way.
  struct Call: Sendable {
    let id: CallID
    let operation: Operation
    let key: RequestKey?
  }

  /// The number of the group in the scenario; -1 outside every group.
  @TaskLocal static var group = -1

  /// The call under way; known only in runs that need it, because it costs every call a little.
  @TaskLocal static var call: Call?
}

extension Operation {
  /// The endpoint that the operation's requests go to.
  var endpoint: Endpoint {
    switch self {
    case .evaluate, .evaluateOrThrow, .invalidate: .evaluate
    case .recordExposure, .flush: .telemetry
    case .listNotifications: .notifications
    case .markRead: .read
    case .markAllRead: .readAll
    case .refresh: .snapshot
    case .capture: .events
    }
  }
}
