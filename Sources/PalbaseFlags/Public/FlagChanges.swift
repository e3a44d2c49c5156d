/// The keys of changed flags, as one listener hears of them.
///
/// It is bounded by the number of flags: a listener that falls behind finds the keys of all changes since in one set. Letting
/// go of the sequence and its iterator ends the subscription.
public struct FlagChanges: AsyncSequence, Sendable {
  private let subscription: FlagSubscription

  init(_ store: FlagsStore?) { subscription = FlagSubscription(store) }

  /// Iterates over the changes of one listener.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: FlagSubscription

    /// Waits for the next changes.
    ///
    /// - Parameter actor: The isolation in which to wait.
    /// - Returns: The keys, at least one; nil when the client was closed or the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Set<String>? {
      await subscription.next()
    }

    /// Waits for the next changes.
    ///
    /// - Returns: The keys, at least one; nil when the client was closed or the task was cancelled.
    public mutating func next() async -> Set<String>? { await subscription.next() }
  }

  /// Returns an iterator; the sequence serves one at a time.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }
}

/// A place among the listeners, given up when nobody holds it any more.
final class FlagSubscription: Sendable {
  /// Weak: who listens does not keep a client's flags alive.
  private struct Place: Sendable {
    weak var store: FlagsStore?
    let listener: UInt64
  }

  private let place: Place?

  init(_ store: FlagsStore?) {
    place = store.map { Place(store: $0, listener: $0.subscribe()) }
  }

  deinit {
    if let place { place.store?.unsubscribe(place.listener) }
  }

  func next() async -> Set<String>? {
    guard let place else { return nil }
    return await place.store?.nextKeys(for: place.listener)
  }
}
