/// The last events of a run, kept so that a failure can show what led up to it.
public struct EventTrail: Sendable {
  /// One remembered event.
  public struct Entry: Sendable, Equatable {
    /// When it happened.
    public let stamp: Stamp
    /// What happened.
    public let event: Event
  }

  private var ring: [Entry] = []
  private var next = 0
  private let capacity: Int

  /// Creates an empty trail.
  ///
  /// - Parameter capacity: How many events are kept, at least 1.
  public init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Remembers an event and forgets the oldest one when the trail is full.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - event: What happened.
  ///   - stamp: When.
  public mutating func append(_ event: Event, at stamp: Stamp) {
    let entry = Entry(stamp: stamp, event: event)
    if ring.count < capacity {
      ring.append(entry)
    } else {
      ring[next] = entry
      next = (next + 1) % capacity
    }
  }

  /// The remembered events, oldest first.
  ///
  /// - Complexity: O(n) in the capacity.
  public var entries: [Entry] { Array(ring[next...] + ring[..<next]) }
}
