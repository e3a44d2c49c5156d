/// All notifications of an inbox, page after page.
public struct FeatureControlNotificationSequence: AsyncSequence, Sendable {
  /// What the sequence gives.
  public typealias Element = FeatureControlNotification

  let client: FeatureControlNotificationsClient
  let status: FeatureControlNotification.Status?
  let pageSize: Int?

  /// Begins a walk at the first page; nothing is asked before its first `next()`.
  ///
  /// - Returns: The walk.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// One walk over the pages.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Position {
      /// The page to ask for next.
      case before(cursor: String?)
      case end
    }

    private let sequence: FeatureControlNotificationSequence
    private var position = Position.before(cursor: nil)
    /// The notifications of the present page that are still to be given, last first.
    private var rest: [FeatureControlNotification] = []
    /// In bytes, because the service's identifiers and cursors are opaque, and Swift's `==` takes the composed and the
    /// decomposed é for one text.
    private var given: Set<[UInt8]> = []
    private var followed: Set<[UInt8]> = []

    init(sequence: FeatureControlNotificationSequence) { self.sequence = sequence }

    /// Gives the next notification, and asks for a page if none is at hand.
    ///
    /// - Complexity: O(1) on average, besides the request; the walk remembers the identifiers it has given.
    /// - Returns: The notification; nil at the end, and after an error.
    /// - Throws: What `list` throws.
    public mutating func next() async throws -> FeatureControlNotification? {
      while true {
        while let notification = rest.popLast() {
          if given.insert(Array(notification.id.utf8)).inserted { return notification }
        }
        guard case .before(let cursor) = position else { return nil }
        // An error ends the walk, as it ends every sequence.
        position = .end
        let page = try await sequence.client.list(
          status: sequence.status, limit: sequence.pageSize, cursor: cursor)
        rest = page.items.reversed()
        // A cursor asked for before leads round in a circle.
        if let next = page.nextCursor, followed.insert(Array(next.utf8)).inserted {
          position = .before(cursor: next)
        }
      }
    }
  }
}
