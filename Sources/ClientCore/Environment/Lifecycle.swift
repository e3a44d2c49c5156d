import Synchronization

/// A move of the app between the screen and the background.
public enum LifecycleEvent: Hashable, Sendable {
  /// The app has left the screen and may be suspended at any moment.
  case background
  /// The app is about to be on the screen again.
  case foreground
}

/// Tells when the app goes to the background and comes back.
public protocol Lifecycle: Sendable {
  /// Returns the events from this call on, for one subscriber.
  ///
  /// The sequence ends when its task is cancelled; letting go of it or of its iterator ends the subscription.
  func events() -> LifecycleEvents
}

/// The lifecycle events of one subscriber, in order.
///
/// It is bounded: a subscriber that falls behind finds the newest events only, so the last one it sees is
/// always the app's true state.
public struct LifecycleEvents: AsyncSequence, Sendable {
  /// How many events are kept for a subscriber that falls behind.
  public static let capacity = 8

  private let stream: AsyncStream<LifecycleEvent>

  /// Creates the sequence of one subscriber.
  ///
  /// - Parameter subscribe: Called once with the continuation that takes the events; sets its `onTermination`
  ///   so that nothing of the subscription is left afterwards.
  public init(_ subscribe: (AsyncStream<LifecycleEvent>.Continuation) -> Void) {
    stream = AsyncStream(bufferingPolicy: .bufferingNewest(Self.capacity), subscribe)
  }

  /// Iterates over the events of one subscriber.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<LifecycleEvent>.Iterator

    /// Waits for the next event.
    ///
    /// - Parameter actor: The isolation in which to wait.
    /// - Returns: The event, or nil when no more will come or the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> LifecycleEvent? {
      await base.next(isolation: actor)
    }

    /// Waits for the next event.
    ///
    /// - Returns: The event, or nil when no more will come or the task was cancelled.
    public mutating func next() async -> LifecycleEvent? { await base.next() }
  }

  /// Returns an iterator; the sequence serves one.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

/// A lifecycle whose events a test sends.
public final class ControllableLifecycle: Lifecycle {
  private struct State {
    var subscribers: [(number: UInt64, continuation: AsyncStream<LifecycleEvent>.Continuation)] = []
    var nextNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Creates a lifecycle without subscribers.
  public init() {}

  /// How many subscriptions have not ended: 0 proves that a closed client has let go of its own.
  public var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  /// Returns the events sent from this call on.
  public func events() -> LifecycleEvents {
    LifecycleEvents { continuation in
      let number = state.withLock { state in
        state.nextNumber += 1
        state.subscribers.append((state.nextNumber, continuation))
        return state.nextNumber
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { state in state.subscribers.removeAll { $0.number == number } }
      }
    }
  }

  /// Gives an event to every subscriber, in the order of subscribing.
  ///
  /// - Parameter event: The event.
  public func send(_ event: LifecycleEvent) {
    // Copied out first: a stream may end while it takes the event, and then asks for the lock itself.
    let subscribers = state.withLock { $0.subscribers }
    for subscriber in subscribers { subscriber.continuation.yield(event) }
  }
}

/// A lifecycle that must not be asked.
public struct UnimplementedLifecycle: Lifecycle {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a lifecycle that reports each subscription.
  ///
  /// - Parameter onUse: Called once for each subscription; by default the process ends with a message.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the subscription, then returns a sequence that has ended.
  public func events() -> LifecycleEvents {
    onUse(UnimplementedUse(effect: "Lifecycle", operation: "events()"))
    return LifecycleEvents { $0.finish() }
  }
}
