import Synchronization

/// Who listens for changed keys, and what each has still to hear: a value under the store's lock.
///
/// A listener that falls behind finds one set with the keys of all changes since, so that nothing is lost and nothing
/// grows beyond the number of flags (BEHAVIOUR rule 1.9). What a listener hears is decided when it takes the set and not when
/// it is woken: so no set of an earlier reader can overtake the change.
struct ChangeHub {
  typealias Waiter = CheckedContinuation<Void, Never>

  private struct Listener {
    let number: UInt64
    var keys: Set<String> = []
    var waiter: Waiter?
  }

  /// What a listener finds.
  enum Take {
    case keys(Set<String>)
    /// Nothing yet.
    case nothing
    /// Nothing any more.
    case ended
  }

  /// In the order of subscribing, in which they are woken.
  private var listeners: [Listener] = []
  private var count: UInt64 = 0
  private(set) var isEnded = false

  /// Enlists a listener, which hears of changes from now on.
  mutating func subscribe() -> UInt64 {
    count += 1
    if !isEnded { listeners.append(Listener(number: count)) }
    return count
  }

  /// Removes a listener.
  ///
  /// - Returns: Who must be woken to find that.
  mutating func unsubscribe(_ number: UInt64) -> Waiter? {
    index(of: number).flatMap { listeners.remove(at: $0).waiter }
  }

  /// Adds changed keys for everybody.
  ///
  /// - Returns: Who must be woken to take them.
  mutating func tell(_ keys: Set<String>) -> [Waiter] {
    listeners.indices.compactMap { index in
      listeners[index].keys.formUnion(keys)
      defer { listeners[index].waiter = nil }
      return listeners[index].waiter
    }
  }

  /// Takes what a listener has still to hear.
  mutating func take(_ number: UInt64) -> Take {
    guard let index = index(of: number) else { return .ended }
    if listeners[index].keys.isEmpty { return .nothing }
    defer { listeners[index].keys = [] }
    return .keys(listeners[index].keys)
  }

  /// Puts a listener to sleep until there is something to take.
  ///
  /// - Returns: Who must be woken at once: the waiter itself if there is something already, or one that it replaces.
  mutating func wait(_ number: UInt64, _ waiter: Waiter) -> Waiter? {
    guard let index = index(of: number), listeners[index].keys.isEmpty else { return waiter }
    defer { listeners[index].waiter = waiter }
    return listeners[index].waiter
  }

  /// Wakes a listener whose task was cancelled.
  mutating func wake(_ number: UInt64) -> Waiter? {
    guard let index = index(of: number) else { return nil }
    defer { listeners[index].waiter = nil }
    return listeners[index].waiter
  }

  /// Ends every subscription for good.
  mutating func end() -> [Waiter] {
    isEnded = true
    defer { listeners = [] }
    return listeners.compactMap(\.waiter)
  }

  private func index(of number: UInt64) -> Int? { listeners.firstIndex { $0.number == number } }
}
