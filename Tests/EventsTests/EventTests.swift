import Events
import Testing

@Suite struct EventTests {
  /// For each kind of event one, and for each field of it another that differs in this field only.
  static let variants: [Event] = [
    .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 5)),
    .callBegan(CallID(9), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 5)),
    .callBegan(CallID(1), ReaderID(9), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 5)),
    .callBegan(CallID(1), ReaderID(2), InstanceID(9), .evaluate, RequestKey(request: 4, cacheKey: 5)),
    .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluateOrThrow, RequestKey(request: 4, cacheKey: 5)),
    .callBegan(CallID(1), ReaderID(2), InstanceID(3), .invalidate, RequestKey(request: 4, cacheKey: 5)),
    .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 9, cacheKey: 5)),
    .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 4, cacheKey: 9)),
    .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, RequestKey(request: 0, cacheKey: 0)),
    .callBegan(CallID(1), ReaderID(2), InstanceID(3), .evaluate, nil),
    .callCancelled(CallID(1)), .callCancelled(CallID(2)),
    .callReturned(CallID(1), .answered([])), .callReturned(CallID(2), .answered([])),
    .callReturned(CallID(1), .finished), .callReturned(CallID(1), .cancelled),
    .callReturned(CallID(1), .failed(.server, status: 500)),
    .callReturned(CallID(1), .failed(.server, status: 503)),
    .callReturned(CallID(1), .failed(.transport, status: 500)),
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
    }
  }

  @Test func `every kind of event has a variant here`() {
    #expect(Set(Self.variants.map(Self.kind)) == Set(0...12))
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
