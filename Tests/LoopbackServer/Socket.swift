import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few system calls of the loopback server, alike on Linux and Darwin.
enum Socket {
  /// Opens a listening socket on a free port of 127.0.0.1.
  static func listen() throws -> (socket: Int32, port: UInt16) {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard listener >= 0 else { throw POSIXError(.EMFILE) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && systemListen(listener, 256) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else {
      close(listener)
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// Waits until the socket or one of the others is ready, and returns the place of the first that is, the
  /// others' places first, counted from 1, and 0 for the socket.
  static func wait(for socket: Int32, orFor others: [Int32], _ events: Int16 = Int16(POLLIN)) -> Int {
    var polled = [pollfd(fd: socket, events: events, revents: 0)]
    polled += others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, nfds_t(polled.count), -1) < 0 {
      precondition(errno == EINTR, "poll failed with \(errno)")
    }
    return polled.indices.dropFirst().first { polled[$0].revents != 0 } ?? 0
  }

  /// Sends what fits without waiting and without a signal if the client has left.
  static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      return Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    #else
      var isOn: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      return Darwin.send(socket, bytes.baseAddress, bytes.count, MSG_DONTWAIT)
    #endif
  }

  private static func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.listen(socket, backlog)
    #else
      Darwin.listen(socket, backlog)
    #endif
  }
}

/// A pipe used as a latch: closing its write end makes its read end ready for ever, for any number of
/// waiters.
final class Pipe: Sendable {
  let readEnd: Int32
  private let writeEnd: Mutex<Int32?>

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe: \(errno)")
    readEnd = ends[0]
    writeEnd = Mutex(ends[1])
  }

  func closeWriteEnd() {
    writeEnd.withLock { end in
      if let open = end { close(open) }
      end = nil
    }
  }

  deinit {
    closeWriteEnd()
    close(readEnd)
  }
}
