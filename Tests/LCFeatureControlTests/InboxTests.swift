import ClientCore
import LCFeatureControl
import Testing

/// The three routes of the inbox: what is sent and how answers are read (BEHAVIOUR §2).
@Suite struct InboxTests {
  private static let base = "https://api.example.com/api/feature-control/notifications"

  // MARK: What is sent

  @Test func `a page is asked for with what is given and nothing else`() {
    let requests: [(Int?, String?, FeatureControlNotification.Status?, String)] = [
      (nil, nil, nil, ""), (20, nil, .unread, "?status=unread&limit=20"), (nil, "c1", nil, "?cursor=c1"),
      (1, "c2", .read, "?status=read&limit=1&cursor=c2"), (nil, "", nil, "?cursor="),
      (nil, nil, .init(rawValue: "archived"), "?status=archived"),
    ]
    play(seeds: 0..<2) { stage in
      for (limit, cursor, status, query) in requests {
        stage.list(status: status, limit: limit, cursor: cursor)
        let request = try #require(await stage.pending().first).request
        #expect(request.method == .get)
        #expect(request.url == Self.base + query)
        #expect(request.body == nil)
        #expect(
          request.headers == [HeaderField("Accept", "application/json"), HeaderField("X-BFF-Session", "s")])
        try await stage.answer(.page([]))
      }
    }
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("+&=#%?/", "%2B%26%3D%23%25%3F%2F"), ("ключ", "%D0%BA%D0%BB%D1%8E%D1%87"),
    ("é", "%C3%A9"),
    ("e\u{301}", "e%CC%81"), ("\u{1F600}", "%F0%9F%98%80"), ("\n\u{0}\u{7F}", "%0A%00%7F"),
    ("AZaz09-._~", "AZaz09-._~"),
    ("!*'();:@,[]\"<>\\^`{|}$", "%21%2A%27%28%29%3B%3A%40%2C%5B%5D%22%3C%3E%5C%5E%60%7B%7C%7D%24"),
  ])
  func `cursors, states and identifiers cross as they are`(text: String, encoded: String) {
    play(seeds: 0..<1) { stage in
      stage.list(status: .init(rawValue: text), cursor: text)
      #expect(await stage.pending().first?.query == "status=\(encoded)&cursor=\(encoded)")
      try await stage.answer(.page([]))
      let inbox = stage.inbox
      let mark = stage.ask { try await inbox?.markRead(id: text) }
      #expect(await stage.pending().first?.request.url == Self.base + "/\(encoded)/read")
      try await stage.answer("{}")
      #expect(mark.value != nil)
    }
  }

  @Test func `marking is a POST without a body`() {
    play(seeds: 0..<2) { stage in
      let calls = [Route.markRead.ask(stage), Route.markAllRead.ask(stage)]
      for path in ["/a/read", "/read-all"] {
        let request = try #require(await stage.pending().first { $0.request.url == Self.base + path })
        #expect(request.request.method == .post)
        #expect(request.request.body == nil)
        try await stage.answer("{}", to: request)
      }
      #expect(calls.allSatisfy { $0.value != nil })
    }
  }

  // An identifier that is no segment of a path would mark something else, or everything.
  @Test(arguments: ["", ".", ".."])
  func `an identifier that names another place is refused without a request`(id: String) {
    play(seeds: 0..<1) { stage in
      let inbox = stage.inbox
      let call = stage.ask { try await inbox?.markRead(id: id) }
      await stage.idle()
      #expect(isTransport(call.error, "no notification's identifier"))
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `marking read twice is two requests and no error`() {
    play { stage in
      for _ in 0..<2 {
        let call = Route.markRead.ask(stage)
        try await stage.answer("{}")
        #expect(call.value != nil)
      }
      #expect(stage.transport.sentCount == 2)
    }
  }

  @Test func `each call of list is a request of its own`() {
    play { stage in
      let calls = (0..<3).map { _ in stage.list() }
      #expect(await stage.pending().count == 3)
      for number in 0..<3 { try await stage.answer(.page(["\(number)"])) }
      #expect(Set(calls.map { $0.value?.items.first?.id }) == ["0", "1", "2"])
    }
  }

  // MARK: What is read

  @Test func `a page is read whole`() {
    play { stage in
      let call = stage.list()
      try await stage.answer(
        #"""
        {"items":[{"id":"n1","title":"Sale","body":"Now","status":"read","createdAt":"2026-01-01T00:00:00Z",
        "payload":{"deep":[1,null,true]},"badge":7},{"id":"n2"}],"nextCursor":"c","total":9}
        """#)
      #expect(
        call.value?.items == [
          FeatureControlNotification(
            id: "n1", title: "Sale", body: "Now", status: .read, createdAt: "2026-01-01T00:00:00Z",
            payload: ["deep": [1, nil, true]]),
          FeatureControlNotification(id: "n2"),
        ])
      #expect(call.value?.nextCursor == "c")
      #expect(stage.inbox?.skippedItemCount == 0)
    }
  }

  @Test(arguments: [#","nextCursor":null"#, ""])
  func `only absence or null means that there is no next page`(end: String) {
    play(seeds: 0..<1) { stage in
      let last = stage.list()
      try await stage.answer(#"{"items":[]\#(end)}"#)
      #expect(last.value != nil && last.value?.nextCursor == nil)
      let middle = stage.list()
      try await stage.answer(#"{"items":[],"nextCursor":""}"#)
      #expect(middle.value?.nextCursor == "", "an empty text is a cursor")
    }
  }

  @Test(arguments: [
    "null", "1", "\"n\"", "[]", "{}", #"{"id":null}"#, #"{"id":7}"#, #"{"id":""}"#, #"{"id":["n"]}"#,
    #"{"title":"no id"}"#,
  ])
  func `an item without a usable identifier is skipped and counted, and the rest is kept`(item: String) {
    play(seeds: 0..<1) { stage in
      for round in 1...2 {
        let call = stage.list()
        try await stage.answer(#"{"items":[{"id":"a"},\#(item),{"id":"b"}],"nextCursor":"c"}"#)
        #expect(call.value?.items.map(\.id) == ["a", "b"])
        #expect(call.value?.nextCursor == "c")
        #expect(stage.inbox?.skippedItemCount == round)
      }
    }
  }

  @Test(arguments: ["null", "1", "true", "[]", "{}"])
  func `a field of a wrong type is as good as missing`(value: String) {
    play(seeds: 0..<1) { stage in
      let call = stage.list()
      try await stage.answer(
        #"{"items":[{"id":"a","title":\#(value),"body":\#(value),"status":\#(value),"createdAt":\#(value)}]}"#
      )
      #expect(call.value?.items == [FeatureControlNotification(id: "a")])
      #expect(stage.inbox?.skippedItemCount == 0)
    }
  }

  @Test func `a state that is not known is kept as it is sent`() {
    play(seeds: 0..<1) { stage in
      let call = stage.list()
      try await stage.answer(#"{"items":[{"id":"a","status":"archived"}]}"#)
      #expect(call.value?.items.first?.status == .init(rawValue: "archived"))
    }
  }

  // PostHog/posthog-ios PR#709, DevCycleHQ/ios-client-sdk PR#231 and #234: casts that trapped.
  @Test(
    arguments: [
      "", " ", "null", "[]", "1", "{", "<html>504</html>", "{}", #"{"items":null}"#, #"{"items":{}}"#,
      #"{"items":"a"}"#, #"{"items":[],"nextCursor":1}"#, #"{"items":[],"nextCursor":false}"#,
      #"{"items":[],"nextCursor":{}}"#, #"{"items":[{"id":"a"}],"nextCursor":["c"]}"#,
      #"{"items":[{"id":"a"}"#, String(repeating: "[", count: 100_000),
    ])
  func `a body that is no page is a transport error`(body: String) {
    play(seeds: 0..<1) { stage in
      let call = stage.list()
      try await stage.answer(body)
      #expect(isTransport(call.error))
      #expect(stage.inbox?.skippedItemCount == 0)
      let next = stage.list()
      try await stage.answer(.page(["a"]))
      #expect(next.value?.items.map(\.id) == ["a"])
    }
  }

  // launchdarkly/ios-client-sdk changelog 5.4.2 to 5.4.4, amplitude PR#96: numbers too large for their type.
  @Test(arguments: ["1e400", String(repeating: "9", count: 500), "-1e400"])
  func `a number of any size in a payload does not trap`(number: String) {
    play(seeds: 0..<1) { stage in
      let call = stage.list()
      try await stage.answer(#"{"items":[{"id":"a","payload":[\#(number)]}]}"#)
      #expect(call.isAnswered)
      #expect(call.value?.items.first?.payload?.isWritable != false)
    }
  }

  @Test(
    arguments: [200, 201, 202, 204, 299], ["", "{}", #"{"unread":0}"#, #"{"error":false}"#])
  func `a mark is done with any good status, with a body or without`(status: Int, body: String) {
    for route in [Route.markRead, .markAllRead] {
      play(seeds: 0..<1) { stage in
        let call = route.ask(stage)
        try await stage.answer(body, status: status)
        #expect(call.value != nil)
      }
    }
  }

  // What answers in the service's stead, such as the page of a captive portal, has marked nothing.
  @Test(arguments: ["<html>Sign in to the network</html>", "{", "[]", "null", "\"ok\""])
  func `a mark that is answered with something else than an object is not done`(body: String) {
    for route in [Route.markRead, .markAllRead] {
      play(seeds: 0..<1) { stage in
        let call = route.ask(stage)
        try await stage.answer(body)
        #expect(isTransport(call.error))
      }
    }
  }
}
