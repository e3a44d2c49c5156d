import SimulatedService
import Testing

@Suite struct InboxTests {
  /// The ranks of the items of a page: their numbers in their inbox, from 1, the oldest.
  private static func ranks(_ response: ServiceResponse) throws -> [Int] {
    let items = try #require(try response.object()["items"] as? [[String: Any]])
    return try items.map { item in
      let id = try #require(item["id"] as? String)
      return try #require(Int(id.split(separator: "-").last ?? ""))
    }
  }

  private static func next(_ response: ServiceResponse) throws -> String? {
    try response.object()["nextCursor"] as? String
  }

  private static func service(
    _ items: Int, _ cursors: InboxCursors = .position, emptyCursor: Bool = false,
    authorization: AuthorizationRule = .open
  ) -> FeatureControlService {
    FeatureControlService(
      flags: 1, keys: [], seed: 1,
      inbox: .init(items: items, cursors: cursors, emptyCursor: emptyCursor), authorization: authorization)
  }

  /// Follows the cursors to the end, or through so many pages.
  private static func walk(
    _ service: inout FeatureControlService, limit: Int, status: String? = nil, pages: Int = 100,
    before: (inout FeatureControlService, Int) -> Void = { _, _ in }
  ) throws -> [[Int]] {
    var result: [[Int]] = []
    var cursor: String?
    repeat {
      before(&service, result.count)
      var query = [("limit", "\(limit)")]
      if let status { query.append(("status", status)) }
      if let cursor { query.append(("cursor", cursor)) }
      let response = service.respond(to: Requests.page(query))
      #expect(response.status == 200, "\(response.text)")
      result.append(try ranks(response))
      cursor = try next(response)
    } while cursor != nil && result.count < pages
    return result
  }

  // MARK: Pages

  @Test(arguments: [InboxCursors.position, .item], [false, true])
  func `a walk gives every item once, newest first`(cursors: InboxCursors, emptyCursor: Bool) throws {
    for items in [0, 1, 2, 3, 4, 5, 6, 7] {
      for limit in 1...8 {
        var service = Self.service(items, cursors, emptyCursor: emptyCursor)
        let pages = try Self.walk(&service, limit: limit)
        #expect(pages.flatMap { $0 } == Array((1...max(1, items)).reversed().prefix(items)))
        // No page is empty but that of an empty inbox, and only the last is short.
        #expect(pages.count == max(1, (items + limit - 1) / limit))
        for page in pages.dropLast() { #expect(page.count == limit) }
      }
    }
  }

  @Test func `an item says everything about itself`() throws {
    var service = Self.service(4)
    _ = service.respond(to: Requests.markRead("n-1-4"))
    let response = service.respond(to: Requests.page([("limit", "1")]))
    let item = try #require((try response.object()["items"] as? [[String: Any]])?.first)
    #expect(item.keys.sorted() == ["body", "createdAt", "id", "payload", "status", "title"])
    #expect(item["id"] as? String == "n-1-4")
    #expect(item["title"] as? String == "Notification 4")
    #expect(item["body"] as? String == "Text of notification 4")
    #expect(item["status"] as? String == "read")
    #expect(item["createdAt"] as? String == "2026-01-01T00:01:00Z")
    let payload = try #require(item["payload"] as? [String: Int])
    #expect(payload == ["number": 1 << 32 | 4, "serial": 2])
    #expect(response.serial == 2)
  }

  @Test func `three neighbours share a time of creation`() throws {
    var service = Self.service(9)
    let items = try #require(try service.respond(to: Requests.page()).object()["items"] as? [[String: Any]])
    let times = items.compactMap { $0["createdAt"] as? String }
    #expect(times.count == 9)
    #expect(
      Set(times).sorted() == [
        "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z", "2026-01-01T00:03:00Z",
      ])
    #expect(times == times.sorted(by: >))
    #expect(times[1] == times[3], "ranks 8, 7 and 6")
  }

  @Test func `a page tells whoever watches what it holds`() throws {
    var service = Self.service(3)
    let first = service.respond(to: Requests.page([("limit", "2")]))
    let base: UInt64 = 1 << 32
    #expect(first.page?.asked == nil)
    #expect(first.page?.items == [base | 3, base | 2])
    #expect(first.page?.next == "p2")
    let second = service.respond(to: Requests.page([("limit", "2"), ("cursor", "p2")]))
    #expect(second.page?.asked == "p2")
    #expect(second.page?.items == [base | 1])
    #expect(second.page?.next == nil)
    #expect(service.respond(to: Requests.markAllRead()).page == nil)
  }

  @Test func `without a limit a page holds twenty`() throws {
    var service = Self.service(50)
    let response = service.respond(to: Requests.page())
    #expect(try Self.ranks(response) == Array((31...50).reversed()))
  }

  // MARK: Cursors

  @Test func `a position makes items come twice when others arrive between two pages`() throws {
    var service = Self.service(4, .position)
    let pages = try Self.walk(&service, limit: 2) { service, page in
      if page == 1 { service.notify(count: 1) }
    }
    // The page behind position 2 begins with an item that the first page ended with; the new one never comes.
    #expect(pages == [[4, 3], [3, 2], [1]])
  }

  @Test func `an item as a cursor goes on behind it, whatever arrives`() throws {
    var service = Self.service(4, .item)
    let pages = try Self.walk(&service, limit: 2) { service, page in service.notify(count: page * 3) }
    #expect(pages == [[4, 3], [2, 1]])
  }

  @Test(arguments: [0, 1, 4, 5]) func `the last page of an endless inbox names itself for ever`(items: Int)
    throws
  {
    var service = Self.service(items, .endless)
    let pages = try Self.walk(&service, limit: 2, pages: 12)
    #expect(pages.count == 12)
    let whole = Array((1...max(1, items)).reversed().prefix(items))
    var seen: [Int] = []
    for page in pages where !Set(page).isSubset(of: seen) { seen += page }
    #expect(seen == whole)
    #expect(pages[10] == pages[11])
  }

  @Test(arguments: [InboxCursors.position, .item])
  func `the empty text leads to the second page and nowhere else`(cursors: InboxCursors) throws {
    var service = Self.service(6, cursors, emptyCursor: true)
    let first = service.respond(to: Requests.page([("limit", "2")]))
    #expect(try Self.next(first) == "")
    let second = service.respond(to: Requests.page([("limit", "2"), ("cursor", "")]))
    #expect(try Self.ranks(second) == [4, 3])
    let cursor = try #require(try Self.next(second))
    #expect(!cursor.isEmpty)
    let third = service.respond(to: Requests.page([("limit", "2"), ("cursor", cursor)]))
    #expect(try Self.ranks(third) == [2, 1])
    #expect(try third.object()["nextCursor"] is String == false)
  }

  @Test func `an inbox of one page has no cursor, not even an empty one`() throws {
    var service = Self.service(2, emptyCursor: true)
    let response = service.respond(to: Requests.page([("limit", "2")]))
    #expect(response.text.contains("\"nextCursor\":null"))
  }

  @Test func `a cursor that has to be escaped is read from a URL`() throws {
    var service = Self.service(3, .item)
    let cursor = try #require(try Self.next(service.respond(to: Requests.page([("limit", "1")]))))
    #expect(cursor == "after n/3&more")
    let request = try #require(
      ServiceRequest(
        method: "GET",
        url: "https://x/api/feature-control/notifications?limit=1&cursor=after%20n%2F3%26more"))
    #expect(try Self.ranks(service.respond(to: request)) == [2])
  }

  // MARK: Reading

  @Test func `what was read is left out of the unread ones, and the other way round`() throws {
    var service = Self.service(6)
    for rank in [5, 2, 2] { #expect(service.respond(to: Requests.markRead("n-1-\(rank)")).status == 200) }
    #expect(try Self.walk(&service, limit: 3, status: "unread") == [[6, 4, 3], [1]])
    #expect(try Self.walk(&service, limit: 3, status: "read") == [[5, 2]])
    #expect(try Self.walk(&service, limit: 6) == [[6, 5, 4, 3, 2, 1]])
    #expect(service.inbox(of: "anybody").map(\.isRead) == [false, true, false, false, true, false])
  }

  @Test func `a page whose rest is filtered away is the last`() throws {
    var service = Self.service(4)
    for rank in [1, 2] { _ = service.respond(to: Requests.markRead("n-1-\(rank)")) }
    #expect(try Self.walk(&service, limit: 2, status: "unread") == [[4, 3]])
  }

  @Test func `marking all covers what is there and not what arrives later`() throws {
    var service = Self.service(3)
    #expect(service.respond(to: Requests.markAllRead()).text == "{}")
    service.notify(count: 2)
    #expect(try Self.walk(&service, limit: 9, status: "unread") == [[5, 4]])
    #expect(service.respond(to: Requests.markAllRead()).status == 200)
    #expect(try Self.walk(&service, limit: 9, status: "unread") == [[]])
    #expect(service.respond(to: Requests.markAllRead()).status == 200, "again")
  }

  @Test(arguments: [
    "n-1-0", "n-1-4", "n-2-1", "n-1-", "n-1-x", "n-1-1-1", "x", "n--1", "n-1-99999999999999999999",
  ])
  func `a notification that does not exist is not found`(id: String) {
    var service = Self.service(3)
    let response = service.respond(to: Requests.markRead(id))
    #expect(response.status == 404)
    #expect(response.code == "not_found")
    #expect(response.serial == 1)
    #expect(service.inbox(of: "anybody").allSatisfy { !$0.isRead })
  }

  @Test func `an empty inbox has nothing to mark`() {
    var service = Self.service(0)
    #expect(service.respond(to: Requests.markRead("n-1-1")).status == 404)
    #expect(service.respond(to: Requests.markRead("n-1-0")).status == 404)
    #expect(service.respond(to: Requests.markAllRead()).status == 200)
  }

  // MARK: Users

  @Test func `each user has an inbox`() throws {
    var service = Self.service(2, authorization: .session(header: "X-Session"))
    func session(_ user: String) -> [ServiceField] { [ServiceField("x-session", user)] }
    let ann = service.respond(to: Requests.page(headers: session("ann.0")))
    let bob = service.respond(to: Requests.page(headers: session("bob.0")))
    #expect(ann.page?.items == [1 << 32 | 2, 1 << 32 | 1])
    #expect(bob.page?.items == [2 << 32 | 2, 2 << 32 | 1])
    // Bob cannot mark what is Ann's.
    #expect(service.respond(to: Requests.markRead("n-1-1", headers: session("bob.0"))).status == 404)
    #expect(service.respond(to: Requests.markRead("n-1-1", headers: session("ann.1"))).status == 200)
    #expect(service.inbox(of: "ann").map(\.isRead) == [false, true])
    #expect(service.inbox(of: "bob").map(\.isRead) == [false, false])
    service.notify(count: 1)
    #expect(service.inbox(of: "ann").count == 3)
    #expect(service.inbox(of: "bob").count == 3)
    #expect(service.inbox(of: "eve").count == 3, "also of somebody who has never asked")
  }

  // MARK: Refusals

  @Test(arguments: [
    ([("cursor", "p")], "invalid_cursor"), ([("cursor", "p-1")], "invalid_cursor"),
    ([("cursor", "p99")], "invalid_cursor"), ([("cursor", "")], "invalid_cursor"),
    ([("cursor", "after n/1&more")], "invalid_cursor"),
    ([("limit", "0")], "invalid_limit"), ([("limit", "101")], "invalid_limit"),
    ([("limit", "")], "invalid_limit"), ([("limit", "ten")], "invalid_limit"),
    ([("limit", "-1")], "invalid_limit"),
    ([("status", "")], "invalid_status"), ([("status", "new")], "invalid_status"),
    ([("status", "all")], "invalid_status"), ([("page", "2")], "invalid_query"),
    ([("Limit", "2")], "invalid_query"), ([("limit", "2"), ("limit", "2")], "invalid_query"),
  ])
  func `a query that is not as documented is refused with what is wrong`(
    query: [(String, String)], code: String
  ) {
    var service = Self.service(5)
    let response = service.respond(to: Requests.page(query))
    #expect(response.status == 400)
    #expect(response.code == code)
    #expect(response.serial == 1)
    #expect(response.page == nil)
  }

  @Test(arguments: ["p1", "after n/9&more", "after n/x&more", "after n/1", "n/1&more", ""])
  func `a cursor of another kind was never given`(cursor: String) {
    var service = Self.service(5, .item)
    #expect(service.respond(to: Requests.page([("cursor", cursor)])).code == "invalid_cursor")
  }

  @Test(arguments: ["1", "100"]) func `the limits of the limit are in it`(limit: String) {
    var service = Self.service(5)
    #expect(service.respond(to: Requests.page([("limit", limit)])).status == 200)
  }
}
