import ClientCore
import Synchronization

/// The project's socket: the shell around `SocketMachine`, which owns the lock, the tasks and the connection.
///
/// Frames wait in the order in which the machine wrote them and go out one at a time. The credential of a join is taken when
/// it goes out, and a connection that was begun in an earlier epoch sends none.
package final class RealtimeSocket: Sendable {
  private struct Listener {
    weak let listener: (any ChannelListener)?
  }

  /// What belongs to one connection, from the attempt on.
  private struct Link {
    let number: UInt64
    let epoch: UInt64
    var connection: (any RealtimeConnection)?
    var reader: SpawnedTask?
    var writer: SpawnedTask?
    var isWriting = false
    var outbox: [SocketMachine.Outgoing] = []
  }

  private struct State {
    var machine: SocketMachine
    var listeners: [String: Listener] = [:]
    var link: Link?
    var timer: (number: UInt64, task: SpawnedTask)?
  }

  private let wiring: Wiring
  private let keeper: IdentityKeeper
  private let install: InstallKeeper
  private let state: Mutex<State>

  init(_ wiring: Wiring, keeper: IdentityKeeper, install: InstallKeeper) {
    self.wiring = wiring
    self.keeper = keeper
    self.install = install
    state = Mutex(State(machine: SocketMachine(patience: wiring.configuration.requestTimeout)))
  }

  private var configuration: PalbaseConfiguration { wiring.configuration }
  private var environment: ClientEnvironment { wiring.environment }

  /// Joins a channel, connecting first if there is no connection.
  ///
  /// The channel is joined again on each later connection, until it is left. A channel that is joined already stays so and
  /// gets the new listener.
  /// - Parameters:
  ///   - topic: The channel.
  ///   - listener: Hears what happens on it; it is not kept alive.
  package func join(_ topic: String, listener: any ChannelListener) {
    perform { state, now in
      state.listeners[topic] = Listener(listener: listener)
      return state.machine.join(topic, at: now)
    }
  }

  /// Leaves a channel; with the last one the connection ends.
  ///
  /// - Parameter topic: The channel; one that is not joined is left already.
  package func leave(_ topic: String) {
    perform { state, now in
      state.listeners[topic] = nil
      return state.machine.leave(topic, at: now)
    }
  }

  /// Ends the connection before the modules hear of a change of reader.
  func hold() { perform { $0.machine.hold(at: $1) } }

  /// Connects again after the modules have heard of it.
  func release() { perform { $0.machine.release(at: $1) } }

  /// The app left the screen or comes back to it.
  func lifecycleChanged(_ event: LifecycleEvent) {
    perform { $0.machine.move(toBackground: event == .background, at: $1) }
  }

  /// Ends everything, for good.
  func close() {
    perform { state, now in
      state.listeners = [:]
      return state.machine.close(at: now)
    }
  }

  // MARK: Doing what the machine says

  /// What is done after the lock is let go.
  private enum Step {
    case connect(UInt64)
    case write(UInt64)
    case end(Link)
    case startTimer(UInt64, ClosedRange<Duration>)
    case cancel(SpawnedTask)
    case tell((any ChannelListener)?, SocketMachine.Action)
    case giveUp
  }

  private func perform(_ input: (inout State, MonotonicInstant) -> [SocketMachine.Action]) {
    let now = environment.clock.now
    let steps = state.withLock { state in
      let actions = input(&state, now)
      return actions.compactMap { take(in: $0, &state) }
    }
    for step in steps { take(step) }
  }

  /// The part of an action that belongs to the state, so that no other thread comes between.
  private func take(in action: SocketMachine.Action, _ state: inout State) -> Step? {
    switch action {
    case .connect(let number):
      state.link = Link(number: number, epoch: keeper.epoch)
      return .connect(number)
    case .disconnect(let number):
      guard let link = state.link, link.number == number else { return nil }
      state.link = nil
      return .end(link)
    case .send(let frame, let number):
      guard state.link?.number == number else { return nil }
      state.link?.outbox.append(frame)
      guard state.link?.isWriting == false else { return nil }
      state.link?.isWriting = true
      return .write(number)
    case .startTimer(let number, let range): return .startTimer(number, range)
    case .stopTimer(let number):
      guard let timer = state.timer, timer.number == number else { return nil }
      state.timer = nil
      return .cancel(timer.task)
    case .tellJoined(let topic, _), .tellRefused(let topic):
      return .tell(state.listeners[topic]?.listener, action)
    case .tellReceived(let frame): return .tell(state.listeners[frame.topic]?.listener, action)
    case .giveUp: return .giveUp
    }
  }

  private func take(_ step: Step) {
    switch step {
    case .connect(let number):
      let task = environment.spawner.spawn { [self] in await read(number) }
      if !keep(number, { $0.reader = task }) { task.cancel() }
    case .write(let number):
      let task = environment.spawner.spawn { [self] in await write(number) }
      if !keep(number, { $0.writer = task }) { task.cancel() }
    case .end(let link):
      link.connection?.close()
      link.reader?.cancel()
      link.writer?.cancel()
    case .startTimer(let number, let range): startTimer(number, range)
    case .cancel(let task): task.cancel()
    case .tell(let listener, let action): tell(listener, action)
    case .giveUp:
      configuration.log(
        "this platform has no sockets; changes are seen by refresh() and when the app comes back")
    }
  }

  private func tell(_ listener: (any ChannelListener)?, _ action: SocketMachine.Action) {
    switch action {
    case .tellJoined(let topic, let isRejoin): listener?.joined(topic, isRejoin: isRejoin)
    case .tellRefused(let topic): listener?.refused(topic)
    case .tellReceived(let frame):
      listener?.received(frame.event, payload: frame.payload, topic: frame.topic)
    case .connect, .disconnect, .send, .startTimer, .stopTimer, .giveUp: break
    }
  }

  private func startTimer(_ number: UInt64, _ range: ClosedRange<Duration>) {
    let gap = range.lowerBound == range.upperBound ? range.lowerBound : environment.random.duration(in: range)
    let deadline = environment.clock.now.advanced(by: gap)
    let task = environment.spawner.spawn { [self, clock = environment.clock] in
      guard (try? await clock.sleep(until: deadline)) != nil else { return }
      fire(number)
    }
    // Stopped before it is kept, or fired already: nobody would cancel it any more.
    let isAwaited = state.withLock { state in
      guard state.machine.timer == number else { return false }
      state.timer = (number, task)
      return true
    }
    if !isAwaited { task.cancel() }
  }

  /// Changes what belongs to a connection; false if it is not the present one.
  private func keep(_ number: UInt64, _ change: (inout Link) -> Void) -> Bool {
    state.withLock { state in
      guard var link = state.link, link.number == number else { return false }
      change(&link)
      state.link = link
      return true
    }
  }

  // MARK: The connection

  // Most of its life a connection waits for the next frame, one in every device of a fleet. What happens in between is kept
  // out of this function, because a waiting task holds on to the room of all its variables.
  private func read(_ number: UInt64) async {
    do {
      guard let connection = try await connect(number) else { return }
      while true { hear(try await connection.receive(), on: number) }
    } catch {
      lose(number, error)
    }
  }

  /// Opens a connection; nil if nobody wants it any more.
  private func connect(_ number: UInt64) async throws -> (any RealtimeConnection)? {
    // A join is sent at once when the connection is open: what it needs is there before.
    if keeper.identity.userID == nil, await install.identity() == nil { throw CancellationError() }
    let realtime = environment.realtime
    let connection = try await realtime.connect(upgrade())
    guard keep(number, connection) else {
      connection.close()
      return nil
    }
    open(number)
    return connection
  }

  @inline(never)
  private func keep(_ number: UInt64, _ connection: any RealtimeConnection) -> Bool {
    keep(number) { $0.connection = connection }
  }

  @inline(never)
  private func upgrade() -> TransportRequest {
    TransportRequest(
      method: .get, url: configuration.url("/realtime"),
      headers: [HeaderField("apikey", configuration.apiKey)])
  }

  @inline(never)
  private func open(_ number: UInt64) { perform { $0.machine.opened(number, at: $1) } }

  @inline(never)
  private func hear(_ text: String, on number: UInt64) {
    guard let frame = RealtimeFrame(text) else { return }
    perform { state, _ in state.machine.received(frame, on: number) }
  }

  @inline(never)
  private func lose(_ number: UInt64, _ error: any Error) {
    let isForGood = (error as? TransportError)?.code == .unavailable
    let patience = (error as? RealtimeRefusal).flatMap {
      RetryAfter.delay(of: $0.response, wallClock: environment.wallClock)
    }
    perform { $0.machine.lost(number, isForGood: isForGood, patience: patience, at: $1) }
  }

  @inline(never)
  private func fire(_ timer: UInt64) { perform { $0.machine.fired(timer, at: $1) } }

  private func write(_ number: UInt64) async {
    while let (connection, epoch, frame) = nextFrame(of: number) {
      guard let text = text(of: frame, epoch) else { continue }
      do {
        try await connection.send(text)
      } catch {
        return perform { $0.machine.lost(number, at: $1) }
      }
    }
  }

  private func nextFrame(
    of number: UInt64
  ) -> (connection: any RealtimeConnection, epoch: UInt64, frame: SocketMachine.Outgoing)? {
    state.withLock { state in
      guard let link = state.link, link.number == number, let connection = link.connection else { return nil }
      guard let frame = link.outbox.first else {
        state.link?.isWriting = false
        state.link?.writer = nil
        return nil
      }
      state.link?.outbox.removeFirst()
      return (connection, link.epoch, frame)
    }
  }

  /// The frame with the credential of this moment; nil if it must not go out any more.
  private func text(of frame: SocketMachine.Outgoing, _ epoch: UInt64) -> String? {
    switch frame {
    case .heartbeat(let ref):
      return RealtimeFrame(topic: RealtimeFrame.connection, event: "heartbeat", ref: ref).text
    case .leave(let topic, let ref): return RealtimeFrame(topic: topic, event: "leave", ref: ref).text
    case .join(let topic, let ref):
      let identity = keeper.identity
      guard identity.epoch == epoch else { return nil }
      let credential: JSONValue
      if let user = identity.user {
        credential = ["token": .string(user.token)]
      } else if let install = install.known {
        credential = ["install": .string(install.id), "secret": .string(install.secret)]
      } else {
        return nil
      }
      return RealtimeFrame(topic: topic, event: "join", payload: credential, ref: ref).text
    }
  }
}

extension RandomSource {
  /// Draws a duration evenly from a range.
  ///
  /// - Parameter range: The bounds, both included, at most 292 years apart; whole nanoseconds.
  /// - Returns: The duration.
  package func duration(in range: ClosedRange<Duration>) -> Duration {
    let (seconds, attoseconds) = (range.upperBound - range.lowerBound).components
    let span = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    return range.lowerBound + .nanoseconds(Int64(next().multipliedFullWidth(by: span + 1).high))
  }
}
