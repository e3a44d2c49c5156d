import ClientCore
import URLSessionTransport

/// Reads the in-app inbox and marks its notifications as read.
///
/// ```swift
/// let (items, nextCursor) = try await client.list(status: .unread, limit: 20)
/// try await client.markRead(id: notification.id)
/// ```
///
/// The service wants a JWT on every route of the inbox: configure with `FeatureControlBearerAuth`. The client keeps no
/// notifications and no cursor. While the service has asked for patience (`Retry-After`, on any route of the inbox) every
/// call throws at once. Every method may be called from any thread at any time.
public final class FeatureControlNotificationsClient: Sendable {
  private let inbox: Inbox

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - configuration: The deployment to talk to.
  ///   - environment: The effects the client uses; the live ones unless replaced.
  public init(configuration: FeatureControlConfiguration, environment: ClientEnvironment = .live) {
    inbox = Inbox(Exchange(configuration: configuration, environment: environment))
  }

  deinit { inbox.close() }

  /// How many items of answers were skipped so far because they did not decode.
  public var skippedItemCount: Int { inbox.skippedItems }

  /// Reads one page.
  ///
  /// - Parameters:
  ///   - status: Only notifications in this state; nil for all.
  ///   - limit: How many notifications at most; nil leaves it to the service.
  ///   - cursor: Where to go on, as an earlier page gave it; nil for the first page. An empty text is a cursor too.
  /// - Returns: The notifications of the page, newest first as the service sorts them, and the cursor of the next page; nil
  ///   after the last one.
  /// - Throws: `FeatureControlError`; `CancellationError` if the calling task is cancelled.
  public func list(
    status: FeatureControlNotification.Status? = nil, limit: Int? = nil, cursor: String? = nil
  ) async throws -> (items: [FeatureControlNotification], nextCursor: String?) {
    let page = try await inbox.page(status: status, limit: limit, cursor: cursor)
    return (items: page.items, nextCursor: page.nextCursor)
  }

  /// Walks over all pages, one request at a time and only as the loop asks for more.
  ///
  /// Notifications that were given already are left out, which happens when new ones arrive between two pages. The walk
  /// ends after the page that names no next one, or one that the walk has already asked for.
  /// - Parameters:
  ///   - status: Only notifications in this state; nil for all.
  ///   - pageSize: How many notifications a request asks for; nil leaves it to the service.
  /// - Returns: A sequence; each iteration of it is a walk of its own.
  public func notifications(
    status: FeatureControlNotification.Status? = nil, pageSize: Int? = nil
  ) -> FeatureControlNotificationSequence {
    FeatureControlNotificationSequence(client: self, status: status, pageSize: pageSize)
  }

  /// Marks one notification as read; marking it again changes nothing.
  ///
  /// - Parameter id: The notification's identifier.
  /// - Throws: `FeatureControlError`; `CancellationError` if the calling task is cancelled.
  public func markRead(id: String) async throws { try await inbox.markRead(id) }

  /// Marks all notifications as read.
  ///
  /// - Throws: `FeatureControlError`; `CancellationError` if the calling task is cancelled.
  public func markAllRead() async throws { try await inbox.markAllRead() }

  /// Ends every request; later calls throw `.transport`.
  ///
  /// Letting go of the client does the same.
  public func close() { inbox.close() }
}
