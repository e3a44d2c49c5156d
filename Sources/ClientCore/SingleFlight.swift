// One flight for many callers, as a pure state machine (BEHAVIOUR rules 1.2 and 1.3).
//
// A flight is one request on behalf of every caller that asked for exactly the same thing while it was under way. It
// belongs to the client: its first caller is a waiter like any other, and a waiter that is cancelled only leaves.
// The machine never calls anybody. Each input is one step under the owner's lock and returns what the owner must do
// after it has let go of the lock: start a request, resume waiters, cancel a request.
//
//             join (new key)                land
//   (nothing) ──────────────▶ joinable ───────────────▶ (gone, its waiters handed out)
//                              │    │  last waiter left
//                              │    └─────────────────▶ (gone, its request to be cancelled)
//                              │ fence
//                              ▼
//                            fenced ── land / last waiter left ─▶ (gone)
//
// A flight that landed, was fenced or lost its last waiter takes no new waiter, because it leaves `joinable` in that
// very step. What a flight fetched, and whether it may be kept, is not known here.

/// The number of a flight, counted from 1 in the order in which the flights of a client began.
public struct FlightID: Hashable, Sendable, Comparable {
  /// The number.
  public let rawValue: UInt64

  @inlinable
  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Returns whether the left flight began before the right one.
  @inlinable
  public static func < (left: FlightID, right: FlightID) -> Bool { left.rawValue < right.rawValue }
}

/// The number under which a caller waits, unique for the life of a client.
public struct WaiterID: Hashable, Sendable, Comparable {
  /// The number.
  public let rawValue: UInt64

  @inlinable
  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Returns whether the left number was given out before the right one.
  @inlinable
  public static func < (left: WaiterID, right: WaiterID) -> Bool { left.rawValue < right.rawValue }
}

/// The flights of one client that are under way, and who waits for each.
///
/// A value; the owner guards it with a lock. Inlinable, because it is on the path of every call and unspecialised
/// generic code would allocate at each step.
public struct SingleFlight<Key: Hashable & Sendable, Waiter: Sendable>: Sendable {
  /// What joining led to.
  public enum Join: Sendable, Equatable {
    /// No equal flight was under way: the owner must start the request of this new one.
    case began(FlightID)
    /// The caller now waits for a flight that was under way.
    case joined(FlightID)
  }

  /// What a waiter's leaving led to.
  public struct Departure: Sendable {
    /// Who left, to be answered by the owner.
    public let waiter: Waiter
    /// The flight whose last waiter this was: the owner must cancel its request.
    public let abandoned: FlightID?

    @inlinable
    init(waiter: Waiter, abandoned: FlightID?) {
      self.waiter = waiter
      self.abandoned = abandoned
    }
  }

  /// The callers of one flight by their numbers, in ascending order; one that left keeps its place, empty.
  @usableFromInline
  struct Flight: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var ids: [WaiterID] = []
    @usableFromInline var waiters: [Waiter?] = []
    @usableFromInline var liveCount = 0

    @inlinable
    init(key: Key) { self.key = key }

    /// The position of a number, or where it belongs.
    @inlinable
    func position(of id: WaiterID) -> Int {
      var low = 0
      var high = ids.count
      while low < high {
        let middle = (low + high) / 2
        if ids[middle] < id { low = middle + 1 } else { high = middle }
      }
      return low
    }

    @inlinable
    mutating func add(_ id: WaiterID, _ waiter: Waiter) {
      liveCount += 1
      // Numbers are given out just before callers join, so nearly always the new one is the largest.
      if let last = ids.last, id < last {
        let position = position(of: id)
        ids.insert(id, at: position)
        waiters.insert(waiter, at: position)
      } else {
        ids.append(id)
        waiters.append(waiter)
      }
    }

    @inlinable
    mutating func remove(_ id: WaiterID) -> Waiter? {
      let position = position(of: id)
      guard position < ids.count, ids[position] == id, let waiter = waiters[position] else { return nil }
      waiters[position] = nil
      liveCount -= 1
      return waiter
    }
  }

  @usableFromInline var flights: [FlightID: Flight] = [:]
  @usableFromInline var joinable: [Key: FlightID] = [:]
  @usableFromInline var lastFlight: UInt64 = 0
  @usableFromInline var lastWaiter: UInt64 = 0

  /// Creates a machine without flights.
  @inlinable
  public init() {}

  /// How many flights are under way, fenced ones included.
  @inlinable
  public var count: Int { flights.count }

  /// Tells whether a flight is under way.
  ///
  /// - Complexity: O(1) on average.
  /// - Parameter flight: The flight.
  /// - Returns: Whether it has neither landed nor lost its last waiter.
  @inlinable
  public func contains(_ flight: FlightID) -> Bool { flights[flight] != nil }

  /// Gives out the number under which a caller will wait, so that its cancellation can name it from the start.
  ///
  /// - Complexity: O(1).
  /// - Returns: A number that was never given out before.
  @inlinable
  public mutating func makeWaiterID() -> WaiterID {
    lastWaiter += 1
    return WaiterID(rawValue: lastWaiter)
  }

  /// Lets a caller wait for the flight of a key, which begins if none is joinable.
  ///
  /// Looking and inserting are this one step, so two callers can never both begin.
  /// - Complexity: O(1) on average.
  /// - Parameters:
  ///   - key: The whole request.
  ///   - id: The caller's number, used once.
  ///   - waiter: What the owner needs to answer the caller.
  /// - Returns: Whether a flight began or was joined.
  @inlinable
  public mutating func join(_ key: Key, as id: WaiterID, waiter: Waiter) -> Join {
    // By index, since writing through `flights[flight]?` allocates three times.
    if let flight = joinable[key], let index = flights.index(forKey: flight) {
      flights.values[index].add(id, waiter)
      return .joined(flight)
    }
    lastFlight += 1
    let flight = FlightID(rawValue: lastFlight)
    var new = Flight(key: key)
    new.add(id, waiter)
    flights[flight] = new
    joinable[key] = flight
    return .began(flight)
  }

  /// Ends a flight, whatever its outcome.
  ///
  /// - Complexity: O(n) in the number of its waiters.
  /// - Parameter flight: The flight whose outcome is there.
  /// - Returns: Its waiters in the order in which they asked; nil if the flight had ended before, in which case its
  ///   outcome must be dropped.
  @inlinable
  public mutating func land(_ flight: FlightID) -> [Waiter]? {
    guard let ended = remove(flight) else { return nil }
    return ended.waiters.compactMap { $0 }
  }

  /// Ends the wait of one caller.
  ///
  /// - Complexity: O(f log n) in the number of flights and of waiters.
  /// - Parameter id: The caller's number.
  /// - Returns: What the owner must do; nil if the caller does not wait (not yet, or no longer).
  @inlinable
  public mutating func leave(_ id: WaiterID) -> Departure? {
    // A number stands in one flight at most, so the order in which the flights are asked does not matter.
    // By hand, since iterating would hold a copy of the dictionary and every removal would copy the waiters.
    var index = flights.startIndex
    while index != flights.endIndex {
      guard let waiter = flights.values[index].remove(id) else {
        flights.formIndex(after: &index)
        continue
      }
      let flight = flights.keys[index]
      let isLast = flights.values[index].liveCount == 0
      if isLast { _ = remove(flight) }
      return Departure(waiter: waiter, abandoned: isLast ? flight : nil)
    }
    return nil
  }

  /// Lets every flight under way take no more waiters.
  ///
  /// Those who wait still get its outcome.
  /// - Complexity: O(n) in the number of joinable flights.
  @inlinable
  public mutating func fence() { joinable.removeAll() }

  /// Ends every flight at once.
  ///
  /// - Complexity: O(n log n) in the number of flights and of their waiters.
  /// - Returns: The flights in the order in which they began, each to be cancelled, with their waiters in order.
  @inlinable
  public mutating func landAll() -> [(flight: FlightID, waiters: [Waiter])] {
    flights.keys.sorted().map { flight in (flight, land(flight) ?? []) }
  }

  @inlinable
  mutating func remove(_ flight: FlightID) -> Flight? {
    guard let ended = flights.removeValue(forKey: flight) else { return nil }
    // Only its own entry: after a fence the key may belong to a newer flight.
    if joinable[ended.key] == flight { joinable[ended.key] = nil }
    return ended
  }
}
