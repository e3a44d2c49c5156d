import ClientCore
import Synchronization

/// The requests of the inbox.
final class Inbox: Sendable {
  private enum Answer: Sendable {
    case page(InboxPage)
    case marked
  }

  private let exchange: Exchange
  private let desk: RequestDesk<Answer>
  private let skipped = Atomic<Int>(0)

  init(_ exchange: Exchange) {
    self.exchange = exchange
    desk = RequestDesk(exchange)
  }

  /// How many items were skipped because they did not decode.
  var skippedItems: Int { skipped.load(ordering: .relaxed) }

  /// Reads one page.
  func page(
    status: FeatureControlNotification.Status?, limit: Int?, cursor: String?
  ) async throws -> InboxPage {
    var query: [String] = []
    if let status { query.append("status=" + status.rawValue.percentEncoded) }
    if let limit { query.append("limit=\(limit)") }
    if let cursor { query.append("cursor=" + cursor.percentEncoded) }
    let url = url("") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    let answer = try await perform {
      .json(.get, url)
    } read: { response throws(FeatureControlError) in
      .page(try InboxPage(response))
    }
    guard case .page(let page) = answer else { fatalError("a page was asked for, and a mark was read") }
    if page.skippedItems > 0 { skipped.add(page.skippedItems, ordering: .relaxed) }
    return page
  }

  /// Marks one notification as read.
  func markRead(_ id: String) async throws {
    // As a segment of a path these would name another place than a notification.
    guard !["", ".", ".."].contains(id) else {
      throw FeatureControlError.transport(message: "\"\(id)\" is no notification's identifier")
    }
    try await mark(url("/" + id.percentEncoded + "/read"))
  }

  /// Marks all as read.
  func markAllRead() async throws { try await mark(url("/read-all")) }

  func close() { desk.close() }

  private func url(_ suffix: String) -> String {
    exchange.configuration.url(exchange.configuration.notificationsPath) + suffix
  }

  private func mark(_ url: String) async throws {
    _ = try await perform {
      .json(.post, url)
    } read: { response throws(FeatureControlError) in
      try ErrorEnvelope.acknowledge(response)
      return .marked
    }
  }

  private func perform(
    _ request: @escaping @Sendable () -> TransportRequest,
    read: @escaping @Sendable (TransportResponse) throws(FeatureControlError) -> Answer
  ) async throws -> Answer {
    switch await desk.run(request, read: read) {
    case .answered(let answer): return answer
    case .failed(let error, _), .withheld(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }
}
