// What to tell when the code under test crashes.
//
// A client that traps takes the simulator with it, and a crash dump alone does not say which run it was. The text is
// made ready before the run starts; the handler only writes it and steps aside, so that whoever handled the signal
// before (Swift's backtracer, or the system) goes on as if it had not been there.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// How many bytes of the note are ready; 0 for none.
private let length = Atomic<Int>(0)

/// Room for the note and for what handled each signal before, made once and never moved.
///
/// `nonisolated(unsafe)`: written before a run starts, by the one thread that starts it; the handler only reads.
private nonisolated(unsafe) let noteBytes = UnsafeMutablePointer<UInt8>.allocate(capacity: CrashNote.capacity)
private nonisolated(unsafe) let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

/// A function rather than a closure, so that it belongs to no actor; it calls nothing that a handler may not.
private func tellCrash(_ number: Int32) {
  let count = length.exchange(0, ordering: .relaxed)
  if count > 0 { _ = write(STDERR_FILENO, noteBytes, count) }
  // The instruction that failed runs again, into the hands of the one before.
  sigaction(number, previous + Int(number), nil)
}

/// A note that the process leaves if it crashes.
enum CrashNote {
  /// The longest note, in bytes; what exceeds it is cut off.
  static let capacity = 8192

  private static let installed: Void = {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = tellCrash
      #else
        action.__sigaction_handler.sa_handler = tellCrash
      #endif
      action.sa_flags = Int32(bitPattern: UInt32(SA_ONSTACK))
      sigaction(number, &action, previous + Int(number))
    }
  }()

  /// Has a text written to standard error if the process crashes from now on.
  ///
  /// - Parameter text: The text, with its line break.
  static func arm(_ text: String) {
    length.store(0, ordering: .relaxed)
    _ = installed
    let bytes = Array(text.utf8.prefix(capacity))
    for (index, byte) in bytes.enumerated() { noteBytes[index] = byte }
    length.store(bytes.count, ordering: .releasing)
  }

  /// Has nothing written any more.
  static func disarm() { length.store(0, ordering: .relaxed) }
}
