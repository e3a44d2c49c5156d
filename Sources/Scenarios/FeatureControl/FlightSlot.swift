import Events
import Synchronization

/// What links the authorization of a request to the request: the client's task that asks for one sends the other.
///
/// Every task that a client spawns has a slot. The app's closure puts the flight there when it is asked for a token, and
/// the transport takes it out when the request comes; so the judges see one flight, without the client's help.
final class FlightSlot: Sendable {
  /// A flight that was authorized and has sent nothing yet.
  struct Flight {
    let id: RequestID
    /// When its authorization was asked for, in nanoseconds of the run.
    let began: Int64
  }

  /// The slot of the present task.
  @TaskLocal static var current: FlightSlot?

  private let flight = Mutex<Flight?>(nil)

  /// Puts a flight in.
  func put(_ flight: Flight) { self.flight.withLock { $0 = flight } }

  /// Takes the flight out.
  func take() -> Flight? {
    flight.withLock { flight in
      defer { flight = nil }
      return flight
    }
  }
}
