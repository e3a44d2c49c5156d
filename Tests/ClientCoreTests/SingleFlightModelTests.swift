import ClientCore
import Testing

/// `SingleFlight` beside a model that is too simple to be wrong: one list of flights, searched from end to end.
///
/// Few keys and few waiters, so that every pair of inputs meets often.
@Suite struct SingleFlightModelTests {
  private typealias Flights = SingleFlight<Int, Int>

  private struct Model {
    struct Flight: Equatable {
      let number: UInt64
      let key: Int
      var isJoinable = true
      var waiters: [Int]
    }

    var flights: [Flight] = []
    var begun: UInt64 = 0

    mutating func join(_ key: Int, _ waiter: Int) -> (number: UInt64, isNew: Bool) {
      if let place = flights.firstIndex(where: { $0.key == key && $0.isJoinable }) {
        flights[place].waiters.append(waiter)
        return (flights[place].number, false)
      }
      begun += 1
      flights.append(Flight(number: begun, key: key, waiters: [waiter]))
      return (begun, true)
    }

    mutating func land(_ number: UInt64) -> [Int]? {
      flights.firstIndex { $0.number == number }.map { flights.remove(at: $0).waiters.sorted() }
    }

    /// What leaving gives: whether the waiter was there, and which flight it was the last one of.
    mutating func leave(_ waiter: Int) -> (wasThere: Bool, abandoned: UInt64?) {
      guard let place = flights.firstIndex(where: { $0.waiters.contains(waiter) }) else {
        return (false, nil)
      }
      flights[place].waiters.removeAll { $0 == waiter }
      guard flights[place].waiters.isEmpty else { return (true, nil) }
      return (true, flights.remove(at: place).number)
    }

    mutating func fence() {
      for place in flights.indices { flights[place].isJoinable = false }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `random histories go as in the model`(seed: UInt64) {
    let random = ControllableRandomSource(seed: seed)
    var model = Model()
    var flights = Flights()
    var ids: [WaiterID] = []
    var known: [FlightID] = []
    for step in 0..<5_000 {
      switch random.next() % 100 {
      case 0..<50:
        let key = Int(random.next() % 4)
        let waiter = ids.count
        ids.append(flights.makeWaiterID())
        let expected = model.join(key, waiter)
        switch flights.join(key, as: ids[waiter], waiter: waiter) {
        case .began(let flight):
          #expect(expected.isNew && flight.rawValue == expected.number, "step \(step)")
          known.append(flight)
        case .joined(let flight):
          #expect(!expected.isNew && flight.rawValue == expected.number, "step \(step)")
        }
      case 50..<80 where !ids.isEmpty:
        // Mostly one of the young waiters, sometimes one that is long gone.
        let waiter = ids.count - 1 - Int(random.next() % UInt64(min(ids.count, 12)))
        let expected = model.leave(waiter)
        let departure = flights.leave(ids[waiter])
        #expect((departure != nil) == expected.wasThere, "step \(step)")
        #expect(departure.map(\.waiter) == (expected.wasThere ? waiter : nil), "step \(step)")
        #expect(departure?.abandoned?.rawValue == expected.abandoned, "step \(step)")
      case 80..<95 where !known.isEmpty:
        let flight = known[known.count - 1 - Int(random.next() % UInt64(min(known.count, 6)))]
        #expect(flights.contains(flight) == model.flights.contains { $0.number == flight.rawValue })
        #expect(flights.land(flight) == model.land(flight.rawValue), "step \(step)")
      case 95..<99:
        model.fence()
        flights.fence()
      case 99 where random.next() % 10 == 0:
        let ended = flights.landAll()
        #expect(ended.map(\.flight.rawValue) == model.flights.map(\.number), "step \(step)")
        #expect(ended.map(\.waiters) == model.flights.map { $0.waiters.sorted() }, "step \(step)")
        model.flights = []
      default: break
      }
      #expect(flights.count == model.flights.count, "step \(step)")
    }
  }
}
