#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Reporting
import Synchronization

/// Standard output and standard error of one command, with a note of what could not be written.
final class Console: Sendable {
  private let output: TextSink
  private let errors: TextSink
  /// The first error of the standard output; 0 for none.
  private let failure = Mutex<Int32>(0)

  init(output: TextSink, errors: TextSink) {
    self.output = output
    self.errors = errors
  }

  /// Writes to standard output.
  ///
  /// A reader that has gone, as `| head` does, is no error: it has what it wanted.
  func print(_ text: String) {
    let code = output.write(text)
    if code != 0, code != EPIPE { failure.withLock { if $0 == 0 { $0 = code } } }
  }

  /// Writes a report to standard output, where also a reader that has gone is an error.
  func printReport(_ text: String) {
    let code = output.write(text)
    if code != 0 { failure.withLock { if $0 == 0 { $0 = code } } }
  }

  /// Writes to standard error; there is nobody to tell if that fails.
  func tell(_ text: String) { _ = errors.write(text) }

  /// Writes a problem, one line, to standard error.
  func tell(problem: some CustomStringConvertible) { tell("\(problem)\n") }

  /// Tells what could not be written to standard output, if anything.
  ///
  /// - Returns: The exit code that it means.
  func outcome() -> ExitCode {
    let code = failure.withLock { $0 }
    guard code != 0 else { return .passed }
    tell("simulate: error: cannot write to standard output: \(String(cString: strerror(code)))\n")
    return .internalError
  }
}
