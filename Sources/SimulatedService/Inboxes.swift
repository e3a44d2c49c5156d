/// What a cursor of the inbox names.
public enum InboxCursors: String, Sendable, CaseIterable {
  /// A position counted from the newest item, so that items that arrive between two pages make others come twice.
  case position
  /// The item after which the page begins.
  case item
  /// As `item`, but the last page names itself as the next, for ever.
  case endless
}

/// A page as the service served it, for whoever watches.
public struct ServedPage: Hashable, Sendable {
  /// The cursor that was asked for; nil for the first page.
  public let asked: String?
  /// The numbers of the items, unique in the run, in the order of the page.
  public let items: [UInt64]
  /// The cursor of the next page; nil after the last.
  public let next: String?
}

/// The inboxes of all users.
///
/// Items are numbered from 1 in each inbox and stand newest first. They are not stored: an inbox is how many items it has
/// and which of them were read. Three neighbours share a time of creation, so that a page edge may fall between items that
/// no time tells apart. Not modelled: deletion.
struct Inboxes: Sendable {
  private struct Inbox: Sendable {
    /// A number for the user, by which items of different inboxes are told apart.
    let user: UInt64
    /// How many of its items came with a notice after it was made, beyond those of every inbox.
    var read: Set<UInt64> = []
    var readUpTo: UInt64 = 0
  }

  private var inboxes: [String: Inbox] = [:]
  private var count: UInt64
  let cursors: InboxCursors
  let hasEmptyCursor: Bool

  init(items: Int, cursors: InboxCursors, emptyCursor: Bool) {
    count = UInt64(items)
    self.cursors = cursors
    hasEmptyCursor = emptyCursor
  }

  /// Adds items to every inbox, also to those that nobody has asked for yet.
  mutating func notify(_ items: Int) { count += UInt64(items) }

  /// One item of a page.
  struct Item {
    /// Unique in the run.
    let number: UInt64
    let id: String
    /// Its number in its inbox, from 1, the oldest.
    let rank: UInt64
    let isRead: Bool
  }

  /// Serves a page.
  ///
  /// - Returns: The items and the cursor of the next page.
  /// - Throws: `RequestFlaw` for a cursor that was never given.
  mutating func page(
    of user: String, status: String?, limit: Int, cursor: String?
  ) throws(RequestFlaw) -> (items: [Item], next: String?) {
    let inbox = inbox(of: user)
    // The rank below which the page begins.
    var below = count + 1
    if let cursor {
      guard let start = rank(of: cursor, limit: limit, inbox, status) else {
        throw RequestFlaw(.content, "invalid_cursor")
      }
      below = start
    }
    var items: [Item] = []
    var rank = below
    while rank > 1, items.count < limit {
      rank -= 1
      let item = item(rank, inbox)
      if status == nil || (status == "read") == item.isRead { items.append(item) }
    }
    let hasMore = rank > 1 && (1..<rank).contains { isShown($0, inbox, status) }
    let isSecond = cursor == nil && hasEmptyCursor
    if hasMore { return (items, isSecond ? "" : text(of: rank)) }
    return (items, cursors == .endless ? cursor ?? text(of: below) : nil)
  }

  /// Marks one item as read.
  ///
  /// - Returns: Whether there is such an item.
  mutating func markRead(_ id: String, of user: String) -> Bool {
    var inbox = inbox(of: user)
    let prefix = "n-\(inbox.user)-"
    guard id.hasPrefix(prefix), let rank = UInt64(id.dropFirst(prefix.count)),
      (1...max(1, count)).contains(rank),
      rank <= count
    else { return false }
    if rank > inbox.readUpTo { inbox.read.insert(rank) }
    inboxes[user] = inbox
    return true
  }

  /// Marks all items as read.
  mutating func markAllRead(of user: String) {
    var inbox = inbox(of: user)
    inbox.readUpTo = count
    inbox.read = []
    inboxes[user] = inbox
  }

  /// The items of an inbox, newest first.
  mutating func truth(of user: String) -> [Item] {
    let inbox = inbox(of: user)
    return stride(from: count, to: 0, by: -1).map { item($0, inbox) }
  }

  private mutating func inbox(of user: String) -> Inbox {
    if let known = inboxes[user] { return known }
    let made = Inbox(user: UInt64(inboxes.count) + 1)
    inboxes[user] = made
    return made
  }

  private func item(_ rank: UInt64, _ inbox: Inbox) -> Item {
    Item(
      number: inbox.user << 32 | rank, id: "n-\(inbox.user)-\(rank)", rank: rank,
      isRead: rank <= inbox.readUpTo || inbox.read.contains(rank))
  }

  private func isShown(_ rank: UInt64, _ inbox: Inbox, _ status: String?) -> Bool {
    status == nil || (status == "read") == item(rank, inbox).isRead
  }

  // MARK: Cursors

  /// The cursor of a page that begins below a rank.
  private func text(of rank: UInt64) -> String {
    switch cursors {
    case .position: "p\(count + 1 - rank)"
    case .item, .endless: "after n/\(rank)&more"
    }
  }

  /// The rank below which the page of a cursor begins; nil for a cursor that was never given.
  private func rank(of cursor: String, limit: Int, _ inbox: Inbox, _ status: String?) -> UInt64? {
    // The empty text leads to the second page, wherever that is by now.
    if cursor.isEmpty { return hasEmptyCursor ? secondPage(limit, inbox, status) : nil }
    switch cursors {
    case .position:
      guard cursor.hasPrefix("p"), let position = UInt64(cursor.dropFirst()), position <= count + 1 else {
        return nil
      }
      return max(1, count + 1 - min(position, count + 1))
    case .item, .endless:
      guard cursor.hasPrefix("after n/"), cursor.hasSuffix("&more"),
        let rank = UInt64(cursor.dropFirst("after n/".count).dropLast("&more".count)), rank <= count + 1
      else { return nil }
      return max(1, rank)
    }
  }

  private func secondPage(_ limit: Int, _ inbox: Inbox, _ status: String?) -> UInt64 {
    var shown = 0
    var rank = count + 1
    while rank > 1, shown < limit {
      rank -= 1
      if isShown(rank, inbox, status) { shown += 1 }
    }
    return rank
  }
}
