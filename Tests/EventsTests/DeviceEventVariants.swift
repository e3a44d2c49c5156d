import Events

/// For each kind of event of a device one, and for each field of it another that differs in this field only.
enum DeviceEventVariants {
  static let all: [DeviceEvent] = lives + exchanges + batches + reads + notices + records + sockets

  /// A number for each kind; a new kind does not compile until it has one, and fails until it has a variant.
  static func kind(_ event: DeviceEvent) -> Int {
    switch event {
    case .launched: 0
    case .started: 1
    case .killed: 2
    case .readerChanging: 3
    case .readerChanged: 4
    case .moved: 5
    case .consentChanged: 6
    case .analyticsUsed: 7
    case .queried: 8
    case .served: 9
    case .damaged: 10
    case .batchSent: 11
    case .eventsCounted: 12
    case .read: 13
    case .held: 14
    case .told: 15
    case .observed: 16
    case .recordWriteBegan: 17
    case .recordWriteEnded: 18
    case .recordFound: 19
    case .socketChanged: 20
    case .joinAsked: 21
    case .noticed: 22
    case .tallied: 23
    case .socketSilenced: 24
    }
  }

  /// How many kinds there are.
  static let kindCount = 25

  private static let one = InstanceID(1)
  private static let two = InstanceID(2)
  private static let request = RequestID(1)
  private static let value = FlagValue(flag: 1, digest: 2, type: .bool, source: .default)
  private static let content = ContentDigest([value])

  private static let lives: [DeviceEvent] = [
    .launched(one, .user(1), context: 0), .launched(two, .user(1), context: 0),
    .launched(one, .user(2), context: 0), .launched(one, .install(one), context: 0),
    .launched(one, .user(1), context: 1),
    .started(one), .started(two), .killed(one), .killed(two),
    .readerChanging(one, to: .user(1)), .readerChanging(two, to: .user(1)),
    .readerChanging(one, to: .install(one)),
    .readerChanged(one), .readerChanged(two),
    .moved(one, isForeground: true), .moved(two, isForeground: true), .moved(one, isForeground: false),
    .consentChanged(one, isGiven: true), .consentChanged(two, isGiven: true),
    .consentChanged(one, isGiven: false),
    .analyticsUsed(one), .analyticsUsed(two),
  ]

  private static let exchanges: [DeviceEvent] = [
    .queried(request, FlagsQuery(subject: .user(1), context: 1)),
    .queried(RequestID(2), FlagsQuery(subject: .user(1), context: 1)),
    .queried(request, FlagsQuery(subject: .user(2), context: 1)),
    .queried(request, FlagsQuery(subject: nil, context: 1)),
    .queried(request, FlagsQuery(subject: .user(1), context: 2)),
    .queried(request, FlagsQuery(subject: .user(1), context: nil)),
    .queried(request, FlagsQuery(subject: .user(1), context: 1, since: 3)),
    .queried(request, FlagsQuery(subject: .user(1), context: 1, since: 4)),
    .queried(request, FlagsQuery(subject: .user(1), context: 1, etag: 3)),
    served(), served(request: RequestID(2)), served(subject: .user(2)), served(subject: nil),
    served(version: 2), served(etag: 2), served(etag: nil), served(whole: ContentDigest()),
    served(.snapshot([])), served(.snapshot([value, value])),
    served(.snapshot([FlagValue(flag: 9, digest: 2, type: .bool, source: .default)])),
    served(.snapshot([FlagValue(flag: 1, digest: 9, type: .bool, source: .default)])),
    served(.snapshot([FlagValue(flag: 1, digest: 2, type: .string, source: .default)])),
    served(.snapshot([FlagValue(flag: 1, digest: 2, type: .bool, source: .experiment)])),
    served(.snapshot([FlagValue(flag: 1, digest: 2, type: .bool, source: .default, assignment: 1)])),
    served(.delta(since: 1, changed: [value], deleted: [])),
    served(.delta(since: 2, changed: [value], deleted: [])),
    served(.delta(since: 1, changed: [], deleted: [])),
    served(.delta(since: 1, changed: [value], deleted: [4])),
    served(.notModified), served(.gone(.contextChanged)), served(.gone(.audiencesChanged)),
    served(.gone(.deletionsExpired)), served(.refused),
    .damaged(request, .none), .damaged(RequestID(2), .none), .damaged(request, .unusable),
    .damaged(request, .undecodable([])), .damaged(request, .undecodable([1])),
  ]

  private static func served(
    _ kind: ServedFlags.Kind = .snapshot([value]), request: RequestID = request, subject: Subject? = .user(1),
    version: Int64 = 1, etag: UInt64? = 1, whole: ContentDigest = content
  ) -> DeviceEvent {
    .served(request, ServedFlags(subject: subject, kind: kind, version: version, etag: etag, whole: whole))
  }

  private static let batches: [DeviceEvent] = [
    batch(), batch(request: RequestID(2)), batch(subject: .user(2)), batch(subject: nil), batch(id: 2),
    batch(bytes: 2), batch([]), batch([event(id: 2)]), batch([event(session: 2)]), batch([event(.other)]),
    batch([event(.captured(2))]), batch([event(.exposure(flag: 1, assignment: 1))]),
    batch([event(.exposure(flag: 2, assignment: 1))]), batch([event(.exposure(flag: 1, assignment: nil))]),
    .eventsCounted(request, []), .eventsCounted(RequestID(2), []), .eventsCounted(request, [1]),
    .eventsCounted(request, [1, 2]),
    tallied(), tallied(two), tallied(recorded: 9), tallied(sent: 9), tallied(dropped: 9), tallied(pending: 9),
  ]

  private static func event(
    _ kind: AnalyticsEvent.Kind = .captured(1), id: UInt64 = 1, session: UInt64 = 1
  ) -> AnalyticsEvent {
    AnalyticsEvent(id: id, session: session, kind: kind)
  }

  private static func batch(
    _ events: [AnalyticsEvent] = [event()], request: RequestID = request, subject: Subject? = .user(1),
    id: UInt64 = 1, bytes: UInt64 = 1
  ) -> DeviceEvent {
    .batchSent(request, AnalyticsBatch(subject: subject, id: id, bytes: bytes, events: events))
  }

  private static func tallied(
    _ instance: InstanceID = one, recorded: Int = 1, sent: Int = 1, dropped: Int = 1, pending: Int = 1
  ) -> DeviceEvent {
    .tallied(instance, AnalyticsTally(recorded: recorded, sent: sent, dropped: dropped, pending: pending))
  }

  private static let reads: [DeviceEvent] =
    [read(), read(two), read(reader: ReaderID(2)), read(isOnState: true), read(flag: 2)]
    + [ReadMethod.string, .number, .int, .decode, .value, .all, .source].map { read(method: $0) }
    + [.absent, .value(2), .source(.user), .source(.condition), .all(content), .all(ContentDigest())]
    .map { read(result: $0) }

  private static func read(
    _ instance: InstanceID = one, reader: ReaderID = ReaderID(1), method: ReadMethod = .bool,
    isOnState: Bool = false, flag: Int32 = 1, result: ReadResult = .value(1)
  ) -> DeviceEvent {
    .read(
      FlagRead(
        instance: instance, reader: reader, method: method, isOnState: isOnState, flag: flag, result: result))
  }

  private static let notices: [DeviceEvent] = [
    .held(one, HeldFlags(version: 1, content: content)), .held(two, HeldFlags(version: 1, content: content)),
    .held(one, HeldFlags(version: 2, content: content)),
    .held(one, HeldFlags(version: nil, content: content)),
    .held(one, HeldFlags(version: 1, content: ContentDigest())),
    .told(one, subscriber: 1, flags: [1]), .told(two, subscriber: 1, flags: [1]),
    .told(one, subscriber: 2, flags: [1]), .told(one, subscriber: 1, flags: []),
    .told(one, subscriber: 1, flags: [1, 2]),
    .observed(one, flag: 1), .observed(two, flag: 1), .observed(one, flag: 2), .observed(one, flag: nil),
  ]

  private static let stored = StoredFlags(subject: .user(1), context: 1, version: 1, content: content)

  private static let records: [DeviceEvent] =
    [
      .recordWriteBegan(one, write: 1, nil), .recordWriteBegan(two, write: 1, nil),
      .recordWriteBegan(one, write: 2, nil), .recordWriteBegan(one, write: 1, stored),
      .recordWriteEnded(one, write: 1, isDone: true), .recordWriteEnded(two, write: 1, isDone: true),
      .recordWriteEnded(one, write: 2, isDone: true), .recordWriteEnded(one, write: 1, isDone: false),
      .recordFound(one, .missing), .recordFound(two, .missing), .recordFound(one, .damaged),
      .recordFound(one, .unknownSchema),
    ]
    + [
      stored, StoredFlags(subject: .user(2), context: 1, version: 1, content: content),
      StoredFlags(subject: nil, context: 1, version: 1, content: content),
      StoredFlags(subject: .user(1), context: 2, version: 1, content: content),
      StoredFlags(subject: .user(1), context: nil, version: 1, content: content),
      StoredFlags(subject: .user(1), context: 1, version: 2, content: content),
      StoredFlags(subject: .user(1), context: 1, version: 1, content: ContentDigest()),
    ].map { .recordFound(one, .whole($0)) }

  private static let sockets: [DeviceEvent] = [
    .socketChanged(one, isOpen: true), .socketChanged(two, isOpen: true), .socketChanged(one, isOpen: false),
    .socketSilenced(one, lastFrame: 1), .socketSilenced(two, lastFrame: 1),
    .socketSilenced(one, lastFrame: 2),
    joinAsked(), joinAsked(two), joinAsked(topic: .project), joinAsked(topic: .unknown),
    joinAsked(topic: .reader(.user(2))), joinAsked(credential: .user(2)), joinAsked(credential: nil),
    joinAsked(isAccepted: false),
    .noticed(one, version: 1, isProjectWide: true), .noticed(two, version: 1, isProjectWide: true),
    .noticed(one, version: 2, isProjectWide: true), .noticed(one, version: 1, isProjectWide: false),
  ]

  private static func joinAsked(
    _ instance: InstanceID = one, topic: ChannelTopic = .reader(.user(1)), credential: Subject? = .user(1),
    isAccepted: Bool = true
  ) -> DeviceEvent {
    .joinAsked(instance, topic, credential: credential, isAccepted: isAccepted)
  }
}
