import Events
import Testing

@Suite struct EventTests {
  /// For each kind of event one, and for each field of it another that differs in this field only.
  static let variants: [Event] =
    [
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 5)),
      .callBegan(CallID(9), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 5)),
      .callBegan(CallID(1), ReaderID(9), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 5)),
      .callBegan(CallID(1), ReaderID(2), InstanceID(9), .evaluate, RequestKey(request: 4, cacheKey: 5)),
      .callBegan(
        CallID(1), ReaderID(2), InstanceID(3), .evaluateOrThrow, RequestKey(request: 4, cacheKey: 5)),
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .invalidate, RequestKey(request: 4, cacheKey: 5)),
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 9, cacheKey: 5)),
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 9)),
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 0, cacheKey: 0)),
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, nil),
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .refresh, nil),
      .callBegan(CallID(1), ReaderID(2), InstanceID(3), .capture, nil),
      .callCancelled(CallID(1)), .callCancelled(CallID(2)),
      .callReturned(CallID(1), .answered([])), .callReturned(CallID(2), .answered([])),
      .callReturned(CallID(1), .finished), .callReturned(CallID(1), .cancelled),
      .callReturned(CallID(1), .failed(.server, status: 500)),
      .callReturned(CallID(1), .failed(.server, status: 503)),
      .callReturned(CallID(1), .failed(.transport, status: 500)),
      .callReturned(CallID(1), .failed(.readerChanged, status: 500)),
      .callReturned(CallID(1), .failed(.closed, status: 500)),
      .callReturned(CallID(1), .answered([KeyAnswer(key: 0, origin: .fresh, serial: Serial(1))])),
      .callReturned(CallID(1), .answered([KeyAnswer(key: 1, origin: .fresh, serial: Serial(1))])),
      .callReturned(CallID(1), .answered([KeyAnswer(key: 0, origin: .stale, serial: Serial(1))])),
      .callReturned(CallID(1), .answered([KeyAnswer(key: 0, origin: .fresh, serial: Serial(2))])),
      .callReturned(CallID(1), .answered([KeyAnswer(key: 0, origin: .fresh, serial: nil)])),
      .callReturned(
        CallID(1),
        .answered([
          KeyAnswer(key: 0, origin: .fresh, serial: Serial(1)),
          KeyAnswer(key: 1, origin: .default, serial: nil),
        ])),
      .requestStarted(RequestID(1), InstanceID(2), .evaluate, RequestKey(request: 3, cacheKey: 4)),
      .requestStarted(RequestID(9), InstanceID(2), .evaluate, RequestKey(request: 3, cacheKey: 4)),
      .requestStarted(RequestID(1), InstanceID(9), .evaluate, RequestKey(request: 3, cacheKey: 4)),
      .requestStarted(RequestID(1), InstanceID(2), .evaluate, RequestKey(request: 9, cacheKey: 4)),
      .requestStarted(RequestID(1), InstanceID(2), .evaluate, RequestKey(request: 3, cacheKey: 9)),
      .requestStarted(RequestID(1), InstanceID(2), .evaluate, nil),
      .requestArrived(RequestID(1)), .requestArrived(RequestID(2)),
      .answerProduced(RequestID(1), Serial(2), status: 200),
      .answerProduced(RequestID(9), Serial(2), status: 200),
      .answerProduced(RequestID(1), Serial(9), status: 200),
      .answerProduced(RequestID(1), Serial(2), status: 500),
      .requestCancelled(RequestID(1)), .requestCancelled(RequestID(2)),
      .requestCompleted(RequestID(1), .lost), .requestCompleted(RequestID(2), .lost),
      .requestCompleted(RequestID(1), .cancelled),
      .requestCompleted(RequestID(1), .answered(status: 200, serial: Serial(1))),
      .requestCompleted(RequestID(1), .answered(status: 500, serial: Serial(1))),
      .requestCompleted(RequestID(1), .answered(status: 200, serial: Serial(2))),
      .requestCompleted(RequestID(1), .answered(status: 200, serial: nil)),
      .published(version: 1), .published(version: 2),
      .instanceClosed(InstanceID(1)), .instanceClosed(InstanceID(2)),
      .leftover(InstanceID(1), .task, count: 0), .leftover(InstanceID(2), .task, count: 0),
      .leftover(nil, .task, count: 0), .leftover(InstanceID(1), .timer, count: 0),
      .leftover(InstanceID(1), .request, count: 0), .leftover(InstanceID(1), .continuation, count: 0),
      .leftover(InstanceID(1), .memory, count: 0), .leftover(InstanceID(1), .task, count: 1),
      .escaped(.globalExecutor), .escaped(.foreignThread),
      .reran(first: digest(1), second: digest(1)), .reran(first: digest(2), second: digest(1)),
      .reran(first: digest(1), second: digest(2)),
    ] + answers + flights + crossings + phases + DeviceEventVariants.all.map(Event.device)

  private static let answers: [Event] = [
    .callReturned(
      CallID(1), .answered([KeyAnswer(key: 0, origin: .fresh, serial: Serial(1), isIntact: false)])),
    .callReturned(CallID(1), .listed([], isComplete: true)),
    .callReturned(CallID(1), .listed([], isComplete: false)),
    .callReturned(CallID(1), .listed([1], isComplete: true)),
    .callReturned(CallID(1), .listed([1, 2], isComplete: true)),
  ]

  private static let flights: [Event] = [
    .flightBegan(RequestID(1), InstanceID(2), .evaluate, RequestKey(request: 3, cacheKey: 4)),
    .flightBegan(RequestID(9), InstanceID(2), .evaluate, RequestKey(request: 3, cacheKey: 4)),
    .flightBegan(RequestID(1), InstanceID(9), .evaluate, RequestKey(request: 3, cacheKey: 4)),
    .flightBegan(RequestID(1), InstanceID(2), .telemetry, nil),
    .flightBegan(RequestID(1), InstanceID(2), .notifications, nil),
    .flightBegan(RequestID(1), InstanceID(2), .read, nil),
    .flightBegan(RequestID(1), InstanceID(2), .readAll, nil),
    .flightBegan(RequestID(1), InstanceID(2), .snapshot, nil),
    .flightBegan(RequestID(1), InstanceID(2), .delta, nil),
    .flightBegan(RequestID(1), InstanceID(2), .events, nil),
    .flightBegan(RequestID(1), InstanceID(2), .realtime, nil),
    .authorized(RequestID(1), token: 1), .authorized(RequestID(2), token: 1),
    .authorized(RequestID(1), token: 2),
    .authorized(RequestID(1), token: nil), .authorized(RequestID(1), token: 0),
    .tokenSent(RequestID(1), token: 1), .tokenSent(RequestID(2), token: 1),
    .tokenSent(RequestID(1), token: 2),
    .tokenSent(RequestID(1), token: nil), .tokenSent(RequestID(1), token: 0),
  ]

  private static let crossings: [Event] = [
    .requestFlawed(RequestID(1), .path), .requestFlawed(RequestID(2), .path),
    .requestFlawed(RequestID(1), .limits),
    .patienceAsked(RequestID(1), nanoseconds: 1), .patienceAsked(RequestID(2), nanoseconds: 1),
    .patienceAsked(RequestID(1), nanoseconds: 2),
    .answerShaped(Serial(1), omitted: [], undecodable: []),
    .answerShaped(Serial(2), omitted: [], undecodable: []),
    .answerShaped(Serial(1), omitted: [1], undecodable: []),
    .answerShaped(Serial(1), omitted: [], undecodable: [1]),
    .pageDelivered(RequestID(1), CallID(1), InboxPage(asked: nil, items: [], next: nil)),
    .pageDelivered(RequestID(2), CallID(1), InboxPage(asked: nil, items: [], next: nil)),
    .pageDelivered(RequestID(1), CallID(2), InboxPage(asked: nil, items: [], next: nil)),
    .pageDelivered(RequestID(1), CallID(1), InboxPage(asked: 0, items: [], next: nil)),
    .pageDelivered(RequestID(1), CallID(1), InboxPage(asked: nil, items: [1], next: nil)),
    .pageDelivered(RequestID(1), CallID(1), InboxPage(asked: nil, items: [], next: 0)),
    .batchSent(RequestID(1), []), .batchSent(RequestID(2), []), .batchSent(RequestID(1), [1]),
    .batchSent(RequestID(1), [1, 2]), .batchSent(RequestID(1), [2, 1]),
    .exposureRecorded(CallID(1), InstanceID(1), 1), .exposureRecorded(CallID(2), InstanceID(1), 1),
    .exposureRecorded(CallID(1), InstanceID(2), 1), .exposureRecorded(CallID(1), InstanceID(1), 2),
    .exposuresCounted(InstanceID(1), ExposureTally(dropped: 0, failed: 0, pending: 0)),
    .exposuresCounted(InstanceID(2), ExposureTally(dropped: 0, failed: 0, pending: 0)),
    .exposuresCounted(InstanceID(1), ExposureTally(dropped: 1, failed: 0, pending: 0)),
    .exposuresCounted(InstanceID(1), ExposureTally(dropped: 0, failed: 1, pending: 0)),
    .exposuresCounted(InstanceID(1), ExposureTally(dropped: 0, failed: 0, pending: 1)),
  ]

  private static let phases: [Event] = [
    .marked(.published), .marked(.invalidated), .marked(.faultEnded), .marked(.switched), .marked(.flushed),
    .marked(.disconnected), .marked(.launched),
    .healed(largestLatency: 1), .healed(largestLatency: 2),
    .recoveryAwaited(InstanceID(1)), .recoveryAwaited(InstanceID(2)),
    .recovered(InstanceID(1), differing: 0), .recovered(InstanceID(2), differing: 0),
    .recovered(InstanceID(1), differing: 1), .stalled,
  ]

  private static func digest(_ number: UInt64) -> Digest {
    var digest = Digest()
    digest.mix(number)
    return digest
  }

  /// A number for each kind; a new kind does not compile until it has one, and fails until it has a variant.
  private static func kind(_ event: Event) -> Int {
    switch event {
    case .callBegan: 0
    case .callCancelled: 1
    case .callReturned: 2
    case .requestStarted: 3
    case .requestArrived: 4
    case .answerProduced: 5
    case .requestCancelled: 6
    case .requestCompleted: 7
    case .published: 8
    case .instanceClosed: 9
    case .leftover: 10
    case .escaped: 11
    case .reran: 12
    case .flightBegan: 13
    case .authorized: 14
    case .tokenSent: 15
    case .requestFlawed: 16
    case .patienceAsked: 17
    case .answerShaped: 18
    case .pageDelivered: 19
    case .batchSent: 20
    case .exposureRecorded: 21
    case .exposuresCounted: 22
    case .marked: 23
    case .healed: 24
    case .recoveryAwaited: 25
    case .recovered: 26
    case .stalled: 27
    case .device: 28
    }
  }

  @Test func `every kind of event has a variant here`() {
    #expect(Set(Self.variants.map(Self.kind)) == Set(0...28))
    #expect(
      Set(DeviceEventVariants.all.map(DeviceEventVariants.kind)) == Set(0..<DeviceEventVariants.kindCount))
  }

  @Test func `events that differ in one field differ in the digest`() {
    var owners: [Digest: Event] = [:]
    for event in Self.variants {
      var digest = Digest()
      event.mix(into: &digest)
      if let owner = owners[digest] { Issue.record("the same digest: \(owner) and \(event)") }
      owners[digest] = event
    }
  }

  @Test func `an event moves the digest on from where it is`() {
    for event in Self.variants {
      var once = Digest()
      event.mix(into: &once)
      var twice = once
      event.mix(into: &twice)
      #expect(twice != once && once != Digest(), "\(event)")
      var again = Digest()
      event.mix(into: &again)
      #expect(again == once, "\(event)")
    }
  }

  @Test func `the order of two events matters`() {
    for (left, right) in zip(Self.variants, Self.variants.dropFirst()) {
      var forward = Digest()
      left.mix(into: &forward)
      right.mix(into: &forward)
      var backward = Digest()
      right.mix(into: &backward)
      left.mix(into: &backward)
      #expect(forward != backward, "\(left) and \(right)")
    }
  }

  @Test func `every event is one line that names what it is about`() {
    for event in Self.variants {
      #expect(!"\(event)".isEmpty && !"\(event)".contains("\n"))
      // No raw Swift: what people read are words.
      #expect(!"\(event)".contains("rawValue") && !"\(event)".contains("Optional("), "\(event)")
    }
  }
}
