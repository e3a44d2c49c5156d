// Writing a file whole or not at all.
//
// The idea: the bytes go into a new file beside the target; only when they are all on the disk does that file take
// the target's name, in one step of the file system. Whoever reads the target at any time, also after a crash or a
// full disk, sees the old file or the new one and never a half. When anything fails, the new file is removed.
//
// What has no content of its own to lose, as `/dev/stdout` or a pipe, is written directly: renaming over it would
// destroy it. Through a symbolic link the file that it names is replaced, not the link.
//
// The calls of the operating system take C pointers, which Swift counts as unsafe: each such call, here and in
// `FileCalls`, is one marked expression, and none keeps a pointer beyond its call.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a file could not be written.
public struct AtomicFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or directory, as it was given.
  public let path: String
  /// What was tried, as `write`.
  public let action: String
  /// The system's error number; 0 if the reason is not the system's.
  public let code: Int32
  /// Why it failed, as `No space left on device`.
  public let reason: String
  /// What to do about it.
  public let remedy: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - path: The file or directory, as it was given.
  ///   - action: What was tried, as `write`.
  ///   - code: The system's error number; 0 if the reason is not the system's.
  ///   - reason: Why it failed.
  ///   - remedy: What to do about it.
  public init(path: String, action: String, code: Int32, reason: String, remedy: String) {
    self.path = path
    self.action = action
    self.code = code
    self.reason = reason
    self.remedy = remedy
  }

  /// Path, reason and remedy in one line.
  public var description: String { "cannot \(action) \(path): \(reason); \(remedy)" }
}

/// Files that are written whole or not at all.
public enum AtomicFile {
  /// Replaces a file, or makes it.
  ///
  /// Blocks until the bytes are on the disk. Missing directories are not made; see ``makeDirectory(_:)``.
  /// - Complexity: O(n) in the number of bytes.
  /// - Parameters:
  ///   - text: The new content, written as UTF-8.
  ///   - path: The file.
  /// - Throws: An error with path, reason and remedy; the old file, if any, is as it was, and nothing is left beside.
  public static func write(_ text: String, to path: String) throws(AtomicFileError) {
    try write(Array(text.utf8), to: path)
  }

  /// Replaces a file, or makes it.
  ///
  /// Blocks until the bytes are on the disk. Missing directories are not made; see ``makeDirectory(_:)``.
  /// - Complexity: O(n) in the number of bytes.
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - path: The file.
  /// - Throws: An error with path, reason and remedy; the old file, if any, is as it was, and nothing is left beside.
  public static func write(_ bytes: [UInt8], to path: String) throws(AtomicFileError) {
    try write(bytes, to: path, calls: .system)
  }

  /// Replaces a file through the given calls, so that a test can have a full disk.
  package static func write(_ bytes: [UInt8], to path: String, calls: FileCalls) throws(AtomicFileError) {
    let target: String
    switch kind(of: path) {
    case .file: target = resolved(path)
    case .absent: target = path
    case .directory:
      throw AtomicFileError(
        path: path,
        action: "write",
        code: EISDIR,
        reason: "it is a directory",
        remedy: "name a file in it, or another place"
      )
    case .device:
      try writeDirectly(bytes, to: path, calls: calls)
      return
    }
    let directory = parent(of: target)
    let (file, aside) = try makeAside(in: directory, for: path, calls: calls)
    do throws(AtomicFileError) {
      do throws(AtomicFileError) {
        try writeAll(bytes, to: file, path: path, calls: calls)
        try check(calls.synchronize(file), path: path)
      } catch {
        _ = calls.close(file)
        throw error
      }
      try check(calls.close(file), path: path)
      try check(calls.rename(aside, target), path: path)
    } catch {
      _ = calls.remove(aside)
      throw error
    }
    try synchronizeDirectory(directory, path: path, calls: calls)
  }

  /// Makes a directory and those above it that are missing.
  ///
  /// - Complexity: O(n) in the number of parts of the path.
  /// - Parameter path: The directory.
  /// - Throws: An error with path, reason and remedy, if it cannot be made or something else has its name.
  public static func makeDirectory(_ path: String) throws(AtomicFileError) {
    guard !path.isEmpty, kind(of: path) != .directory else { return }
    let above = parent(of: path)
    if above != path { try makeDirectory(above) }
    let code = failure(of: unsafe mkdir(path, 0o777))
    // Somebody else may have made it in the meantime.
    if code != 0, !(code == EEXIST && kind(of: path) == .directory) {
      throw error(code, action: "make the directory", path: path)
    }
  }

  // MARK: Steps

  private enum Kind {
    case absent
    case file
    case directory
    case device
  }

  /// Returns what a path names, symbolic links followed; a link that leads nowhere counts as absent.
  private static func kind(of path: String) -> Kind {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return .absent }
    switch information.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .device
    }
  }

  /// Returns the path without symbolic links.
  private static func resolved(_ path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// Makes a new file beside the target, under a name that no other process or thread has taken.
  private static func makeAside(
    in directory: String,
    for path: String,
    calls: FileCalls
  ) throws(AtomicFileError) -> (file: Int32, name: String) {
    for attempt in 0..<1000 {
      // Not the target's name with a suffix, which may be too long for a name.
      let name = "\(directory)/.simulate-\(getpid())-\(attempt).tmp"
      let file = calls.create(name)
      if file >= 0 { return (file, name) }
      if -file != EEXIST { throw error(-file, action: "write", path: path) }
    }
    throw AtomicFileError(
      path: path,
      action: "write",
      code: EEXIST,
      reason: "\(directory) is full of files left by killed runs",
      remedy: "remove the files .simulate-*.tmp there"
    )
  }

  private static func writeAll(
    _ bytes: [UInt8],
    to file: Int32,
    path: String,
    calls: FileCalls
  ) throws(AtomicFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = calls.write(file, rest)
      // 0 bytes without an error would go on for ever.
      if written <= 0 { throw error(written < 0 ? Int32(-written) : EIO, action: "write", path: path) }
      rest = rest.dropFirst(written)
    }
  }

  private static func writeDirectly(
    _ bytes: [UInt8],
    to path: String,
    calls: FileCalls
  ) throws(AtomicFileError) {
    let file = calls.open(path)
    if file < 0 { throw error(-file, action: "write", path: path) }
    defer { _ = calls.close(file) }
    try writeAll(bytes, to: file, path: path, calls: calls)
  }

  /// Makes the new name last: without this a power cut could bring the old file back.
  private static func synchronizeDirectory(
    _ directory: String,
    path: String,
    calls: FileCalls
  ) throws(AtomicFileError) {
    let file = calls.openDirectory(directory)
    // The file has its new content; a directory that may be written but not read is no reason to say otherwise.
    if file < 0 { return }
    defer { _ = calls.close(file) }
    let code = calls.synchronize(file)
    // Some file systems have nothing to synchronise in a directory and say so.
    if code != 0, code != EINVAL, code != ENOTSUP { throw error(code, action: "write", path: path) }
  }

  private static func check(_ code: Int32, path: String) throws(AtomicFileError) {
    if code != 0 { throw error(code, action: "write", path: path) }
  }

  private static func parent(of path: String) -> String {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  private static func error(_ code: Int32, action: String, path: String) -> AtomicFileError {
    let remedy =
      switch code {
      case ENOSPC, EDQUOT: "free some space, or choose another place with --reports"
      case EACCES, EPERM: "make the folder writable, or choose another place with --reports"
      case EROFS: "the file system is read-only: choose another place with --reports"
      case ENOENT: "make the folder first, or choose another place"
      case ENOTDIR, EEXIST: "a part of the path is a file: remove it, or choose another place"
      case ENAMETOOLONG: "choose a shorter name"
      case EMFILE, ENFILE: "close other programs, or raise the limit with ulimit -n"
      default: "choose another place with --reports"
      }
    let reason = unsafe String(cString: strerror(code))
    return AtomicFileError(path: path, action: action, code: code, reason: reason, remedy: remedy)
  }
}
