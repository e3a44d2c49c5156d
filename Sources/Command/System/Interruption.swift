// Ctrl-C and kill.
//
// The handler does what a signal handler may: it stores the signal's number in an atomic and returns; the run polls
// that number and ends in its own time, so that the reports are written. Who is in a hurry sends a second one, which
// ends the process at once.
//
// It is installed also where the shell has SIGINT ignored, as it does for a script's background jobs: a SIGINT sent
// there is sent on purpose.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Reporting
import Synchronization

/// The number of the first signal that arrived; 0 for none.
private let received = Atomic<Int32>(0)

/// A function rather than a closure, so that it belongs to no actor: C calls it on whatever thread it likes.
private func noteSignal(_ number: Int32) {
  let (isFirst, _) = received.compareExchange(expected: 0, desired: number, ordering: .sequentiallyConsistent)
  if !isFirst { _exit(128 + number) }
}

/// The signals that end a run.
enum Interruption {
  /// Has SIGINT and SIGTERM noted from now on, and writing to a closed pipe fail instead of ending the process.
  static func install() {
    // A global is made at its first use, which takes a lock: it must not be the handler's.
    _ = received.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { handle(number, by: noteSignal) }
    unblock([SIGINT, SIGTERM])
    signal(SIGPIPE, SIG_IGN)
  }

  /// The signal that arrived; nil if none has.
  ///
  /// - Complexity: O(1), one atomic load.
  static var current: Verdict.Signal? {
    switch received.load(ordering: .relaxed) {
    case 0: nil
    case SIGTERM: .terminate
    default: .interrupt
    }
  }

  /// Lets this thread have signals: who starts a process from a thread that blocks them hands that down.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func handle(_ number: Int32, by handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    // Calls that the signal interrupts go on by themselves.
    action.sa_flags = Int32(SA_RESTART)
    sigaction(number, &action, nil)
  }
}
