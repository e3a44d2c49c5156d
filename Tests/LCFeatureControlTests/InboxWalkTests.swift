import ClientCore
import LCFeatureControl
import Stagecraft
import Synchronization
import Testing

/// The sequence over all pages of the inbox, and the pages it is made of (BEHAVIOUR §2).
@Suite struct InboxWalkTests {
  /// Walks to the end in a task of its own; what has been given can be looked at on the way.
  private final class Walk: Sendable {
    private let seen = Mutex<[String]>([])
    let call: Asked<Void>

    init(_ stage: Stage, status: FeatureControlNotification.Status? = nil, pageSize: Int? = nil) {
      let call = Asked<Void>()
      self.call = call
      guard let notifications = stage.inbox?.notifications(status: status, pageSize: pageSize) else { return }
      call.start(on: stage.simulator) {
        for try await notification in notifications { self.seen.withLock { $0.append(notification.id) } }
      }
    }

    var given: [String] { seen.withLock { $0 } }
    var hasEnded: Bool { call.value != nil }
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }

  // S GetStream/swift-activity-feed PR#6: the cursor was never sent.
  @Test func `every page is asked for with the cursor of the one before, until there is none`() {
    play { stage in
      let walk = Walk(stage, status: .unread, pageSize: 2)
      for (query, ids, next) in [
        ("status=unread&limit=2", ["a", "b"], "\"c 1\""),
        ("status=unread&limit=2&cursor=c%201", ["c"], "\"c2\""),
        ("status=unread&limit=2&cursor=c2", ["d", "e"], "null"),
      ] {
        #expect(await stage.pending().map(\.query) == [query])
        try await stage.answer(.page(ids, next: next))
      }
      #expect(walk.given == ["a", "b", "c", "d", "e"])
      #expect(walk.hasEnded)
      #expect(stage.transport.sentCount == 3)
    }
  }

  @Test func `an empty text is a cursor and an empty page is no end`() {
    play { stage in
      let walk = Walk(stage)
      try await stage.answer(.page([], next: "\"\""))
      #expect(await stage.pending().first?.query == "cursor=")
      try await stage.answer(.page(["a"], next: "\"c\""))
      try await stage.answer(.page([]))
      #expect(walk.given == ["a"] && walk.hasEnded)
    }
  }

  // PrefectHQ/fastmcp PR#3167, modelcontextprotocol/csharp-sdk#1072, Glitchedpixel-io/media-api#66: a cursor that was
  // never null was followed for ever.
  @Test(arguments: [["x", "x"], ["x", "y", "x"], ["x", "y", "y"], ["", ""], ["x", "", "x"]])
  func `a cursor that comes again ends the walk, after its page`(cursors: [String]) {
    play(seeds: 0..<2) { stage in
      let walk = Walk(stage)
      for (number, cursor) in cursors.enumerated() {
        #expect(await stage.pending().count == 1)
        try await stage.answer(.page(["\(number)"], next: quoted(cursor)))
      }
      #expect(await stage.pending().isEmpty)
      #expect(walk.given == cursors.indices.map { "\($0)" } && walk.hasEnded)
    }
  }

  // kasianov-mikhail/scout PR#987: a page was appended twice.
  @Test func `what has been given is not given again`() {
    play { stage in
      let walk = Walk(stage)
      try await stage.answer(.page(["a", "b", "a"], next: "\"1\""))
      try await stage.answer(.page(["b", "c"], next: "\"2\""))
      try await stage.answer(.page(["a", "b", "c"], next: "\"3\""))
      try await stage.answer(.page(["d"]))
      #expect(walk.given == ["a", "b", "c", "d"] && walk.hasEnded)
    }
  }

  // MixinNetwork/ios-app PR#273: of items with equal time stamps those at a page's edge were skipped.
  @Test func `items are told apart by their identifier alone`() {
    @Sendable func item(_ id: String) -> String { #"{"id":"\#(id)","createdAt":"2026-01-01T00:00:00Z"}"# }
    play { stage in
      let walk = Walk(stage)
      try await stage.answer(#"{"items":[\#(item("a")),\#(item("b"))],"nextCursor":"1"}"#)
      try await stage.answer(#"{"items":[\#(item("c")),\#(item("d"))]}"#)
      #expect(walk.given == ["a", "b", "c", "d"])
    }
  }

  @Test func `identifiers and cursors that are different bytes are different`() {
    play(seeds: 0..<1) { stage in
      let walk = Walk(stage)
      try await stage.answer(.page(["\u{E9}"], next: "\"\u{E9}\""))
      try await stage.answer(.page(["e\u{301}"], next: "\"e\u{301}\""))
      #expect(await stage.pending().map(\.query) == ["cursor=e%CC%81"])
      try await stage.answer(.page([]))
      #expect(walk.given.count == 2 && walk.hasEnded)
    }
  }

  @Test func `a page is asked for only when the loop wants more`() {
    play { stage in
      let inbox = try #require(stage.inbox)
      let first = stage.ask {
        for try await notification in inbox.notifications() { return notification.id }
        return "none"
      }
      try await stage.answer(.page(["a", "b"], next: "\"c\""))
      #expect(first.value == "a")
      #expect(await stage.pending().isEmpty)
      #expect(stage.transport.sentCount == 1)
      _ = inbox.notifications()
      _ = inbox.notifications().makeAsyncIterator()
      #expect(await stage.pending().isEmpty, "neither sequence nor iterator asks for anything by itself")
    }
  }

  @Test func `each iteration is a walk of its own from the beginning`() {
    play { stage in
      let walks = [Walk(stage), Walk(stage)]
      for _ in 0..<2 { try await stage.answer(.page(["a"], next: "\"c\"")) }
      #expect(await stage.pending().map(\.query) == ["cursor=c", "cursor=c"])
      for _ in 0..<2 { try await stage.answer(.page(["b"])) }
      #expect(walks.allSatisfy { $0.given == ["a", "b"] && $0.hasEnded })
    }
  }

  @Test func `list itself keeps no state`() {
    play { stage in
      for cursor in [nil, "x", "x", "", nil] as [String?] {
        let call = stage.list(cursor: cursor)
        #expect(await stage.pending().first?.query == cursor.map { "cursor=\($0)" })
        try await stage.answer(.page(["a", "a"], next: "\"x\""))
        #expect(call.value?.items.map(\.id) == ["a", "a"])
        #expect(call.value?.nextCursor == "x")
      }
    }
  }

  @Test func `an error is thrown after what was given and ends the walk`() {
    play { stage in
      let iterated = stage.ask { [inbox = try #require(stage.inbox)] () -> [String] in
        var iterator = inbox.notifications().makeAsyncIterator()
        var log: [String] = []
        for _ in 0..<5 {
          do { log.append(try await iterator.next()?.id ?? "end") } catch { log.append("\(error)") }
        }
        return log
      }
      try await stage.answer(.page(["a"], next: "\"c\""))
      try await stage.answer(.error("boom"), status: 500)
      let error = FeatureControlError.server(code: "boom", status: 500)
      #expect(iterated.value == ["a", "\(error)", "end", "end", "end"])
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test func `cancelling the loop cancels its request and ends it at once`() {
    play { stage in
      let walk = Walk(stage)
      let other = Walk(stage)
      #expect(await stage.pending().count == 2)
      walk.call.cancel()
      await stage.idle()
      #expect(walk.call.threwCancellation)
      #expect(stage.transport.cancelled.count == 1)
      try await stage.answer(.page(["a"]))
      #expect(other.given == ["a"] && other.hasEnded, "the other loop goes on")
    }
  }

  @Test func `a walk of a closed client throws`() {
    play { stage in
      let walk = Walk(stage)
      try await stage.answer(.page(["a"], next: "\"c\""))
      stage.inbox?.close()
      await stage.idle()
      #expect(isTransport(walk.call.error, "closed"))
      #expect(walk.given == ["a"])
    }
  }

  @Test func `items that do not decode are skipped, counted and no reason to stop`() {
    play { stage in
      let walk = Walk(stage)
      try await stage.answer(#"{"items":[7],"nextCursor":"c"}"#)
      try await stage.answer(#"{"items":[{"id":"a"},{}]}"#)
      #expect(walk.given == ["a"] && walk.hasEnded)
      #expect(stage.inbox?.skippedItemCount == 2)
    }
  }
}
