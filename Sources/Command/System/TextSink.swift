#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A place that text is written to.
package struct TextSink: Sendable {
  /// Writes all of a text; returns the system's error number, 0 for success.
  package var write: @Sendable (_ text: String) -> Int32

  /// Creates a sink.
  ///
  /// - Parameter write: Writes all of a text; returns the system's error number, 0 for success.
  package init(write: @escaping @Sendable (_ text: String) -> Int32) { self.write = write }

  /// The standard output of the process.
  package static let standardOutput = TextSink(descriptor: STDOUT_FILENO)
  /// The standard error of the process.
  package static let standardError = TextSink(descriptor: STDERR_FILENO)

  /// Creates a sink that writes to an open file, unbuffered, so that nothing is lost when the process ends.
  ///
  /// - Parameter descriptor: The file; it must stay open.
  package init(descriptor: Int32) {
    self.init { text in
      var text = text
      return text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)[...]
        while !rest.isEmpty {
          let part = UnsafeRawBufferPointer(rebasing: rest)
          #if canImport(Darwin)
            let written = Darwin.write(descriptor, part.baseAddress, part.count)
          #elseif canImport(Musl)
            let written = Musl.write(descriptor, part.baseAddress, part.count)
          #else
            let written = Glibc.write(descriptor, part.baseAddress, part.count)
          #endif
          if written > 0 {
            rest = rest.dropFirst(written)
          } else if written == 0 {
            return EIO
          } else if errno == EAGAIN {
            // Somebody made the terminal non-blocking, as some programs leave it.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&waiting, 1, -1)
          } else if errno != EINTR {
            return errno
          }
        }
        return 0
      }
    }
  }
}
