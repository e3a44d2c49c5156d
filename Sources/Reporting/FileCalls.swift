#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls of the operating system that ``AtomicFile`` makes.
///
/// Each returns what it is asked for, or the error number: negated where the result is a number, as it is elsewhere,
/// 0 then meaning success.
package struct FileCalls: Sendable {
  package var create: @Sendable (_ path: String) -> Int32
  package var open: @Sendable (_ path: String) -> Int32
  package var openDirectory: @Sendable (_ path: String) -> Int32
  package var write: @Sendable (_ file: Int32, _ bytes: ArraySlice<UInt8>) -> Int
  package var synchronize: @Sendable (_ file: Int32) -> Int32
  package var close: @Sendable (_ file: Int32) -> Int32
  package var rename: @Sendable (_ from: String, _ to: String) -> Int32
  package var remove: @Sendable (_ path: String) -> Int32

  /// The real calls, tried again when a signal interrupted them.
  package static let system = FileCalls(
    create: { path in descriptor { systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    },
    open: { path in descriptor { systemOpen(path, O_WRONLY | O_CLOEXEC, 0) } },
    openDirectory: { path in descriptor { systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) } },
    write: { file, bytes in
      while true {
        let written = unsafe bytes.withUnsafeBytes { unsafe systemWrite(file, $0.baseAddress, $0.count) }
        if written >= 0 { return written }
        if errno != EINTR { return -Int(errno) }
      }
    },
    synchronize: { file in
      while true {
        let code = failure(of: fsync(file))
        if code != EINTR { return code }
      }
    },
    // Not tried again: the descriptor is gone whatever close says.
    close: { file in
      let code = failure(of: systemClose(file))
      return code == EINTR ? 0 : code
    },
    rename: { from, to in failure(of: systemRename(from, to)) },
    remove: { path in failure(of: unsafe unlink(path)) }
  )

  /// Opens a file until no signal interrupts it.
  private static func descriptor(_ open: () -> Int32) -> Int32 {
    while true {
      let file = open()
      if file >= 0 { return file }
      if errno != EINTR { return -errno }
    }
  }
}

/// Returns 0 for a call that succeeded, else its error number.
func failure(of result: Int32) -> Int32 { result == 0 ? 0 : errno }

// Inside `FileCalls` the names of the system's functions are those of its members.

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}

private func systemWrite(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, start, count)
}

private func systemClose(_ file: Int32) -> Int32 { close(file) }

private func systemRename(_ from: String, _ to: String) -> Int32 { unsafe rename(from, to) }
