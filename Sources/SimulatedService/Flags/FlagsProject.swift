/// The service of one flags project as a value: a request goes in, an answer comes out, and nothing else
/// happens.
///
/// It knows no clock, no network and no client: the time comes with each call. Equal calls in equal order
/// give equal bytes in every process. The contract is the table of BEHAVIOUR §3.
///
/// Every change that can alter what somebody gets makes a new version, and the states of the last versions
/// are kept whole. A delta is the difference of what two of them give the reader: no bookkeeping of changes
/// could be wrong about it. Notices are returned by the calls that cause them, for the simulator to send, to
/// lose or to delay.
///
/// Two things decide a reader's values that no version knows: what the app says about itself, and, if it was
/// changed unannounced, in which audiences the reader is. Both are answered with a 410:
/// - The context of a reader's last snapshot is remembered; a delta for another one is refused. Two devices
///   of one user that differ therefore take turns; no honest client is ever given a wrong delta by it.
/// - An unannounced change of audiences takes effect with the reader's next request for flags and moves the
///   version then, so that the version which the reader holds, current until now, is no base any more.
///
/// Not modelled: limits of rate, several projects, and a user's devices in different countries, unless the
/// requests say so.
public struct FlagsProject: Sendable {
  /// What the project held at first.
  public let plan: FlagsPlan
  /// The tokens that are accepted, by their generation.
  public var acceptedGenerations: ClosedRange<Int> = 0...Int.max
  /// How many events a batch may carry before it is answered 413; requests are judged by the contract's 50.
  public var eventLimit = EventBatch.limit

  let generator: FlagGenerator
  var state: ProjectState
  /// The states of the versions before, oldest first, without a gap.
  private var history: [ProjectState] = []
  /// The flags before each change that was not rolled back.
  private var undo: [[StoredFlag]] = []
  /// Unannounced changes, until the reader's next request.
  private var unannounced: [FlagsReader: ProjectState.Audiences] = [:]
  /// Notices of boundaries that were passed while a request was answered.
  private var waitingNotices: [FlagsNotice] = []

  // What the requests left behind.
  var answered: UInt64 = 0
  var etagSalt: UInt64 = 0
  var ledger = EventLedger()
  /// The first secret of each install, which is the right one.
  var secrets: [String: String] = [:]
  /// The context of each reader's last snapshot.
  var contexts: [FlagsReader: ReaderContext] = [:]

  /// Creates a project in version 1.
  ///
  /// - Complexity: O(*n* log *n*) in the number of flags.
  /// - Parameter plan: What it holds, and what it keeps.
  public init(_ plan: FlagsPlan) {
    self.plan = plan
    generator = FlagGenerator(plan)
    state = ProjectState(plan, generator.definitions(plan))
  }

  /// The version; it never falls.
  public var version: Int64 { state.version }

  /// The keys of all flags, sorted.
  ///
  /// - Complexity: O(*n*) in their number.
  public var keys: [String] { state.flags.map(\.key) }

  /// How many answers were given so far, which is the serial of the last one.
  public var answerCount: UInt64 { answered }

  /// How many events were counted, each id once.
  public var countedEvents: Int { ledger.counted.count }

  /// Returns whether an event was counted.
  ///
  /// - Parameter id: Its id.
  /// - Returns: Whether it was counted.
  public func hasCounted(_ id: String) -> Bool { ledger.counted.contains(id) }

  /// Returns how a flag is defined.
  ///
  /// - Complexity: O(log *n*) in the number of flags.
  /// - Parameter key: The key of the flag.
  /// - Returns: Its definition; nil if there is none.
  public func definition(of key: String) -> FlagDefinition? {
    state.place(of: key).map { state.flags[$0].definition }
  }

  /// Returns what the service resolves for a reader, by the very code that answers requests.
  ///
  /// An unannounced change of audiences is not in it before the reader's next request.
  /// - Complexity: O(*n*) in the number of flags.
  /// - Parameters:
  ///   - reader: The reader.
  ///   - context: What the app says about itself.
  ///   - now: The service's clock, in nanoseconds since 1970.
  /// - Returns: What the reader gets, sorted by key.
  public func resolve(_ reader: FlagsReader, _ context: ReaderContext, at now: Int64) -> [FlagEntry] {
    state.resolve(reader, context, clock: max(now, state.clock))
  }

  /// Returns the state as it was so many versions ago, as far as it is kept.
  func lagging(_ versions: Int) -> ProjectState {
    guard versions > 0, !history.isEmpty else { return state }
    return history[max(0, history.count - versions)]
  }

  /// Returns the state of a version; nil if it is not kept, or there is no such version yet.
  func state(of version: Int64) -> ProjectState? {
    if version == state.version { return state }
    guard let oldest = history.first?.version, version >= oldest, version < state.version else { return nil }
    return history[Int(version - oldest)]
  }

  // MARK: Moving on

  /// The next instant at which a condition on the clock turns; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the number of flags.
  /// - Parameter now: The service's clock, in nanoseconds since 1970.
  /// - Returns: The first such instant after `now` that was not passed yet.
  public func nextBoundary(after now: Int64) -> Int64? { state.boundary(after: max(now, state.clock)) }

  /// Moves the clock on; each boundary on the way makes a new version.
  ///
  /// An earlier instant changes nothing: the service's clock does not go back.
  /// - Complexity: O(*n*) in the number of flags, for each boundary.
  /// - Parameter now: The service's clock, in nanoseconds since 1970.
  /// - Returns: The notices to send, also those of boundaries that answered requests passed before.
  public mutating func advance(to now: Int64) -> [FlagsNotice] {
    pass(to: now)
    defer { waitingNotices = [] }
    return waitingNotices
  }

  /// Moves the clock on and keeps the notices for the next `advance`.
  mutating func pass(to now: Int64) {
    while let boundary = state.boundary(after: state.clock), boundary <= now {
      waitingNotices += change { $0.moveClock(to: boundary) }
    }
  }

  /// Makes a new version of the project.
  ///
  /// - Parameters:
  ///   - topic: The channel on which it is told.
  ///   - change: Changes the state, whose version has moved already.
  /// - Returns: The notice.
  mutating func change(
    toldOn topic: String = FlagsNotice.projectTopic, _ change: (inout ProjectState) -> Void
  ) -> [FlagsNotice] {
    history.append(state)
    if history.count > plan.historyLimit { history.removeFirst() }
    state.moveVersion()
    change(&state)
    return [FlagsNotice(topic: topic, version: state.version)]
  }

  /// Makes a new version with other flags, which can be rolled back; none if they are the same.
  mutating func changeFlags(_ change: (inout ProjectState) -> Void) -> [FlagsNotice] {
    let before = state.flags
    var changed = state
    change(&changed)
    guard changed.flags != before else { return [] }
    undo.append(before)
    if undo.count > plan.historyLimit { undo.removeFirst() }
    return self.change(toldOn: FlagsNotice.projectTopic, change)
  }

  /// The flags before the last change that was not rolled back, which then is.
  mutating func takeUndo() -> [StoredFlag]? { undo.popLast() }

  // MARK: Audiences

  /// What is known of a reader, unannounced changes included.
  func knownAudiences(of reader: FlagsReader) -> ProjectState.Audiences {
    unannounced[reader] ?? state.audiences(of: reader)
  }

  /// Changes what is known of a reader, now or with its next request.
  mutating func setAudiences(
    _ known: ProjectState.Audiences, of reader: FlagsReader, isAnnounced: Bool
  ) -> [FlagsNotice] {
    guard isAnnounced else {
      unannounced[reader] = known
      return []
    }
    unannounced[reader] = nil
    guard state.audiencesThatCount(for: reader) != state.audiencesThatCount(for: reader, known) else {
      state.setAudiences(known, of: reader)
      return []
    }
    return change(toldOn: reader.topic) { $0.setAudiences(known, of: reader) }
  }

  /// Lets what was changed unannounced take effect.
  mutating func settleAudiences(of reader: FlagsReader) {
    guard let known = unannounced[reader] else { return }
    _ = setAudiences(known, of: reader, isAnnounced: true)
  }
}

/// A word to readers that a newer version is there: the event `flags_changed` of a channel.
public struct FlagsNotice: Hashable, Sendable {
  /// The channel that tells of changes for everybody.
  public static let projectTopic = "flags:project"

  /// The channel: `flags:project` or `flags:reader:<id>`.
  public var topic: String
  /// The version.
  public var version: Int64

  /// Creates a notice.
  ///
  /// - Parameters:
  ///   - topic: The channel.
  ///   - version: The version.
  public init(topic: String, version: Int64) {
    self.topic = topic
    self.version = version
  }
}
