import ClientCore
import Synchronization

// The place where the flags meet analytics, which do not know each other (BEHAVIOUR §3, Exposure).
//
// A read of a flag asks it for the present session and hands over an exposure now and then; analytics opens and closes
// sessions and takes the exposures in. Asking is on the way of every read of an experiment's value, so it takes no lock:
// the session is one word, its number shifted left by one and a bit that says whether anything may be recorded. Numbers
// only grow.
//
// A session ends when nothing has happened for half an hour. Its end is a second word, and the two cannot be changed in one
// step; so there are two of these, taken in turn by odd and even sessions. Who finds session n over first moves the end of
// n + 1, then the number, and a thread that sees the new number sees an end that belongs to it. Ends only move forward, so
// a thread that was held up in between can move none back.

/// Takes in exposures of experiments; analytics is one.
package protocol ExposureSink: AnyObject, Sendable {
  /// Takes in the exposure of a reader to a variant.
  ///
  /// Called once for each, with no lock held, in a task of its own.
  /// - Parameters:
  ///   - flag: The key of the flag.
  ///   - experiment: The experiment that runs on it.
  ///   - variant: The variant that was read.
  ///   - session: The number of the session in which it was read.
  ///   - identity: Who has read it.
  func expose(flag: String, experiment: String, variant: String, session: UInt64, identity: PalbaseIdentity)
}

/// Tells in which session a read happens, and brings its exposure to the sink.
package final class ExposureSlot: Sendable {
  /// How long nothing may happen before a session is over.
  package static let patience = Duration.seconds(1800)

  private let word = Atomic<UInt64>(0)
  private let evenEnd = Atomic<Int64>(.min)
  private let oddEnd = Atomic<Int64>(.min)
  private let sink = Mutex<(any ExposureSink)?>(nil)
  private let onTheWay = Atomic<Int>(0)
  private let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// Creates a slot in which nothing may be recorded.
  package init() {}

  /// Returns the number of the present session.
  ///
  /// Of a session that is over the next one begins. The question alone does not prolong a session.
  /// - Complexity: O(1), without a lock.
  /// - Parameter now: The present instant.
  /// - Returns: The number, from 1; 0 if nothing may be recorded.
  package func session(at now: MonotonicInstant) -> UInt64 {
    while true {
      let seen = word.load(ordering: .acquiring)
      guard Self.isOpen(seen) else { return 0 }
      let number = Self.number(seen)
      if now.nanoseconds < end(of: number) { return number }
      extend(number + 1, from: now)
      if exchange(seen, for: Self.opened(number + 1)) { return number + 1 }
    }
  }

  /// Says that something happens in the present session, which goes on for half an hour from now.
  ///
  /// - Complexity: O(1), without a lock.
  /// - Parameter now: The present instant.
  package func touch(at now: MonotonicInstant) {
    let number = session(at: now)
    if number > 0 { extend(number, from: now) }
  }

  /// Lets exposures be recorded from now on, in a new session; in the present one if they may already.
  ///
  /// - Parameter now: The present instant.
  package func open(at now: MonotonicInstant) {
    begin(at: now) { !Self.isOpen($0) }
  }

  /// Begins a new session, if exposures may be recorded.
  ///
  /// - Parameter now: The present instant.
  package func newSession(at now: MonotonicInstant) {
    begin(at: now, if: Self.isOpen)
  }

  /// Lets no exposure be recorded from now on.
  package func close() {
    while true {
      let seen = word.load(ordering: .acquiring)
      if !Self.isOpen(seen) || exchange(seen, for: seen & ~1) { return }
    }
  }

  /// Says who takes exposures in, until the client closes.
  ///
  /// - Parameter sink: Takes them in; nil drops them.
  package func setSink(_ sink: (any ExposureSink)?) { self.sink.withLock { $0 = sink } }

  /// Hands an exposure over, off the path of the read that was one.
  ///
  /// - Parameters:
  ///   - flag: The key of the flag.
  ///   - experiment: The experiment that runs on it.
  ///   - variant: The variant that was read.
  ///   - session: What `session(at:)` gave.
  ///   - identity: Who has read it.
  ///   - spawner: Starts the task that brings it to the sink.
  package func record(
    flag: String, experiment: String, variant: String, session: UInt64, identity: PalbaseIdentity,
    spawner: any Spawner
  ) {
    onTheWay.add(1, ordering: .relaxed)
    _ = spawner.spawn { [self] in
      let sink = sink.withLock { $0 }
      sink?.expose(flag: flag, experiment: experiment, variant: variant, session: session, identity: identity)
      arrive()
    }
  }

  /// Waits until the exposures that were handed over before have reached the sink.
  package func settle() async {
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      // Counted down before the lock is taken: either this sees that all have arrived or the last one finds the waiter.
      let hasSettled = waiters.withLock { waiters in
        if onTheWay.load(ordering: .acquiring) == 0 { return true }
        waiters.append(waiter)
        return false
      }
      if hasSettled { waiter.resume() }
    }
  }

  private func arrive() {
    guard onTheWay.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    let settled = waiters.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for waiter in settled { waiter.resume() }
  }

  private func begin(at now: MonotonicInstant, if isDue: (UInt64) -> Bool) {
    while true {
      let seen = word.load(ordering: .acquiring)
      guard isDue(seen) else { return }
      let next = Self.number(seen) + 1
      extend(next, from: now)
      if exchange(seen, for: Self.opened(next)) { return }
    }
  }

  private func exchange(_ seen: UInt64, for next: UInt64) -> Bool {
    word.compareExchange(expected: seen, desired: next, ordering: .acquiringAndReleasing).exchanged
  }

  private func end(of number: UInt64) -> Int64 {
    number.isMultiple(of: 2) ? evenEnd.load(ordering: .acquiring) : oddEnd.load(ordering: .acquiring)
  }

  private func extend(_ number: UInt64, from now: MonotonicInstant) {
    let end = now.advanced(by: Self.patience).nanoseconds
    if number.isMultiple(of: 2) {
      evenEnd.max(end, ordering: .acquiringAndReleasing)
    } else {
      oddEnd.max(end, ordering: .acquiringAndReleasing)
    }
  }

  private static func isOpen(_ word: UInt64) -> Bool { word & 1 == 1 }
  private static func number(_ word: UInt64) -> UInt64 { word >> 1 }
  private static func opened(_ number: UInt64) -> UInt64 { number << 1 | 1 }
}
