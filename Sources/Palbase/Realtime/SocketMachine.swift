import ClientCore

// The life of the project's socket, as a pure state machine: what happened goes in, what is to be done comes out.
//
// There is one connection at most, and it is there only while somebody has joined a channel, the app is on the screen and
// no change of reader is under way. Each connection, from the first attempt on, has a number: what an earlier one still
// has to say is recognised by it and ignored. There is one timer at most as well, whose meaning is the phase: the patience
// with an attempt, the next heartbeat, the next attempt.
//
// The rules are those of BEHAVIOUR §3, realtime. A join that is not answered for a whole beat counts like a heartbeat that
// is not: the connection is silent. Not modelled: a service that ends a channel without ending the connection.

/// Decides what becomes of the project's socket; knows no time, chance, task or network.
struct SocketMachine {
  /// What the shell is to do, in order.
  enum Action: Hashable, Sendable {
    /// Open the connection of this number.
    case connect(UInt64)
    /// End the connection or the attempt of this number.
    case disconnect(UInt64)
    /// Send a frame on the connection of this number.
    case send(Outgoing, on: UInt64)
    /// Report the timer of this number after a time drawn from the range.
    case startTimer(UInt64, after: ClosedRange<Duration>)
    /// Forget the timer of this number.
    case stopTimer(UInt64)
    /// Tell the listener of a channel that it is on it.
    case tellJoined(topic: String, isRejoin: Bool)
    /// Tell the listener of a channel that it is not let onto it.
    case tellRefused(topic: String)
    /// Tell the listener of a channel what was said on it.
    case tellReceived(RealtimeFrame)
    /// Say once that there will be no connection.
    case giveUp
  }

  /// A frame of the client; the credential of a join is added when it is sent.
  enum Outgoing: Hashable, Sendable {
    case join(topic: String, ref: String)
    case leave(topic: String, ref: String)
    case heartbeat(ref: String)
  }

  /// The time between two heartbeats.
  static let beat = Duration.seconds(30)
  /// How long a connection lives before the gaps start over.
  static let stability = Duration.seconds(60)
  /// The longest gaps after the n-th failure; the last one stays.
  static let gaps: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }

  private enum Phase {
    case idle
    case connecting(number: UInt64, timer: UInt64)
    case connected(number: UInt64, timer: UInt64, since: MonotonicInstant, unanswered: String?)
    case waiting(timer: UInt64)
  }

  private enum Standing: Equatable {
    case out
    case joining(ref: String, isOverdue: Bool)
    case joined
    case refused
  }

  private struct Channel {
    let topic: String
    var standing = Standing.out
    var hasBeenJoined = false
  }

  private let patience: Duration
  private var phase = Phase.idle
  private var channels: [Channel] = []
  private var failures = 0
  /// Before this instant the service wants no attempt (BEHAVIOUR rule 1.6).
  private var opens = MonotonicInstant(nanoseconds: .min)
  private var holds = 0
  private var isInBackground = false
  private var isUnavailable = false
  private var isClosed = false
  private var count: UInt64 = 0

  /// Creates the machine of a socket that nobody needs yet.
  ///
  /// - Parameter patience: How long an attempt to connect may take.
  init(patience: Duration) { self.patience = patience }

  /// The number of the present connection or attempt.
  var connection: UInt64? {
    switch phase {
    case .connecting(let number, _), .connected(let number, _, _, _): number
    case .idle, .waiting: nil
    }
  }

  /// The number of the timer that is awaited.
  var timer: UInt64? {
    switch phase {
    case .connecting(_, let timer), .connected(_, let timer, _, _), .waiting(let timer): timer
    case .idle: nil
    }
  }

  // MARK: What the client wants

  /// Somebody wants to be on a channel.
  mutating func join(_ topic: String, at now: MonotonicInstant) -> [Action] {
    guard !isClosed, index(of: topic) == nil else { return [] }
    channels.append(Channel(topic: topic))
    if case .connected(let number, _, _, _) = phase {
      return [ask(channels.count - 1, on: number)]
    }
    return settle(at: now)
  }

  /// Nobody wants to be on a channel any more.
  mutating func leave(_ topic: String, at now: MonotonicInstant) -> [Action] {
    guard let index = index(of: topic) else { return [] }
    let channel = channels.remove(at: index)
    var actions: [Action] = []
    if case .connected(let number, _, _, _) = phase, channel.standing != .refused, !channels.isEmpty {
      actions.append(.send(.leave(topic: topic, ref: makeRef()), on: number))
    }
    return actions + settle(at: now)
  }

  /// A change of reader begins: its connection ends, and none begins before the change is over.
  mutating func hold(at now: MonotonicInstant) -> [Action] {
    holds += 1
    return settle(at: now)
  }

  /// A change of reader is over: if it was the last one, the next connection begins at once.
  mutating func release(at now: MonotonicInstant) -> [Action] {
    holds -= 1
    return settle(at: now)
  }

  /// The app left the screen or comes back to it.
  mutating func move(toBackground: Bool, at now: MonotonicInstant) -> [Action] {
    isInBackground = toBackground
    guard case .waiting(let timer) = phase, !toBackground else { return settle(at: now) }
    // Whoever looks at the app again need not sit out a gap that began before.
    phase = .idle
    return [.stopTimer(timer)] + settle(at: now)
  }

  /// Nobody will want anything again.
  mutating func close(at now: MonotonicInstant) -> [Action] {
    isClosed = true
    channels = []
    return settle(at: now)
  }

  // MARK: What the connection does

  /// A connection is open.
  mutating func opened(_ number: UInt64, at now: MonotonicInstant) -> [Action] {
    guard case .connecting(number, let patience) = phase else { return [.disconnect(number)] }
    let timer = makeNumber()
    phase = .connected(number: number, timer: timer, since: now, unanswered: nil)
    return [.stopTimer(patience), .startTimer(timer, after: Self.beat...Self.beat)]
      + channels.indices.map { ask($0, on: number) }
  }

  /// A connection is over or could not be opened.
  ///
  /// - Parameters:
  ///   - number: The connection.
  ///   - isForGood: Whether there is no use in trying again.
  ///   - patience: For how long the service asks to be left alone, whoever wants a connection.
  ///   - now: The present instant.
  /// - Returns: What to do.
  mutating func lost(
    _ number: UInt64, isForGood: Bool = false, patience: Duration? = nil, at now: MonotonicInstant
  ) -> [Action] {
    if let patience { opens = max(opens, now.advanced(by: patience)) }
    guard connection == number else { return [] }
    var actions = drop(at: now)
    if isForGood {
      isUnavailable = true
      return actions + [.giveUp]
    }
    let longest = Self.gaps[min(failures, Self.gaps.count - 1)]
    failures += 1
    let rest = opens.remaining(at: now)
    actions.append(wait(max(longest / 2, rest)...max(longest, rest)))
    return actions
  }

  /// The time of a timer has come.
  mutating func fired(_ timer: UInt64, at now: MonotonicInstant) -> [Action] {
    guard self.timer == timer else { return [] }
    switch phase {
    case .idle: return []
    case .connecting(let number, _): return lost(number, at: now)
    case .waiting:
      phase = .idle
      return settle(at: now)
    case .connected(let number, _, let since, let unanswered):
      let isSilent = channels.contains {
        if case .joining(_, isOverdue: true) = $0.standing { true } else { false }
      }
      guard unanswered == nil, !isSilent else { return lost(number, at: now) }
      for index in channels.indices {
        if case .joining(let ref, _) = channels[index].standing {
          channels[index].standing = .joining(ref: ref, isOverdue: true)
        }
      }
      let ref = makeRef()
      let next = makeNumber()
      phase = .connected(number: number, timer: next, since: since, unanswered: ref)
      return [
        .send(.heartbeat(ref: ref), on: number), .startTimer(next, after: Self.beat...Self.beat),
      ]
    }
  }

  /// The project has sent a frame.
  mutating func received(_ frame: RealtimeFrame, on number: UInt64) -> [Action] {
    guard case .connected(number, let timer, let since, let unanswered) = phase else { return [] }
    if frame.event == "reply", frame.topic == RealtimeFrame.connection {
      if let ref = frame.ref, ref == unanswered {
        phase = .connected(number: number, timer: timer, since: since, unanswered: nil)
      }
      return []
    }
    guard let index = index(of: frame.topic) else { return [] }
    guard frame.event == "reply" else {
      return channels[index].standing == .refused ? [] : [.tellReceived(frame)]
    }
    guard case .joining(let ref, _) = channels[index].standing, ref == frame.ref else { return [] }
    guard frame.payload["status"]?.stringValue == "ok" else {
      channels[index].standing = .refused
      return [.tellRefused(topic: frame.topic)]
    }
    channels[index].standing = .joined
    defer { channels[index].hasBeenJoined = true }
    return [.tellJoined(topic: frame.topic, isRejoin: channels[index].hasBeenJoined)]
  }

  // MARK: Steps

  private var isWanted: Bool {
    !channels.isEmpty && holds == 0 && !isInBackground && !isUnavailable && !isClosed
  }

  /// Brings about what is wanted: a connection, or none.
  private mutating func settle(at now: MonotonicInstant) -> [Action] {
    switch phase {
    case .idle:
      guard isWanted else { return [] }
      let rest = opens.remaining(at: now)
      guard rest == .zero else { return [wait(rest...rest)] }
      let number = makeNumber()
      let timer = makeNumber()
      phase = .connecting(number: number, timer: timer)
      return [.startTimer(timer, after: patience...patience), .connect(number)]
    case .connecting, .connected, .waiting:
      return isWanted ? [] : drop(at: now)
    }
  }

  private mutating func wait(_ gap: ClosedRange<Duration>) -> Action {
    let timer = makeNumber()
    phase = .waiting(timer: timer)
    return .startTimer(timer, after: gap)
  }

  /// Ends what there is, without a next attempt.
  private mutating func drop(at now: MonotonicInstant) -> [Action] {
    var actions = timer.map { [Action.stopTimer($0)] } ?? []
    if let connection { actions.append(.disconnect(connection)) }
    if case .connected(_, _, let since, _) = phase, now >= since.advanced(by: Self.stability) { failures = 0 }
    phase = .idle
    for index in channels.indices { channels[index].standing = .out }
    return actions
  }

  private mutating func ask(_ index: Int, on number: UInt64) -> Action {
    let ref = makeRef()
    channels[index].standing = .joining(ref: ref, isOverdue: false)
    return .send(.join(topic: channels[index].topic, ref: ref), on: number)
  }

  private func index(of topic: String) -> Int? { channels.firstIndex { $0.topic == topic } }

  private mutating func makeNumber() -> UInt64 {
    count += 1
    return count
  }

  private mutating func makeRef() -> String { String(makeNumber()) }
}

extension MonotonicInstant {
  /// How long it is until this instant; zero once it has come.
  fileprivate func remaining(at now: MonotonicInstant) -> Duration {
    now < self ? .nanoseconds(nanoseconds - now.nanoseconds) : .zero
  }
}
