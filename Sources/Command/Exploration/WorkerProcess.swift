import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process of an exploration, with its pipes.
final class WorkerProcess {
  /// What the poll of its pipes gave.
  enum News {
    /// Whole lines of standard output.
    case lines([String])
    /// It has closed its standard output, as a process that is gone has.
    case ended
  }

  /// How many lines of standard error are kept.
  private static let keptLines = 20

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var unread: [UInt8] = []
  private var errorBytes: [UInt8] = []

  /// Starts a child.
  ///
  /// - Parameters:
  ///   - executable: The path of the program.
  ///   - arguments: Its arguments.
  /// - Throws: Why it could not be started.
  init(_ executable: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // This process must not keep the ends that are the child's, or it would never see the end of them.
    try? output.fileHandleForWriting.close()
    try? errors.fileHandleForWriting.close()
    try? input.fileHandleForReading.close()
  }

  /// The file to poll for news.
  var outputDescriptor: Int32 { output.fileHandleForReading.fileDescriptor }
  /// The file to poll for what it writes to standard error.
  var errorDescriptor: Int32 { errors.fileHandleForReading.fileDescriptor }

  /// Gives the child a line; one that is gone does not hear it.
  func send(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data(line.utf8)) }

  /// Tells the child that there is no more to do.
  func closeInput() { try? input.fileHandleForWriting.close() }

  /// Reads what is there on standard output; to be called when a poll says that something is.
  func readOutput() -> News {
    guard let bytes = Self.read(outputDescriptor) else { return .ended }
    unread += bytes
    var lines: [String] = []
    var start = 0
    for position in unread.indices where unread[position] == UInt8(ascii: "\n") {
      lines.append(String(decoding: unread[start..<position], as: UTF8.self))
      start = position + 1
    }
    unread.removeFirst(start)
    return .lines(lines)
  }

  /// Reads what is there on standard error, and keeps the end of it.
  ///
  /// - Returns: Whether more may come.
  func readErrors() -> Bool {
    guard let bytes = Self.read(errorDescriptor) else { return false }
    errorBytes += bytes
    if errorBytes.count > 65_536 { errorBytes.removeFirst(errorBytes.count - 32_768) }
    return true
  }

  /// The last lines of standard error.
  var lastWords: [String] {
    String(decoding: errorBytes, as: UTF8.self).split(separator: "\n").suffix(Self.keptLines).map(String.init)
  }

  /// Ends the child at once.
  func kill() {
    #if canImport(Darwin)
      _ = Darwin.kill(process.processIdentifier, SIGKILL)
    #elseif canImport(Musl)
      _ = Musl.kill(process.processIdentifier, SIGKILL)
    #else
      _ = Glibc.kill(process.processIdentifier, SIGKILL)
    #endif
  }

  /// Waits for the end of the child.
  ///
  /// - Returns: How it ended, in words.
  func wait() -> String {
    process.waitUntilExit()
    let status = process.terminationStatus
    switch process.terminationReason {
    case .exit: return "exit \(status)"
    case .uncaughtSignal: return String(cString: strsignal(status)) + " (signal \(status))"
    @unknown default: return "status \(status)"
    }
  }

  /// What can be read now; nil at the end of the file.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, &buffer, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, &buffer, buffer.count)
      #else
        let count = Glibc.read(descriptor, &buffer, buffer.count)
      #endif
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 { return nil }
      if errno != EINTR { return nil }
    }
  }
}
