import ClientCore
import Palbase

/// A request of the sync, numbered so that an answer finds the request it belongs to, or none.
struct RequestID: Hashable, Comparable, Sendable {
  let number: UInt64
  static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }
}

/// A call of `refresh()` or `start()` that waits.
struct WaiterID: Hashable, Comparable, Sendable {
  let number: UInt64
  static func < (left: WaiterID, right: WaiterID) -> Bool { left.number < right.number }
}

/// A timer of the sync; of an earlier one nobody wants to hear any more.
struct TimerID: Hashable, Sendable {
  let number: UInt64
}

/// How long a timer runs.
///
/// The shell draws what is random in it, when it starts the timer.
enum TimerDelay: Sendable, Equatable {
  /// As long as the first fetch waits for the record on the device.
  case patience
  /// A random time, so that a fleet that was told at once does not ask at once.
  case jitter
  /// The gap after a failure, whose predecessors the value knows.
  case backoff(Backoff)
  /// Until the service wants to be asked again, and a random time more.
  case retryAfter(opens: MonotonicInstant)
}

/// What the machine wants done; the order of a list is the order of doing.
enum FlagsAction: Sendable {
  /// Read the record of the device.
  case load
  /// Send a request.
  case send(RequestID, FlagsQuery, PalbaseIdentity)
  /// Let go of a request that was sent.
  case abandon(RequestID)
  /// Start a timer.
  case arm(TimerID, TimerDelay)
  /// Stop a timer.
  case disarm(TimerID)
  /// End calls of `refresh()`.
  case answer([WaiterID], PalbaseError?)
  /// End calls of `start()`.
  case started([WaiterID])
  /// Tell listeners of keys whose values have changed; the record with them is the machine's already.
  case tell(Set<String>)
  /// Keep the machine's record on the device.
  case keepRecord
  /// Take the record from the device.
  case removeRecord
  /// Leave the change channels of a reader and join those of another one.
  case follow(PalbaseIdentity)
}
