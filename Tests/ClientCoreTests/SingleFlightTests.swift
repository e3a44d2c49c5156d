import ClientCore
import Testing

/// Every transition of the drawing at the top of `SingleFlight.swift`.
@Suite struct SingleFlightTests {
  private typealias Flights = SingleFlight<String, String>

  private var flights = Flights()

  /// Lets a waiter in and returns its number and what joining led to.
  private mutating func enter(_ key: String, _ waiter: String) -> (id: WaiterID, join: Flights.Join) {
    let id = flights.makeWaiterID()
    return (id, flights.join(key, as: id, waiter: waiter))
  }

  private func flight(_ join: Flights.Join) -> FlightID {
    switch join {
    case .began(let flight), .joined(let flight): flight
    }
  }

  private func began(_ join: Flights.Join) -> FlightID? {
    if case .began(let flight) = join { flight } else { nil }
  }

  // MARK: nothing → joinable

  @Test mutating func `the first caller begins a flight and equal ones join it`() throws {
    let flight = try #require(began(enter("k", "first").join))
    #expect(enter("k", "second").join == .joined(flight))
    #expect(enter("k", "third").join == .joined(flight))
    #expect(flights.count == 1)
    #expect(flights.contains(flight))
  }

  @Test mutating func `callers of another key begin a flight of their own`() throws {
    let first = try #require(began(enter("k", "a").join))
    let second = try #require(began(enter("l", "b").join))
    #expect(first < second)
    #expect(first.rawValue == 1)
    #expect(second.rawValue == 2)
    #expect(flights.count == 2)
  }

  @Test mutating func `numbers of waiters are never given out twice`() {
    let ids = (0..<100).map { _ in flights.makeWaiterID() }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
  }

  // MARK: joinable → gone, by landing

  @Test mutating func `landing hands out the waiters in the order in which they asked`() throws {
    // The numbers are given out before the waiters enter, and they enter the other way round.
    let ids = (0..<50).map { _ in flights.makeWaiterID() }
    var flight: FlightID?
    for (place, id) in ids.enumerated().reversed() {
      flight = self.flight(flights.join("k", as: id, waiter: "\(place)"))
    }
    let ended = try #require(flight)
    #expect(flights.land(ended) == (0..<50).map(String.init))
  }

  @Test mutating func `a flight lands once`() throws {
    let flight = try #require(began(enter("k", "a").join))
    #expect(flights.land(flight) == ["a"])
    #expect(flights.land(flight) == nil)
    #expect(!flights.contains(flight))
    #expect(flights.count == 0)
  }

  @Test mutating func `a flight that landed takes no new waiter`() throws {
    let landed = try #require(began(enter("k", "a").join))
    _ = flights.land(landed)
    let next = try #require(began(enter("k", "b").join))
    #expect(next > landed)
    #expect(flights.land(next) == ["b"])
  }

  @Test mutating func `landing one flight leaves the others alone`() throws {
    let first = try #require(began(enter("k", "a").join))
    let second = try #require(began(enter("l", "b").join))
    #expect(flights.land(first) == ["a"])
    #expect(enter("l", "c").join == .joined(second))
    #expect(flights.land(second) == ["b", "c"])
  }

  // MARK: Leaving

  @Test mutating func `the first caller leaves as any other and the flight goes on`() throws {
    let first = enter("k", "first")
    let flight = try #require(began(first.join))
    _ = enter("k", "second")
    let left = flights.leave(first.id)
    let departure = try #require(left)
    #expect(departure.waiter == "first")
    #expect(departure.abandoned == nil)
    #expect(enter("k", "third").join == .joined(flight))
    #expect(flights.land(flight) == ["second", "third"])
  }

  @Test mutating func `the last waiter to leave abandons the flight`() throws {
    let first = enter("k", "first")
    let second = enter("k", "second")
    let flight = try #require(began(first.join))
    #expect(flights.leave(first.id)?.abandoned == nil)
    #expect(flights.leave(second.id)?.abandoned == flight)
    #expect(!flights.contains(flight))
    #expect(flights.land(flight) == nil, "the outcome of an abandoned flight is dropped")
  }

  @Test mutating func `a caller right after the last one left begins anew`() throws {
    let first = enter("k", "first")
    let left = flights.leave(first.id)
    let abandoned = try #require(left?.abandoned)
    let next = try #require(began(enter("k", "second").join))
    #expect(next > abandoned)
    #expect(flights.land(abandoned) == nil)
    #expect(flights.land(next) == ["second"])
  }

  @Test mutating func `nobody leaves twice, before entering or after landing`() throws {
    let early = flights.makeWaiterID()
    #expect(flights.leave(early) == nil)
    let caller = enter("k", "a")
    _ = enter("k", "b")
    #expect(flights.leave(caller.id) != nil)
    #expect(flights.leave(caller.id) == nil)
    let late = enter("l", "c")
    _ = flights.land(flight(late.join))
    #expect(flights.leave(late.id) == nil)
  }

  // MARK: Fencing

  @Test mutating func `a fenced flight takes no new waiter and still answers its own`() throws {
    let fenced = try #require(began(enter("k", "before").join))
    flights.fence()
    #expect(flights.contains(fenced))
    let next = try #require(began(enter("k", "after").join))
    #expect(flights.count == 2)
    #expect(flights.land(fenced) == ["before"])
    #expect(flights.land(next) == ["after"])
  }

  // clerk/clerk-ios PR#534: the old task's cleanup removed the newer in-flight entry.
  @Test mutating func `a fenced flight that lands clears only its own entry`() throws {
    let fenced = try #require(began(enter("k", "before").join))
    flights.fence()
    let next = try #require(began(enter("k", "after").join))
    _ = flights.land(fenced)
    #expect(enter("k", "later").join == .joined(next))
    #expect(flights.land(next) == ["after", "later"])
  }

  @Test mutating func `a fenced flight that is abandoned clears only its own entry`() throws {
    let before = enter("k", "before")
    flights.fence()
    let next = try #require(began(enter("k", "after").join))
    #expect(flights.leave(before.id)?.abandoned == flight(before.join))
    #expect(enter("k", "later").join == .joined(next))
  }

  @Test mutating func `a fence in front of nothing fences nothing`() throws {
    flights.fence()
    let flight = try #require(began(enter("k", "a").join))
    #expect(enter("k", "b").join == .joined(flight))
  }

  // MARK: Ending all

  @Test mutating func `ending all hands out every flight in the order of beginning, fenced ones too`() {
    _ = enter("z", "1")
    flights.fence()
    _ = enter("z", "2")
    _ = enter("a", "3")
    _ = enter("z", "4")
    let ended = flights.landAll()
    #expect(ended.map(\.flight.rawValue) == [1, 2, 3])
    #expect(ended.map(\.waiters) == [["1"], ["2", "4"], ["3"]])
    #expect(flights.count == 0)
    #expect(flights.landAll().isEmpty)
    #expect(began(enter("z", "5").join) != nil)
  }

  @Test func `a hundred thousand waiters can leave one by one`() {
    // Each departure that copied the waiters would make this take minutes.
    var flights = SingleFlight<String, Int>()
    let ids = (0..<100_000).map { number in
      let id = flights.makeWaiterID()
      _ = flights.join("key", as: id, waiter: number)
      return id
    }
    for (number, id) in ids.enumerated() { #expect(flights.leave(id)?.waiter == number) }
    #expect(flights.count == 0)
  }
}
