/// A bounded cache whose entries are fresh for a fixed time after their receipt, as a pure value.
///
/// Age counts from the receipt of the answer and an entry is fresh while `now − receipt < TTL`, so that at equality it
/// is stale (BEHAVIOUR rule 1.1). A stale entry stays: it is what a client falls back to when nothing newer can be had.
/// The least recently used entry goes first when the cache is full. Inlinable, because a fresh hit costs little more
/// than this look-up and unspecialised generic code would allocate in it.
public struct TTLCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// What the cache holds under a key.
  public enum Lookup: Sendable {
    /// An entry younger than the TTL.
    case fresh(Value)
    /// An entry at or past the TTL.
    case stale(Value)
    /// Nothing.
    case absent

    /// The entry, whatever its age.
    @inlinable
    public var value: Value? {
      switch self {
      case .fresh(let value), .stale(let value): value
      case .absent: nil
      }
    }
  }

  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var value: Value
    @usableFromInline var expiry: MonotonicInstant
    @usableFromInline var order: UInt64
    @usableFromInline var lastUse: UInt64

    @inlinable
    init(value: Value, expiry: MonotonicInstant, order: UInt64, lastUse: UInt64) {
      self.value = value
      self.expiry = expiry
      self.order = order
      self.lastUse = lastUse
    }
  }

  @usableFromInline var entries: [Key: Entry] = [:]
  @usableFromInline var uses: UInt64 = 0
  @usableFromInline let ttl: Duration
  @usableFromInline let capacity: Int

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - ttl: How long an entry is fresh; with zero or less none ever is.
  ///   - capacity: How many entries are kept, at least 1.
  @inlinable
  public init(ttl: Duration, capacity: Int) {
    self.ttl = ttl
    self.capacity = max(1, capacity)
  }

  /// How many entries are held.
  @inlinable
  public var count: Int { entries.count }

  /// Looks up an entry and counts that as a use.
  ///
  /// - Complexity: O(1) on average.
  /// - Parameters:
  ///   - key: The key.
  ///   - now: The present instant.
  /// - Returns: The entry and whether it is fresh.
  @inlinable
  public mutating func lookUp(_ key: Key, at now: MonotonicInstant) -> Lookup {
    guard let index = entries.index(forKey: key) else { return .absent }
    uses += 1
    entries.values[index].lastUse = uses
    let entry = entries.values[index]
    return now < entry.expiry ? .fresh(entry.value) : .stale(entry.value)
  }

  /// Keeps an entry, unless the one that is held was fetched by a later flight.
  ///
  /// - Complexity: O(1) on average, O(n) in the capacity when an entry must go.
  /// - Parameters:
  ///   - value: The entry.
  ///   - key: Its key.
  ///   - receipt: When the answer was received.
  ///   - order: The number of the flight that fetched it, in the order of the flights' beginning (BEHAVIOUR rule 1.3).
  @inlinable
  public mutating func store(_ value: Value, for key: Key, receipt: MonotonicInstant, order: UInt64) {
    if let held = entries[key], held.order > order { return }
    if entries[key] == nil, entries.count >= capacity, let oldest = leastRecentlyUsed() {
      entries[oldest] = nil
    }
    uses += 1
    entries[key] = Entry(value: value, expiry: receipt.advanced(by: ttl), order: order, lastUse: uses)
  }

  /// Drops every entry, stale ones too.
  @inlinable
  public mutating func removeAll() { entries.removeAll() }

  @inlinable
  func leastRecentlyUsed() -> Key? {
    // Uses are numbered, so the minimum is unique and does not depend on the order of the dictionary.
    entries.min { $0.value.lastUse < $1.value.lastUse }?.key
  }
}
